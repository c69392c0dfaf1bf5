"""Read posteriors from the files samplers write, and match their parameters' names to ours.

Nothing in a file is ever unpickled, imported or run; size and depth are limited (:mod:`reliability.posteriors.limits`).
"""

from reliability.posteriors.matching import Matched, match_names
from reliability.posteriors.priors_file import read_priors
from reliability.posteriors.reading import read_posterior
from reliability.posteriors.report import read_report

__all__ = ["Matched", "match_names", "read_posterior", "read_priors", "read_report"]
