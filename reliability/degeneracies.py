"""What data cannot tell, proven by intervention: shift the data, or an assumption, and see what the fit does.

Three kinds of proof. *Intervention*: change the data along the suspected trade; if the maximum of the likelihood keeps
its height and only one parameter moves, the data say nothing about it. *Information*: the Fisher matrix of a likelihood
has directions along which it is flat. *Assumption*: fit along a choice that the task leaves open; if the values move
further than their errors, the choice made them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from reliability.likelihoods import Problem, best_fit, rotation_curve, supernovae
from reliability.posterior_checks.density import prior_sd
from reliability.posterior_records import DeclaredDegeneracy, Prior

if TYPE_CHECKING:
    from reliability.records import FloatArray

SHIFT = 1.1
"""Factor on all luminosity distances: a tenth, some 30 of the errors that fits give for H0."""
DISC_ML = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0)
"""Mass-to-light ratios (M_sun/L_sun at 3.6 um) from a light disc to the one tabulated."""
ANY_C = Prior(0.1, 100)
"""For fits that shall not end at a bound."""
STEP = 1e-4
"""Of a prior's standard deviation: the step of the numerical derivatives."""
FLAT = 1e-6
"""An eigenvalue this far below the largest is a flat direction (errors of the derivatives are near 1e-8)."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """The best fit before and after the data were changed."""

    before: Mapping[str, float]
    after: Mapping[str, float]
    chi2_before: float
    chi2_after: float


@dataclass(frozen=True, slots=True)
class Information:
    """What a likelihood knows at one point, in units of the priors' standard deviations."""

    names: tuple[str, ...]
    prior_sds: FloatArray
    matrix: FloatArray
    """Fisher matrix, each parameter in units of its prior's standard deviation: 1 is as much as the prior knows."""

    @property
    def flat_directions(self) -> list[dict[str, float]]:
        """The directions, as steps of the parameters in their own units, along which the likelihood does not change.

        Each is scaled so that its first parameter that moves, moves by 1.
        """
        values, vectors = np.linalg.eigh(self.matrix)
        found = []
        for value, vector in zip(values, vectors.T, strict=True):
            if value < FLAT * values[-1]:
                step = vector * self.prior_sds
                first = next(x for x, v in zip(step, vector, strict=True) if abs(v) > 1e-3)
                found.append(dict(zip(self.names, (step / first).tolist(), strict=True)))
        return found

    @property
    def covariance(self) -> FloatArray:
        """Inverse of the Fisher matrix in the parameters' own units: what the data alone would give."""
        result: FloatArray = np.linalg.inv(self.matrix) * np.outer(self.prior_sds, self.prior_sds)
        return result


@dataclass(frozen=True, slots=True)
class AssumedFit:
    """The best fit under one value of an assumption."""

    assumed: float
    values: Mapping[str, float]
    errors: Mapping[str, float]
    correlation: float
    """Of the first two parameters."""
    chi2: float


def information(problem: Problem, theta: FloatArray) -> Information:
    """The Fisher matrix of a likelihood at one point (p,), from central differences.

    From the Jacobian of the residuals where there are some (then a flat direction is flat to rounding), else from
    second differences of ln L.
    """
    sds = np.array([prior_sd(prior) for prior in problem.priors])
    steps = np.diag(STEP * sds)
    if problem.residuals is not None:
        ends = problem.residuals(np.concatenate([theta + steps, theta - steps]))
        jacobian = (ends[: len(sds)] - ends[len(sds) :]) / (2 * STEP)
        return Information(problem.names, sds, jacobian @ jacobian.T)
    steps = steps * 10  # second differences lose twice the digits
    corners = [theta + a * one + b * other for one in steps for other in steps for a in (1, -1) for b in (1, -1)]
    heights = problem.log_likelihood(np.array(corners)).reshape(len(sds), len(sds), 4)
    curvature = heights @ np.array([1.0, -1.0, -1.0, 1.0]) / (4 * (10 * STEP) ** 2)
    return Information(problem.names, sds, -curvature)


