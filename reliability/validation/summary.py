"""Tables of a validation: per fault and kind what was noticed and named, confusion matrices, every disagreement.

The styles of one fault on one task share their curve, so for what depends on the curve alone (noticed, named) the
independent unit is the task: a rate is a mean of the tasks' means, and its interval is Wilson's with that many units.
Modes depend on the code as well; there every trial counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from reliability.faults import FAULTS, KINDS
from reliability.statistics import wilson_interval
from reliability.validation.verdicts import Verdict

Row = dict[str, object]
Rate = tuple[float | None, float | None, float | None, int]
"""Share with the limits of its 95 % interval, and its number of units; ``None`` without a unit."""

RATES: Final[dict[str, tuple[Callable[[Verdict], bool], Callable[[Verdict], bool], bool]]] = {
    # name: which trials it is about, what is counted among them, whether the curve alone decides
    "noticed": (lambda v: v.accurate_true == 0 and v.esr_true == 1, lambda v: v.accurate == 0, True),
    "named": (lambda v: v.named is not None, lambda v: v.named == 1, True),
    "false_alarm": (lambda v: v.accurate_true == 1, lambda v: v.is_false_alarm, True),
    "mode_right": (lambda _v: True, lambda v: v.mode == v.mode_true, False),
    "silent_right": (lambda v: v.silent_true is not None, lambda v: v.silent == v.silent_true, False),
    "wrong_in_mode_D": (lambda v: v.accurate_true == 0 and v.esr_true == 1, lambda v: v.mode == "D", True),
}
"""Rates that are given for each fault and each kind."""
RATE_COLUMNS: Final = tuple(f"{name}{end}" for name in RATES for end in ("", "_low", "_high", "_units"))
COUNT_COLUMNS: Final = (
    "n_tasks", "n_trials", "n_full", "n_right", "n_wrong", "n_between", "n_between_accurate", "n_no_output",
)  # fmt: skip
"""``n_between_accurate``: of those of which size alone cannot tell, how many the judge calls accurate."""
FAULT_COLUMNS: Final = ("fault", "kind", "sentence", *COUNT_COLUMNS, *RATE_COLUMNS)
KIND_COLUMNS: Final = ("kind", "n_faults", *COUNT_COLUMNS, *RATE_COLUMNS)
MODE_COLUMNS: Final = ("true_mode", "A", "B", "C", "D", "unknown")
DIAGNOSIS_COLUMNS: Final = ("fault", "right_names", "diagnosis", "n_trials", "is_right")
DISAGREEMENT_COLUMNS: Final = (
    "in", "fault", "task", "number", "style", "mode_true", "mode", "accurate_true", "accurate", "silent_true", "silent",
    "names_true", "diagnosis",
)  # fmt: skip


def rate(verdicts: Sequence[Verdict], name: str) -> Rate:
    """Return one of :data:`RATES` over some trials."""
    concerns, counts, by_curve = RATES[name]
    some = [v for v in verdicts if concerns(v)]
    if not some:
        return None, None, None, 0
    units: dict[object, list[bool]] = {}
    for i, verdict in enumerate(some):
        units.setdefault((verdict.fault, verdict.task) if by_curve else i, []).append(counts(verdict))
    successes = sum(sum(hits) / len(hits) for hits in units.values())
    low, high = wilson_interval(successes, len(units))
    return successes / len(units), low, high, len(units)


def _numbers(verdicts: Sequence[Verdict]) -> Row:
    row: Row = {
        "n_tasks": len({v.task for v in verdicts}),
        "n_trials": len(verdicts),
        "n_full": sum(v.how == "full" for v in verdicts),
        "n_right": sum(v.accurate_true == 1 for v in verdicts),
        "n_wrong": sum(v.accurate_true == 0 and v.esr_true == 1 for v in verdicts),
        "n_between": sum(v.accurate_true is None for v in verdicts),
        "n_between_accurate": sum(v.accurate_true is None and v.accurate == 1 for v in verdicts),
        "n_no_output": sum(v.esr_true == 0 for v in verdicts),
    }
    for name in RATES:
        row |= dict(zip((name, f"{name}_low", f"{name}_high", f"{name}_units"), rate(verdicts, name), strict=True))
    return row


def fault_rows(verdicts: Sequence[Verdict]) -> list[Row]:
    """Return a row for every fault that occurs, in the order of the catalogue."""
    groups = _grouped(verdicts, lambda v: v.fault)
    return [
        {"fault": fault.id, "kind": fault.kind, "sentence": fault.sentence, **_numbers(groups[fault.id])}
        for fault in FAULTS.values()
        if fault.id in groups
    ]


def kind_rows(verdicts: Sequence[Verdict]) -> list[Row]:
    """Return a row for every kind of fault, and one for all."""
    groups = _grouped(verdicts, lambda v: v.kind)
    rows = [(kind, groups[kind]) for kind in KINDS if kind in groups]
    return [
        {"kind": kind, "n_faults": len({v.fault for v in group}), **_numbers(group)}
        for kind, group in (*rows, ("all", list(verdicts)))
    ]


def mode_rows(verdicts: Sequence[Verdict]) -> list[Row]:
    """Return the confusion matrix of the paper's failure modes: what is true down, what is said across."""
    counts = Counter((v.mode_true, v.mode) for v in verdicts)
    return [{"true_mode": true, **{said: counts[true, said] for said in MODE_COLUMNS[1:]}} for true in "ABCD"]


def diagnosis_rows(verdicts: Iterable[Verdict]) -> list[Row]:
    """Return how often each fault was given each diagnosis, where a right name is known."""
    claims = [v for v in verdicts if v.named is not None]
    counts = Counter((v.fault, v.names_true, v.diagnosis, int(v.named == 1)) for v in claims)
    order = {name: i for i, name in enumerate(FAULTS)}
    keys = sorted(counts, key=lambda key: (order[key[0]], key[1], -counts[key], key[2], key[3]))
    return [dict(zip(DIAGNOSIS_COLUMNS, (*key[:3], counts[key], key[3]), strict=True)) for key in keys]


def disagreement_rows(verdicts: Iterable[Verdict]) -> list[Row]:
    """Return every trial on which the suite is not right, with the words in which it is not."""
    return [
        {name: " ".join(v.disagreements) if name == "in" else getattr(v, name) for name in DISAGREEMENT_COLUMNS}
        for v in verdicts
        if v.disagreements
    ]


def _grouped(verdicts: Iterable[Verdict], key: Callable[[Verdict], str]) -> dict[str, list[Verdict]]:
    groups: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(key(verdict), []).append(verdict)
    return groups
