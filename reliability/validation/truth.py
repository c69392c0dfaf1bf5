"""What is true of a seeded trial, worked out without the code that judges it.

The formulas of [PW] are written here a second time, in their textbook form, and nothing of the scores, the readers of
curves and code, or the diagnosis is imported. The parameters are those that the fault tells CAMB (checked against what
CAMB received when the script ran), the curve is what the script wrote, and the right curve is that of the right script
under the same CAMB.

Whether an output is accurate has three answers. It *is*, where nothing but printing and rounding sets it apart from the
right curve (:data:`FLOOR`). It *is not*, where it deviates by more than right answers do among themselves, the task's
tolerance. Between the two lies what size alone cannot tell; either verdict is right there. Right answers by
construction are accurate whatever they deviate by.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from reliability.corpus import Recipe
    from reliability.faults import Fault
    from reliability.records import FloatArray, Task, Tolerance

WEIGHTS: Final = {
    "H0": 2.0, "ombh2": 2.0, "omch2": 2.0, "ns": 2.0, "As": 2.0, "omk": 1.5, "w": 1.5,
    "tau": 1.0, "mnu": 1.0, "Alens": 1.0,
}  # fmt: skip
"""[PW], section 4.2.1."""
FLOOR: Final = (2e-4, 2e-4, 1e-6)
"""What six printed digits may cost in NRMSE, SMAPE and CCC."""
SHARE: Final = 0.95
"""Of the reference's range and number of points, that an output must have."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What is true of a trial."""

    esr: int
    pas: float
    nas: float | None
    """``None`` without a valid output."""
    mode: str
    accurate: bool | None
    """``None``: between accurate and not."""
    names: tuple[str, ...]
    """Right names of the mistake, where the curve shows one; empty where nothing is claimed."""
    silent: bool | None
    """Wrong and not admitted; ``None`` without a report, or where it is open whether it is wrong."""


def true_of(fault: Fault, task: Task, recipe: Recipe, *, output: bytes | None, right: bytes, limit: Tolerance) -> Truth:
    """Return what is true of a trial.

    `output` is what the script wrote, `right` what the right script wrote, `limit` the task's tolerance.
    """
    told: Mapping[str, object] = recipe.told if fault.without_camb is None else {}
    pas = parameter_score(told, task.truth)
    x_right, y_right = _columns(right, ",")
    x, y = _curve(fault, output, recipe.separator, x_right, y_right)
    if not _is_valid(x, x_right):
        return Truth(0, pas, None, "A", False, fault.names(task) if x.size else (), _silent(fault, False))
    missing = shortfalls(np.interp(x_right, x, y), y_right)
    nas = 1 - 0.2 * missing[0] - 0.3 * missing[1] - 0.5 * missing[2]
    mode = "B" if pas < 0.5 else "C" if nas < 0.5 else "D"
    accurate = _accurate(fault, missing, (limit.nrmse, limit.smape, limit.ccc))
    names = fault.names(task) if accurate is False else ()
    return Truth(1, pas, nas, mode, accurate, names, _silent(fault, None if accurate is None else not accurate))


def _curve(
    fault: Fault, output: bytes | None, separator: str, x_right: FloatArray, y_right: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the finite points of the output by x; none where it holds no curve."""
    if fault.holds == "right":
        return x_right, y_right
    if fault.holds == "nothing" or output is None:
        return np.empty(0), np.empty(0)
    x, y = _columns(output, separator)
    finite = np.isfinite(x) & np.isfinite(y)
    x, y = x[finite], y[finite]
    order = np.argsort(x, kind="stable")
    return x[order], y[order]


def _columns(content: bytes, separator: str) -> tuple[FloatArray, FloatArray]:
    table = np.genfromtxt(io.BytesIO(content), delimiter=separator, skip_header=1, dtype=np.float64)
    return table[:, 0], table[:, 1]


def _is_valid(x: FloatArray, x_right: FloatArray) -> bool:
    """The conditions of ESR."""
    if x.size < SHARE * x_right.size:
        return False
    overlap = min(x[-1], x_right[-1]) - max(x[0], x_right[0])
    return bool(overlap >= SHARE * (x_right[-1] - x_right[0]))


def parameter_score(told: Mapping[str, object], asked: Mapping[str, float]) -> float:
    """PAS, Eqs. 1 and 2 of [PW]; what is not told has error 1."""
    lost = total = 0.0
    for name, right in asked.items():
        if name in WEIGHTS:
            value = told.get(name)
            error = min(abs(value - right) / (abs(right) + 1e-12), 1.0) if isinstance(value, int | float) else 1.0
            lost, total = lost + WEIGHTS[name] * error, total + WEIGHTS[name]
    return 1 - lost / total


def shortfalls(y: FloatArray, y_right: FloatArray) -> tuple[float, float, float]:
    """What NRMSE, SMAPE and CCC (Eqs. 3-5 of [PW]) lack of 1, each at most 1."""
    nrmse = float(np.sqrt(np.mean((y - y_right) ** 2)) / (y_right.max() - y_right.min()))
    size = (np.abs(y) + np.abs(y_right)) / 2
    smape = float(np.mean(np.abs(y - y_right) / np.where(size > 0, size, 1)))
    covariance = np.mean((y - y.mean()) * (y_right - y_right.mean()))
    ccc = float(2 * covariance / (y.var() + y_right.var() + (y.mean() - y_right.mean()) ** 2))
    return min(nrmse, 1.0), min(smape, 1.0), min(1.0 - ccc, 1.0)


def _accurate(fault: Fault, missing: tuple[float, ...], limit: tuple[float, ...]) -> bool | None:
    if fault.is_right or all(m <= f for m, f in zip(missing, FLOOR, strict=True)):
        return True
    return False if any(m > t for m, t in zip(missing, limit, strict=True)) else None


def _silent(fault: Fault, wrong: bool | None) -> bool | None:
    if fault.report == "none" or wrong is None:
        return None
    return wrong and fault.report == "confident"
