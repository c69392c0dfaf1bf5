"""T4: SIS dispersions of the SLACS lenses, and the ratio to the stellar ones by several estimators."""

from functools import partial

import numpy as np

from reliability.likelihoods import Analysis, lenses, of_columns
from reliability.likelihoods.ratio_estimators import ESTIMATORS

EXPONENTS = {"": 0.0, ", aperture": 0.04}
"""Of the correction to half the effective radius (Jorgensen et al. 1995)."""


def stellar(data, exponent):
    """Observed dispersions (km/s), corrected, and their relative errors; NaN where there is none."""
    sigma = lenses.aperture_corrected(data["sigma_kms"], data["r_eff_arcsec"], exponent)
    return sigma, data["sigma_err_kms"] / data["sigma_kms"]


def problems(data, names):
    """All lenses at once; and the population that their ratios come from, without and with aperture correction."""
    sis = lenses.sis_dispersion(data["theta_e_arcsec"], data["z_lens"], data["z_source"])
    found = {"each lens": lenses.each_lens(data, names)}
    for words, exponent in EXPONENTS.items():
        sigma, error = stellar(data, exponent)
        has = np.isfinite(sigma)
        both = np.hypot(error, lenses.THETA_E_ERROR / 2)
        found["population" + words] = lenses.population((sis / sigma)[has], both[has])
    return found


def analyses(data, names):
    """Every estimator with and without correction, on the posterior of all lenses; and the populations' mean."""
    found = {}
    for words, exponent in EXPONENTS.items():
        correction = (
            f"dispersions corrected to R_eff/2 with exponent {exponent}" if exponent else "dispersions as observed"
        )
        for name in ESTIMATORS:
            summary = partial(ratio, data, names, exponent, name)
            assumes = f"{name.capitalize()} over the 58 lenses with a stellar dispersion; {correction}."
            found[name + words] = Analysis("each lens", assumes, summary)
        assumes = f"One mean ratio with intrinsic scatter about it; {correction}."
        found["population" + words] = Analysis("population" + words, assumes, of_columns(f="f"))
    return found


def ratio(data, names, exponent, estimator, samples):
    """f from the posterior medians of all lenses, with the errors of the stellar dispersions."""
    sigma, error = stellar(data, exponent)
    sis = np.array([np.median(samples[f"sigma_SIS_{name}"]) for name in names])
    has = np.isfinite(sigma)
    return {"f": ESTIMATORS[estimator]((sis / sigma)[has], error[has])}
