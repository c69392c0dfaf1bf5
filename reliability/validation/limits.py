"""Detection limits: the smallest error of one parameter that each score notices.

An agent that tells CAMB one wrong number and does all else right leaves the reference computation with that parameter
shifted. It is run by CAMB, with errors of both signs, and the size at which a score begins to notice is bracketed
to ten per cent. What "notices" means is in :mod:`.noticing`.

``limit`` is the size from which on every size that was tried is noticed. The search starts where the curve's
response to the parameter, a parabola through the committed curves one step below and above, puts the limit.
"""

from __future__ import annotations

import math
import queue
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from reliability.metrics import parameter_accuracy_score
from reliability.records import Reference, Task
from reliability.reference_scripts import find_script, script_arguments
from reliability.references import load_reference
from reliability.validation.bracketing import bracket, digits, locate, next_size
from reliability.validation.camb_process import CambProcess
from reliability.validation.noticing import CURVE_SCORES, SCORES, Score, Thresholds, log_fall, margins_of, thresholds
from reliability.validation.response import response
from reliability.validation.shifted_runs import ShiftedRun, ShiftedRuns, judged, read_runs, shifted_value, task_key
from reliability.variants import load_alternatives

if TYPE_CHECKING:
    from reliability.diagnosis import ParameterStep

Status = Literal["found", "never", "estimated", "not computed"]
SIGNS: tuple[Literal[1, -1], ...] = (1, -1)
CEILINGS: Mapping[int, float] = {1: 1.0, -1: 0.9}
"""Largest relative errors that are tried: twice the right value, where Eq. 1 of [PW] saturates, and a tenth of it."""
ABSOLUTE_CEILING = 0.3
"""The same for a parameter whose right value is 0 (omk)."""
LEAST_CEILING = 1e-3
"""If CAMB does not even compute such an error, it takes no other value (r without tensors): nothing is searched for."""
NO_EFFECT = math.log(1e-9)
"""Margin of NAS below which a curve is unchanged but for rounding: a fall of 1e-12."""


@dataclass(frozen=True, slots=True)
class DetectionLimit:
    """What one score notices of errors of one sign in one parameter."""

    task: str
    parameter: str
    sign: Literal["+", "-"]
    score: Score
    unit: Literal["relative", "absolute"]
    """``absolute``, in the parameter's own unit, where the right value is 0."""
    status: Status
    """``found``: bracketed by runs; ``never``: not noticed up to `searched_to`. Runs are still to be made where it is
    ``estimated`` by the response, or ``not computed`` as the response does not reach so far, or CAMB takes no error."""
    limit: float | None
    """Smallest size from which on all are noticed; ``None`` unless found or estimated."""
    unnoticed: float
    """Largest size below it that was tried and not noticed; 0 if none was."""
    searched_to: float
    is_monotone: bool
    """Whether nothing below `limit` was noticed."""
    reason: str = ""


LIMIT_COLUMNS = tuple(f.name for f in fields(DetectionLimit))


# -------------------------------------------------------------------------------------------- one parameter


@dataclass(frozen=True, slots=True)
class _Case:
    """What is known of a task."""

    task: Task
    reference: Reference
    limits: Thresholds
    key: str
    steps: Mapping[str, ParameterStep]


def _case(task: Task) -> _Case:
    reference = load_reference(task)
    steps = {step.parameter: step for step in load_alternatives(task).steps}
    return _Case(task, reference, thresholds(task, reference), task_key(task, reference), steps)


