"""When a score notices an error.

* PAS falls by more than 1e-3, the last digit in which it is printed; right answers have exactly 1.
* NAS falls by more than 1e-3, or below that of every right variant of the task, whichever is lower: a fall that right
  answers show too (0.8 per cent in task 13) tells nothing.
* mode is no longer D; ``accurate`` is no longer 1. These are verdicts, and need no threshold.

A *margin* says by how much, on a scale of the score's own: it is above 0 where the error is noticed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from reliability.failure_modes import PASS
from reliability.metrics import numerical_accuracy_score
from reliability.references import load_variants

if TYPE_CHECKING:
    from reliability.records import Reference, Task

Score = Literal["pas", "nas", "mode", "accurate"]
SCORES: tuple[Score, ...] = ("pas", "nas", "mode", "accurate")
CURVE_SCORES: tuple[Score, ...] = ("mode", "nas", "accurate")
"""Those that need CAMB, in the order in which they are searched for: from large errors to small ones."""
LEAST_FALL = 1e-3
"""A fall of PAS or NAS below 1 that a reader of the tables can see."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Below which values PAS and NAS of one task notice something."""

    nas: float
    pas: float = 1.0 - LEAST_FALL


def thresholds(task: Task, reference: Reference) -> Thresholds:
    """Return the thresholds of a task: 1e-3 below 1, for NAS not above any of the committed right variants."""
    right = [v for v in load_variants(task).values() if v.role in ("envelope", "held_back")]
    scores = [numerical_accuracy_score(v.x, v.y, reference.x, reference.y).nas for v in right]
    return Thresholds(min([1.0 - LEAST_FALL, *(s for s in scores if s is not None)]))


def margins_of(pas: float, nas: float | None, accurate: bool | None, limits: Thresholds) -> dict[Score, float]:
    """Return for each score by how much it notices, on a scale of its own: above 0 if it does."""
    found: dict[Score, float] = {"pas": log_fall(pas, limits.pas)}
    if nas is not None:
        found["nas"] = log_fall(nas, limits.nas)
        found["mode"] = PASS - min(pas, nas)
    if accurate is not None:
        found["accurate"] = -1.0 if accurate else 1.0
    return found


def log_fall(score: float, threshold: float) -> float:
    """Return the logarithm of the fall below 1 over the fall that is noticed."""
    return math.log(max(1.0 - score, 1e-300) / (1.0 - threshold))
