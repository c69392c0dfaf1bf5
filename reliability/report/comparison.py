"""Two runs side by side: paired differences per task with intervals, and which trials changed their verdict and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from reliability.agent_files import natural
from reliability.errors import InputError
from reliability.records import TrialScore
from reliability.report.inputs import read_fingerprints
from reliability.report.names import Address
from reliability.report.verdicts import Verdict, verdict
from reliability.results import read_run
from reliability.statistics import paired_differences
from reliability.summaries import MEASURES, ScoreColumns

ALL = "all"
"""Stands for the task where the difference is over all tasks that both have."""
Pair = tuple[str, str]
"""A system's name in the first and in the second run."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs."""

    folder: Path
    manifest: Mapping[str, Any]
    scores: Sequence[TrialScore]
    fingerprints: Mapping[Address, str]


class Difference(NamedTuple):
    """One row of ``differences.csv``: second run minus first."""

    first: str
    second: str
    condition: str
    task: str
    metric: str
    value_first: float | None
    value_second: float | None
    difference: float | None
    low: float | None
    high: float | None
    n: int
    n_tasks: int
    interval: str


class Change(NamedTuple):
    """One trial whose verdict or failure mode is another, and what may have made it so."""

    before: TrialScore
    after: TrialScore
    verdicts: tuple[Verdict, Verdict]
    reasons: Sequence[str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What separates two runs."""

    sides: tuple[Side, Side]
    pairs: Sequence[Pair]
    differences: Sequence[Difference]
    changes: Sequence[Change]
    n_common: int
    """Trials that both runs have."""
    n_alone: tuple[int, int]
    """Trials of these systems that only the first, only the second has."""

    @property
    def settings(self) -> list[tuple[str, str, str]]:
        """What differs between the two manifests: (name, first, second)."""
        return list(_settings(*(side.manifest for side in self.sides)))


def compare_runs(first: Path, second: Path, *, pairs: Sequence[Pair] = ()) -> Comparison:
    """Return what separates two runs.

    Parameters
    ----------
    pairs
        Systems to compare, by their names in both runs; by default those that both have, or, where each run has one
        system only, these two.

    Raises
    ------
    InputError
        If a folder is no finished run, or no system can be paired.
    """
    sides = _read_side(first), _read_side(second)
    chosen = list(pairs) or _common_systems(sides)
    for i, side in enumerate(sides):
        known = {s.system for s in side.scores}
        for pair in chosen:
            if pair[i] not in known:
                raise InputError(f"{side.folder}: has no system {pair[i]!r}; it has {', '.join(sorted(known))}")
    differences = [d for pair in chosen for d in _differences(*sides, pair)]
    changes, n_common, alone = _match(sides, chosen)
    return Comparison(sides, chosen, differences, changes, n_common, alone)


def _read_side(folder: Path) -> Side:
    manifest, scores = read_run(folder)
    return Side(folder, manifest, list(scores), read_fingerprints(folder))


def _common_systems(sides: tuple[Side, Side]) -> list[Pair]:
    names = [{s.system for s in side.scores} for side in sides]
    if common := sorted(names[0] & names[1], key=natural):
        return [(name, name) for name in common]
    if len(names[0]) == len(names[1]) == 1:
        return [(names[0].pop(), names[1].pop())]
    known = " and ".join(", ".join(sorted(found)) for found in names)
    raise InputError(f"the runs have no system in common ({known}); name two with --pair FIRST SECOND")


def _differences(first: Side, second: Side, pair: Pair) -> Iterator[Difference]:
    """Yield the differences over all common tasks, then task by task, for each condition."""
    cells = [
        {(c.condition, c.task): c.values[:, : len(MEASURES)] for c in ScoreColumns(_of(side, name)).cells()}
        for side, name in zip((first, second), pair, strict=True)
    ]
    common = sorted(cells[0].keys() & cells[1].keys(), key=lambda key: tuple(map(natural, key)))
    seed = int(second.manifest["seed"])
    for condition in sorted({c for c, _ in common}):
        keys = [key for key in common if key[0] == condition]
        groups = [(ALL, keys), *((task, [(condition, task)]) for _, task in keys)]
        for task, members in groups:
            a, b = ([side[key] for key in members] for side in cells)
            estimates = paired_differences(b, a, np.random.default_rng(seed))
            for i, (metric, e) in enumerate(zip(MEASURES, estimates, strict=True)):
                one, two = (_mean([values[:, i] for values in side]) for side in (a, b))
                where = (*pair, condition, task, metric)
                yield Difference(*where, one, two, e.value, e.low, e.high, e.n, e.n_tasks, e.method)


def _of(side: Side, system: str) -> list[TrialScore]:
    return [s for s in side.scores if s.system == system]


def _mean(tasks: Sequence[np.ndarray[Any, Any]]) -> float | None:
    """Return the mean of the task means; ``None`` without any value."""
    means = [float(values[np.isfinite(values)].mean()) for values in tasks if np.isfinite(values).any()]
    return float(np.mean(means)) if means else None


# ------------------------------------------------------------------------------------------------- single trials


def _match(sides: tuple[Side, Side], pairs: Sequence[Pair]) -> tuple[list[Change], int, tuple[int, int]]:
    changes: list[Change] = []
    n_common, alone = 0, [0, 0]
    for pair in pairs:
        before, after = ({s.address[1:]: s for s in _of(side, name)} for side, name in zip(sides, pair, strict=True))
        common = before.keys() & after.keys()
        n_common += len(common)
        alone[0] += len(before) - len(common)
        alone[1] += len(after) - len(common)
        for key in sorted(common, key=lambda key: (natural(key[0]), key[1], key[2])):
            one, two = before[key], after[key]
            verdicts = verdict(one), verdict(two)
            if verdicts[0] != verdicts[1] or one.mode != two.mode:
                changes.append(Change(one, two, verdicts, list(_reasons(sides, one, two))))
    return changes, n_common, (alone[0], alone[1])


def _reasons(sides: tuple[Side, Side], one: TrialScore, two: TrialScore) -> Iterator[str]:
    """Yield what differs between two scorings of a trial, the likeliest cause first."""
    prints = sides[0].fingerprints.get(one.address), sides[1].fingerprints.get(two.address)
    if None in prints:
        yield "whether the agent's files differ was not recorded"
    elif prints[0] != prints[1]:
        yield "the agent's files differ"
    manifests = [side.manifest for side in sides]
    for name, words in (("tasks", "the task differs"), ("references", "the reference differs")):
        if manifests[0][name].get(one.task) != manifests[1][name].get(one.task):
            yield words
    for name, a, b in _settings(*manifests):
        yield f"{name} {a} → {b}"


def _settings(first: Mapping[str, Any], second: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for part in ("versions", "options"):
        names = sorted(first[part].keys() | second[part].keys(), key=lambda n: (n not in ("camb", "reliability"), n))
        for name in names:
            a, b = (str(manifest[part].get(name, "none")) for manifest in (first, second))
            if a != b:
                yield name, a, b
