"""Which assumption gives a literature value on a task's data: a halo's edge, a cut in mass, an estimator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from reliability.likelihoods import best_fit, lenses, mass_radius, rotation_curve
from reliability.likelihoods.ratio_estimators import ESTIMATORS, chi2

if TYPE_CHECKING:
    from reliability.posterior_records import Estimate
    from reliability.records import FloatArray

EXPONENTS = (0.0, 0.04, 0.06, 0.066)
"""Of the aperture correction: none; Jorgensen et al. 1995; Mehlert et al. 2003, rounded; Cappellari et al. 2006."""
MASS_CUTS = (2.0, 4.37, 7.0, 10.0)
"""M_earth: the task's; where the middle regime of Mueller et al. (2024) begins; and above."""
OVERDENSITIES = {"200 times critical": 200.0, "virial, 97 times critical": 97.0}
"""Edges of a halo in use; the virial one is that of Bryan & Norman (1998) for Omega_m = 0.27 at z = 0."""


@dataclass(frozen=True, slots=True)
class HaloProbe:
    """How well a given halo can fit, the disc being free."""

    ml_disk: float
    """The mass-to-light ratio of the disc that suits it best."""
    chi2: float


@dataclass(frozen=True, slots=True)
class CutProbe:
    """The best fit of T3 without inflation to the planets above a mass."""

    above: float
    """M_earth."""
    n_planets: int
    values: Mapping[str, float]
    """``alpha_N``, ``alpha_J``, ``M_br`` (M_earth)."""


@dataclass(frozen=True, slots=True)
class RatioProbe:
    """f by one estimator on one sample."""

    sample: str
    exponent: float
    estimator: str
    estimate: Estimate


def probe_halo(data: Mapping[str, FloatArray], log10_m200: float, c: float, overdensity: float) -> HaloProbe:
    """The best fit of T2 with the halo given, over mass-to-light ratios of the disc from 0 to 1.5 in steps of 0.001."""
    ml_disk = np.linspace(0, 1.5, 1501)
    halo = rotation_curve.nfw_velocity_squared(data["radius_kpc"], np.array([log10_m200]), np.array([c]), overdensity)
    deviations = (rotation_curve.velocity(data, halo, ml_disk) - data["v_obs"]) / data["v_obs_err"]
    found = np.sum(deviations**2, axis=1)
    best = int(np.argmin(found))
    return HaloProbe(float(ml_disk[best]), float(found[best]))


def probe_mass_cut(data: Mapping[str, FloatArray], above: Sequence[float] = MASS_CUTS) -> list[CutProbe]:
    """The best fits of T3 without inflation to the planets above each mass (M_earth)."""
    sample = mass_radius.planets(data)
    found = []
    for cut in above:
        kept = mass_radius.select(sample, sample["x"] > np.log10(cut))
        theta = best_fit(mass_radius.relation(kept, has_inflation=False)).theta
        values = {"alpha_N": float(theta[0]), "alpha_J": float(theta[1]), "M_br": float(10 ** theta[2])}
        found.append(CutProbe(cut, kept["x"].size, values))
    return found


def ratio_samples(data: Mapping[str, FloatArray], morphology: Sequence[str]) -> dict[str, FloatArray]:
    """Which lenses to count: all with a stellar dispersion, or only the early-type ones among them."""
    has = np.isfinite(data["sigma_kms"])
    return {"all": has, "early-type": has & (np.array(morphology) == "E")}


def ratios(data: Mapping[str, FloatArray], kept: FloatArray, exponent: float) -> tuple[FloatArray, FloatArray]:
    """Each kept lens's ratio of SIS to (corrected) stellar dispersion, and the relative error of the latter."""
    sigma = lenses.aperture_corrected(data["sigma_kms"], data["r_eff_arcsec"], exponent)
    sis = lenses.sis_dispersion(data["theta_e_arcsec"], data["z_lens"], data["z_source"])
    return (sis / sigma)[kept], (data["sigma_err_kms"] / data["sigma_kms"])[kept]


def probe_ratio(data: Mapping[str, FloatArray], morphology: Sequence[str]) -> list[RatioProbe]:
    """f by every estimator, with every aperture correction, on every sample of T4."""
    samples = ratio_samples(data, morphology)
    return [
        RatioProbe(sample, exponent, name, ESTIMATORS[name](*ratios(data, samples[sample], exponent)))
        for sample, exponent, name in product(samples, EXPONENTS, ESTIMATORS)
    ]


def scatter_chi2(data: Mapping[str, FloatArray], morphology: Sequence[str], sample: str) -> tuple[float, int]:
    """Chi-squared of one common f by the errors of the dispersions alone, uncorrected, and the number of lenses."""
    f, error = ratios(data, ratio_samples(data, morphology)[sample], 0.0)
    return chi2(f, error, ESTIMATORS["log-weighted mean"](f, error).value), f.size
