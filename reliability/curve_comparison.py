"""What separates an agent's curve from the reference, and on which scales both can be seen. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from reliability.records import Grid

if TYPE_CHECKING:
    from reliability.records import FloatArray, Reference

ScaleKind = Literal["linear", "log", "symlog"]
FAR = 100.0
"""Factor between the largest and the smallest value beyond which a linear scale hides something."""


@dataclass(frozen=True, slots=True)
class Residual:
    """What is left between two curves on the reference's grid, where the agent has values."""

    x: FloatArray
    values: FloatArray
    kind: Literal["ratio", "relative", "range"]
    """``ratio`` agent/reference; ``relative`` agent/reference - 1; ``range`` agent - reference in units of the
    reference's range. The last two in per cent."""


def drawable(y: FloatArray, reference: FloatArray) -> FloatArray:
    """Return y without the magnitudes at which drawing overflows."""
    limit = 1e12 * float(np.abs(reference).max() or 1.0)
    return np.clip(y, -limit, limit)


def residual(reference: Reference, x: FloatArray, y: FloatArray) -> Residual | None:
    """Return what separates the curve from the reference; ``None`` if they have no x in common.

    Relative where the reference keeps its sign (their ratio, if it is far from 1), else in units of its range.
    """
    on_grid = np.interp(reference.x, x, y, left=np.nan, right=np.nan)
    x, y, ref = (values[np.isfinite(on_grid)] for values in (reference.x, on_grid, reference.y))
    if not x.size:
        return None
    if not ((reference.y > 0).all() or (reference.y < 0).all()):
        return Residual(x, 100 * (y - ref) / (float(np.ptp(reference.y)) or 1.0), "range")
    ratio = y / ref
    if (ratio > 0).all() and max(ratio.max(), 1 / ratio.min()) > 2:
        return Residual(x, ratio, "ratio")
    return Residual(x, 100 * (ratio - 1), "relative")


def has_log_x(grid: Grid) -> bool:
    """Tell whether the x of a task is drawn on a logarithmic scale."""
    return grid.kind == "log" or (grid.kind == "multipoles" and grid.start > 0)


def y_scale(y: FloatArray, reference: FloatArray) -> ScaleKind:
    """Return the scale on which both curves can be seen; ``symlog`` is linear up to the reference's largest value."""
    both = np.concatenate([y[y > 0], reference])
    if (reference > 0).all() and (y > 0).any() and both.max() > FAR * both.min():
        return "log"
    largest = float(np.abs(reference).max())
    return "symlog" if largest > 0 and np.abs(y).max() > FAR * largest else "linear"


def pretty_label(label: str) -> str:
    """Return a task's label with real indices and micro signs."""
    for plain, pretty in _PRETTY:
        label = label.replace(plain, pretty)
    return label


_PRETTY = (("uK", "µK"), ("^2", "²"), ("^3", "³"), ("_l", "ₗ"), ("^TT", "ᵀᵀ"), ("^EE", "ᴱᴱ"), ("^BB", "ᴮᴮ"))
