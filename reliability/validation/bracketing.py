"""Where a score begins to notice, from as few trials as possible: each may cost seconds of CAMB.

A *margin* is a number above 0 where the score notices; sizes of errors are positive.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

RATIO = 1.1
"""The limit is known when the smallest noticed size is at most this times the largest unnoticed one."""
_SIDE = 1.04  # half a bracket
_FLOOR = 1e-16


class Bracket(NamedTuple):
    """Between which sizes a score begins to notice."""

    unnoticed: float
    noticed: float | None
    is_monotone: bool


def bracket(margins: Mapping[float, float]) -> Bracket:
    """Return the largest unnoticed size and the smallest noticed one above it; a margin above 0 means noticed.

    >>> bracket({0.01: -1.0, 0.1: 0.5, 0.2: 1.0})
    Bracket(unnoticed=0.01, noticed=0.1, is_monotone=True)
    """
    low = max((size for size, margin in margins.items() if margin <= 0.0), default=0.0)
    above = [size for size, margin in margins.items() if margin > 0.0 and size > low]
    is_monotone = all(size > low for size, margin in margins.items() if margin > 0.0)
    return Bracket(low, min(above, default=None), is_monotone)


def next_size(margins: Mapping[float, float], guess: float | None, ratio: float = RATIO) -> float | None:
    """Return the size to try next, to three digits; ``None`` if the bracket is narrow enough or there is none.

    First on both sides of the guess, then where a straight line through the margins crosses 0, or the middle.
    """
    low, high, _ = bracket(margins)
    if high is None or (low > 0.0 and high <= ratio * low) or high < _FLOOR:
        return None
    for size in (guess * _SIDE, guess / _SIDE) if guess else ():
        if low < digits(size) < high:
            return digits(size)
    if low == 0.0:
        return digits(high * math.exp(-min(max(margins[high], 0.7), 3.0)) / _SIDE)
    share = margins[low] / (margins[low] - margins[high]) if len(margins) % 2 else 0.5
    crossing = low * (high / low) ** share
    tries = (crossing / _SIDE, crossing * _SIDE, math.sqrt(low * high))
    return next((digits(size) for size in tries if 1.005 * low < digits(size) < high / 1.005), None)


def digits(size: float) -> float:
    """Return the size to three digits: what is tried can be read, and is the same on every machine."""
    return float(f"{size:.3g}")


def locate(margin: Callable[[float], float], ceiling: float, ratio: float) -> float | None:
    """Return where a margin that costs nothing becomes positive; ``None`` if it is not at `ceiling`."""
    margins = {ceiling: margin(ceiling)}
    while (size := next_size(margins, None, ratio)) is not None:
        margins[size] = margin(size)
    low, high, _ = bracket(margins)
    return None if high is None else math.sqrt(low * high) if low else high
