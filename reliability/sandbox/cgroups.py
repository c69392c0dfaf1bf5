"""A bound on the number of processes that holds for root too, where the kernel lets root make a control group.

For other users ``RLIMIT_NPROC`` does it, which the kernel does not apply to root.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_COUNTER = itertools.count()
_PREFIX = "reliability-"


@contextmanager
def process_limit(n: int) -> Iterator[Path | None]:
    """A control group of at most `n` processes and threads, removed at the end; ``None`` where none can be made.

    Yields the file to join it by: a process that writes 0 to it is in the group, with all it starts from then on. All
    must have ended at the end.
    """
    folder = _make(n) if os.geteuid() == 0 else None
    try:
        if folder is None:
            yield None
        else:  # "tasks", where there is one: one thread of its own will joins at once, others after some 15 ms
            yield next(f for f in (folder / "tasks", folder / "cgroup.procs") if f.exists())
    finally:
        if folder is not None:
            _remove(folder)


def _make(n: int) -> Path | None:
    name = f"{_PREFIX}{os.getpid()}-{next(_COUNTER)}"
    for parent in _parents():
        _remove_stale(parent)
        folder = parent / name
        try:
            folder.mkdir()
        except OSError:
            continue
        try:
            (folder / "pids.max").write_text(str(n), encoding="ascii")
        except OSError:
            _remove(folder)
        else:
            return folder
    return None


def _remove_stale(parent: Path) -> None:
    """Remove what a program that was killed could not."""
    for folder in parent.glob(f"{_PREFIX}*-*"):
        pid = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if not Path("/proc", pid).exists():
            with suppress(OSError):
                folder.rmdir()


def _parents() -> Iterator[Path]:
    """Groups in which one with a limit on processes may be made: the own one first, then those above it."""
    try:
        mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
        own = dict(line.split(":", 2)[1:] for line in Path("/proc/self/cgroup").read_text().splitlines())
    except (OSError, ValueError):
        return
    for mount in mounts:
        fields, _, kind = mount.partition(" - ")
        _, _, _, root, place, *_ = fields.split()
        system, _, options = kind.split()
        if system == "cgroup2":
            group = own.get("", "/")
        elif system == "cgroup" and "pids" in options.split(","):
            group = next((path for names, path in own.items() if "pids" in names.split(",")), "/")
        else:
            continue
        folder = Path(place, os.path.relpath(group, root))
        for parent in (folder, *folder.parents):
            if system == "cgroup" or "pids" in _words(parent / "cgroup.subtree_control"):
                yield parent
            if parent == Path(place):
                break


def _words(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="ascii").split()
    except OSError:
        return []


def _remove(folder: Path) -> None:
    for attempt in range(12):  # the kernel counts a process for a moment after its end
        with suppress(FileNotFoundError):
            try:
                folder.rmdir()
            except OSError:
                time.sleep(0.0005 * 2**attempt)
                continue
        return
