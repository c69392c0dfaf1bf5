"""What every backend gives: a command that has been started, to be watched and ended."""

from __future__ import annotations

import json
import os
import resource
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Any

from reliability.errors import SandboxError
from reliability.sandbox.records import Backend, Limits

_START_S = 30.0
_END_S = 10.0
_OPEN_FILES = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What a backend is to run."""

    command: Sequence[str]
    folder: Path
    """The work folder, a real path: the only place to write but for the private ones."""
    environment: Mapping[str, str]
    readable: Sequence[Path]
    network: bool
    limits: Limits
    pass_fds: Sequence[int]
    backend: Backend


@dataclass(slots=True, kw_only=True)
class Started:
    """A command that runs; its output comes from ``process.stdout`` and ``process.stderr``."""

    process: subprocess.Popen[bytes]
    status: FileIO
    """Gives JSON lines, and its end when all processes have ended."""
    top: int
    """Process whose descendants the command and all it starts are."""
    end_all: Callable[[], object]
    """Ends them all; may be called again."""
    folders: Sequence[Path]
    """Folders that count as the work folder's disk."""
    messages: dict[str, Any] = field(default_factory=dict)
    """What the backend has told so far: ``child-pid``; ``exit-code``, ``signal`` or ``error``."""
    _unread: bytes = b""

    def read_status(self) -> bool:
        """Take in what the backend tells; ``False`` when it has ended."""
        data = self.status.read(65536)
        *lines, self._unread = (self._unread + (data or b"")).split(b"\n")
        for line in lines:
            self.messages |= json.loads(line)
        return bool(data)

    def wait_for(self, key: str) -> None:
        """Wait until the backend tells `key`; raises :class:`SandboxError` if it ends before."""
        deadline = time.monotonic() + _START_S
        while key not in self.messages:
            ready, _, _ = select.select([self.status], [], [], max(0.0, deadline - time.monotonic()))
            if not ready or not self.read_status():
                raise SandboxError(f"the sandbox could not be made: {self._last_words()}")

    def reap(self) -> float:
        """Wait for the end; processor seconds of all its processes."""
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_utime + usage.ru_stime

    def _last_words(self) -> str:
        self.process.kill()
        _, stderr = self.process.communicate()
        return stderr.decode("utf-8", "replace").partition("\n")[0] or "it did not answer"


def process_limits(limits: Limits, n_processes: int | None) -> list[tuple[int, int]]:
    """The limits that the kernel keeps for every process: (number, value)."""
    found = [
        (resource.RLIMIT_CPU, int(limits.cpu_seconds) + 1),
        (resource.RLIMIT_FSIZE, limits.file_size),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ]
    if sys.platform == "linux":  # elsewhere it counts something else
        found.append((resource.RLIMIT_DATA, limits.memory))
    if n_processes is not None:
        found.append((resource.RLIMIT_NPROC, n_processes))
    return found


def pipe(stack: ExitStack) -> tuple[FileIO, FileIO]:
    """The ends of a pipe, to read from and to write to, closed with `stack`."""
    to_read, to_write = os.pipe()
    return stack.enter_context(FileIO(to_read, "r")), stack.enter_context(FileIO(to_write, "w"))


def holding(data: bytes, stack: ExitStack) -> int:
    """A descriptor from which `data` can be read, closed with `stack`."""
    file = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
    file.write(data)
    file.seek(0)
    return file.fileno()


def finish(process: subprocess.Popen[bytes]) -> None:
    """Wait for a process that has been told to end, and end it if it does not."""
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()
    try:
        process.wait(_END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
