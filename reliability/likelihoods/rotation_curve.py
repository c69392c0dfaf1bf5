"""T2: the rotation curve of a disc galaxy as gas + stars + NFW halo (Navarro, Frenk & White 1997)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reliability.likelihoods.problem import Problem, gaussian_problem
from reliability.posterior_records import Prior

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reliability.records import FloatArray

GRAVITY = 4.30091727e-6
"""Newton's constant in kpc (km/s)^2 / M_sun (CODATA 2018, IAU 2015)."""
H0 = 70.0
"""km/s/Mpc, in the critical density; the velocity depends on it only through the meaning of M200."""
OVERDENSITY = 200.0
"""Mean density of the halo inside R200 over the critical density."""
LOG10_M200_PRIOR = Prior(9, 14)
C_PRIOR = Prior(1, 40)
LOG10_ML_PRIOR = Prior(-1.5, 0.5, "normal", mean=float(np.log10(0.5)), sigma=0.1)
"""Disc mass-to-light ratio at 3.6 um: 0.5 M_sun/L_sun to 0.1 dex (McGaugh & Schombert 2014; as in Li et al. 2020)."""


def nfw_velocity_squared(
    radius_kpc: FloatArray, log10_m200: FloatArray, c: FloatArray, overdensity: float = OVERDENSITY
) -> FloatArray:
    """Squared circular velocity of the halo in (km/s)^2, shape (n, radii), for n pairs of mass (M_sun) and c.

    ``V^2(r) = (G M / r) m(c r / R) / m(c)`` with ``m(x) = ln(1 + x) - x / (1 + x)`` and R the radius of mean density
    `overdensity` times critical.
    """
    mass = 10.0 ** np.asarray(log10_m200)[:, None]
    c = np.asarray(c)[:, None]
    critical = 3 * (H0 / 1000) ** 2 / (8 * np.pi * GRAVITY)
    edge = (3 * mass / (4 * np.pi * overdensity * critical)) ** (1 / 3)
    result: FloatArray = GRAVITY * mass / radius_kpc * _enclosed(c * radius_kpc / edge) / _enclosed(c)
    return result


def _enclosed(x: FloatArray) -> FloatArray:
    return np.log1p(x) - x / (1 + x)


def velocity(
    data: Mapping[str, FloatArray], halo_squared: FloatArray, ml_disk: FloatArray | float, ml_bulge: float = 0.7
) -> FloatArray:
    """Circular velocity in km/s, shape (n, radii): signed gas, stars scaled by their mass-to-light ratios, halo.

    ``V^2 = V_gas |V_gas| + U_d V_disk |V_disk| + U_b V_bulge |V_bulge| + V_halo^2`` (Lelli et al. 2016, Eq. 2); where
    that is negative no circular orbit exists and the velocity is 0.
    """
    gas, disk, bulge = (data[name] * np.abs(data[name]) for name in ("v_gas", "v_disk", "v_bulge"))
    squared = gas + np.reshape(ml_disk, (-1, 1)) * disk + ml_bulge * bulge + halo_squared
    result: FloatArray = np.sqrt(np.maximum(squared, 0))
    return result


def fixed_ml(data: Mapping[str, FloatArray], ml_disk: float, overdensity: float = OVERDENSITY) -> Problem:
    """log10 M200 (M_sun) and c, with the disc's mass-to-light ratio given."""

    def residuals(theta: FloatArray) -> FloatArray:
        halo = nfw_velocity_squared(data["radius_kpc"], theta[:, 0], theta[:, 1], overdensity)
        return (velocity(data, halo, ml_disk) - data["v_obs"]) / data["v_obs_err"]

    names, priors = ("log10_M200", "c"), (LOG10_M200_PRIOR, C_PRIOR)
    return gaussian_problem(names, priors, (11.8, 6.0), residuals, data["v_obs"].size)


def free_ml(data: Mapping[str, FloatArray], prior: Prior = LOG10_ML_PRIOR) -> Problem:
    """log10 M200 (M_sun), c and the logarithm of the disc's mass-to-light ratio (M_sun/L_sun at 3.6 um)."""

    def residuals(theta: FloatArray) -> FloatArray:
        halo = nfw_velocity_squared(data["radius_kpc"], theta[:, 0], theta[:, 1])
        return (velocity(data, halo, 10 ** theta[:, 2]) - data["v_obs"]) / data["v_obs_err"]

    names, priors = ("log10_M200", "c", "log10_ml_disk"), (LOG10_M200_PRIOR, C_PRIOR, prior)
    return gaussian_problem(names, priors, (11.7, 9.0, -0.3), residuals, data["v_obs"].size)
