"""From an agent's work folder to the native layout of a trial: bounded, and no link or pipe is ever opened.

The work folder is the agent's and may be hostile. What is not taken is told: nothing disappears silently.
"""

from __future__ import annotations

import errno
import json
import math
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from reliability.runner.records import OUTPUT, PROMPT, Usage
from reliability.sandbox import MIB

MAX_OUTPUT = 64 * MIB
MAX_TEXT = 4 * MIB
MAX_CODE_FILES = 200
MAX_CODE = 16 * MIB
"""All code files together."""
MAX_DEPTH = 8
MAX_ENTRIES = 10_000
MAX_NAMED = 20
"""Files that were left behind which are told by name."""
REPORTS = ("report.md", "report.txt")
USAGE = "usage.json"
_CODE_FOLDERS = ("code", "codebase")
_NOT_THE_AGENTS = frozenset({"__pycache__", "site-packages", "node_modules"})
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MIN_SECRET = 8  # characters; shorter ones are no secrets, and would be found by chance


@dataclass(slots=True)
class Collected:
    """What was taken, and what is to be told about the rest."""

    has_output: bool = False
    has_report: bool = False
    usage: Usage = field(default_factory=lambda: Usage(reason="the agent left no usage.json"))
    notes: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    """Some of the files that were not taken."""
    n_left: int = 0
    bytes_left: int = 0


def collect(work: Path, trial: Path, *, given: frozenset[str] = frozenset(), secrets: Mapping[str, str]) -> Collected:
    """Copy output, code and report of a work folder to a trial's folder; read what it cost.

    `given`: files that we had put there ourselves. `secrets`: name -> value; a value is replaced by its name in every
    text that is kept.
    """
    found = Collected()
    root = os.open(work, _FOLDER)
    try:
        output = _read(root, OUTPUT, MAX_OUTPUT, found)
        if output is not None:
            (trial / OUTPUT).write_bytes(output)
            found.has_output = True
        for name in REPORTS:
            report = None if found.has_report else _read(root, name, MAX_TEXT, found)
            if report is not None:
                (trial / name).write_bytes(redacted(report, secrets))
                found.has_report = True
        usage = _read(root, USAGE, MAX_TEXT, found)
        if usage is not None:
            found.usage = read_usage(usage, found.notes)
        _collect_rest(root, trial, {OUTPUT, *REPORTS, USAGE, PROMPT, *given}, secrets, found)
    finally:
        os.close(root)
    return found


def redacted(text: bytes, secrets: Mapping[str, str]) -> bytes:
    """The text with every secret replaced by its name."""
    for name, value in secrets.items():
        if len(value) >= _MIN_SECRET:
            text = text.replace(os.fsencode(value), f"[{name}]".encode())
    return text


