"""Views: the ways to lay an agent's curve beside curves on the task's grid, one for each thing that x may have wrong.

A view holds the agent's values at some points and says how to take any curve on the reference grid at these points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from reliability.metrics import resample

if TYPE_CHECKING:
    from reliability.records import Curve, FloatArray, Reference, Task

MIN_POINTS = 8
"""With fewer points anything explains anything."""
SHIFTS = (-1, 1, -2, 2)
SIX_DIGITS = 1e-5
"""The same number may be printed with different numbers of digits."""


@dataclass(frozen=True, slots=True)
class View:
    """The agent's values `y` at `x`; `take` gives a curve of the reference grid (last axis) at the same points."""

    id: str
    """Of the catalogue; empty if x is as asked."""
    x: FloatArray
    y: FloatArray
    take: Callable[[FloatArray], FloatArray]
    words: Mapping[str, object] = field(default_factory=dict)
    """What the sentence needs."""


def views(agent: Curve, task: Task, reference: Reference) -> Iterator[View]:
    """Yield the views that make sense for a curve, the plain one first."""
    x_ref = reference.x
    inside = (x_ref >= agent.x[0]) & (x_ref <= agent.x[-1])
    y = resample(agent.x, agent.y, x_ref)
    words = _words(agent, task)
    is_short = not inside.all()
    if inside.sum() >= MIN_POINTS:
        yield View("truncated" if is_short else "", x_ref[inside], y[inside], lambda b: b[..., inside], words)
    yield from _zero_tail(x_ref, y, inside)
    if task.grid.kind == "multipoles":
        yield from _shifted(x_ref, y, inside)
    factors = [1.0]
    if task.grid.kind == "log" and "H0" in task.truth:
        h = task.truth["H0"] / 100
        factors += [h, 1 / h]
        yield from _scaled(agent, x_ref, h, "x_over_h")
        yield from _scaled(agent, x_ref, 1 / h, "x_times_h")
    if any(_is_same_x(agent.x * factor, x_ref) for factor in factors):  # as asked, or said already in a better word
        return
    if agent.x.size == x_ref.size >= MIN_POINTS:
        yield View("x_relabelled", x_ref, agent.y, lambda b: b, words)
    within = (agent.x >= x_ref[0]) & (agent.x <= x_ref[-1])
    if within.sum() >= MIN_POINTS and not _are_among(x_ref[inside], agent.x):
        take = _interpolation(x_ref, agent.x[within], task.grid.kind == "log")
        yield View("x_resampled", agent.x[within], agent.y[within], take, words)


def _is_same_x(x: FloatArray, x_ref: FloatArray) -> bool:
    return x.size == x_ref.size and np.allclose(x, x_ref, rtol=1e-4, atol=1e-4 * float(x_ref[0]))


def _are_among(points: FloatArray, x: FloatArray) -> bool:
    """Return whether all points are among sorted `x`, as far as six printed digits tell."""
    after = np.clip(np.searchsorted(x, points), 1, x.size - 1)
    distance = np.minimum(np.abs(x[after] - points), np.abs(x[after - 1] - points))
    return bool((distance <= SIX_DIGITS * np.abs(points)).all())


def _words(agent: Curve, task: Task) -> dict[str, object]:
    kind = {"multipoles": "integer", "linear": "linear", "log": "logarithmic"}[task.grid.kind]
    words = {"first": float(agent.x[0]), "last": float(agent.x[-1]), "n": agent.x.size, "n_asked": task.grid.n}
    return words | {"start": task.grid.start, "stop": task.grid.stop, "kind": kind, "spacing": _spacing(agent.x)}


def _spacing(x: FloatArray) -> str:
    with np.errstate(all="ignore"):
        steps = np.diff(x)
        ratios = x[1:] / x[:-1]
    if steps.size and np.allclose(steps, steps[0], rtol=1e-2, atol=0):
        return "in equal steps"
    if steps.size and np.isfinite(ratios).all() and np.allclose(ratios, ratios[0], rtol=1e-2, atol=0):
        return "in logarithmic steps"
    return "in uneven steps"


def _zero_tail(x: FloatArray, y: FloatArray, inside: np.ndarray) -> Iterator[View]:
    kept = np.flatnonzero(y)
    if not kept.size:
        return
    end = int(kept[-1]) + 1
    if MIN_POINTS <= end < x.size - 2 and inside[:end].all():
        yield View("zero_tail", x[:end], y[:end], lambda b: b[..., :end], {"from_x": float(x[end])})


def _shifted(x: FloatArray, y: FloatArray, inside: np.ndarray) -> Iterator[View]:
    """Yield views in which the value at x belongs to x + s; the unknown ends are left out."""
    n = x.size
    for s in SHIFTS:
        here, there = (slice(0, n - s), slice(s, n)) if s > 0 else (slice(-s, n), slice(0, n + s))
        if n - abs(s) >= MIN_POINTS and inside[here].all():
            yield View(f"shift_{s:+d}", x[here], y[here], lambda b, there=there: b[..., there])  # type: ignore[misc]


def _scaled(agent: Curve, x_ref: FloatArray, factor: float, name: str) -> Iterator[View]:
    """Yield the view in which the agent's x must be multiplied by `factor` to be right."""
    x = agent.x * factor
    inside = (x_ref >= x[0]) & (x_ref <= x[-1])
    if inside.sum() >= max(MIN_POINTS, x_ref.size // 2) and (agent.x > 0).all():
        take = _interpolation(x_ref, x_ref[inside], is_log=True)
        y = _interpolation(x, x_ref[inside], is_log=True)(agent.y)
        yield View(name, x_ref[inside], y, take)


def _interpolation(x_ref: FloatArray, x: FloatArray, is_log: bool) -> Callable[[FloatArray], FloatArray]:
    """Return a function that takes curves on `x_ref` at `x`, exact to what a smooth curve allows."""
    if x.size == x_ref.size and np.array_equal(x, x_ref):
        return lambda b: b
    at, nodes = (np.log(x), np.log(x_ref)) if is_log and x_ref[0] > 0 and x[0] > 0 else (x, x_ref)

    def take(b: FloatArray) -> FloatArray:
        from scipy.interpolate import CubicSpline

        return np.asarray(CubicSpline(nodes, b, axis=-1)(at), dtype=np.float64)

    return take
