"""What a sandbox is told and what it tells: limits, how a run ended, what it printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

MIB = 2**20
GIB = 2**30


class Mode(StrEnum):
    """How much a sandbox contains."""

    FULL = "full"
    """Own namespaces: no network, no other process, no file but those it was given."""
    PARTIAL = "partial"
    """The kernel's file and system-call filters alone; :attr:`Backend.gaps` says what they leave open."""
    NONE = "none"
    """Limits on time and memory, and nothing else: the code can do what its user can."""


@dataclass(frozen=True, slots=True)
class Backend:
    """A way to run code that this machine allows."""

    name: str
    """``bubblewrap``, ``landlock`` or ``none``."""
    mode: Mode
    gaps: tuple[str, ...] = ()
    """What stays open, a clause each."""
    refused: Mapping[str, str] | None = None
    """Backends that would contain more, and why this machine refuses each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a run may use; reaching a limit ends all its processes or makes the call that asks for more fail."""

    seconds: float = 600.0
    """Wall time."""
    cpu_seconds: float = 1800.0
    """Processor time of all its processes together."""
    memory: int = 4 * GIB
    """Bytes that all its processes hold together; also what one of them can allocate (then its allocation fails)."""
    processes: int = 256
    """Processes and threads at a time; more cannot be made."""
    file_size: int = 256 * MIB
    """Bytes of one file; writing more fails."""
    disk: int = GIB
    """Bytes that the work folder takes on disk, with what was there before."""
    files: int = 10_000
    """Files and folders in the work folder."""
    tmp: int = 256 * MIB
    """Bytes of the private /tmp with the home in it, and again of /dev/shm."""
    output: int = MIB
    """Bytes kept of stdout and of stderr: the first half and the last."""
    printed: int = 64 * MIB
    """Bytes on stdout and stderr together that end the run."""


class Ended(StrEnum):
    """Why a run ended: by itself, or by which limit."""

    FINISHED = "finished"
    TIMEOUT = "timeout"
    CPU = "cpu"
    MEMORY = "memory"
    PROCESSES = "processes"
    DISK = "disk"
    OUTPUT = "output"


@dataclass(frozen=True, slots=True)
class Output:
    """What was printed on one stream: both ends of it, if it was long."""

    head: bytes
    tail: bytes = b""
    n_dropped: int = 0
    """Bytes between head and tail that were not kept."""

    @property
    def text(self) -> str:
        """The output as text; what was dropped or is no UTF-8 shows."""
        gap = f"\n[{self.n_dropped} bytes left out]\n".encode() if self.n_dropped else b""
        return (self.head + gap + self.tail).decode("utf-8", "replace")


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxResult:
    """How a run ended and what it used."""

    ended: Ended
    reason: str
    """Which limit was reached and where; empty if the command ended by itself."""
    exit_code: int | None
    """``None`` if a signal ended the command."""
    signal: int | None
    """The signal that ended it. Bubblewrap tells it as shells do: an exit code above 128 is taken for a signal."""
    stdout: Output
    stderr: Output
    seconds: float
    cpu_seconds: float
    """Of all its processes; in the full sandbox as last seen, up to some 0.05 s before the end."""
    peak_memory: int | None
    """Bytes: the most that was seen (every 20 ms or more seldom) in all processes together, pages that they share
    counted in each; ``None`` if it ended before the first look."""
    peak_processes: int | None
    """Processes and threads, seen in the same way."""
    files: Mapping[str, int]
    """Regular files in the work folder afterwards, at most :attr:`Limits.files`: relative path to size in bytes."""
    backend: Backend
