"""T1: flat LCDM from the distance moduli of type Ia supernovae.

The moduli of Union2.1 are calibrated with an absolute magnitude that belongs to H0 = 70 km/s/Mpc. The data know only
that magnitude less 5 log10 H0; three ways to treat that are three problems here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reliability.likelihoods.distances import distance_modulus
from reliability.likelihoods.problem import Problem, gaussian_problem
from reliability.posterior_records import Prior

if TYPE_CHECKING:
    from reliability.records import FloatArray

H0_PRIOR = Prior(50, 90)
"""km/s/Mpc; the bounds that the trials in [PW] 6.2 used."""
OMEGA_LAMBDA_PRIOR = Prior(0, 1)
M_B_PRIOR = Prior(-21, -18)
"""Absolute magnitude of a standard supernova in B."""
H0_CALIBRATION = 70.0
"""km/s/Mpc; the Hubble constant that the tabulated moduli assume."""


def free_h0(z: FloatArray, mu: FloatArray, mu_err: FloatArray) -> Problem:
    """H0 and Omega_Lambda with the calibration taken as true: H0 comes back as what was put in."""

    def residuals(theta: FloatArray) -> FloatArray:
        return (distance_modulus(z, theta[:, 0], 1 - theta[:, 1]) - mu) / mu_err

    return gaussian_problem(("H0", "Omega_Lambda"), (H0_PRIOR, OMEGA_LAMBDA_PRIOR), (70.0, 0.7), residuals, z.size)


def marginalised_offset(z: FloatArray, mu: FloatArray, mu_err: FloatArray) -> Problem:
    """Omega_Lambda alone; the offset of all moduli (H0 and absolute magnitude) is marginalised over a flat prior.

    Taking the weighted mean of the residuals away gives chi2 = A - B^2/C, the exact marginal up to a constant
    (Goliath et al. 2001, appendix A.2).
    """
    weights = mu_err**-2 / np.sum(mu_err**-2)

    def residuals(theta: FloatArray) -> FloatArray:
        shift = distance_modulus(z, np.full(len(theta), H0_CALIBRATION), 1 - theta[:, 0]) - mu
        return (shift - (shift @ weights)[:, None]) / mu_err

    return gaussian_problem(("Omega_Lambda",), (OMEGA_LAMBDA_PRIOR,), (0.7,), residuals, z.size)


def free_magnitude(z: FloatArray, mu: FloatArray, mu_err: FloatArray, calibration: float) -> Problem:
    """H0, Omega_Lambda and the absolute magnitude M_B: what apparent magnitudes, ``mu + calibration``, depend on.

    `calibration`: the absolute magnitude for H0 = 70 km/s/Mpc with which the moduli were made. Only
    ``M_B - 5 log10(H0)`` is constrained.
    """

    def residuals(theta: FloatArray) -> FloatArray:
        H0, omega_l, magnitude = theta.T
        shift = distance_modulus(z, H0, 1 - omega_l) + (magnitude - calibration)[:, None] - mu
        result: FloatArray = shift / mu_err
        return result

    names, priors = ("H0", "Omega_Lambda", "M_B"), (H0_PRIOR, OMEGA_LAMBDA_PRIOR, M_B_PRIOR)
    return gaussian_problem(names, priors, (70.0, 0.7, calibration), residuals, z.size)