def _collect_rest(root: int, trial: Path, done: set[str], secrets: Mapping[str, str], found: Collected) -> None:
    room, n_code = MAX_CODE, 0
    for name, status in _walk(root, found):
        if name in done:
            continue
        is_code = name.endswith(".py") and stat.S_ISREG(status.st_mode)
        source = None
        if is_code and n_code < MAX_CODE_FILES and status.st_size <= room:
            source = _read(root, name, min(room, MAX_TEXT), found)
        if source is None:
            found.n_left += 1
            found.bytes_left += status.st_size if stat.S_ISREG(status.st_mode) else 0
            if len(found.left) < MAX_NAMED:
                found.left.append(name if name.isprintable() else ascii(name))
            continue
        n_code += 1
        room -= len(source)
        target = _code_place(trial, name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(redacted(source, secrets))


def _code_place(trial: Path, name: str) -> Path:
    """``code/x.py`` and ``x.py`` both go to ``code/x.py``; if that is taken, the whole path below ``code/`` is kept."""
    path = PurePosixPath(name)
    short = path.relative_to(path.parts[0]) if len(path.parts) > 1 and path.parts[0] in _CODE_FOLDERS else path
    target = trial / "code" / short
    return trial / "code" / "also" / path if target.exists() else target


def _walk(root: int, found: Collected) -> Iterator[tuple[str, os.stat_result]]:
    """Relative path and status of all that is no folder, by name, folders after files; what is odd becomes a note."""
    pending, n = [""], 0
    while pending:
        place = pending.pop()
        try:
            folder = _open_below(root, place, _FOLDER) if place else os.dup(root)
        except OSError as error:
            found.notes.append(f"{place}/ cannot be opened: {error.strerror}; not looked into")
            continue
        try:
            with os.scandir(folder) as entries:
                listed = sorted(((e.name, e.stat(follow_symlinks=False)) for e in entries), key=lambda e: e[0])
        except OSError as error:
            found.notes.append(f"{place or 'the work folder'} cannot be listed: {error.strerror}")
            continue
        finally:
            os.close(folder)
        folders = []
        for name, status in listed:
            n += 1
            if n > MAX_ENTRIES:
                found.notes.append(f"more than {MAX_ENTRIES} files; the rest was not looked at")
                return
            path = f"{place}/{name}" if place else name
            if not name.isprintable():
                found.notes.append(f"{path!a}: name is not printable; not taken")
            elif not stat.S_ISDIR(status.st_mode):
                if not stat.S_ISREG(status.st_mode):
                    found.notes.append(f"{path} is {_kind(status)}; not taken")
                yield path, status
            elif name.startswith(".") or name in _NOT_THE_AGENTS:
                found.notes.append(f"{path}/ was not looked into")
            elif path.count("/") >= MAX_DEPTH:
                found.notes.append(f"{path}/ is nested more than {MAX_DEPTH} deep; not looked into")
            else:
                folders.append(path)
        pending += reversed(folders)


def _kind(status: os.stat_result) -> str:
    kinds = {stat.S_IFLNK: "a link", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFDIR: "a folder"}
    return kinds.get(stat.S_IFMT(status.st_mode), "no regular file")


def _open_below(root: int, place: str, flags: int) -> int:
    """Open a file or folder below another, following no link at any step."""
    *folders, name = place.split("/")
    folder = os.dup(root)
    try:
        for part in folders:
            inner = os.open(part, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(name, flags, dir_fd=folder)
    finally:
        os.close(folder)


def _read(root: int, name: str, limit: int, found: Collected) -> bytes | None:
    """What a regular file holds; ``None``, with a note, if it is none, or too large; ``None`` if there is none."""
    try:
        descriptor = _open_below(root, name, _FILE)
    except FileNotFoundError:
        return None
    except OSError as error:  # ELOOP: a link in place of a file; ENXIO: a socket
        why = "is a link" if error.errno == errno.ELOOP else f"cannot be opened: {error.strerror}"
        found.notes.append(f"{name} {why}; not taken")
        return None
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        found.notes.append(f"{name} is {_kind(status)}; not taken")
        return None
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        found.notes.append(f"{name} is larger than {limit / MIB:g} MiB; not taken")
        return None
    return data


def read_usage(text: bytes, notes: list[str]) -> Usage:
    """What an agent says it used: ``{"cost_usd": 0.03, "tokens": {"prompt": 7129, "completion": 2036}}``."""
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        notes.append(f"{USAGE} is not a JSON object; cost and tokens missing")
        return Usage(reason=f"{USAGE} cannot be read")
    cost = data.get("cost_usd")
    if not _is_number(cost):
        cost = None
    tokens = data.get("tokens")
    kept: dict[str, int] = {}
    for name, n in tokens.items() if isinstance(tokens, dict) else ():
        if name in ("prompt", "completion") and _is_number(n) and float(n).is_integer():
            kept[name] = int(n)
        else:
            notes.append(f"{USAGE}: tokens {str(name)[:40]!a} not usable")
    return Usage(cost, kept, "" if cost is not None else f"{USAGE} tells no usable cost_usd")


def _is_number(value: object) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and math.isfinite(value) and 0 <= value <= 1e12  # type: ignore[operator, arg-type]
