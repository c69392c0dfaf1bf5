"""The changes of scale that people and agents make between a number and its name: ln for log10, masses, lengths, h."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reliability.posterior_checks.thresholds import SCALE_SHARE, SCALE_SIGMAS, SCALE_STEP_RATIO, SCALE_STEP_SIGMAS

if TYPE_CHECKING:
    from reliability.posterior_records import Literature

JUPITER_IN_EARTHS = 317.828
"""GM_Jup / GM_Earth, nominal values of IAU 2015 Resolution B3 (1.2668653e17 / 3.986004e14)."""
_H = 0.7
"""The h of "h-units" where a task does not say (all four data sets here were reduced with H0 = 70)."""
_LN10 = math.log(10.0)


@dataclass(frozen=True, slots=True)
class Explanation:
    """A change of scale that brings a value near the published one."""

    words: str
    value: float
    """The value after the change."""
    distance: float
    """From the published value, in its sigma."""


def _power(base: float) -> Callable[[float], float]:
    return lambda value: base**value if abs(value) < 300.0 / math.log10(base) else math.inf


def _factor(factor: float) -> Callable[[float], float]:
    return lambda value: value * factor


def _log(scale: float) -> Callable[[float], float]:
    return lambda value: math.log(value) * scale if value > 0.0 else math.nan


SCALES: tuple[tuple[str, Callable[[float], float]], ...] = (
    ("a natural logarithm", _power(math.e)),
    ("a decimal logarithm", _power(10.0)),
    ("the number where its decimal logarithm is meant", _log(1.0 / _LN10)),
    ("the number where its natural logarithm is meant", _log(1.0)),
    ("a natural logarithm where the decimal one is meant", _factor(1.0 / _LN10)),
    ("a decimal logarithm where the natural one is meant", _factor(_LN10)),
    (
        "a natural logarithm read as a decimal one",
        lambda value: math.exp(math.log10(value)) if value > 0.0 else math.nan,
    ),
    (
        "a decimal logarithm read as a natural one",
        lambda value: _power(10.0)(math.log(value)) if value > 0.0 else math.nan,
    ),
    ("in Jupiter masses instead of Earth masses", _factor(JUPITER_IN_EARTHS)),
    ("in Earth masses instead of Jupiter masses", _factor(1.0 / JUPITER_IN_EARTHS)),
    ("in Mpc instead of kpc", _factor(1e3)),
    ("in kpc instead of Mpc", _factor(1e-3)),
    ("in percent", _factor(1e-2)),
    ("a fraction where percent is meant", _factor(1e2)),
    ("one minus what is meant", lambda value: 1.0 - value),
    ("the inverse of what is meant", lambda value: 1.0 / value if value else math.inf),
    ("of the opposite sign", _factor(-1.0)),
    (f"in units of h (h = {_H})", _factor(1.0 / _H)),
    (f"in units of 1/h (h = {_H})", _factor(_H)),
)
"""Words for what the reported value is, and how to get what is meant. New ones go here."""
_LOGARITHMS = 2
"""The first so many apply to a name that says "log" and not which."""


def explain_scale(value: float, known: Literature, *, is_logarithm: bool = False) -> list[Explanation]:
    """Return the changes of scale that bring `value` near the published one, the nearest first.

    Near is within 3 sigma and a quarter of it; and the change must be large: mere disagreement is not explained.
    With `is_logarithm` the name is known to be a logarithm, and only its bases are tried.

    >>> from reliability.posterior_records import Literature
    >>> explain_scale(4.939, Literature(127.0, 17.0))[0].words
    'a natural logarithm'
    """
    found = []
    for words, change in SCALES[:_LOGARITHMS] if is_logarithm else SCALES:
        changed = change(value)
        if not math.isfinite(changed):
            continue
        off = abs(changed - known.value)
        distance = off / known.sigma
        is_near = distance <= SCALE_SIGMAS and off <= SCALE_SHARE * abs(known.value)
        if is_near and (is_logarithm or _is_large(value, changed, known.sigma)):
            found.append(Explanation(words, changed, distance))
    return sorted(found, key=lambda e: e.distance)


def _is_large(value: float, changed: float, sigma: float) -> bool:
    """Whether a change is too large for mere disagreement."""
    ratio = changed / value if value else math.inf
    is_many_times = ratio > SCALE_STEP_RATIO or 0.0 < ratio < 1.0 / SCALE_STEP_RATIO
    return is_many_times or abs(changed - value) >= SCALE_STEP_SIGMAS * sigma
