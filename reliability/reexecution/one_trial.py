"""One trial -> one row: its scripts run with each CAMB in turn, until one of them writes what was handed in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reliability.agent_files import load_json
from reliability.camb_environments import check_version
from reliability.errors import InputError
from reliability.records import Curve
from reliability.reexecution.attempts import Runs, Settings
from reliability.reexecution.files import read_handed
from reliability.reexecution.genuine import origin
from reliability.reexecution.records import Reexecution
from reliability.reexecution.verdict import (
    Judged,
    how_it_failed,
    judge_other,
    judge_same,
    judge_without_output,
    likeliest,
)
from reliability.trial_reports import RECORD

if TYPE_CHECKING:
    from reliability.records import Trial
    from reliability.reexecution.records import Attempt, Expected, Handed


def reexecute_trial(
    trial: Trial, expected: Expected, environments: Mapping[str, Path], settings: Settings, *, sha256: str = ""
) -> Reexecution:
    """Return the verdict on one trial.

    `environments`: version of CAMB -> Python that has it, in the order in which they are tried. `sha256`: of the
    trial's files. Raises :class:`~reliability.errors.SandboxError` if nothing can be run.
    """
    handed = read_handed(trial, expected.task)
    runs: list[Runs] = []
    attempts: list[Attempt] = []
    judged: Judged | None = None
    for python in environments.values():
        runs.append(Runs(trial, expected.task, handed, python, settings))
        for attempt in runs[-1].attempts():
            attempts.append(attempt)
            if _is_reproduced(attempt, handed):
                judged = judge_same(attempt, _origin(attempt, expected, runs[-1]))
                break
        if judged is not None or handed is None:
            break
    if judged is None:
        judged = _judge_other(attempts, handed, expected, runs[-1])
    return _row(trial, judged, handed, sum(run.seconds for run in runs), sha256)


def _is_reproduced(attempt: Attempt, handed: Handed | None) -> bool:
    """Whether a script wrote what was handed in; a file without a curve does not count if the script then failed."""
    is_curve = handed is not None and isinstance(handed.curve, Curve)
    return attempt.is_same and (is_curve or not how_it_failed(attempt))


def _origin(attempt: Attempt, expected: Expected, runs: Runs) -> Any:
    if attempt.curve is None:
        return None
    return origin(attempt, attempt.curve, expected, runs.run_altered)


def _judge_other(attempts: Sequence[Attempt], handed: Handed | None, expected: Expected, runs: Runs) -> Judged:
    if handed is None:
        return judge_without_output(attempts)
    best = likeliest(attempts) if attempts else None
    is_without_camb = best is not None and best.curve is not None and best.n_models == 0
    found = _origin(best, expected, runs) if best is not None and is_without_camb else None
    return judge_other(attempts, handed, expected, found)


def _row(trial: Trial, judged: Judged, handed: Handed | None, seconds: float, sha256: str) -> Reexecution:
    attempt = judged.attempt
    comparison = attempt.comparison if attempt else None
    run = attempt.recording if attempt else None
    how = judged.how
    if judged.verdict == "reproduced" and attempt is not None and handed is not None and attempt.file != handed.name:
        how = f"written as {attempt.file}" + (f"; {how}" if how else "")
    return Reexecution(
        system=trial.system,
        task=trial.task,
        condition=trial.condition,
        trial=trial.trial,
        verdict=judged.verdict,
        camb=run.camb if run else "",
        script=attempt.script if attempt else "",
        file=attempt.file if attempt else "",
        how=how,
        max_relative=comparison.max_relative if comparison else None,
        seconds=round(seconds, 3) if run else None,
        ended=f"{run.ended}{f': {run.error}' if run.error else ''}{f', line {run.line}' if run.line else ''}"
        if run
        else "",
        sha256=sha256,
    )


def recorded_version(trial: Trial) -> str:
    """Return the version of CAMB that ``trial.json`` names (``versions.camb`` or ``camb``); empty if it names none."""
    try:
        record = load_json(trial.folder / RECORD)
        if not isinstance(record, dict):
            return ""
        versions = record.get("versions")
        named = versions.get("camb") if isinstance(versions, dict) else record.get("camb")
        return check_version(named) if isinstance(named, str) else ""
    except (ValueError, InputError):
        return ""
