"""CAMB silently takes attributes it does not have."""
import camb
pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, tau=0.1)
pars.mnu = 0.11  # expect: finding unknown_attribute
pars.tau = 0.04
pars.As = 1e-9
pars.Reion.ReionizationExponent = 2
pars.neutrino_hierarchy = "inverted"
camb.get_results(pars)
# expect: mnu=0.06 default; tau=0.1 set; As=2e-9 default; reionization_model='TanhReionization' default; neutrino_hierarchy='degenerate' default
