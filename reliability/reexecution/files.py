"""What a trial's script finds when it is run again: the task's files and its own code, and more only if it asks.

The output that was handed in, copies of it, and what was recorded about the trial are never among it. Other files of
the trial are lent to a script that looks for them in vain, since a file that a script finds may keep it from computing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from reliability.agent_files import read_bytes
from reliability.curves import MAX_BYTES, read_curve
from reliability.records import Curve, Task, Trial
from reliability.reexecution.comparison import compare_curves
from reliability.reexecution.records import Handed
from reliability.trial_code import MAX_SOURCE
from reliability.trial_reports import RECORD

MAX_DEPTH = 6
MAX_FILES = 2000
MAX_TOTAL = 128 * 2**20
"""Bytes of all files that are given to one script."""
_RECORDS = frozenset({RECORD, "run.json", "usage.json", "prompt.md", "report.md", "report.txt"})
_NOT_THE_AGENTS = frozenset({"__pycache__", "site-packages", "node_modules", "chats", "cost", "time"})


def read_handed(trial: Trial, task: Task) -> Handed | None:
    """Return the output that was handed in; ``None`` if there is none, or it cannot be read at all."""
    if trial.output_file is None:
        return None
    try:
        content = read_bytes(trial.output_file, MAX_BYTES)
    except OSError:
        return None
    return Handed(trial.output_file.name, content, read_curve(trial.output_file, columns=task.columns))


def first_files(trial: Trial, task: Task) -> dict[str, bytes]:
    """Return what every run finds: the task's input files and all code of the trial, by path in the work folder."""
    found = {Path(name).name: (task.folder / name).read_bytes() for name in task.files}
    room = MAX_TOTAL
    for name, path in _files(trial.folder):
        if name.lower().endswith(".py"):
            source = _read(path, min(MAX_SOURCE, room))
            if source is not None:
                found[name] = source
                room -= len(source)
    return found


def lendable_files(trial: Trial, task: Task, handed: Handed | None) -> dict[str, Path]:
    """Return the trial's own data files, by path in its folder: all that is neither code nor record nor the output."""
    found = {}
    for name, path in _files(trial.folder):
        is_data = path.name not in _RECORDS and not name.lower().endswith(".py") and path not in trial.text_files
        if is_data and path != trial.output_file and not (handed and _is_copy(path, handed, task)):
            found[name] = path
    return found


def lend(path: Path) -> bytes | None:
    """Return the content of a file that a script looked for; ``None`` if it cannot be had."""
    return _read(path, MAX_BYTES)


def by_base_name(names: Mapping[str, object], wanted: str) -> list[str]:
    """Return the paths that end in the base name of another one, written for any system."""
    base = base_name(wanted)
    return [name for name in names if base_name(name) == base]


def base_name(path: str) -> str:
    """Return the last part of a path, written for any system."""
    return path.replace("\\", "/").rpartition("/")[2]


def _is_copy(path: Path, handed: Handed, task: Task) -> bool:
    """Whether a file holds what was handed in."""
    if _read(path, MAX_BYTES) == handed.content:
        return True
    curve = read_curve(path, columns=task.columns)
    both = isinstance(curve, Curve) and isinstance(handed.curve, Curve)
    return both and compare_curves(handed.curve, curve).is_same  # type: ignore[arg-type]


def _read(path: Path, limit: int) -> bytes | None:
    try:
        content = read_bytes(path, limit)
    except OSError:
        return None
    return content if len(content) <= limit else None


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the regular files in and below a folder, by name; no link is followed, depth and number are bounded."""
    pending, n = [("", 0)], 0
    while pending:
        below, depth = pending.pop()
        try:
            with os.scandir(folder / below) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in listed:
            name = f"{below}/{entry.name}" if below else entry.name
            if not entry.name.isprintable() or entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                if depth < MAX_DEPTH and entry.name not in _NOT_THE_AGENTS:
                    pending.append((name, depth + 1))
            elif entry.is_file(follow_symlinks=False):
                n += 1
                if n > MAX_FILES:
                    return
                yield name, folder / name
