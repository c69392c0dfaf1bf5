"""A likelihood with its priors: what a sampler, a fit check or a Fisher matrix needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from reliability.posterior_records import Prior
    from reliability.records import FloatArray

Vectorised = Callable[["FloatArray"], "FloatArray"]
"""Parameter vectors, shape (n, parameters), to one row each."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A likelihood, its parameters in order, and their priors."""

    names: tuple[str, ...]
    priors: tuple[Prior, ...]
    start: tuple[float, ...]
    """A point inside the priors from which maximisers and walkers set out."""
    log_likelihood: Vectorised
    """Parameter vectors (n, p) to ln L (n,), up to a constant; -inf where the model has no value."""
    n_data: int
    residuals: Vectorised | None = None
    """Parameter vectors (n, p) to residuals over their errors (n, n_data), where ln L is minus half their squares."""
    more_starts: tuple[tuple[float, ...], ...] = ()
    """For a likelihood with more than one hill."""

    def log_prior(self, theta: FloatArray) -> FloatArray:
        """ln prior (n,) of parameter vectors (n, p), up to a constant; -inf outside the bounds."""
        theta = np.atleast_2d(theta)
        lows, highs = np.array([(prior.low, prior.high) for prior in self.priors]).T
        inside = np.all((theta >= lows) & (theta <= highs), axis=1)
        result = np.where(inside, 0.0, -np.inf)
        for prior, column in zip(self.priors, theta.T, strict=True):
            if prior.kind == "normal" and prior.mean is not None and prior.sigma is not None:
                result[inside] -= 0.5 * ((column[inside] - prior.mean) / prior.sigma) ** 2
            elif prior.kind == "log-uniform":
                result[inside] -= np.log(column[inside])
        return result

    def log_posterior(self, theta: FloatArray) -> FloatArray:
        """ln prior + ln L (n,) of parameter vectors (n, p); the likelihood is not asked outside the priors."""
        theta = np.atleast_2d(np.asarray(theta, dtype=np.float64))
        result = self.log_prior(theta)
        inside = np.isfinite(result)
        if inside.any():
            result[inside] += self.log_likelihood(theta[inside])
        return np.where(np.isnan(result), -np.inf, result)

    def chi2(self, theta: FloatArray) -> float:
        """Sum of squared residuals over their errors at one point (p,); :class:`ValueError` without residuals."""
        if self.residuals is None:
            raise ValueError("this likelihood is no sum of squares")
        return float(np.sum(self.residuals(np.atleast_2d(theta)) ** 2))


def gaussian_problem(
    names: tuple[str, ...], priors: tuple[Prior, ...], start: tuple[float, ...], residuals: Vectorised, n_data: int
) -> Problem:
    """The problem whose ln L is minus half the sum of the squared `residuals`."""

    def log_likelihood(theta: FloatArray) -> FloatArray:
        result: FloatArray = -0.5 * np.sum(residuals(theta) ** 2, axis=1)
        return result

    return Problem(names, priors, start, log_likelihood, n_data, residuals)
