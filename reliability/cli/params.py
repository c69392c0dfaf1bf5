"""``params``: what a script tells CAMB, read; with ``--run`` also what CAMB received, and where the two differ."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reliability.cli.options import (
    Commands,
    accepted_sandbox,
    add_command,
    add_sandbox_options,
    add_tasks_option,
    positive,
)
from reliability.cli.printing import print_json, print_table, say
from reliability.errors import InputError
from reliability.tables import clean_text

if TYPE_CHECKING:
    from reliability.reading_agreement import Agreement
    from reliability.recorder import Recording
    from reliability.records import CodeReading, Task

_MAX_BESIDE = 64 * 1024 * 1024
STAND_INS = ("script.py", "camb.py")
"""Base names that the script itself has while it runs, and that Python would import in place of CAMB."""
_SHOWN = ("wrong", "unresolved", "later", "unknown")
"""Verdicts of the comparison that a person wants to see one by one."""


def add_params(commands: Commands) -> None:
    """Add the command ``params``."""
    sub = add_command(commands, "params", _params, "Print what a script tells CAMB, read without running it.")
    sub.add_argument("script", type=Path, metavar="FILE.py")
    sub.add_argument("--camb-line", choices=("2.0", "1.6"), default="2.0", help="whose signatures and defaults apply")
    sub.add_argument("--task", help="task id, e.g. t05: print PAS too")
    add_tasks_option(sub)
    sub.add_argument("--run", action="store_true", dest="is_run", help="run it too, in the sandbox, and compare")
    sub.add_argument(
        "--mode", choices=("first", "full"), help="with --run: up to the first computation, or all (default)"
    )
    sub.add_argument("--timeout", type=positive, metavar="S", help="with --run: seconds it may take (default 600)")
    sub.add_argument(
        "--beside", action="append", type=Path, default=[], metavar="FILE", help="with --run: a file it reads"
    )
    add_sandbox_options(sub)


def _params(arguments: argparse.Namespace) -> int:
    from reliability.agent_files import read_bytes
    from reliability.camb_code import read_camb_code
    from reliability.camb_code.reader import MAX_SOURCE_BYTES
    from reliability.reading_agreement import compare_readings
    from reliability.tasks import find_task, load_tasks

    _check_options(arguments)
    task = find_task(arguments.task, load_tasks(arguments.tasks)) if arguments.task is not None else None
    try:
        source = read_bytes(arguments.script, MAX_SOURCE_BYTES)
    except OSError as error:
        raise InputError(f"{arguments.script}: cannot be read: {error.strerror}") from None
    if arguments.script.suffix == ".ipynb":
        raise InputError(f"{arguments.script}: a notebook is no script; export it with jupyter nbconvert --to script")
    reading = read_camb_code(source, camb_line=arguments.camb_line)
    recording = _record(source, arguments) if arguments.is_run else None
    agreement = None
    if recording is not None:
        agreement = compare_readings(reading, recording.reading, is_first_only=arguments.mode == "first")
    if arguments.json:
        print_json(_as_json(reading, task, recording, agreement))
        return 0
    _print_reading(reading, arguments.script)
    if recording is not None and agreement is not None:
        _print_recording(recording, agreement)
    for name, value in _accuracy(reading, task, recording).items():
        print(f"{name}  {'-' if value is None else f'{value:.4f}'}")
    return 0


def _check_options(arguments: argparse.Namespace) -> None:
    """Complain about options of a run where nothing is run, and about files that would stand in for others."""
    only_with_run = ("mode", "timeout", "beside", "no_sandbox", "accept_partial_sandbox")
    idle = [f"--{name.replace('_', '-')}" for name in only_with_run if getattr(arguments, name)]
    if idle and not arguments.is_run:
        raise InputError(f"{', '.join(idle)}: only with --run")
    for path in arguments.beside:
        if path.name in STAND_INS:
            raise InputError(f"{path}: a file of this name cannot stand beside the script ({', '.join(STAND_INS)})")


def _record(source: bytes, arguments: argparse.Namespace) -> Recording:
    from reliability.recorder import Job, record

    backend = accepted_sandbox(arguments)
    files = {path.name: _beside(path) for path in arguments.beside}
    say("running the script ...")
    [recording] = record(
        [Job(source, files)], mode=arguments.mode or "full", seconds=arguments.timeout or 600, backend=backend
    )
    return recording


def _beside(path: Path) -> bytes:
    from reliability.agent_files import read_bytes

    try:
        return read_bytes(path, _MAX_BESIDE)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _accuracy(reading: CodeReading, task: Task | None, recording: Recording | None) -> dict[str, float | None]:
    """PAS as read with its brackets, and as recorded; nothing without a task."""
    from reliability.parameter_accuracy import parameter_accuracy

    if task is None:
        return {}
    read = parameter_accuracy(reading, task)
    found = {"pas": read.pas, "pas_low": read.pas_low, "pas_high": read.pas_high}
    if recording is not None:
        found["pas_traced"] = parameter_accuracy(recording.reading, task).pas if recording.reading.models else None
    return found


# ---------------------------------------------------------------------------------------------------------- printing


def _print_reading(reading: CodeReading, script: Path) -> None:
    for number, model in enumerate(reading.models, 1):
        where = f"computed in line {model.line}" if model.line else "never computed"
        print(f"model {number} of {len(reading.models)}, {where}")
        rows = [(p.name, str(p.value), p.state, p.line, p.reason) for p in model.parameters.values()]
        print_table(("parameter", "value", "state", "line", "reason"), rows)
    if reading.results:
        print("results are read by")
        print_table(("call", "line", "model", "settings", "spectra"), [_result_row(r) for r in reading.results])
    for finding in reading.findings:
        if finding.check == "syntax_error":
            continue
        print(clean_text(f"line {finding.line}: {finding.message}" if finding.line else finding.message))
    if reading.syntax_error:
        print(clean_text(f"{script}: does not parse: {reading.syntax_error}"))


def _result_row(result: Any) -> tuple[object, ...]:
    told = [f"{n}={'?' if s.state == 'unresolved' else s.value}" for n, s in result.settings.items()
            if s.state != "default"]  # fmt: skip
    model = None if result.model is None else str(result.model + 1)
    return result.call, result.line, model, ", ".join(told), ", ".join(result.spectra)


def _print_recording(recording: Recording, agreement: Agreement) -> None:
    at = f" in line {recording.line}" if recording.line else ""
    why = f": {recording.error}" if recording.error else ""
    print(clean_text(f"\nrun with CAMB {recording.camb} in {recording.seconds:.1f} s: {recording.ended}{at}{why}"))
    print(f"models that CAMB computed: {agreement.n_recorded}, read: {agreement.n_read}")
    for file, n_models in recording.writes.items():
        print(clean_text(f"opened for writing after {n_models} computed: {file}"))
    print(f"same in both: {len(agreement.of('agree'))} of {len(agreement.comparisons)}")
    rows = [
        (c.model + 1, c.parameter, str(c.read.value), c.read.state, str(c.recorded.value), c.recorded.state, c.verdict)
        for c in agreement.comparisons
        if c.verdict in _SHOWN
    ]
    if rows:
        print_table(("model", "parameter", "read", "state", "CAMB had", "state", "verdict"), rows)


def _as_json(
    reading: CodeReading, task: Task | None, recording: Recording | None, agreement: Agreement | None
) -> dict[str, Any]:
    found = {**_reading_json(reading), "syntax_error": reading.syntax_error, **_accuracy(reading, task, recording)}
    if recording is not None and agreement is not None:
        found["run"] = {
            **_reading_json(recording.reading),
            "ended": recording.ended,
            "error": recording.error,
            "line": recording.line,
            "writes": dict(recording.writes),
            "camb": recording.camb,
            "seconds": recording.seconds,
            "agreement": [
                {"model": c.model, "parameter": c.parameter, "verdict": c.verdict} for c in agreement.comparisons
            ],
        }
    return _strict(found)  # type: ignore[no-any-return]


def _reading_json(reading: CodeReading) -> dict[str, Any]:
    return {
        "models": [{"line": m.line, "parameters": [asdict(p) for p in m.parameters.values()]} for m in reading.models],
        "results": [{**asdict(r), "settings": [asdict(s) for s in r.settings.values()]} for r in reading.results],
        "findings": [asdict(finding) for finding in reading.findings],
    }


def _strict(value: Any) -> Any:
    """Numbers that are not finite as text: JSON has no words for them."""
    if isinstance(value, dict):
        return {key: _strict(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_strict(item) for item in value]
    return str(value) if isinstance(value, float) and value - value != 0 else value
