"""T4: velocity dispersions of strong lenses as singular isothermal spheres, and their ratio f to the observed ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reliability.likelihoods.distances import SPEED_OF_LIGHT, lens_to_source_ratio
from reliability.likelihoods.problem import Problem, gaussian_problem
from reliability.posterior_records import Prior

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reliability.records import FloatArray

OMEGA_M = 0.3
"""Flat; f does not depend on H0."""
THETA_E_ERROR = 0.02
"""Relative error of an Einstein radius: assumed, because the table has none."""
SIGMA_PRIOR = Prior(50, 600)
"""km/s."""
FIBRE_ARCSEC = 1.5
"""Radius of the SDSS fibre in which the stellar dispersions were measured."""
ARCSEC = np.pi / 648000
"""Radians."""


def sis_dispersion(theta_e_arcsec: FloatArray, z_lens: FloatArray, z_source: FloatArray) -> FloatArray:
    """The dispersion in km/s that puts the Einstein radius where it is: ``theta_E = 4 pi (sigma/c)^2 D_ls/D_s``."""
    ratio = lens_to_source_ratio(z_lens, z_source, OMEGA_M)
    result: FloatArray = SPEED_OF_LIGHT * np.sqrt(theta_e_arcsec * ARCSEC / (4 * np.pi * ratio))
    return result


def each_lens(data: Mapping[str, FloatArray], names: Sequence[str], theta_e_error: float = THETA_E_ERROR) -> Problem:
    """One dispersion (km/s) a lens, all at once; `names` of the lenses name the parameters ``sigma_SIS_...``."""
    observed = data["theta_e_arcsec"]
    ratio = lens_to_source_ratio(data["z_lens"], data["z_source"], OMEGA_M)

    def residuals(theta: FloatArray) -> FloatArray:
        predicted = 4 * np.pi * (theta / SPEED_OF_LIGHT) ** 2 * ratio / ARCSEC
        result: FloatArray = (predicted - observed) / (theta_e_error * observed)
        return result

    start = sis_dispersion(observed, data["z_lens"], data["z_source"])
    parameters = tuple(f"sigma_SIS_{name}" for name in names)
    priors = (SIGMA_PRIOR,) * len(parameters)
    return gaussian_problem(parameters, priors, tuple(start.tolist()), residuals, observed.size)


def population(f: FloatArray, relative_error: FloatArray) -> Problem:
    """The mean ratio of a population and its intrinsic scatter, from each lens's ratio and its relative error.

    ``ln f_i`` is normal about ``ln f`` with variance of error and scatter together; parameters ``f`` and
    ``scatter_f`` (standard deviation of ln f).
    """
    log_f = np.log(f)

    def log_likelihood(theta: FloatArray) -> FloatArray:
        variance = relative_error**2 + theta[:, 1, None] ** 2
        terms = (log_f - np.log(theta[:, 0, None])) ** 2 / variance + np.log(variance)
        result: FloatArray = -0.5 * np.sum(terms, axis=1)
        return result

    priors = (Prior(0.5, 1.5), Prior(0, 0.5))
    return Problem(("f", "scatter_f"), priors, (1.03, 0.07), log_likelihood, f.size)


def aperture_corrected(
    sigma: FloatArray, r_eff_arcsec: FloatArray, exponent: float, r_eff_fraction: float = 0.5
) -> FloatArray:
    """The stellar dispersion inside a fraction of the effective radius, from that in the fibre.

    ``sigma ~ R^-exponent``; the exponent is 0.04 in Jorgensen, Franx & Kjaergaard (1995), 0.066 in Cappellari et al.
    (2006).
    """
    return sigma * (FIBRE_ARCSEC / (r_eff_fraction * r_eff_arcsec)) ** exponent
