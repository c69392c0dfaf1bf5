"""The one home of the checks' thresholds, each with its source.

[Gelman13]: Gelman et al., *Bayesian Data Analysis*, 3rd ed. [Vehtari21]: Vehtari et al., Bayesian Analysis 16, 667,
arXiv:1903.08008. [emcee]: Foreman-Mackey et al. 2013, PASP 125, 306, and the documentation of emcee 3 on
autocorrelation. [Hartigan85]: Hartigan & Hartigan 1985, Ann. Statist. 13, 70. "ours": a convention of this project.
"""

from __future__ import annotations

BOUNDARY_RATIO = 0.1
"""Density at a prior's bound over the peak density from which a posterior is truncated (ours; a normal density has it
2.1 sigma from its peak)."""
PINNED_RATIO = 0.9
"""The same ratio from which the mode cannot be told from the bound (ours; 400 samples give a density to 10 %)."""
NEAR_BOUND = 0.01
"""Share of the prior's width that counts as being at the bound (ours)."""
SD_RATIO = 0.6
"""Posterior over prior standard deviation above which the prior decides (ours)."""
INFORMATION_NATS = 0.3
"""Information gain of the marginal below which the prior decides (ours; 0.3 nats shrink a normal prior to 0.51)."""
CORRELATION = 0.9
"""Absolute correlation above which two parameters are degenerate (ours)."""
R_HAT = 1.01
"""Rank-normalised split R-hat above which independent chains disagree ([Vehtari21], section 4)."""
R_HAT_ERROR = 1e-4
"""Probability with which chance alone may lift R-hat of converged chains over what we call disagreement (ours)."""
MIN_TAUS_FOR_R_HAT = 200
"""Autocorrelation times a chain below which R-hat around 1.01 says nothing (ours: its own error is as large there)."""
MIN_TAUS = 50
"""Autocorrelation times a chain or walker below which tau itself is not trusted ([emcee])."""
MIN_ESS = 400
"""Effective sample size, bulk and tail, below which quantiles are not trusted ([Vehtari21], section 4)."""
STUCK_SHARE = 0.1
"""Share of the median walker's moves below which a walker is stuck (ours)."""
DIP_P = 0.01
"""p-value of Hartigan's dip below which a marginal has more than one mode ([Hartigan85] gives the test)."""
CHI2_NU = 2.0
"""Reduced chi-squared above which a fit is poor (ours)."""
CHI2_PER_PARAMETER = 9.0
"""Excess of chi-squared over our best fit, per free parameter, above which the fit was not found (3 sigma each)."""
SCALE_SIGMAS = 3.0
"""Distance, in the reference's sigma, within which a transformed value is explained (where Eq. 8 of the paper ends)."""
SCALE_SHARE = 0.25
"""And within this share of it: where sigma is a third of the value, 3 sigma is no explanation (ours)."""
SCALE_STEP_SIGMAS, SCALE_STEP_RATIO = 10.0, 3.0
"""A change of scale moves a value by so many sigma, or so many times: nearer, mere disagreement explains it (ours)."""
DRIFT = 1.1
"""R-hat across trials above which repeated analyses of the same data disagree ([Gelman13], section 11.4)."""
