"""The judge's verdict on a seeded trial beside what is true of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from reliability.records import TrialScore
    from reliability.validation.cases import Case
    from reliability.validation.truth import Truth

SPEAKING: Final = frozenset({"parameter", "parameters_in_code"})
"""Diagnoses that say in their sentence which parameter they are about."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One seeded trial: what is true, and what the suite says. ``None``: open, or not said."""

    fault: str
    kind: str
    task: str
    number: int
    style: str
    how: str
    """Whether the script was run in full, or its curve is that of number 0 because CAMB had the same model."""
    esr_true: int
    esr: int | None
    mode_true: str
    mode: str
    """``unknown`` where the suite gives none."""
    accurate_true: int | None
    accurate: int | None
    silent_true: int | None
    silent: int | None
    names_true: str
    diagnosis: str
    named: int | None
    """Whether the diagnosis is a right name; ``None`` where none is claimed."""

    @property
    def is_missed(self) -> bool:
        """A wrong curve that is called accurate."""
        return self.accurate_true == 0 and self.accurate == 1

    @property
    def is_false_alarm(self) -> bool:
        """A right curve that is called wrong, or given a diagnosis."""
        return self.accurate_true == 1 and (self.accurate == 0 or bool(self.diagnosis))

    @property
    def disagreements(self) -> tuple[str, ...]:
        """In what the suite is not right."""
        found = {
            "accurate": self.is_missed or self.is_false_alarm,
            "esr": self.esr != self.esr_true,
            "mode": self.mode != self.mode_true,
            "silent": self.silent_true is not None and self.silent != self.silent_true,
            "diagnosis": self.named == 0,
        }
        return tuple(name for name, is_so in found.items() if is_so)


COLUMNS: Final = tuple(f.name for f in fields(Verdict))


def verdict_on(case: Case, how: str, truth: Truth, score: TrialScore) -> Verdict:
    """Return the verdict on one trial."""
    silent = truth.silent
    named = None
    if truth.names:
        is_about = score.diagnosis not in SPEAKING or f"{case.fault.word} = " in score.diagnosis_text
        named = int(score.diagnosis in truth.names and (is_about or not case.fault.word))
    return Verdict(
        fault=case.fault.id,
        kind=case.fault.kind,
        task=case.task,
        number=case.number,
        style=case.style_name,
        how=how,
        esr_true=truth.esr,
        esr=score.esr,
        mode_true=truth.mode,
        mode=score.mode or "unknown",
        accurate_true=None if truth.accurate is None else int(truth.accurate),
        accurate=score.accurate,
        silent_true=None if silent is None else int(silent),
        silent=score.silent_failure,
        names_true=" ".join(truth.names),
        diagnosis=score.diagnosis,
        named=named,
    )


def rows(verdicts: list[Verdict]) -> Iterator[dict[str, object]]:
    """Yield a row of ``trials.csv`` for each."""
    for verdict in verdicts:
        yield {name: getattr(verdict, name) for name in COLUMNS}