@dataclass
class _Series:
    """Errors of one sign in one parameter of one task."""

    case: _Case
    parameter: str
    sign: Literal[1, -1]
    runs: ShiftedRuns
    process: CambProcess | None
    margins: dict[float, dict[Score, float]] = field(default_factory=dict)
    guesses: dict[Score, float | None] = field(default_factory=dict)
    lacks: bool = False
    """A run that is needed is not known, and there is no process to make it."""
    reason: str = ""

    @property
    def right(self) -> float:
        return float(self.case.task.truth[self.parameter])

    @property
    def largest(self) -> float:
        return CEILINGS[self.sign] if self.right else ABSOLUTE_CEILING

    def pas(self, size: float) -> float:
        right = self.case.task.truth
        return parameter_accuracy_score({**right, self.parameter: self.value(size)}, right)

    def value(self, size: float) -> float:
        return shifted_value(self.right, self.sign * size)

    def guess(self, score: Score) -> float | None:
        """Where the response puts the limit; ``None`` if it does not reach so far."""
        step, reference = self.case.steps.get(self.parameter), self.case.reference
        if step is None or score == "mode":
            return None
        if score not in self.guesses:
            end = step.high if self.sign > 0 else step.low
            reach = abs(end / self.right - 1.0) if self.right else abs(end)

            def margin(size: float) -> float:
                curve = response(reference.y, self.right, step, self.value(size))
                scores, accurate = judged(reference.x, curve, reference)
                return margins_of(self.pas(size), scores.nas, accurate, self.case.limits)[score]

            self.guesses[score] = locate(margin, digits(reach), 1.02)
        return self.guesses[score]

    def next(self, score: Score) -> float | None:
        """Return the size to try next."""
        margins = self.of(score)
        return None if next_size(margins, None) is None else next_size(margins, self.guess(score))

    def run(self, size: float) -> bool:
        """Run CAMB with an error of this size; return whether it could."""
        if size in self.margins:
            return True
        if self.process is None:
            self.lacks = True
            return False
        address = self.case.key, self.parameter, self.sign * size
        return self.take(self.runs.make(self.case.task, self.case.reference, address, self.process))

    def take(self, run: ShiftedRun) -> bool:
        """Enter what a run scored; return whether CAMB could compute it."""
        if run.nas is None:
            self.reason = f"CAMB does not compute {run.error:+.3g}: {run.reason}"
            return False
        accurate = None if run.accurate is None else bool(run.accurate)
        size = abs(run.error)
        self.margins[size] = margins_of(self.pas(size), run.nas, accurate, self.case.limits)
        return True

    def search(self) -> float:
        """Run what is needed; return the largest size that CAMB computes."""
        known = [r for r in self.runs.known(self.case.key, self.parameter) if (r.error > 0) == (self.sign > 0)]
        failed = [abs(r.error) for r in known if not self.take(r)]
        ceiling = self.largest
        while ceiling in failed or (not self.run(ceiling) and not self.lacks):
            if ceiling < LEAST_CEILING:
                return 0.0
            ceiling = digits(0.7 * ceiling)
        n_known = 0
        while n_known < len(self.margins):  # a run for one score may widen the bracket of another
            n_known = len(self.margins)
            for score in CURVE_SCORES:
                while (size := self.next(score)) is not None and size not in failed and self.run(size):
                    pass
        return ceiling

    def of(self, score: Score) -> dict[float, float]:
        return {size: found[score] for size, found in self.margins.items() if score in found}

    def pas_margins(self) -> dict[float, float]:
        def margin(size: float) -> float:
            return log_fall(self.pas(size), self.case.limits.pas)

        ceiling = self.largest
        margins = {ceiling: margin(ceiling)}
        while (size := next_size(margins, None)) is not None:
            margins[size] = margin(size)
        return margins

    def limit(self, score: Score, ceiling: float) -> DetectionLimit:
        """Return what was found for one score."""
        margins = self.pas_margins() if score == "pas" else self.of(score)
        low, high, is_monotone = bracket(margins)
        status: Status = "found" if high is not None else "never"
        if not margins or (score != "pas" and self.lacks and next_size(margins, None) is not None):
            high = self.guess(score)
            status = "estimated" if high is not None else "not computed"
        sign: Literal["+", "-"] = "+" if self.sign > 0 else "-"
        unit: Literal["relative", "absolute"] = "relative" if self.right else "absolute"
        names = self.case.task.id, self.parameter, sign, score, unit
        searched = self.largest if score == "pas" else ceiling
        return DetectionLimit(*names, status, high, low, searched, is_monotone, self._reason(score, status))

    def _reason(self, score: Score, status: Status) -> str:
        """Why nothing is noticed, or nothing larger was tried."""
        reasons = [self.reason] if self.reason else []
        if status == "never" and score == "pas":
            reasons.insert(0, "PAS does not count this parameter")
        elif status == "never":
            is_without = all(run["nas"] < NO_EFFECT for run in self.margins.values())
            reasons.insert(0, "the curve does not depend on it" if is_without else "the curve changes too little")
        return "; ".join(reasons)


# --------------------------------------------------------------------------------------------- all of them


def shifted_parameters(task: Task) -> tuple[str, ...]:
    """Return the parameters of a task that its reference script hands to CAMB, stated or derived."""
    arguments = script_arguments(task, find_script(task))
    return tuple(name for name in task.truth if name in arguments)


def detection_limits(
    tasks: Mapping[str, Task],
    *,
    runs: ShiftedRuns | None = None,
    compute: bool = True,
    workers: int = 1,
    on_done: Callable[[int, int], object] | None = None,
) -> tuple[DetectionLimit, ...]:
    """Return four limits (one a score) for every task, parameter and sign, in that order.

    Parameters
    ----------
    runs
        Runs that are known, to which new ones are added; default: the committed ones. ``ShiftedRuns()`` computes all.
    compute
        Whether to run CAMB where a run is not known; else what would follow from it is estimated, or missing.
    workers
        Processes that run CAMB, one thread each.
    on_done
        Called with the parameters finished so far and their number.

    Raises :class:`ReferenceSolutionError` if a reference is missing.
    """
    runs = ShiftedRuns(read_runs()) if runs is None else runs
    jobs = [(task, name) for task in tasks.values() for name in shifted_parameters(task)]
    processes: queue.SimpleQueue[CambProcess] = queue.SimpleQueue()
    found: dict[tuple[str, str], list[DetectionLimit]] = {}

    @lru_cache(maxsize=4)
    def case_of(task_id: str) -> _Case:
        return _case(tasks[task_id])

    def work(job: tuple[Task, str]) -> tuple[tuple[Task, str], list[DetectionLimit]]:
        process = processes.get()
        try:
            return job, _limits_of(case_of(job[0].id), job[1], runs, process if compute else None)
        finally:
            processes.put(process)

    with ExitStack() as stack, ThreadPoolExecutor(max(1, workers)) as pool:
        for _ in range(max(1, workers)):
            processes.put(stack.enter_context(CambProcess()))
        for (task, name), limits in pool.map(work, jobs):
            found[task.id, name] = limits
            if on_done is not None:
                on_done(len(found), len(jobs))
    return tuple(limit for task, name in jobs for limit in found[task.id, name])


def _limits_of(case: _Case, parameter: str, runs: ShiftedRuns, process: CambProcess | None) -> list[DetectionLimit]:
    found = []
    for sign in SIGNS:
        series = _Series(case, parameter, sign, runs, process)
        ceiling = series.search()
        found += [series.limit(score, ceiling) for score in SCORES]
    return found


def limit_rows(limits: Iterable[DetectionLimit]) -> list[dict[str, object]]:
    """Return rows for a table with :data:`LIMIT_COLUMNS`."""
    return [{name: getattr(limit, name) for name in LIMIT_COLUMNS} for limit in limits]
