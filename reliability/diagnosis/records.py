"""What the diagnosis takes in and gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from reliability.records import Tolerance

if TYPE_CHECKING:
    from reliability.records import FloatArray

Severity = Literal["wrong quantity", "convertible", "biased"]
"""``wrong quantity``: no factor repairs it; ``convertible``: right information in another unit or order; ``biased``:
the right quantity, computed with something else than was asked."""
Confidence = Literal["high", "medium", "low"]
"""``high``: exact to what right answers differ, and nothing else of the catalogue looks the same; ``medium``: within
tolerance; ``low``: a fitted description."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One known mistake, computed: `y` on the task's grid, and how far right computations of it differ."""

    name: str
    y: FloatArray
    tolerance: Tolerance


@dataclass(frozen=True, slots=True)
class ParameterStep:
    """The reference computation with one parameter below and above its stated value."""

    parameter: str
    low: float
    high: float
    y_low: FloatArray
    y_high: FloatArray


@dataclass(frozen=True, slots=True)
class Alternatives:
    """All that was computed for the diagnosis of one task; empty for a user's own task."""

    curves: tuple[Alternative, ...] = ()
    steps: tuple[ParameterStep, ...] = ()
    sha256: str = ""
    """Of the file that holds them."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One cause that explains the agent's curve."""

    id: str
    """Of the catalogue; two faults at once are joined by ``+``."""
    formula: str
    sentence: str
    nrmse: float | None
    """``1 - S_NRMSE`` after undoing it; ``None`` where nothing can be undone (a collapsed curve)."""
    max_relative: float | None
    """Largest ``|y - explained| / |explained|`` where that is not zero."""
    severity: Severity
    confidence: Confidence
    complexity: float
    x: FloatArray
    y: FloatArray
    """The explained curve, for the figure: what the agent's would be if this is all that is wrong."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """At most three explanations, the simplest first."""

    status: Literal["accurate", "explained", "unknown"]
    explanations: tuple[Explanation, ...] = ()
    is_ambiguous: bool = False
    """The first two look the same on this curve; no number in it can tell them apart."""

    @property
    def id(self) -> str:
        """Return the first explanation's id; empty if the curve is accurate, ``unknown`` without an explanation."""
        if self.explanations:
            return self.explanations[0].id
        return "" if self.status == "accurate" else "unknown"

    @property
    def sentence(self) -> str:
        """Return the first explanation as a sentence, with the other one where both look the same."""
        if not self.explanations:
            return "" if self.status == "accurate" else "No known mistake explains this curve."
        first = self.explanations[0].sentence
        return f"{first} Or: {self.explanations[1].sentence}" if self.is_ambiguous else first
