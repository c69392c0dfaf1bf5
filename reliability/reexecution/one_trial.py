"""One trial -> one row: its scripts run with each CAMB in turn, until one of them writes what was handed in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reliability.agent_files import load_json
from reliability.camb_environments import check_version
from reliability.errors import InputError
from reliability.recorder import OUTSIDE
from reliability.records import Curve
from reliability.reexecution.attempts import Runs, Settings
from reliability.reexecution.comparison import compare_curves
from reliability.reexecution.files import base_name, read_handed
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
    same: Attempt | None = None
    for python in environments.values():
        runs.append(Runs(trial, expected.task, handed, python, settings))
        for attempt in runs[-1].attempts():
            attempts.append(attempt)
            if handed is not None and _is_reproduced(attempt, handed):
                has_its_name = base_name(attempt.file) == handed.name
                same = attempt if has_its_name or same is None else same
                if has_its_name:
                    break  # under another name it may be what another script makes the output of
        if same is not None or handed is None:
            break
    if same is not None:
        others = dict.fromkeys(a.recording.camb for a in attempts if a.file and a.recording.camb != same.recording.camb)
        judged = judge_same(same, _origin(same, expected, runs[-1]), not_with=list(others))
    else:
        judged = _judge_other(attempts, handed, expected, runs[-1])
    return _row(trial, judged, handed, sum(run.seconds for run in runs), sha256)


def _is_reproduced(attempt: Attempt, handed: Handed) -> bool:
    """Whether a script wrote what was handed in; a file without a curve does not count if the script then failed."""
    return attempt.is_same and (isinstance(handed.curve, Curve) or not how_it_failed(attempt))


def _origin(attempt: Attempt, expected: Expected, runs: Runs) -> Any:
    if attempt.curve is None:
        return None
    return origin(attempt, attempt.curve, expected, lambda once: runs.run_again(once, is_altered=True))


def _judge_other(attempts: Sequence[Attempt], handed: Handed | None, expected: Expected, runs: Runs) -> Judged:
    if handed is None:
        return judge_without_output(attempts)
    best = likeliest(attempts) if attempts else None
    is_without_camb = best is not None and best.curve is not None and best.n_models == 0
    found = _origin(best, expected, runs) if best is not None and is_without_camb else None
    judged = judge_other(attempts, handed, expected, found)
    if judged.verdict == "differs" and best is not None and _varies(best, runs):
        return replace(judged, how=f"{judged.how}; the script writes other numbers in every run")
    return judged


def _varies(attempt: Attempt, runs: Runs) -> bool:
    """Whether a script that uses random numbers writes something else when it is run once more."""
    if b"random" not in attempt.source or attempt.made or attempt.curve is None:
        return False
    again = runs.run_again(attempt)
    return again.curve is None or not compare_curves(attempt.curve, again.curve).is_same


def _row(trial: Trial, judged: Judged, handed: Handed | None, seconds: float, sha256: str) -> Reexecution:
    attempt = judged.attempt
    comparison = attempt.comparison if attempt else None
    run = attempt.recording if attempt else None
    file = attempt.file if attempt else ""
    if file.startswith(f"{OUTSIDE}/"):
        file = file.removeprefix(OUTSIDE)
    how = judged.how
    if judged.verdict == "reproduced" and handed is not None and file != handed.name:
        how = f"written as {file}" + (f"; {how}" if how else "")
    return Reexecution(
        system=trial.system,
        task=trial.task,
        condition=trial.condition,
        trial=trial.trial,
        verdict=judged.verdict,
        camb=run.camb if run else "",
        script=attempt.script if attempt else "",
        file=file,
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
