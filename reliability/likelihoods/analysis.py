"""An analysis: one way to get from a posterior to the values that the literature gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reliability.posterior_records import Estimate

if TYPE_CHECKING:
    from reliability.records import FloatArray

Samples = Mapping[str, "FloatArray"]
"""Samples of a posterior by parameter, all of one length."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """One defensible way through a task: which posterior, under which assumptions, and what is read off it."""

    problem: str
    """Name of the problem whose posterior it uses."""
    assumes: str
    """What it takes for granted that the task does not say: one line."""
    estimates: Callable[[Samples], dict[str, Estimate]]
    """From the samples to the literature's parameters."""


def of_columns(
    **expressions: str | tuple[str, Callable[[FloatArray], FloatArray]],
) -> Callable[[Samples], dict[str, Estimate]]:
    """Medians with 68 % intervals; each keyword is a literature parameter, and says which column (and function of it).

    >>> of_columns(Omega_Lambda="Omega_Lambda")({"Omega_Lambda": np.arange(101.0)})["Omega_Lambda"]
    Estimate(value=50.0, minus=34.0, plus=34.0)
    """

    def estimates(samples: Samples) -> dict[str, Estimate]:
        result = {}
        for name, expression in expressions.items():
            column, function = (expression, None) if isinstance(expression, str) else expression
            result[name] = interval(samples[column] if function is None else function(samples[column]))
        return result

    return estimates


def interval(samples: FloatArray) -> Estimate:
    """The median and the distances to the 16 % and 84 % quantiles."""
    low, middle, high = np.quantile(samples, [0.16, 0.5, 0.84])
    return Estimate(float(middle), float(middle - low), float(high - middle))
