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
from typing import TYPE_CHECKING, Literal

from reliability.errors import ReferenceSolutionError
from reliability.metrics import parameter_accuracy_score
from reliability.records import Reference, Task
from reliability.reference_scripts import find_script, script_arguments
from reliability.references import load_reference
from reliability.validation.bracketing import bracket, digits, locate, next_size
from reliability.validation.camb_process import CambProcess
from reliability.validation.noticing import CURVE_SCORES, SCORES, Score, Thresholds, log_fall, margins_of, thresholds
from reliability.validation.response import response
from reliability.validation.shifted_runs import ShiftedRuns, judged, read_runs, shifted_value
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
"""If CAMB cannot even compute such an error, something else is wrong."""
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
    ``estimated`` by the response, or ``not computed`` as the response does not reach so far."""
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


@dataclass
class _Series:
    """Errors of one sign in one parameter of one task."""

    task: Task
    reference: Reference
    limits: Thresholds
    parameter: str
    sign: Literal[1, -1]
    step: ParameterStep | None
    runs: ShiftedRuns
    process: CambProcess | None
    margins: dict[float, dict[Score, float]] = field(default_factory=dict)
    guesses: dict[Score, float | None] = field(default_factory=dict)
    lacks: bool = False
    """A run that is needed is not known, and there is no process to make it."""
    reason: str = ""

    @property
    def right(self) -> float:
        return float(self.task.truth[self.parameter])

    def pas(self, size: float) -> float:
        wrong = shifted_value(self.right, self.sign * size)
        return parameter_accuracy_score({**self.task.truth, self.parameter: wrong}, self.task.truth)

    def estimate(self, size: float) -> dict[Score, float]:
        assert self.step is not None
        value = shifted_value(self.right, self.sign * size)
        curve = response(self.reference.y, self.right, self.step, value)
        scores, accurate = judged(self.reference.x, curve, self.reference)
        return margins_of(self.pas(size), scores.nas, accurate, self.limits)

    def guess(self, score: Score) -> float | None:
        if self.step is None or score == "mode":
            return None
        end = self.step.high if self.sign > 0 else self.step.low
        reach = abs(end / self.right - 1.0) if self.right else abs(end)
        return locate(lambda size: self.estimate(size)[score], digits(reach), 1.02)

    def run(self, size: float) -> bool:
        """Run CAMB with an error of this size; return whether it could."""
        run = self.runs.get(self.task, self.reference, self.parameter, self.sign * size, self.process)
        if run is None:
            self.lacks = True
            return False
        if run.nas is None:
            self.reason = f"CAMB does not compute {self.sign * size:+.3g}: {run.reason}"
            return False
        accurate = None if run.accurate is None else bool(run.accurate)
        self.margins[size] = margins_of(self.pas(size), run.nas, accurate, self.limits)
        return True

    def search(self) -> float:
        """Run what is needed; return the largest size that CAMB computes."""
        ceiling = CEILINGS[self.sign] if self.right else ABSOLUTE_CEILING
        self.guesses = {score: self.guess(score) for score in CURVE_SCORES}
        while not self.run(ceiling) and not self.lacks:
            if ceiling < LEAST_CEILING:
                raise ReferenceSolutionError(f"{self.task.id}, {self.parameter}: {self.reason}")
            ceiling = digits(0.7 * ceiling)
        n_known = 0
        while n_known < len(self.margins):  # a run for one score may widen the bracket of another
            n_known = len(self.margins)
            for score in CURVE_SCORES:
                while (size := next_size(self.of(score), self.guesses[score])) is not None and self.run(size):
                    pass
        return ceiling

    def of(self, score: Score) -> dict[float, float]:
        return {size: found[score] for size, found in self.margins.items() if score in found}

    def pas_margins(self, ceiling: float) -> dict[float, float]:
        def margin(size: float) -> float:
            return log_fall(self.pas(size), self.limits.pas)

        margins = {ceiling: margin(ceiling)}
        while (size := next_size(margins, None)) is not None:
            margins[size] = margin(size)
        return margins

    def limit(self, score: Score, ceiling: float) -> DetectionLimit:
        """Return what was found for one score."""
        margins = self.pas_margins(ceiling) if score == "pas" else self.of(score)
        low, high, is_monotone = bracket(margins)
        status: Status = "found" if high is not None else "never"
        if score != "pas" and self.lacks and (not margins or next_size(margins, self.guesses[score]) is not None):
            high = self.guesses[score]
            status = "estimated" if high is not None else "not computed"
        sign: Literal["+", "-"] = "+" if self.sign > 0 else "-"
        unit: Literal["relative", "absolute"] = "relative" if self.right else "absolute"
        names = self.task.id, self.parameter, sign, score, unit
        return DetectionLimit(*names, status, high, low, ceiling, is_monotone, self._reason(score, status))

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

    Raises :class:`ReferenceSolutionError` if a reference is missing or CAMB cannot compute even a small error.
    """
    runs = ShiftedRuns(read_runs()) if runs is None else runs
    jobs = [(task, name) for task in tasks.values() for name in shifted_parameters(task)]
    processes: queue.SimpleQueue[CambProcess] = queue.SimpleQueue()
    found: dict[tuple[str, str], list[DetectionLimit]] = {}

    def work(job: tuple[Task, str]) -> tuple[tuple[Task, str], list[DetectionLimit]]:
        process = processes.get()
        try:
            return job, _limits_of(*job, runs, process if compute else None)
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


def _limits_of(task: Task, parameter: str, runs: ShiftedRuns, process: CambProcess | None) -> list[DetectionLimit]:
    reference = load_reference(task)
    step = next((s for s in load_alternatives(task).steps if s.parameter == parameter), None)
    limits = thresholds(task, reference)
    found = []
    for sign in SIGNS:
        series = _Series(task, reference, limits, parameter, sign, step, runs, process)
        ceiling = series.search()
        found += [series.limit(score, ceiling) for score in SCORES]
    return found


def limit_rows(limits: Iterable[DetectionLimit]) -> list[dict[str, object]]:
    """Return rows for a table with :data:`LIMIT_COLUMNS`."""
    return [{name: getattr(limit, name) for name in LIMIT_COLUMNS} for limit in limits]
