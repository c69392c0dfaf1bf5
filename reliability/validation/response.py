"""How a curve answers to a parameter: a parabola through committed CAMB curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reliability.diagnosis import ParameterStep
    from reliability.records import FloatArray


def response(y: FloatArray, right: float, step: ParameterStep, value: float) -> FloatArray:
    """Return the curve with the parameter at `value`, from `y` at its `right` value and those one step off.

    Exact at the three; between them the error is of third order in the step.
    """
    v, low, high = value - right, step.low - right, step.high - right
    a = v * (v - high) / (low * (low - high))
    b = v * (v - low) / (high * (high - low))
    return y + a * (step.y_low - y) + b * (step.y_high - y)
