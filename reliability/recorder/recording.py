"""Hands scripts to a recording process in the sandbox, and reads what it reports."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from reliability.errors import SandboxError
from reliability.recorder.files import PRINTED, lay_out, left, written
from reliability.recorder.records import Job, Mode, Recording
from reliability.recorder.reports import read_report
from reliability.records import CodeReading
from reliability.sandbox import GIB, Backend, Limits, Sandbox, SandboxResult, interpreter_paths

HERE = Path(__file__).resolve().parent
START_S = 60.0
"""Seconds that the interpreter may take to load CAMB."""
MAX_ANSWER = 64 * 1024 * 1024
"""Bytes of what is reported about one script."""


def record(
    jobs: Sequence[Job],
    *,
    mode: Mode = "full",
    seconds: float = 600.0,
    python: Path | str = sys.executable,
    backend: Backend | None = None,
    memory: int = 4 * GIB,
    keep_bytes: int = 0,
    is_moved: bool = False,
    threads: int | None = None,
    on_done: Callable[[], object] = lambda: None,
) -> list[Recording]:
    """Run scripts one after the other, each in a process of its own, and return what CAMB received from each.

    Parameters
    ----------
    jobs
        The scripts. All of one call share a sandbox: give scripts that do not trust one another separately.
    mode
        ``first`` ends a script at the first model that CAMB would compute (milliseconds), ``full`` runs it to its end.
    seconds
        Wall time of one script.
    python
        Interpreter with the CAMB to use.
    backend
        From :func:`~reliability.sandbox.choose_backend`; by default the full sandbox.
    memory
        Bytes for the running script.
    keep_bytes
        Files that a script wrote, up to this size each, are given back; larger ones, and what is no regular file
        inside its folder, are not.
    is_moved
        The scripts were written for another place: paths of that machine are led to the script's own folder.
    threads
        Cores that CAMB computes with; by default as many as ``OMP_NUM_THREADS`` of this process says, or all.
    on_done
        Called after every script, e.g. to move a progress bar.

    Raises
    ------
    SandboxError
        If there is no such sandbox, or the recording process itself does not start (no CAMB in `python`).
    """
    answers: dict[int, Recording] = {}
    while len(answers) < len(jobs):
        waiting = [i for i in range(len(jobs)) if i not in answers]
        with tempfile.TemporaryDirectory(prefix="reliability-") as folder:
            lay_out(Path(folder), jobs, waiting, mode, seconds, is_moved=is_moved)
            limits = Limits(
                seconds=START_S + len(waiting) * (seconds + 5),
                cpu_seconds=START_S + len(waiting) * (seconds + 5) * (os.cpu_count() or 1),
                memory=memory,
            )
            sandbox = Sandbox(Path(folder), limits, [*interpreter_paths(python), HERE], backend=backend)
            result, camb = _run(sandbox, python, threads, answers, on_done)
            for i in (i for i in waiting if keep_bytes and i in answers):
                names = left(str(i), result, jobs[i].files) if is_moved else answers[i].writes
                kept = written(Path(folder) / str(i), names, keep_bytes)
                printed = f"{i}.{PRINTED}"
                for text in written(Path(folder), [printed] if is_moved else [], keep_bytes).values():
                    kept |= {PRINTED: text} if text else {}
                answers[i] = replace(answers[i], files=kept)
        if not camb:
            said = result.stderr.text.strip().splitlines()
            raise SandboxError(f"{python}: the recorder does not start: {said[-1] if said else result.reason}")
        lost = [i for i in waiting if i not in answers]
        if lost:  # the script that ran has ended the recorder too
            reason = result.reason or "it ended the process that recorded it"
            answers[lost[0]] = Recording(CodeReading(()), "killed", reason, None, {}, camb, result.seconds)
            on_done()
    return [answers[i] for i in range(len(jobs))]


def _run(
    sandbox: Sandbox,
    python: Path | str,
    threads: int | None,
    answers: dict[int, Recording],
    on_done: Callable[[], object],
) -> tuple[SandboxResult, str]:
    """Run the recording process; fills in the answers and returns its end and its CAMB, if it had one."""
    reading, writing = os.pipe()
    camb: list[str] = []
    with os.fdopen(reading, "rb") as answered:

        def read() -> None:
            for entry in _lines(answered):
                if "camb" in entry:
                    camb.append(str(entry["camb"]))
                else:
                    answers[int(entry["job"])] = read_report(entry, camb[-1])
                    on_done()

        listener = threading.Thread(target=read, daemon=True)
        listener.start()
        try:
            command = [str(python), "-B", str(HERE / "_server.py"), str(writing), "jobs.json"]
            cores = str(threads) if threads else os.environ.get("OMP_NUM_THREADS", "")
            environment = {"MPLBACKEND": "Agg", "OMP_NUM_THREADS": cores}
            result = sandbox.run(command, env={k: v for k, v in environment.items() if v}, pass_fds=[writing])
        finally:
            os.close(writing)
            listener.join()
    return result, camb[-1] if camb else ""


def _lines(stream: IO[bytes]) -> Iterable[dict[str, Any]]:
    while line := stream.readline(MAX_ANSWER):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):  # cut short when the process ended
            continue
        if isinstance(entry, dict):
            yield entry


__all__ = ["Job", "Mode", "Recording", "record"]
