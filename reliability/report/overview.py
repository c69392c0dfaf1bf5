"""From the scores of a run to what its first page says: systems, tasks, causes, parameters. Records in, rows out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from reliability.agent_files import natural
from reliability.records import ParameterScore, TrialScore
from reliability.report.agent_text import is_right
from reliability.report.names import Address
from reliability.report.verdicts import ACCURATE, NO_OUTPUT, UNJUDGED, VERDICTS, Verdict, verdict
from reliability.summaries import Summary

NO_VALID_OUTPUT = "no valid output"
RIGHT_CURVE = "curve accurate"
NO_DIAGNOSIS = "unknown"
CellKey = tuple[str, str, str]
"""(system, task, condition)."""


@dataclass(frozen=True, slots=True)
class SystemRow:
    """One system: its row of ``systems.csv``, and on which tasks its curves were right every time, at times, never."""

    name: str
    means: Mapping[str, Any]
    verdicts: Sequence[tuple[Verdict, int]]
    always: Sequence[str]
    sometimes: Sequence[str]
    never: Sequence[str]


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """All trials of a system at a task: its row of ``tasks.csv``, and its trials' scores."""

    key: CellKey
    means: Mapping[str, Any]
    n_accurate: int
    n_judged: int


@dataclass(frozen=True, slots=True)
class Cause:
    """One reason for lost Score: a diagnosis of the catalogue, no valid output, or parameters alone."""

    id: str
    example: str
    n_trials: int
    n_systems: int
    lost: float
    """Sum of 1 - Score over its trials that have a Score."""
    n_scored: int
    share: float
    """Of all the Score that was lost in the run; 0 if none was."""
    first: Address


class ParameterRow(NamedTuple):
    """How often a parameter that the task states was got wrong, and in which way."""

    name: str
    n_trials: int
    n_wrong: int
    n_omitted: int
    n_unread: int
    mean_eps: float


def system_name(system: str, condition: str) -> str:
    """Return a system's name with the condition of its tasks."""
    return f"{system} @{condition}" if condition else system


def by_cell(scores: Iterable[TrialScore]) -> dict[CellKey, list[TrialScore]]:
    """Return the scores of each system at each task, in natural order of the names."""
    cells: dict[CellKey, list[TrialScore]] = {}
    for score in scores:
        cells.setdefault((score.system, score.task, score.condition), []).append(score)
    return dict(sorted(cells.items(), key=lambda item: tuple(map(natural, item[0]))))


def matrix(cells: Mapping[CellKey, Sequence[TrialScore]], summary: Summary) -> dict[CellKey, MatrixCell]:
    """Return what is known of each system at each task."""
    means = {(r["system"], r["task"], r["condition"]): r for r in summary.tasks.rows if r["level"] == "task"}
    result = {}
    for key, scores in cells.items():
        found = [verdict(score) for score in scores]
        n_accurate, n_unjudged = found.count(ACCURATE), found.count(UNJUDGED)
        result[key] = MatrixCell(key, means[key], n_accurate, len(found) - n_unjudged)
    return result


def systems(cells: Mapping[CellKey, Sequence[TrialScore]], summary: Summary) -> list[SystemRow]:
    """Return a row for each system, the most often accurate first."""
    rows = []
    for means in summary.systems.rows:
        mine = {k[1]: v for k, v in cells.items() if (k[0], k[2]) == (means["system"], means["condition"])}
        found = {task: [verdict(s) for s in scores] for task, scores in mine.items()}
        judged = {task: [v is ACCURATE for v in vs if v is not UNJUDGED] for task, vs in found.items()}
        counts = Counter(v for vs in found.values() for v in vs)
        rows.append(
            SystemRow(
                system_name(str(means["system"]), str(means["condition"] or "")),
                means,
                [(v, counts[v]) for v in VERDICTS if counts[v]],
                [task for task, right in judged.items() if right and all(right)],
                [task for task, right in judged.items() if any(right) and not all(right)],
                [task for task, right in judged.items() if right and not any(right)],
            )
        )
    return sorted(rows, key=lambda row: (-(row.means["accurate"] or 0.0), natural(row.name)))


def cause(score: TrialScore) -> str:
    """Return why a trial lost Score, in a word or two."""
    found = verdict(score)
    if found is NO_OUTPUT:
        return NO_VALID_OUTPUT
    return RIGHT_CURVE if found is ACCURATE else score.diagnosis or NO_DIAGNOSIS


def causes(scores: Sequence[TrialScore]) -> list[Cause]:
    """Return why Score was lost, the costliest first; together they are all the Score that was lost."""
    groups: dict[str, list[TrialScore]] = {}
    for score in scores:
        if verdict(score) is not ACCURATE or (score.score is not None and score.score < 1 - 1e-3):
            groups.setdefault(cause(score), []).append(score)
    lost = {name: math.fsum(1 - s.score for s in group if s.score is not None) for name, group in groups.items()}
    total = math.fsum(lost.values())
    found = [
        Cause(
            name,
            _example(name, group),
            len(group),
            len({s.system for s in group}),
            lost[name],
            sum(s.score is not None for s in group),
            lost[name] / total if total else 0.0,
            group[0].address,
        )
        for name, group in groups.items()
    ]
    return sorted(found, key=lambda c: (-c.lost, -c.n_trials, c.id))


def _example(name: str, group: Sequence[TrialScore]) -> str:
    if name == RIGHT_CURVE:
        return "the curve is right, but the code's parameters do not match the task, or could not be read"
    texts = Counter(s.esr_reason if name == NO_VALID_OUTPUT else s.diagnosis_text for s in group)
    return min(texts.items(), key=lambda item: (-item[1], item[0]))[0]


def parameter_rows(parameters: Mapping[Address, Sequence[ParameterScore]]) -> list[ParameterRow]:
    """Return which parameters were got wrong, the worst first; those that never were are left out."""
    by_name: dict[str, list[ParameterScore]] = {}
    for found in parameters.values():
        for p in found:
            if not p.is_extended:
                by_name.setdefault(p.parameter, []).append(p)
    rows = []
    for name, found in by_name.items():
        wrong = [p for p in found if not is_right(p)]
        states = Counter(p.state for p in wrong)
        mean = math.fsum(p.eps for p in found) / len(found)
        rows.append(ParameterRow(name, len(found), states["set"], states["default"], states["unresolved"], mean))
    return sorted((r for r in rows if r.mean_eps > 1e-6), key=lambda r: (-r.mean_eps, r.name))


def unscored(scores: Iterable[TrialScore]) -> list[tuple[str, list[TrialScore]]]:
    """Return the trials without a Score by reason, the commonest first."""
    reasons: dict[str, list[TrialScore]] = {}
    for score in scores:
        if score.score is None:
            reasons.setdefault(score.unscored_reason or "no reason recorded", []).append(score)
    return sorted(reasons.items(), key=lambda item: (-len(item[1]), item[0]))
