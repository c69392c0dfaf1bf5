"""Stress test of the evaluator: which edits of an answer change which score, and does a better answer outscore a worse?

After the evaluator stress test of [EG] (appendix, figure 7 and table 6). There a judge is shown the same run on edited
data; here the suite is shown the same answer, edited. Answers go through the front door: files in the native layout,
found, read and scored as any agent's.

* *Change*: each score before and after an edit. No edit in :data:`SAME_OUTPUT` and :data:`SAME_CODE` may change any;
  each in :data:`MATTERING` names those that it must.
* *Order*: answers whose order of quality is known. The probability that the better one outscores the worse, ties
  counted as half, is 1 for a perfect score and 1/2 for one that sees nothing. Pairs of one task hang together, so the
  interval is Wilson's with tasks as the independent units.
"""

from __future__ import annotations

import multiprocessing
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reliability.records import Task, TrialScore
from reliability.references import load_reference
from reliability.scoring import Judge, score_safely
from reliability.statistics import wilson_interval
from reliability.trials import find_trials
from reliability.validation.stress_answers import (
    BASES,
    MATTERING,
    ORDERED,
    Answer,
    Setting,
    ordered_pairs,
    plain_csv,
    right_answer,
)
from reliability.validation.stress_edits import SAME_CODE, SAME_OUTPUT
from reliability.variants import load_alternatives

STRESSED = ("esr", "pas", "nas", "score", "accurate", "mode", "diagnosis")
"""Fields of a trial's record that are watched."""
ORDERING = ("esr", "pas", "nas", "score", "accurate", "mode")
"""Those that say which of two answers is better."""
_MODE_RANK: Mapping[str, float] = {"A": 0.0, "B": 1.0, "C": 2.0, "D": 3.0}

Value = float | int | str | None


@dataclass(frozen=True, slots=True)
class EditEffect:
    """One score of one answer before and after an edit."""

    task: str
    base: str
    edit: str
    target: str
    """``output``, ``code``, or ``answer`` for an edit that should matter."""
    score: str
    should_change: bool | None
    """``None``: the edit matters, but this score need not see it."""
    before: Value
    after: Value

    @property
    def is_changed(self) -> bool:
        """Whether the two differ at all."""
        return self.before != self.after

    @property
    def size(self) -> float | None:
        """Absolute change of a number; ``None`` for words and where one is missing."""
        a, b = self.before, self.after
        return abs(b - a) if isinstance(a, int | float) and isinstance(b, int | float) else None


@dataclass(frozen=True, slots=True)
class OrderedPair:
    """What one score says of two answers of which the first is better."""

    task: str
    family: str
    better: int
    """Place in the family; 0 is the right answer."""
    worse: int
    score: str
    verdict: float | None
    """1: the better one outscores the worse, 0: the other way round, 0.5: a tie; ``None``: a score is missing."""


@dataclass(frozen=True, slots=True)
class Stress:
    """All that the stress test found."""

    effects: tuple[EditEffect, ...]
    pairs: tuple[OrderedPair, ...]


def evaluator_stress(
    tasks: Mapping[str, Task],
    *,
    seed: int = 0,
    workers: int = 1,
    on_done: Callable[[int, int], object] | None = None,
) -> Stress:
    """Return what every edit does to every score, and how often better answers outscore worse ones.

    Nothing is left on disk; no CAMB is run. The same seed gives the same result whatever the number of workers.
    `on_done` is called with the tasks finished so far and their number.
    """
    jobs = [(task, seed) for task in tasks.values()]
    effects: list[EditEffect] = []
    pairs: list[OrderedPair] = []
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max(1, workers), context) as pool:
        for n, found in enumerate(pool.map(stress_task, *zip(*jobs, strict=True)), start=1):
            effects += found.effects
            pairs += found.pairs
            if on_done is not None:
                on_done(n, len(jobs))
    return Stress(tuple(effects), tuple(pairs))


def stress_task(task: Task, seed: int = 0) -> Stress:
    """Return the stress test of one task."""
    reference, alternatives = load_reference(task), load_alternatives(task)

    def setting(name: str) -> Setting:
        # one generator a case, so that a new edit does not change the others
        rng = np.random.default_rng([seed, *f"{task.id} {name}".encode()])
        return Setting(task, reference, alternatives, rng)

    bases = {name: base for name, make in BASES.items() if (base := make(setting(name))) is not None}
    cases: dict[tuple[str, ...], Answer] = {("base", name): answer for name, answer in bases.items()}
    edits = {**{("output", n): e for n, e in SAME_OUTPUT.items()}, **{("code", n): e for n, e in SAME_CODE.items()}}
    for (target, name), edit in edits.items():
        made = {base: edit(answer, setting(f"{base} {name}")) for base, answer in bases.items()}
        cases |= {(target, base, name): answer for base, answer in made.items() if answer is not None}
    for name, (_, edit) in MATTERING.items():
        if (answer := edit(bases["right"], setting(name))) is not None:
            cases["answer", "right", name] = answer
    for family, make_all in ORDERED.items():
        answers = [a for a in make_all(setting(family)) if a is not None]
        cases |= {("ordered", family, str(i)): a for i, a in enumerate([right_answer(setting(family)), *answers])}
    judge = Judge({task.id: task}, {task.id: reference}, {task.id: alternatives})
    scores = dict(zip(cases, _scored(cases.values(), setting("files"), judge), strict=True))
    return Stress(tuple(_effects(task, scores)), tuple(_pairs(task, scores)))


