"""Distances in a flat universe of matter and a cosmological constant (no radiation)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from reliability.records import FloatArray

SPEED_OF_LIGHT = 299792.458
"""km/s."""
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)


def comoving_distance(z: FloatArray, omega_m: FloatArray) -> FloatArray:
    """Comoving distance in units of c/H0, shape (n, z), for n values of the matter density.

    The integral of ``1 / sqrt(omega_m (1 + z)^3 + 1 - omega_m)`` from 0 to z by Gauss-Legendre quadrature with 16
    nodes: relative error below 1e-9 for z < 2 (Hogg 1999, Eq. 15).

    >>> round(float(comoving_distance(np.array([1.0]), np.array([0.3]))[0, 0]), 6)
    0.771429
    """
    z, omega_m = np.asarray(z, dtype=np.float64), np.asarray(omega_m, dtype=np.float64)
    cubed = (1 + 0.5 * z[:, None] * (1 + _NODES)) ** 3
    integrand = 1 / np.sqrt(1 + omega_m[:, None, None] * (cubed - 1))
    result: FloatArray = 0.5 * z * (integrand @ _WEIGHTS)
    return result


def distance_modulus(z: FloatArray, H0: FloatArray, omega_m: FloatArray) -> FloatArray:
    """Distance modulus in mag, shape (n, z), for n pairs of Hubble constant (km/s/Mpc) and matter density."""
    luminosity_mpc = (1 + z) * comoving_distance(z, omega_m) * (SPEED_OF_LIGHT / np.asarray(H0))[:, None]
    return 5 * np.log10(luminosity_mpc) + 25


def lens_to_source_ratio(z_lens: FloatArray, z_source: FloatArray, omega_m: float) -> FloatArray:
    """Angular diameter distance from lens to source over that from observer to source, one a lens.

    In a flat universe comoving distances add, so that the Hubble constant and the factors 1 + z cancel.
    """
    lens, source = (comoving_distance(np.asarray(z), np.array([omega_m]))[0] for z in (z_lens, z_source))
    result: FloatArray = (source - lens) / source
    return result
