"""The maximum of a likelihood inside its priors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from reliability.likelihoods.problem import Problem
    from reliability.records import FloatArray


@dataclass(frozen=True, slots=True)
class BestFit:
    """Where a likelihood is largest."""

    theta: FloatArray
    """Shape (parameters,)."""
    log_likelihood: float

    @property
    def chi2(self) -> float:
        """Minus twice ln L: the sum of squared residuals, where the likelihood is one."""
        return -2 * self.log_likelihood


def best_fit(problem: Problem, start: FloatArray | None = None) -> BestFit:
    """The maximum likelihood inside the bounds of the priors, from `start` (default: the best from the problem's own).

    Least squares where the likelihood is a sum of them, else Nelder and Mead's simplex; both keep to the bounds.
    """
    starts = [np.asarray(start)] if start is not None else [np.array(s) for s in (problem.start, *problem.more_starts)]
    return max((_climb(problem, begin) for begin in starts), key=lambda fit: fit.log_likelihood)


def _climb(problem: Problem, begin: FloatArray) -> BestFit:
    from scipy.optimize import Bounds, least_squares, minimize

    lows, highs = np.array([(prior.low, prior.high) for prior in problem.priors]).T
    begin = np.clip(begin, lows, highs)
    residuals = problem.residuals
    if residuals is not None:

        def deviations(theta: FloatArray) -> FloatArray:
            row: FloatArray = residuals(theta[None])[0]
            return row

        scale = np.maximum(np.abs(begin), 0.1)
        found = least_squares(
            deviations, begin, bounds=(lows, highs), x_scale=scale, xtol=1e-12, ftol=1e-12, gtol=1e-10
        ).x
    else:

        def cost(theta: FloatArray) -> float:
            return -float(problem.log_likelihood(theta[None])[0])

        found = minimize(
            cost,
            begin,
            bounds=Bounds(lows, highs),
            method="Nelder-Mead",
            options={"xatol": 1e-6, "fatol": 1e-6, "maxiter": 20000, "maxfev": 20000, "adaptive": True},
        ).x
    theta = np.asarray(found, dtype=np.float64)
    return BestFit(theta, float(problem.log_likelihood(theta[None])[0]))