def _scored(answers: Iterable[Answer], setting: Setting, judge: Judge) -> list[TrialScore]:
    """Write the answers as trials of one system, and score what is found there."""
    with tempfile.TemporaryDirectory(prefix="reliability-") as folder:
        for i, answer in enumerate(answers):
            place = Path(folder) / "stressed" / setting.task.id / str(i)
            files = {answer.output_name: answer.file or plain_csv(answer, setting).encode(), "report.md": b"Done.\n"}
            if answer.code is not None:
                files[answer.code_name] = answer.code.encode()
            for name, content in files.items():
                path = place / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        return [score_safely(trial, judge) for trial in find_trials([folder], known_tasks=judge.tasks)]


def _effects(task: Task, scores: Mapping[tuple[str, ...], TrialScore]) -> Iterable[EditEffect]:
    for address, after in scores.items():
        if address[0] in ("base", "ordered"):
            continue
        target, base, edit = address
        before = scores["base", base]
        for score in STRESSED:
            should: bool | None = False
            if target == "answer":
                should = score in MATTERING[edit][0] or None
            values = getattr(before, score), getattr(after, score)
            yield EditEffect(task.id, base, edit, target, score, should, *values)


def _pairs(task: Task, scores: Mapping[tuple[str, ...], TrialScore]) -> Iterable[OrderedPair]:
    for family in ORDERED:
        members = [score for address, score in scores.items() if address[:2] == ("ordered", family)]
        for better, worse in ordered_pairs(len(members)):
            for score in ORDERING:
                verdict = outscores(getattr(members[better], score), getattr(members[worse], score))
                yield OrderedPair(task.id, family, better, worse, score, verdict)


def outscores(first: Value, second: Value) -> float | None:
    """Return 1 if the first score is better, 0 if the second is, 0.5 for a tie; ``None`` if one is missing.

    >>> outscores(0.9, 0.8), outscores("C", "D"), outscores(None, 1.0)
    (1.0, 0.0, None)
    """
    if first is None or second is None:
        return None
    a, b = (_MODE_RANK[v] if isinstance(v, str) else v for v in (first, second))
    return 0.5 if a == b else float(a > b)


# ------------------------------------------------------------------------------------------------------- rows

EDIT_COLUMNS = ("target", "edit", "score", "should_change", "n", "n_changed", "share", "share_low", "share_high",
                "mean_change", "largest_change")  # fmt: skip
ORDER_COLUMNS = ("family", "score", "n_pairs", "n_missing", "n_tasks", "n_better", "n_ties", "n_worse", "probability",
                 "probability_low", "probability_high")  # fmt: skip
ALL = "all"
"""Name of the row over all families."""


def edit_rows(effects: Sequence[EditEffect]) -> list[dict[str, object]]:
    """Return a row per edit and score: how often it changed, with Wilson's interval, and by how much."""
    groups: dict[tuple[str, str, str], list[EditEffect]] = {}
    for effect in effects:
        groups.setdefault((effect.target, effect.edit, effect.score), []).append(effect)
    rows: list[dict[str, object]] = []
    for address, group in groups.items():
        n_changed = sum(effect.is_changed for effect in group)
        sizes = [effect.size for effect in group if effect.size is not None]
        share = n_changed / len(group)
        interval = wilson_interval(n_changed, len(group))
        mean, largest = (sum(sizes) / len(sizes), max(sizes)) if sizes else (None, None)
        values = (*address, group[0].should_change, len(group), n_changed, share, *interval, mean, largest)
        rows.append(dict(zip(EDIT_COLUMNS, values, strict=True)))
    return rows


def order_rows(pairs: Sequence[OrderedPair]) -> list[dict[str, object]]:
    """Return a row per family and score, and per score over all families: how often the better answer outscores."""
    groups: dict[tuple[str, str], list[OrderedPair]] = {}
    for pair in pairs:
        for family in (pair.family, ALL):
            groups.setdefault((family, pair.score), []).append(pair)
    rows: list[dict[str, object]] = []
    for address, group in sorted(groups.items(), key=lambda item: item[0][0] == ALL):
        verdicts = [pair.verdict for pair in group if pair.verdict is not None]
        n_tasks = len({pair.task for pair in group if pair.verdict is not None})
        counts = tuple(verdicts.count(value) for value in (1.0, 0.5, 0.0))
        share = sum(verdicts) / len(verdicts) if verdicts else None
        limits = (None, None) if share is None else wilson_interval(share * n_tasks, n_tasks)
        values = (*address, len(group), len(group) - len(verdicts), n_tasks, *counts, share, *limits)
        rows.append(dict(zip(ORDER_COLUMNS, values, strict=True)))
    return rows


def surprises(stress: Stress) -> list[EditEffect]:
    """Return the effects that should not be: a change by an edit that changes nothing, or none by one that matters."""
    return [e for e in stress.effects if e.should_change is not None and e.is_changed != e.should_change]
