"""The coarse search: which combinations of the catalogue's rows are worth an exact look.

The agent's curve is ``y = c f(x) b``, with ``b`` the right curve or an alternative, ``f`` a known factor of x and ``c``
a constant. Then ``log|y| - log|b| - log f`` is the same everywhere. That is tested for all b and f at once on some
eighty points, and its mean gives c, which the table of constants must know.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reliability.diagnosis.factors import Function, constant_factors, value_maps, x_factors

if TYPE_CHECKING:
    from reliability.diagnosis.records import Alternatives
    from reliability.diagnosis.views import View
    from reliability.records import FloatArray, Reference, Task, Tolerance

COARSE = 80
TRIM = 0.9
"""Share of the coarse points that decides; near zero crossings the logarithm says little."""
SPREAD = 0.05
"""Mean deviation of the logarithm from a constant up to which a combination is looked at exactly."""


@dataclass(frozen=True, slots=True)
class Suspects:
    """All rows that apply to one task, as arrays. Base 0 is the right curve."""

    task: Task
    reference: Reference
    names: tuple[str, ...]
    """Of the bases; empty for the right curve."""
    bases: FloatArray
    """Shape (bases, points)."""
    tolerances: tuple[Tolerance, ...]
    constants: Mapping[str, float]
    functions: Mapping[str, Function]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One combination: base number, factor of x and constant by their ids (empty: none), in one view."""

    view: View
    base: int
    function: str
    constant: str
    spread: float
    n_faults: int


def suspects(task: Task, reference: Reference, alternatives: Alternatives) -> Suspects:
    """Return everything that may have gone wrong in a task."""
    maps = value_maps(task, reference.y)
    names = ("", *maps, *(a.name.partition("@")[0] for a in alternatives.curves))  # two CAMB lines, one mistake
    bases = np.array([reference.y, *maps.values(), *(a.y for a in alternatives.curves)])
    own = (reference.tolerance,) * (1 + len(maps))
    tolerances = (*own, *(a.tolerance for a in alternatives.curves))
    return Suspects(task, reference, names, bases, tolerances, constant_factors(task), x_factors(task))


def candidates(view: View, known: Suspects) -> Iterator[Candidate]:
    """Yield the combinations of at most two faults that survive the coarse test."""
    rows = _coarse_rows(view.y)
    if not rows.size:
        return
    functions: Sequence[str] = ("", *known.functions)
    spread, mean, sign = _deviations(view, known, functions, rows)
    limit = max(SPREAD, 3 * known.reference.tolerance.smape)
    for i, j in zip(*np.nonzero(spread <= limit), strict=True):
        n = sum(map(bool, (view.id, i, j)))
        for constant in _constants(known, float(mean[i, j]), float(sign[i, j]), limit):
            n_faults = n + bool(constant)
            if 1 <= n_faults <= 2:
                yield Candidate(view, int(i), functions[j], constant, float(spread[i, j]), n_faults)


def _coarse_rows(y: FloatArray) -> np.ndarray:
    """Return the numbers of some points with a value, dense at both small x and large."""
    rows = np.flatnonzero(y)
    if rows.size <= COARSE:
        return rows
    last = rows.size - 1
    even = np.linspace(0, last, COARSE // 2)
    dense = np.geomspace(1, last, COARSE // 2)
    return rows[np.unique(np.concatenate([even, dense]).astype(np.intp))]


def _deviations(
    view: View, known: Suspects, functions: Sequence[str], rows: np.ndarray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return spread, mean and sign of ``y / (b f)``, each of shape (bases, functions)."""
    taken, y = view.take(known.bases)[:, rows], view.y[rows]
    x = view.x[rows]
    with np.errstate(all="ignore"):
        log_b = np.log(np.abs(taken))
        log_f = np.log(np.array([np.ones_like(x), *(known.functions[name](x) for name in functions[1:])]))
        log_y = np.log(np.abs(y))
        deviation = (log_y - log_b)[:, None, :] - log_f
        deviation = np.where(np.isfinite(deviation), deviation, 1e3)
    if view.id:  # a fault of x is one already: no two more
        deviation[1:, 1:] = np.linspace(0, 1e3, rows.size)
    kept = max(1, int(TRIM * rows.size))
    mean = np.median(deviation, axis=-1)
    distance = np.abs(deviation - mean[..., None])
    distance.partition(kept - 1, axis=-1)
    sign = np.sign((np.sign(y) * np.sign(taken)).sum(axis=-1))
    return distance[..., :kept].mean(axis=-1), mean, np.repeat(sign[:, None], len(functions), axis=1)


def _constants(known: Suspects, mean: float, sign: float, limit: float) -> Iterator[str]:
    """Yield the constants (empty: none) that are about ``sign * exp(mean)``."""
    if sign > 0 and abs(mean) <= limit:
        yield ""
    for name, value in known.constants.items():
        if math.copysign(1.0, value) == sign and abs(math.log(abs(value)) - mean) <= limit:
            yield name
