"""Looks at running processes and a folder from outside: what do they use?

Reads ``/proc``; without it (not on Linux) nothing is seen.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_BLOCK = 512  # bytes: the unit of st_blocks, whatever the file system's is
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
MAX_DEPTH = 64


class FolderTooLarge(Exception):  # noqa: N818 - a finding about the agent, for the caller to report
    """A folder cannot be measured, which no honest script causes; the message says why."""


@dataclass(frozen=True, slots=True)
class Process:
    """One process now."""

    pid: int
    parent: int
    n_threads: int
    cpu_seconds: float
    """Its own, and that of its children that ended."""
    memory: int
    """Bytes in RAM, those that it shares with others included."""


def process_tree(pid: int) -> list[Process]:
    """This process first, then all below it; empty if it has ended."""
    found: list[Process] = []
    children = _children()
    to_visit = [pid]
    while to_visit:
        if process := _process(to_visit.pop()):
            found.append(process)
            to_visit += children(process.pid)
    return found


def n_tasks_of_user() -> int:
    """Processes and threads that this user has now."""
    user, total = os.getuid(), 0
    for entry in _PROC.iterdir() if _PROC.is_dir() else ():
        with suppress(OSError):
            if entry.name.isdigit() and entry.stat().st_uid == user and (process := _process(int(entry.name))):
                total += process.n_threads
    return total


def proportional_memory(processes: Iterable[Process]) -> int:
    """Bytes in RAM of these processes together, a page that n of them share counted once."""
    total = 0
    for process in processes:
        try:
            text = (_PROC / str(process.pid) / "smaps_rollup").read_text(encoding="ascii")
            total += next(int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith("Pss:"))
        except (FileNotFoundError, ProcessLookupError, StopIteration):
            continue  # has ended
        except OSError:
            total += process.memory  # may not be read: the upper bound
    return total


def peak_memory(process: Process) -> int:
    """Bytes: the most that this process ever held; 0 if it has ended."""
    with suppress(OSError):
        for line in (_PROC / str(process.pid) / "status").read_bytes().splitlines():
            if line.startswith(b"VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


def folder_files(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Relative path and status of everything in a folder; raises :class:`FolderTooLarge` if it cannot be seen whole."""
    try:
        descriptor = os.open(folder, _FOLDER)
    except FileNotFoundError:
        return
    except PermissionError:
        raise FolderTooLarge("the work folder cannot be listed") from None
    try:
        yield from _walk(descriptor)
    finally:
        os.close(descriptor)


class Disk:
    """What a folder takes on disk, from now on."""

    def __init__(self, folder: Path, max_files: int) -> None:
        """Look at the disk now; `max_files`: more in the folder is too large."""
        self.folder, self.max_files = folder, max_files
        self._device = folder.stat().st_dev
        self._free = self._free_now()

    def use(self, processes: Iterable[Process]) -> int:
        """Bytes of the folder's files, and of those on the same disk that processes hold open but unlinked.

        If a process hides which files it holds open, and the disk has lost more room than that, it is what was lost.
        Raises :class:`FolderTooLarge`. A file that is unlinked, closed and only mapped is not seen.
        """
        found: dict[tuple[int, int], int] = {}
        for n, (_, status) in enumerate(folder_files(self.folder), 1):
            if n > self.max_files:
                raise FolderTooLarge(f"more than {self.max_files} files in the work folder")
            found[status.st_dev, status.st_ino] = status.st_blocks * _BLOCK
        hidden = False
        for process in processes:
            try:
                found |= self._unlinked(process)
            except PermissionError:
                hidden = True
            except OSError:
                continue  # has ended
        lost = self._free - self._free_now() if hidden else 0
        return max(lost, sum(found.values()))

    def _unlinked(self, process: Process) -> dict[tuple[int, int], int]:
        found: dict[tuple[int, int], int] = {}
        with os.scandir(_PROC / str(process.pid) / "fd") as descriptors:
            for descriptor in descriptors:
                with suppress(FileNotFoundError):  # closed while we looked
                    status = descriptor.stat()
                    if status.st_nlink == 0 and status.st_dev == self._device and stat.S_ISREG(status.st_mode):
                        found[status.st_dev, status.st_ino] = status.st_blocks * _BLOCK
        return found

    def _free_now(self) -> int:
        room = os.statvfs(self.folder) if self.folder.exists() else None
        return room.f_bfree * room.f_frsize if room else self._free


def _walk(folder: int, place: str = "", depth: int = 0) -> Iterator[tuple[str, os.stat_result]]:
    """Everything in an open folder, whatever is exchanged meanwhile; no link is followed and no pipe opened."""
    with os.scandir(folder) as entries:
        for entry in entries:
            name = place + entry.name
            try:
                status = entry.stat(follow_symlinks=False)
                yield name, status
                if not stat.S_ISDIR(status.st_mode):
                    continue
                if depth == MAX_DEPTH:
                    raise FolderTooLarge(f"folders nested more than {MAX_DEPTH} deep in the work folder")
                inner = os.open(entry.name, _FOLDER, dir_fd=folder)
            except PermissionError:
                raise FolderTooLarge(f"the folder {name} in the work folder cannot be listed") from None
            except OSError:
                continue  # was removed or exchanged while we looked
            try:
                yield from _walk(inner, name + "/", depth + 1)
            finally:
                os.close(inner)


def _children() -> Callable[[int], list[int]]:
    """A function from a process to its children, by the kernel's own list or, where it keeps none, by all processes."""
    if Path("/proc/thread-self/children").exists():
        return _listed_children
    by_parent: dict[int, list[int]] = {}
    for entry in _PROC.iterdir() if _PROC.is_dir() else ():
        if entry.name.isdigit() and (process := _process(int(entry.name))):
            by_parent.setdefault(process.parent, []).append(process.pid)
    return lambda pid: by_parent.get(pid, [])


def _listed_children(pid: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for task in (_PROC / str(pid) / "task").iterdir():
            found += [int(child) for child in (task / "children").read_text(encoding="ascii").split()]
    return found


def _process(pid: int) -> Process | None:
    try:
        text = (_PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    # the name in brackets can hold anything; fields are numbered as in the manual, from 1, and 3 is the first after it
    field = [b"", b"", b"", *text[text.rindex(b")") + 1 :].split()]
    return Process(
        pid=pid,
        parent=int(field[4]),
        n_threads=int(field[20]),
        cpu_seconds=sum(map(int, field[14:18])) / _TICK,
        memory=int(field[24]) * _PAGE,
    )
