"""One trial -> one record; many trials, in parallel and in order.

This is where the pure formulas meet an agent's files. Whatever an agent left behind becomes data: a crash, an empty
file or unreadable code is its failure, and the record says so. What *we* cannot judge is missing, with a reason.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from itertools import islice
from typing import TYPE_CHECKING

from reliability.camb_code import read_camb_code
from reliability.camb_code.evidence import read_with_output
from reliability.curves import MAX_BYTES, read_curve
from reliability.diagnosis import Alternatives, Diagnosis, diagnose
from reliability.disclosure import find_disclosure
from reliability.errors import ReliabilityError
from reliability.failure_modes import failure_mode, is_silent_failure, unit_flag
from reliability.metrics import execution_success, final_score, numerical_accuracy_score, resample
from reliability.parameter_accuracy import MORE_MODELS, parameter_accuracy
from reliability.reading_agreement import is_same
from reliability.records import (
    Curve,
    ExecutionSuccess,
    NumericalAccuracy,
    ParameterAccuracy,
    Reference,
    Task,
    Trial,
    TrialScore,
    UnreadableCurve,
)
from reliability.right_answers import is_right_answer
from reliability.trials import choose_code, read_texts

if TYPE_CHECKING:
    from pathlib import Path

CHUNK = 32
"""Trials a worker takes at a time."""


@dataclass(frozen=True)
class Judge:
    """What is needed to score any trial: the tasks, their right answers, and the limits on an agent's files."""

    tasks: Mapping[str, Task]
    references: Mapping[str, Reference]
    alternatives: Mapping[str, Alternatives] = field(default_factory=dict)
    """Curves of known mistakes, for the diagnosis of wrong ones; a task may have none."""
    camb_line: str = "2.0"
    """CAMB version line whose defaults stand in for what the code leaves out (``pas_effective``)."""
    max_bytes: int = MAX_BYTES
    """Larger output files are not read."""


def score_trial(trial: Trial, judge: Judge) -> TrialScore:
    """Return the record of one trial; its fields are the columns of ``scores.csv``."""
    task, reference = judge.tasks[trial.task], judge.references[trial.task]
    notes = list(trial.notes)

    curve, success, accuracy = _score_curve(trial, task, reference, judge.max_bytes, notes)
    code_file, parameters = _score_code(trial, task, judge.camb_line, success.esr == 1, notes)
    disclosure = find_disclosure(read_texts(trial))
    if disclosure.disclosed is None:
        notes.append(disclosure.reason)
    elif disclosure.disclosed:
        notes.append(f"disclosed: {disclosure.evidence}")

    accurate: bool | None = False
    diagnosis = Diagnosis("accurate")
    if success.esr == 1 and isinstance(curve, Curve):
        y = resample(curve.x, curve.y, reference.x)
        accurate = False if curve.is_ambiguous else is_right_answer(accuracy, y, reference)
    if isinstance(curve, Curve) and not accurate:
        wrong_parameters = _numbers_in_code(parameters)
        diagnosis = diagnose(curve, task, reference, judge.alternatives.get(task.id), code=wrong_parameters)
    wrong = None if accurate is None else success.esr == 1 and not accurate
    silent = is_silent_failure(wrong, disclosure)
    score = final_score(success.esr, parameters.pas, accuracy.nas)
    return TrialScore(
        system=trial.system,
        task=trial.task,
        condition=trial.condition,
        trial=trial.trial,
        esr=success.esr,
        esr_reason=success.reason,
        pas=parameters.pas,
        pas_low=parameters.pas_low,
        pas_high=parameters.pas_high,
        pas_effective=parameters.pas_effective,
        pas_extended=parameters.pas_extended,
        nas=accuracy.nas,
        s_nrmse=accuracy.s_nrmse,
        s_smape=accuracy.s_smape,
        s_ccc=accuracy.s_ccc,
        score=score,
        mode=failure_mode(success.esr, parameters.pas, accuracy.nas),
        unit_flag=unit_flag(accuracy.s_ccc, accuracy.s_nrmse),
        accurate=None if accurate is None else int(accurate),
        wrong=None if wrong is None else int(wrong),
        silent_failure=None if silent is None else int(silent),
        n_points=curve.x.size if isinstance(curve, Curve) else None,
        cost_usd=trial.cost_usd,
        duration_s=trial.duration_s,
        code_file=_relative(code_file, trial),
        output_file=_relative(trial.output_file, trial),
        notes="; ".join(notes),
        unscored_reason="" if score is not None else (parameters.reason or accuracy.reason),
        diagnosis=diagnosis.id,
        diagnosis_text=diagnosis.sentence,
        parameters=parameters.parameters,
    )


def _score_curve(
    trial: Trial, task: Task, reference: Reference, max_bytes: int, notes: list[str]
) -> tuple[Curve | UnreadableCurve | None, ExecutionSuccess, NumericalAccuracy]:
    missing = NumericalAccuracy(None, None, None, None, reason="no curve")
    if trial.output_file is None:
        return None, ExecutionSuccess(0, "no output file"), missing
    curve = read_curve(trial.output_file, columns=task.columns, max_bytes=max_bytes)
    if isinstance(curve, UnreadableCurve):
        return curve, ExecutionSuccess(0, curve.reason), missing
    notes.extend(finding.message for finding in curve.findings)
    success = execution_success(curve.x, reference.x, n_columns=curve.n_columns)
    if curve.x.size == 0 or curve.n_columns < 2:
        return curve, success, missing
    accuracy = numerical_accuracy_score(curve.x, curve.y, reference.x, reference.y)
    if accuracy.n_outside:
        notes.append(f"{accuracy.n_outside} reference points outside the agent's x-range: its end values were held")
    return curve, success, accuracy


