"""Is a curve the one that was handed in? By rounding of the machine and of the printed digits, and no more.

The same script with the same CAMB gives the same bytes on one machine. On another one CAMB's sums are taken in another
order, by another number of threads or another processor's instructions; the last printed digit may then be another
one, seldom. So two curves are the same if they differ by at most :data:`SAME` of the curve's size nearby at nearly
every x (:data:`MOST`), and at the others by one unit more of the last digit that was printed. "Nearby" is the largest
value of a few neighbours: a ratio that crosses zero has no relative accuracy there, and a spectrum of many decades has
no absolute one. A release line of CAMB moves a spectrum by 1e-3 and more; the tolerances of the tasks, which let pass
what right answers differ by, begin at 2e-4, and are only quoted for curves that are not the same.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from reliability.reexecution.records import Comparison

if TYPE_CHECKING:
    from reliability.records import Curve, FloatArray

SAME = 1e-5
MOST = 0.95
"""Share of the points; where rounding is below :data:`SAME`, it turns fewer digits than the rest."""
NEARBY = 11
"""Points whose largest value is the size of the curve at the middle one."""
_EXACT = 15
"""Significant digits from which on printing costs nothing."""


def compare_curves(handed: Curve, rerun: Curve) -> Comparison:
    """Return whether both curves are the same, and their largest difference."""
    same_x = handed.x.size == rerun.x.size and bool(np.allclose(handed.x, rerun.x, rtol=SAME, atol=1e-12))
    if not same_x:
        return Comparison(False, None)
    difference = np.abs(handed.y - rerun.y)
    size = _size_nearby(np.maximum(np.abs(handed.y), np.abs(rerun.y)))
    within = difference <= SAME * size
    is_same = bool(within.mean() >= MOST and np.all(within | (difference <= SAME * size + printed_unit(handed.y))))
    relative = np.divide(difference, size, out=np.zeros_like(difference), where=size > 0)
    worst = int(relative.argmax())
    return Comparison(is_same, float(relative[worst]), float(handed.x[worst]))


def _size_nearby(size: FloatArray) -> FloatArray:
    from scipy.ndimage import maximum_filter1d

    return np.asarray(maximum_filter1d(size, NEARBY, mode="nearest"), dtype=np.float64)


def printed_unit(y: FloatArray) -> FloatArray:
    """Return one unit of the last digit that was printed of each value.

    The format is not known, so it is taken as both: as many significant digits as any value shows, and as many
    decimals as any value shows; the coarser of the two units holds.

    >>> printed_unit(np.array([1.25, 300.0, 0.001]))
    array([0.01 , 1.   , 0.001])
    """
    shown = [Decimal(repr(float(value))).normalize().as_tuple() for value in y if value]
    n_digits = max((len(number.digits) for number in shown), default=0)
    if not n_digits or n_digits >= _EXACT:
        return np.zeros_like(y)
    n_decimals = max(-int(number.exponent) for number in shown)
    size = np.abs(y)
    power = np.floor(np.log10(np.where(size > 0, size, 1.0)))
    by_digits = np.where(size > 0, 10.0 ** (power - n_digits + 1), 0.0)
    return np.maximum(by_digits, 10.0**-n_decimals)
