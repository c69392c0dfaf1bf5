"""T3: a broken power law of planets' radii with mass, errors in both axes, scatter across the relation, hot inflation.

In decimal logarithms the relation is two straight lines that meet at the break. A planet's true place lies on them,
moved at right angles to the line by the intrinsic scatter; what is measured has errors in mass and radius. The true
mass is marginalised with a flat prior in its logarithm, which straight lines allow in closed form (Hogg, Bovy & Lang
2010, sections 7 and 8, for one line; with a break the integral over each line ends there: a normal distribution
function).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reliability.likelihoods.problem import Problem
from reliability.posterior_records import Prior

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reliability.records import FloatArray

HOT_KELVIN = 1000.0
"""Planets above this equilibrium temperature may be inflated ([PW] A.3)."""
PRIORS = {
    "alpha_N": Prior(0, 1.5),
    "alpha_J": Prior(-1, 1),
    "log10_M_br": Prior(1, 3),
    "log10_R_br": Prior(0, 2),
    "sigma_int": Prior(0.001, 1),
    "gamma_hot": Prior(-1, 2),
}
"""Slopes; break mass (M_earth) and radius there (R_earth); scatter (dex, across the relation); inflation exponent."""
STARTS = (
    {"alpha_N": 0.58, "alpha_J": 0.0, "log10_M_br": 2.1, "log10_R_br": 1.1, "sigma_int": 0.1, "gamma_hot": 0.2},
    {"alpha_N": 0.6, "alpha_J": -0.05, "log10_M_br": 2.2, "log10_R_br": 1.15, "sigma_int": 0.08, "gamma_hot": 0.2},
)
"""The likelihood may have a hill on either side of the crowd of planets that are some 170 M_earth heavy."""


def planets(data: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    """Decimal logarithms ``x`` (mass), ``y`` (radius), their errors ``x_err``, ``y_err`` in dex, and ``t_eq`` in K.

    Only planets heavier than 2 M_earth with errors in mass and radius: a value without is likely a limit. Upper and
    lower error are averaged; ``t_eq`` is NaN where it is not known. Missing values of `data` are NaN.
    """
    errors = {
        axis: (data[f"{axis}_err_up"] + data[f"{axis}_err_low"]) / 2 / data[axis] / np.log(10)
        for axis in ("mass", "radius")
    }
    kept = (errors["mass"] > 0) & (errors["radius"] > 0) & (data["mass"] > 2)  # NaN is not kept
    columns = {
        "x": np.log10(data["mass"]),
        "y": np.log10(data["radius"]),
        "x_err": errors["mass"],
        "y_err": errors["radius"],
        "t_eq": data["t_eq"],
    }
    return {name: column[kept] for name, column in columns.items()}


def select(sample: Mapping[str, FloatArray], kept: FloatArray) -> dict[str, FloatArray]:
    """The planets of a sample for which `kept` is true."""
    return {name: column[kept] for name, column in sample.items()}


def relation(sample: Mapping[str, FloatArray], *, has_inflation: bool = True) -> Problem:
    """The problem of a sample from :func:`planets`.

    Inflation adds ``gamma_hot log10(t_eq / 1000 K)`` to the log radius of planets hotter than that; one without t_eq
    gets none. ``sigma_int`` is the standard deviation at right angles to the relation, in dex.
    """
    with np.errstate(invalid="ignore"):
        heat = np.where(sample["t_eq"] > HOT_KELVIN, np.log10(sample["t_eq"] / HOT_KELVIN), 0.0)
    errors = sample["x_err"], sample["y_err"]
    names = tuple(name for name in PRIORS if has_inflation or name != "gamma_hot")

    def log_likelihood(theta: FloatArray) -> FloatArray:
        slope_low, slope_high, x_break, y_break, scatter = (column[:, None] for column in theta.T[:5])
        gamma = theta[:, 5, None] if has_inflation else 0.0
        x, y = sample["x"] - x_break, sample["y"] - y_break - gamma * heat
        below = _log_line(x, y, errors, (slope_low, scatter), side=-1)
        above = _log_line(x, y, errors, (slope_high, scatter), side=1)
        result: FloatArray = np.sum(np.logaddexp(below, above), axis=1)
        return result

    priors = tuple(PRIORS[name] for name in names)
    start, *more = (tuple(place[name] for name in names) for place in STARTS)
    return Problem(names, priors, start, log_likelihood, sample["x"].size, more_starts=tuple(more))


def _log_line(
    x: FloatArray, y: FloatArray, errors: tuple[FloatArray, FloatArray], line: tuple[FloatArray, FloatArray], side: int
) -> FloatArray:
    """ln of the integral, over true log masses on one `side` of the break, of the density of the measured (x, y).

    The origin is the break. Given the true mass, (x, y) is normal with the covariance of errors and scatter; the
    integral over the whole line is normal in ``y - slope x``, and the half line's share is the normal distribution
    function of the true mass's own estimate.
    """
    from scipy.special import log_ndtr

    (x_err, y_err), (slope, scatter) = errors, line
    across = scatter**2 / (1 + slope**2)
    c_xx, c_xy, c_yy = x_err**2 + slope**2 * across, -slope * across, y_err**2 + across
    determinant = c_xx * c_yy - c_xy**2
    variance = c_yy - 2 * slope * c_xy + slope**2 * c_xx
    precision = variance / determinant
    true_x = ((c_yy - slope * c_xy) * x + (slope * c_xx - c_xy) * y) / variance
    share: FloatArray = log_ndtr(side * true_x * np.sqrt(precision))
    result: FloatArray = -0.5 * ((y - slope * x) ** 2 / variance + np.log(2 * np.pi * variance)) + share
    return result
