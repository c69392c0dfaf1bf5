"""Axes for small drawings: which scale, where its ticks are, and how a number is written beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from reliability.records import FloatArray

Kind = Literal["linear", "log", "symlog"]
_UP = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers from `low` to `high` onto 0 to 1; ``symlog`` is linear below `linear` and logarithmic above it."""

    kind: Kind
    low: float
    high: float
    linear: float = 1.0

    def positions(self, values: FloatArray) -> FloatArray:
        """Return where values lie: 0 at `low`, 1 at `high`; a value that the scale cannot show is ``nan``."""
        ends = self._warp(np.array([self.low, self.high]))
        return np.asarray((self._warp(values) - ends[0]) / (ends[1] - ends[0]), dtype=float)

    def _warp(self, values: FloatArray) -> FloatArray:
        if self.kind == "log":
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.asarray(np.where(values > 0, np.log10(values), np.nan))
        if self.kind == "symlog":
            return np.asarray(np.sign(values) * np.log1p(np.abs(values) / self.linear))
        return values

    def ticks(self, n: int) -> list[float]:
        """Return at most about `n` round numbers inside the scale."""
        if self.kind == "log" and self.high > 20 * self.low:
            return _decades(self.low, self.high, n)
        if self.kind == "symlog":
            powers = _decades(self.linear, max(abs(self.low), abs(self.high)), 2)
            return [v for v in (*(-p for p in reversed(powers)), 0.0, *powers) if self.low <= v <= self.high]
        return _round_steps(self.low, self.high, n)


def make_scale(kind: Kind, values: FloatArray, *, linear: float = 1.0, margin: float = 0.05) -> Scale:
    """Return a scale on which all finite values fit, with a margin at both ends, a share of the length."""
    values = values[np.isfinite(values) & ((values > 0) | (kind != "log"))]
    low, high = (float(values.min()), float(values.max())) if values.size else (0.1, 1.0)
    if kind == "log":
        room = (high / low) ** margin * (1.02 if low == high else 1)
        return Scale(kind, low / room, high * room)
    if kind == "symlog":
        room = 1.5
        return Scale(kind, min(low, 0) * room, max(high, 0) * room or 1.0, linear)
    room = margin * (high - low) or 0.05 * abs(high) or 1.0
    return Scale(kind, low - room, high + room)


def _decades(low: float, high: float, n: int) -> list[float]:
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    step = max(1, math.ceil((last - first + 1) / n))
    return [10.0**power for power in range(first, last + 1, step)]


def _round_steps(low: float, high: float, n: int) -> list[float]:
    raw = (high - low) / (n - 1)
    unit = 10.0 ** math.floor(math.log10(raw))
    step = next(m * unit for m in (1, 2, 5, 10) if m * unit >= 0.75 * raw)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [i * step for i in range(first, last + 1)]


def number(value: float, digits: int = 3) -> str:
    """Return a number for a person: a true minus, powers of ten as powers.

    >>> number(-2.5e-5), number(0.25), number(1e6)
    ('−2.5×10⁻⁵', '0.25', '10⁶')
    """
    if value == 0:
        return "0"
    if 1e-3 <= abs(value) < 1e4:
        text = f"{value:.{digits}g}"
        return (f"{value:.0f}" if "e" in text else text).replace("-", "−")
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    power = "10" + str(int(exponent)).translate(_UP)
    return (power if mantissa == "1" else f"{mantissa}×{power}").replace("-", "−")
