"""Compares what was read from a script with what CAMB received when the script ran, parameter by parameter."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from reliability.records import CambModel, CodeReading, ParameterReading, Setting

REL_TOLERANCE: Final = 1e-12
"""Two routes to one value may round differently; a wrong value is far outside."""

Verdict = Literal["agree", "unresolved", "wrong", "later", "unknown"]
VERDICTS: Final[dict[Verdict, str]] = {
    "agree": "same value, and set or default in both",
    "unresolved": "not read, and said so",
    "wrong": "read as another value or state than CAMB had",
    "later": "set after the point up to which the script was run",
    "unknown": "CAMB itself does not keep the value, so there is nothing to compare with",
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """One parameter of one model, read and recorded."""

    model: int
    """Place of the model among the recorded ones."""
    parameter: str
    verdict: Verdict
    read: ParameterReading
    recorded: ParameterReading


@dataclass(frozen=True, slots=True)
class Agreement:
    """A reading beside a recording of the same script."""

    comparisons: tuple[Comparison, ...]
    n_read: int
    n_recorded: int
    """Models that the reader found, and that CAMB computed; compared from the last one backwards."""

    def of(self, verdict: Verdict) -> tuple[Comparison, ...]:
        """Those with this verdict."""
        return tuple(c for c in self.comparisons if c.verdict == verdict)


def compare_readings(read: CodeReading, recorded: CodeReading, *, is_first_only: bool = False) -> Agreement:
    """Compare model by model: the last with the last, and so on; with `is_first_only` the first with the first alone.

    A model that was read but not computed, or the other way round, has no partner; the two counts tell.
    """
    computed = [model for model in read.models if model.line is not None]
    n = min(len(computed), len(recorded.models), *([1] if is_first_only else []))
    pairs = zip(computed[:n], recorded.models[:n], strict=True)
    if not is_first_only:
        pairs = zip(computed[len(computed) - n :], recorded.models[len(recorded.models) - n :], strict=True)
    comparisons = tuple(c for i, pair in enumerate(pairs) for c in _compare_models(i, pair, is_first_only))
    return Agreement(comparisons, len(computed), len(recorded.models))


def _compare_models(place: int, pair: Sequence[CambModel], is_first_only: bool) -> Iterator[Comparison]:
    read, recorded = pair
    for name, truth in recorded.parameters.items():
        found = read.parameters.get(name)
        if found is not None:
            yield Comparison(place, name, _verdict(found, truth, is_first_only), found, truth)


def _verdict(found: ParameterReading, truth: ParameterReading, is_first_only: bool) -> Verdict:
    if found.state == "unresolved":
        return "unresolved"
    if truth.state == "unresolved":
        return "unknown"
    if is_first_only and found.name == "Alens" and found.reason == PARTIALLY_LENSED:
        return "later"
    if found.state != truth.state:
        return "wrong"
    if found.state == "default" and (found.value is None or truth.value is None):
        return "agree"  # CAMB works it out; the script does not say it
    return "agree" if is_same(found.value, truth.value) else "wrong"


PARTIALLY_LENSED: Final = "passed to get_partially_lensed_cls"
"""Reason of an Alens that is told when results are read."""


def is_same(a: Setting | None, b: Setting | None) -> bool:
    """Whether two values are one, up to rounding."""
    if isinstance(a, int | float) and isinstance(b, int | float):
        return math.isclose(a, b, rel_tol=REL_TOLERANCE) or (math.isnan(a) and math.isnan(b))
    return a == b
