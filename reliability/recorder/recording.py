"""Hands scripts to a recording process in the sandbox, and reads what it reports."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any, Final, Literal, get_args

from reliability.agent_files import read_bytes
from reliability.errors import SandboxError
from reliability.records import CambModel, CodeReading, Finding, ParameterReading
from reliability.sandbox import GIB, Backend, Limits, Sandbox, SandboxResult, interpreter_paths

HERE = Path(__file__).resolve().parent
START_S = 60.0
"""Seconds that the interpreter may take to load CAMB."""
MAX_ANSWER = 64 * 1024 * 1024
"""Bytes of what is reported about one script."""
MAX_MODELS = 200
"""Models kept; of more, the first ones are left out (the last one counts), as the static reader does."""
SCRIPT = "script.py"

Mode = Literal["first", "full"]
Ended = Literal["finished", "exited", "stopped", "first computation", "timeout", "killed"]


@dataclass(frozen=True, slots=True)
class Job:
    """A script to run, with the files that it finds beside it."""

    source: str | bytes
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Base name to content."""


@dataclass(frozen=True, slots=True)
class Recording:
    """What CAMB received while a script ran."""

    reading: CodeReading
    """The models computed, as :func:`~reliability.camb_code.read_camb_code` gives them; values are what CAMB had."""
    ended: Ended
    error: str
    """What stopped it, or its exit code if that is not 0."""
    line: int | None
    """Line of the script at which it stopped."""
    writes: Mapping[str, int]
    """Files it opened for writing, relative to its folder: how many models had been computed by then."""
    camb: str
    """Version of CAMB that received this."""
    seconds: float
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Content of the files that it opened for writing in its folder, where :func:`record` was told to keep it."""


def record(
    jobs: Sequence[Job],
    *,
    mode: Mode = "full",
    seconds: float = 600.0,
    python: Path | str = sys.executable,
    backend: Backend | None = None,
    memory: int = 4 * GIB,
    keep_bytes: int = 0,
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
            _lay_out(Path(folder), jobs, waiting, mode, seconds)
            limits = Limits(
                seconds=START_S + len(waiting) * (seconds + 5),
                cpu_seconds=START_S + len(waiting) * (seconds + 5) * (os.cpu_count() or 1),
                memory=memory,
            )
            sandbox = Sandbox(Path(folder), limits, [*interpreter_paths(python), HERE], backend=backend)
            result, camb = _run(sandbox, python, answers, on_done)
            for i in waiting if keep_bytes else ():
                if i in answers:
                    answers[i] = replace(answers[i], files=_written(Path(folder) / str(i), answers[i], keep_bytes))
        if not camb:
            said = result.stderr.text.strip().splitlines()
            raise SandboxError(f"{python}: the recorder does not start: {said[-1] if said else result.reason}")
        lost = [i for i in waiting if i not in answers]
        if lost:  # the script that ran has ended the recorder too
            reason = result.reason or "it ended the process that recorded it"
            answers[lost[0]] = Recording(CodeReading(()), "killed", reason, None, {}, camb, result.seconds)
            on_done()
    return [answers[i] for i in range(len(jobs))]


def _written(place: Path, recording: Recording, limit: int) -> dict[str, bytes]:
    """Return what a script wrote; a link out of its folder is not followed."""
    found = {}
    for name in recording.writes:
        path = place / name
        with suppress(OSError, ValueError):
            if Path(os.path.realpath(path)).is_relative_to(os.path.realpath(place)):
                content = read_bytes(path, limit)
                if len(content) <= limit:
                    found[name] = content
    return found


def _lay_out(folder: Path, jobs: Sequence[Job], waiting: Iterable[int], mode: Mode, seconds: float) -> None:
    """Write every script into a folder of its own, and the list of them."""
    entries = []
    for i in waiting:
        place = folder / str(i)
        place.mkdir()
        for name, content in jobs[i].files.items():
            (place / Path(name).name).write_bytes(content)
        source = jobs[i].source
        data = source if isinstance(source, bytes) else source.encode("utf-8", "surrogatepass")
        (place / SCRIPT).write_bytes(data)
        entries.append({"job": i, "folder": str(i), "script": SCRIPT, "seconds": seconds,
                        "is_first_only": mode == "first"})  # fmt: skip
    (folder / "jobs.json").write_text(json.dumps(entries))


def _run(
    sandbox: Sandbox, python: Path | str, answers: dict[int, Recording], on_done: Callable[[], object]
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
                    answers[int(entry["job"])] = _recording(entry, camb[-1])
                    on_done()

        listener = threading.Thread(target=read, daemon=True)
        listener.start()
        try:
            command = [str(python), "-B", str(HERE / "_server.py"), str(writing), "jobs.json"]
            environment = {"MPLBACKEND": "Agg", "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "")}
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


# ----------------------------------------------------------------------------------------------------- what it said


def _recording(answer: Mapping[str, Any], camb: str) -> Recording:
    models: list[CambModel] = []
    findings: list[Finding] = []
    writes: dict[str, int] = {}
    end: Mapping[str, Any] = {}
    for entry in _entries(answer["report"]):
        kind = entry["kind"]
        if kind == "model":
            models.append(CambModel(_parameters(entry["parameters"]), entry["line"]))
        elif kind == "lensed" and models:
            parameters = {**models[-1].parameters, **_parameters(entry["parameters"])}
            models[-1] = CambModel(parameters, models[-1].line)
        elif kind == "writes":
            writes[entry["file"]] = entry["n_models"]
        elif kind == "unknown":
            message = f"CAMB's {entry['structure']} has no field {entry['name']}: the assignment changes nothing"
            findings.append(Finding("unknown_attribute", message, entry["line"]))
        elif kind == "end":
            end = entry
    ended, error = end.get("ended"), str(end.get("error", ""))
    status = answer["status"]
    if not end:
        ended = "timeout" if status is None else "killed" if status < 0 else "exited"
        error = f"signal {-status}" if ended == "killed" else f"exit code {status}" if status else ""
    reading = CodeReading(tuple(models[-MAX_MODELS:]), tuple(findings))
    return Recording(reading, ended, error, end.get("line"), writes, camb, float(answer["seconds"]))  # type: ignore[arg-type]


_LINE = (int, type(None))
_SHAPES: Final[Mapping[str, Mapping[str, type | tuple[type, ...]]]] = {
    "model": {"parameters": dict, "line": _LINE},
    "lensed": {"parameters": dict},
    "writes": {"file": str, "n_models": int},
    "unknown": {"structure": str, "name": str, "line": _LINE},
    "end": {"ended": str, "error": str, "line": _LINE},
}
"""What the recorder reports. A script can write there too: anything else is passed over."""


def _entries(report: str) -> Iterable[dict[str, Any]]:
    for line in report.splitlines():
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):  # written by the script, or cut at the bound
            continue
        if isinstance(entry, dict) and _is_well_formed(entry):
            yield entry


def _is_well_formed(entry: Mapping[str, Any]) -> bool:
    kind = entry.get("kind")
    shape = _SHAPES.get(kind) if isinstance(kind, str) else None
    if shape is None or not all(name in entry and isinstance(entry[name], form) for name, form in shape.items()):
        return False
    if kind == "end" and entry["ended"] not in get_args(Ended):
        return False
    return all(_is_told(told) for told in entry.get("parameters", {}).values())


def _is_told(told: object) -> bool:
    """Whether this is a parameter's value, state and line."""
    if not (isinstance(told, list) and len(told) == 3):
        return False
    value, state, line = told
    is_value = value is None or isinstance(value, bool | int | float | str)
    return is_value and state in ("set", "default", "unresolved") and isinstance(line, _LINE)


def _parameters(values: Mapping[str, Any]) -> dict[str, ParameterReading]:
    found = {}
    for name, (value, state, line) in values.items():
        reason = "" if value is not None else "CAMB does not keep it" if state == "unresolved" else "CAMB's own"
        if name == "Alens" and state == "unresolved":
            reason = "given as a function of multipole"
        found[name] = ParameterReading(name, value, state, line, reason)
    return found


__all__ = ["Job", "Mode", "Recording", "record"]
