"""Pictures of a posterior: traces of its chains, and a corner plot with priors and flags."""
