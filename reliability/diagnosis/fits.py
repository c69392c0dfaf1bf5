"""Descriptions with fitted numbers, for curves that no row of the catalogue explains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reliability.diagnosis.candidates import Candidate
from reliability.diagnosis.exact import Fit, examine, max_relative
from reliability.metrics import numerical_accuracy_score, smape_score

if TYPE_CHECKING:
    from reliability.diagnosis.candidates import Suspects
    from reliability.diagnosis.records import ParameterStep
    from reliability.diagnosis.views import View
    from reliability.records import FloatArray

FAR = 3.0
"""Steps beyond which the response to a parameter is not extrapolated."""
LEFT = 0.05
"""Share of the deviation that a parameter may leave unexplained: the response is a parabola, CAMB's is not."""


@dataclass(frozen=True, slots=True)
class Description:
    """A fitted row: its id, the fit, and the numbers for the sentence."""

    id: str
    fit: Fit
    words: Mapping[str, object]


def describe(view: View, known: Suspects, steps: tuple[ParameterStep, ...]) -> Iterator[Description]:
    """Yield amplitude, power law and single parameters that bring the right curve to the agent's."""
    y, right = view.y, view.take(known.bases[0])
    with np.errstate(all="ignore"):
        ratio = y / right
    some = np.isfinite(ratio) & (ratio != 0) & (view.x > 0)
    candidate = Candidate(view, 0, "", "", 0.0, 3)
    if some.sum() >= 10 and abs(np.sign(ratio[some]).mean()) > 0.98:
        sign, log_ratio = float(np.sign(ratio[some].sum())), np.log(np.abs(ratio[some]))
        scale = sign * float(np.exp(np.median(log_ratio)))
        fit = examine(candidate, known, np.full_like(y, scale))
        if fit:
            yield Description("scale", fit, {"scale": scale})
        else:
            power, offset = np.polyfit(np.log(view.x[some]), log_ratio, 1)
            with np.errstate(all="ignore"):
                factor = sign * np.exp(offset) * view.x**power
            fit = examine(candidate, known, factor)
            if fit:
                yield Description("power_law", fit, {"scale": sign * float(np.exp(offset)), "power": float(power)})
    for step in steps:
        found = _parameter(view, known, step)
        if found:
            yield found


def _parameter(view: View, known: Suspects, step: ParameterStep) -> Description | None:
    """Return the value of one parameter that gives the agent's curve, if one does.

    The response is the parabola through the three computed curves, of their logarithms where all are positive.
    """
    right, low, high = (view.take(y) for y in (known.bases[0], step.y_low, step.y_high))
    is_log = bool(min(right.min(), low.min(), high.min(), view.y.min()) > 0)
    some = np.ones_like(right, dtype=bool) if is_log else (right != 0)
    if not some.any():
        return None
    forward = np.log if is_log else (lambda v: v / np.ptp(right))
    goal, b0, b1, b2 = (np.asarray(forward(v[some])) for v in (view.y, right, low, high))
    slope, bend = (b2 - b1) / 2, (b2 + b1) / 2 - b0
    t = _nearest(goal - b0, slope, bend)
    if t is None:
        return None
    value = b0 + slope * t + bend * t * t
    explained = right.copy()
    explained[some] = np.exp(value) if is_log else value * np.ptp(right)
    before, after = smape_score(view.y, right), smape_score(view.y, explained)
    tolerance = known.reference.tolerance.smape
    if 1 - after > max(tolerance, LEFT * (1 - before)) or before >= after:
        return None
    scores = numerical_accuracy_score(view.x, view.y, view.x, explained)
    asked = (step.low + step.high) / 2
    words = {"name": step.parameter, "fitted": asked + t * (step.high - step.low) / 2, "asked": asked}
    return Description("parameter", Fit(scores, max_relative(view.y, explained), view.x, explained), words)


def _nearest(goal: FloatArray, slope: FloatArray, bend: FloatArray) -> float | None:
    """Return t that brings ``slope t + bend t^2`` nearest to the goal; ``None`` if it is too far or nowhere near."""
    some = slice(None, None, max(1, goal.size // 80))
    grid = np.linspace(-FAR, FAR, 121)[:, None]
    distance = np.abs(slope[some] * grid + bend[some] * grid**2 - goal[some]).mean(axis=1)
    best = int(distance.argmin())
    if not np.isfinite(distance[best]) or best in (0, grid.size - 1):
        return None
    t = float(grid[best, 0])
    for _ in range(6):
        gradient = slope + 2 * bend * t
        size = float(gradient @ gradient)
        if size == 0:
            return None
        t += float(gradient @ (goal - slope * t - bend * t * t)) / size
    return t if abs(t) <= FAR else None
