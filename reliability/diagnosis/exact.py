"""The exact look at one candidate: undo it, and ask whether what is left is a right answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reliability.diagnosis.factors import MAP_INVERSES
from reliability.failure_modes import is_accurate
from reliability.metrics import numerical_accuracy_score, smape_score
from reliability.records import NumericalAccuracy, Reference
from reliability.right_answers import FLOOR, is_right_answer

if TYPE_CHECKING:
    from reliability.diagnosis.candidates import Candidate, Suspects
    from reliability.diagnosis.views import View
    from reliability.records import FloatArray

NEARER = 0.3
"""Largest share of the deviation from the right curve that an alternative may leave."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a candidate explains the curve."""

    scores: NumericalAccuracy
    max_relative: float | None
    x: FloatArray
    explained: FloatArray
    """What the agent's values would be, at `x`."""

    @property
    def shortfall(self) -> float:
        """Return ``1 - NAS`` of what is left."""
        return 1.0 if self.scores.nas is None else 1.0 - self.scores.nas

    @property
    def is_exact(self) -> bool:
        """Return whether nothing but printing and rounding is left."""
        return bool(is_accurate(self.scores, FLOOR))


def factor_of(candidate: Candidate, known: Suspects) -> FloatArray:
    """Return the factor ``c f(x)`` of a candidate at its view's points."""
    x = candidate.view.x
    with np.errstate(all="ignore"):
        f = known.functions[candidate.function](x) if candidate.function else np.ones_like(x)
    return f * (known.constants[candidate.constant] if candidate.constant else 1.0)


def examine(candidate: Candidate, known: Suspects, factor: FloatArray | None = None) -> Fit | None:
    """Return the fit of a candidate if it explains the curve within tolerance, else ``None``."""
    view, name = candidate.view, known.names[candidate.base]
    factor = factor_of(candidate, known) if factor is None else factor
    base = view.take(known.bases[candidate.base])
    with np.errstate(all="ignore"):
        undone = np.where(factor != 0, view.y / factor, base)
        explained = factor * base
        right = base
        if name in MAP_INVERSES:
            undone, right = MAP_INVERSES[name](undone), view.take(known.bases[0])
    if not (np.isfinite(undone).all() and np.isfinite(explained).all()):
        return None
    is_own = candidate.base == 0 or name in MAP_INVERSES
    variations = known.reference.variations
    target = Reference(
        known.task.id, view.x, right, known.tolerances[candidate.base],
        variations=view.take(variations) if is_own and variations is not None else None,
    )  # fmt: skip
    scores = numerical_accuracy_score(view.x, undone, view.x, right)
    if not is_right_answer(scores, undone, target):
        return None
    if candidate.base and not _is_nearer(scores, view, known):
        return None
    return Fit(scores, max_relative(undone, right), view.x, explained)


def _is_nearer(scores: NumericalAccuracy, view: View, known: Suspects) -> bool:
    """Return whether an alternative leaves much less than the right curve does.

    Where right answers differ much, an alternative's tolerance may hold the right curve too, and all that lies between.
    """
    plain = smape_score(view.y, view.take(known.bases[0]))
    return scores.s_smape is not None and 1 - scores.s_smape <= NEARER * (1 - plain)


def max_relative(y: FloatArray, y_ref: FloatArray) -> float:
    """Return the largest ``|y - y*| / |y*|`` where y* is not zero."""
    some = y_ref != 0
    with np.errstate(over="ignore"):
        return float(np.max(np.abs(y[some] / y_ref[some] - 1), initial=0.0))
