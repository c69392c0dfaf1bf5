"""``accurate``: does a curve differ from the reference only as right answers differ among themselves?

Right answers to one prompt are not equal: CAMB 1.6 and 2.0, accuracy settings, an lmax above the stated value. Two
tests, both must pass:

* *size*: every sub-score is within the task's tolerance, the envelope of the committed right variants;
* *shape*: a deviation larger than printing and rounding explain (the floor) must look like those of the variants. The
  best combination of them, each between not at all and wholly, is taken off, and the rest must be within the floor.

Size alone is blunt where right answers differ much: a Hubble constant of 67.3 instead of 67.5 moves the lensing B modes
less than a change of CAMB version does, but in another shape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reliability.failure_modes import is_accurate
from reliability.metrics import numerical_accuracy_score
from reliability.records import NumericalAccuracy, Reference, Tolerance

if TYPE_CHECKING:
    from reliability.records import FloatArray

FLOOR = Tolerance(nrmse=2e-4, smape=2e-4, ccc=1e-6)
"""What six printed digits, or a correct distance from another library, may cost; no tolerance is below it."""
SLACK = 0.1
"""A variation may be present by this much less than not at all, or more than wholly."""


def is_right_answer(scores: NumericalAccuracy, y: FloatArray, reference: Reference) -> bool | None:
    """Return whether a curve is accurate; ``None`` if a sub-score is missing.

    `y` is the agent's curve on the reference's grid, `scores` what it scored. Without committed variations
    (``reference.variations``) size alone decides.
    """
    within = is_accurate(scores, reference.tolerance)
    if not within or reference.variations is None or is_accurate(scores, FLOOR):
        return within
    rest = y - explained_deviation(y, reference.y, reference.variations)
    return is_accurate(numerical_accuracy_score(reference.x, rest, reference.x, reference.y), FLOOR)


def explained_deviation(y: FloatArray, y_ref: FloatArray, variations: FloatArray) -> FloatArray:
    """Return the part of ``y - y_ref`` that a combination of right answers' deviations explains.

    `variations` has the shape (variants, points). Least squares in relative deviations, as in SMAPE, with every
    coefficient in [-SLACK, 1 + SLACK].
    """
    from scipy.optimize import lsq_linear

    size = 0.5 * (np.abs(y) + np.abs(y_ref))
    weight = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0.0)
    columns = (variations * weight).T
    unit = float(np.abs(columns).max())  # deviations are small numbers; the solver's tolerances are not
    fit = lsq_linear(columns / unit, (y - y_ref) * weight / unit, bounds=(-SLACK, 1.0 + SLACK))
    return np.asarray(fit.x @ variations, dtype=np.float64)