# ---------------------------------------------------------------------------------------------------------------- T1


def shift_moduli(z: FloatArray, mu: FloatArray, mu_err: FloatArray, factor: float = SHIFT) -> Intervention:
    """Best fits of T1 before and after every luminosity distance is multiplied by `factor`.

    Every modulus grows by ``5 log10(factor)``. H0 then falls by exactly `factor`, at the same chi2 and Omega_Lambda.
    """
    fits = []
    for shift in (0.0, 5 * math.log10(factor)):
        problem = supernovae.free_h0(z, mu + shift, mu_err)
        fit = best_fit(problem)
        fits.append((dict(zip(problem.names, fit.theta.tolist(), strict=True)), fit.chi2))
    (before, chi2_before), (after, chi2_after) = fits
    return Intervention(before, after, chi2_before, chi2_after)


def declare_h0(z: FloatArray, mu: FloatArray, mu_err: FloatArray) -> DeclaredDegeneracy:
    """The exact trade of T1 between H0 and the absolute magnitude, with the intervention that proves it."""
    found = shift_moduli(z, mu, mu_err)
    evidence = (
        f"with every distance modulus shifted by 5 log10({SHIFT:g}) the best H0 goes from {found.before['H0']:.2f} to "
        f"{found.after['H0']:.2f}, and chi2 from {found.chi2_before:.2f} to {found.chi2_after:.2f}: H0 is what the "
        "moduli were calibrated with, the absolute magnitude M_B takes up any other"
    )
    return DeclaredDegeneracy(("H0",), is_exact=True, evidence=evidence)


# ---------------------------------------------------------------------------------------------------------------- T2


def along_assumption(problem_at: Callable[[float], Problem], values: Iterable[float]) -> tuple[AssumedFit, ...]:
    """The best fits along an assumption, each from the one before; errors and correlation by the Fisher matrix."""
    fits: list[AssumedFit] = []
    for assumed in values:
        problem = problem_at(assumed)
        start = np.array(list(fits[-1].values.values())) if fits else None
        fit = best_fit(problem, start)
        covariance = information(problem, fit.theta).covariance
        errors = np.sqrt(np.diag(covariance))
        correlation = float(covariance[0, 1] / (errors[0] * errors[1]))
        named, widths = (dict(zip(problem.names, column.tolist(), strict=True)) for column in (fit.theta, errors))
        fits.append(AssumedFit(assumed, named, widths, correlation, fit.chi2))
    return tuple(fits)


def along_disc(
    data: Mapping[str, FloatArray],
    ml_disk: Iterable[float] = DISC_ML,
    overdensity: float = rotation_curve.OVERDENSITY,
) -> tuple[AssumedFit, ...]:
    """Best fits of T2 along the mass-to-light ratio of the disc, c free of bounds."""

    def problem_at(ml: float) -> Problem:
        problem = rotation_curve.fixed_ml(data, ml, overdensity)
        return replace(problem, priors=(problem.priors[0], ANY_C))

    return along_assumption(problem_at, ml_disk)


def declare_disc(data: Mapping[str, FloatArray]) -> DeclaredDegeneracy:
    """The assumption that decides T2, with the fits along it."""
    fits = along_disc(data)
    steps = "; ".join(f"{f.assumed:g}: {f.values['log10_M200']:.2f}, {f.values['c']:.2f}, {f.chi2:.0f}" for f in fits)
    evidence = f"log10 M200, c and chi2 of the best fit follow the mass-to-light ratio assumed for the disc ({steps})"
    return DeclaredDegeneracy(("log10_M200", "c"), is_exact=False, evidence=evidence)


def spread_over_error(fits: Iterable[AssumedFit], name: str) -> float:
    """How far a value moves along the assumption, in units of the median of its errors."""
    fits = tuple(fits)
    moved = [fit.values[name] for fit in fits]
    return (max(moved) - min(moved)) / float(np.median([fit.errors[name] for fit in fits]))
