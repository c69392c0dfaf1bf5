"""One trial: asked, tried again where the fault was not the agent's, collected, recorded, published."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reliability.runner.collect import Collected, collect, redacted
from reliability.runner.place import TrialsFolder, remove_folder
from reliability.runner.records import PROMPT, Ask, Attempt, Fault, System
from reliability.sandbox import Ended, Output, SandboxResult
from reliability.tables import strict_json, write_text
from reliability.trial_reports import RECORD

BASE_S, MAX_S = 1.0, 60.0
"""First and longest wait before another attempt, without what the other side asks for."""
MAX_ASKED_S = 900.0
"""Longest wait that the other side is granted."""


@dataclass(frozen=True, slots=True)
class Made:
    """How a trial went: published, or not made because of faults that are not the agent's."""

    ask: Ask
    folder: Path | None
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Retries:
    """How often to try again, and how to wait."""

    n: int
    sleep: Callable[[float], object]

    def wait_before(self, attempt: int, fault: Fault, rng: random.Random) -> float:
        """Seconds before another attempt: doubled each time, between half and all of it, so that workers spread out.

        What the other side asks for (``Retry-After``) is the least.
        """
        wait = min(MAX_S, BASE_S * 2.0**attempt) * rng.uniform(0.5, 1.0)
        asked = min(fault.retry_after or 0.0, MAX_ASKED_S)
        return max(wait, asked)


def make_trial(ask: Ask, system: System, folder: TrialsFolder, retries: Retries, rng: random.Random) -> Made:
    """Make one trial and publish it; `rng` is for the waits.

    A trial that meets nothing but faults is not published: it says nothing about the agent, and the next run makes it.
    """
    faults: list[str] = []
    with folder.staging(ask) as staging:
        for attempt in range(retries.n + 1):
            work = _clean_work_folder(staging, ask)
            started = datetime.now(UTC)
            tried = system.attempt(ask, work)
            ended = datetime.now(UTC)
            if isinstance(tried, Attempt):
                trial = staging / "trial"
                trial.mkdir()
                _fill(trial, work, ask, system, attempt=tried, times={**_times(started, ended), "faults": faults})
                return Made(ask, folder.publish(trial, ask), tuple(faults))
            faults.append(_without_secrets(tried.reason, system))
            if attempt < retries.n:
                retries.sleep(retries.wait_before(attempt, tried, rng))
    return Made(ask, None, tuple(faults))


def _clean_work_folder(staging: Path, ask: Ask) -> Path:
    work = staging.resolve() / "work"
    remove_folder(work)
    work.mkdir()
    for file in ask.files:
        shutil.copyfile(file, work / file.name)
    return work


def _times(started: datetime, ended: datetime) -> dict[str, Any]:
    seconds = (ended - started).total_seconds()
    return {"started": started.isoformat(), "ended": ended.isoformat(), "duration_s": max(0.0, seconds)}


def _without_secrets(text: str, system: System) -> str:
    return redacted(text.encode("utf-8", "replace"), system.secrets()).decode("utf-8", "replace")


def _fill(trial: Path, work: Path, ask: Ask, system: System, *, attempt: Attempt, times: Mapping[str, Any]) -> None:
    """Write all files of a trial, ``trial.json`` last."""
    secrets = system.secrets()
    found = collect(work, trial, given=frozenset(file.name for file in ask.files), secrets=secrets)
    (trial / PROMPT).write_text(ask.prompt, encoding="utf-8")
    if attempt.report and not found.has_report:
        (trial / "report.md").write_bytes(redacted(attempt.report.encode("utf-8", "replace"), secrets))
    if attempt.result is not None:
        for name, output in (("stdout.txt", attempt.result.stdout), ("stderr.txt", attempt.result.stderr)):
            _keep_printed(trial / name, output, secrets)
    record = {
        "system": ask.system,
        "task": ask.task,
        "trial": ask.trial,
        "seed": ask.seed,
        **times,
        **_ending(attempt, found),
        **_used(attempt, found),
        **_contained(system, attempt.result),
        "not_collected": {"files": found.n_left, "bytes": found.bytes_left, "names": found.left},
        "notes": [*attempt.notes, *found.notes],
        **attempt.details,
    }
    write_text(trial / RECORD, _without_secrets(strict_json(record), system))


def _keep_printed(path: Path, output: Output, secrets: Mapping[str, str]) -> None:
    path.write_bytes(redacted(output.text.encode("utf-8", "replace"), secrets))


def _ending(attempt: Attempt, found: Collected) -> dict[str, Any]:
    """Status, exit reason and what kind of failure of the agent it is, if it is one."""
    result = attempt.result
    if result is None:
        ending = {"status": "failed", "failure": "no code", "exit_reason": attempt.failure}
        return ending | {"exit_code": None, "signal": None}
    if result.ended is Ended.TIMEOUT:
        status, failure = "timeout", "timeout"
    elif result.ended is not Ended.FINISHED:
        status, failure = "killed", "limit"
    elif result.signal is not None or result.exit_code != 0:
        status, failure = "failed", "crash"
    else:
        status, failure = "completed", "" if found.has_output else "no output"
    reason = f"{result.ended}: {result.reason}" if result.reason else str(result.ended)
    return {
        "status": status,
        "failure": failure,
        "exit_reason": reason,
        "exit_code": result.exit_code,
        "signal": result.signal,
    }


def _used(attempt: Attempt, found: Collected) -> dict[str, Any]:
    usage = attempt.usage if attempt.usage is not None else found.usage
    return {"cost_usd": usage.cost_usd, "cost_reason": usage.reason, "tokens": dict(usage.tokens)}


def _contained(system: System, result: SandboxResult | None) -> dict[str, Any]:
    sandbox = {"name": system.backend.name, "mode": str(system.backend.mode), "open": list(system.backend.gaps)}
    if result is None:
        return {"sandbox": sandbox}
    return {"sandbox": sandbox, "cpu_seconds": result.cpu_seconds, "peak_memory_bytes": result.peak_memory}
