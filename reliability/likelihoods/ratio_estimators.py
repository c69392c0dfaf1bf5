"""T4: ways to sum up one ratio f a lens in one number; they differ by more than their errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reliability.posterior_records import Estimate

if TYPE_CHECKING:
    from reliability.records import FloatArray


def mean(f: FloatArray, relative_error: FloatArray) -> Estimate:  # noqa: ARG001 - one signature for all
    """The mean, with the error that the scatter of the sample gives."""
    error = float(f.std(ddof=1) / np.sqrt(f.size))
    return Estimate(float(f.mean()), error, error)


def median(f: FloatArray, relative_error: FloatArray) -> Estimate:  # noqa: ARG001
    """The median; its error is that of the mean times sqrt(pi/2), as for a normal distribution."""
    error = float(np.sqrt(np.pi / 2) * f.std(ddof=1) / np.sqrt(f.size))
    return Estimate(float(np.median(f)), error, error)


def weighted_mean(f: FloatArray, relative_error: FloatArray) -> Estimate:
    """The mean weighted by ``1 / (f relative_error)^2``, with the error that the measurement errors alone give.

    A ratio's error grows with the ratio, so that low ratios weigh more.
    """
    weights = (f * relative_error) ** -2.0
    error = float(weights.sum() ** -0.5)
    return Estimate(float((f * weights).sum() / weights.sum()), error, error)


def log_weighted_mean(f: FloatArray, relative_error: FloatArray) -> Estimate:
    """The weighted mean of ln f, back as a ratio, with the error that the measurement errors alone give."""
    weights = relative_error**-2.0
    value = float(np.exp((np.log(f) * weights).sum() / weights.sum()))
    error = value * float(weights.sum() ** -0.5)
    return Estimate(value, error, error)


ESTIMATORS = {
    "weighted mean": weighted_mean,
    "log-weighted mean": log_weighted_mean,
    "mean": mean,
    "median": median,
}


def chi2(f: FloatArray, relative_error: FloatArray, value: float) -> float:
    """Sum of squared deviations from one common ratio over the measurement errors (of ln f)."""
    return float(np.sum((np.log(f / value) / relative_error) ** 2))