def _score_code(
    trial: Trial, task: Task, camb_line: str, has_output: bool, notes: list[str]
) -> tuple[Path | None, ParameterAccuracy]:
    output_name = trial.output_file.name if trial.output_file else "result.csv"
    choice = choose_code(trial, output_name=output_name, columns=task.columns)
    notes.extend(choice.notes)
    if choice.source is None:
        return None, parameter_accuracy(None, task, reason=choice.reason)
    if has_output:
        beside = len(trial.code_files) > 1
        reading = read_with_output(choice.source, output_name, camb_line=camb_line, has_other_code=beside)
    else:
        reading = read_camb_code(choice.source, camb_line=camb_line)
    notes.extend(f"line {f.line}: {f.message}" if f.line else f.message for f in reading.findings)
    parameters = parameter_accuracy(reading, task)
    if reading.syntax_error:
        notes.append(parameters.reason)
    if any(MORE_MODELS in p.reason for p in parameters.parameters if not p.is_extended):
        notes.append(f"{len(reading.models)} different models are computed; PAS uses the last")
    return choice.path, parameters


def _numbers_in_code(parameters: ParameterAccuracy) -> dict[str, tuple[float, float]]:
    """Return the parameters that the code sets to another number than the task's: name -> (set, asked)."""
    return {
        p.parameter: (float(p.value), float(p.reference))
        for p in parameters.parameters
        if isinstance(p.value, int | float) and isinstance(p.reference, int | float)
        if not is_same(p.value, p.reference)  # 1.12 - 0.998 is 0.122, but for its last digit
    }


def _relative(path: Path | None, trial: Trial) -> str:
    return path.relative_to(trial.folder).as_posix() if path else ""


# ------------------------------------------------------------------------------------------------- many trials


def unscored(trial: Trial, reason: str) -> TrialScore:
    """Return the record of a trial that we could not judge: everything missing but its address, and the reason."""
    values: dict[str, object] = {f.name: None for f in fields(TrialScore)}
    texts = ("esr_reason", "code_file", "output_file", "diagnosis", "diagnosis_text", "reexecution")
    values |= dict.fromkeys(texts, "")
    values |= {"system": trial.system, "task": trial.task, "condition": trial.condition, "trial": trial.trial}
    values |= {"cost_usd": trial.cost_usd, "duration_s": trial.duration_s}
    values |= {"notes": "; ".join(trial.notes), "unscored_reason": reason, "parameters": ()}
    return TrialScore(**values)  # type: ignore[arg-type]


def score_safely(trial: Trial, judge: Judge) -> TrialScore:
    """Return :func:`score_trial`'s record, or an unscored one: a trial we cannot judge must not cost the others."""
    try:
        return score_trial(trial, judge)
    except OSError as error:
        return unscored(trial, f"cannot read {error.filename}: {error.strerror}")
    except ReliabilityError as error:
        return unscored(trial, str(error))
    except Exception as error:
        return unscored(trial, f"internal error, please report: {type(error).__name__}: {error}")


def score_trials(trials: Iterable[Trial], judge: Judge, *, workers: int = 1) -> Iterator[TrialScore]:
    """Yield the record of every trial, in the order given, whatever the number of workers.

    Holds a bounded number of trials at a time. Raises :class:`ReliabilityError` if a worker process dies.
    """
    if workers <= 1:
        for trial in trials:
            yield score_safely(trial, judge)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=_start_worker, initargs=(judge,)) as pool:
        pending: deque[Future[list[TrialScore]]] = deque()
        chunks = _chunks(iter(trials))
        try:
            for chunk in chunks:
                with _interrupt_held_back():
                    pending.append(pool.submit(_score_chunk, chunk))
                if len(pending) > 4 * workers:
                    yield from pending.popleft().result()
            while pending:
                yield from pending.popleft().result()
        except BrokenProcessPool:
            raise ReliabilityError("a worker process died (out of memory?); run again with --workers 1") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _interrupt_held_back() -> Iterator[None]:
    """Hold Ctrl-C back while workers may be started, and raise it afterwards.

    Workers inherit the blocked signal for good, so the parent alone decides. Blocking is not enough for the parent:
    other threads still receive the signal, and Python would raise in the middle of starting a worker.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    came: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, _frame: came.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler)
    if came:
        raise KeyboardInterrupt


def _chunks(trials: Iterator[Trial]) -> Iterator[Sequence[Trial]]:
    while chunk := list(islice(trials, CHUNK)):
        yield chunk


_judge: Judge | None = None


def _start_worker(judge: Judge) -> None:
    global _judge  # noqa: PLW0603 - sent once per worker instead of once per chunk
    _judge = judge


def _score_chunk(trials: Sequence[Trial]) -> list[TrialScore]:
    assert _judge is not None
    return [score_safely(trial, _judge) for trial in trials]
