"""Runs one command in a sandbox, watches what it uses, and ends it at its limits."""

from __future__ import annotations

import os
import selectors
import signal
import stat
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from reliability.errors import SandboxError
from reliability.sandbox import watch
from reliability.sandbox.backends import choose_backend, start_with
from reliability.sandbox.places import PRIVATE_HOME, PRIVATE_TMP, check_work_folder
from reliability.sandbox.records import MIB, Backend, Ended, Limits, Output, SandboxResult
from reliability.sandbox.started import Job, Started

_LOOK_S = 0.02
_LOOK_SHARE = 20  # looking takes at most one part in this many of the time
_DRAIN_S = 1.0
_END_S = 10.0


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A work folder in which commands run that can touch nothing else.

    `readable`: files and folders that can be read besides the system, e.g.
    :func:`~reliability.sandbox.places.interpreter_paths` of the Python to use. `network`: for agents that call a model;
    what the code of an agent does must never need it. `backend`: from
    :func:`~reliability.sandbox.backends.choose_backend`; by default the full sandbox or an error.
    """

    workdir: Path
    limits: Limits = field(default_factory=Limits)
    readable: Sequence[Path] = ()
    network: bool = False
    backend: Backend | None = None

    def run(
        self, command: Sequence[str], *, env: Mapping[str, str] | None = None, pass_fds: Sequence[int] = ()
    ) -> SandboxResult:
        """Run a command in the work folder until it ends or reaches a limit; then no process of it is left.

        `command`: program and arguments, no shell; one that cannot be started ends with exit code 127. `env`: added to
        a bare environment; nothing of the caller's is passed on. `pass_fds`: descriptors that stay open inside, the
        way for a server that runs inside to talk with its caller. Raises :class:`SandboxError` if there is no sandbox.
        """
        folder = check_work_folder(Path(self.workdir), self.readable)
        _check_words(command, env or {})
        job = Job(
            command=[str(word) for word in command],
            folder=folder,
            environment={**_BARE, **(env or {})},
            readable=[Path(os.path.normpath(Path.cwd() / path)) for path in self.readable],
            network=self.network,
            limits=self.limits,
            pass_fds=pass_fds,
            backend=self.backend or choose_backend(),
        )
        start = time.perf_counter()
        with start_with(job) as started:
            supervision = _Supervision(started, job.limits)
            supervision.follow()
            supervision.cpu_seconds = max(supervision.cpu_seconds, started.reap())
            supervision.drain()
            supervision.look_at_disk()
            seconds = time.perf_counter() - start
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):  # the command has closed it
            folder.chmod(0o700)
        return supervision.result(job, seconds)


def _check_words(command: Sequence[str], env: Mapping[str, str]) -> None:
    if not command or any("\0" in str(word) for word in (*command, *env, *env.values())):
        raise SandboxError("a command must have a name, and no zero byte in its words or environment")
    if any(not name or "=" in name for name in env):
        raise SandboxError("a name in the environment must not be empty or hold an equals sign")


_BARE = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": PRIVATE_HOME,
    "TMPDIR": PRIVATE_TMP,
    "USER": "agent",
    "LOGNAME": "agent",
    "LANG": "C.UTF-8",
}


class _Kept:
    """A stream of which the first and the last half of a bound are kept."""

    def __init__(self, bound: int) -> None:
        self._half = bound // 2
        self._head, self._tail = bytearray(), bytearray()
        self.n_bytes = 0

    def add(self, data: bytes) -> None:
        self.n_bytes += len(data)
        room = self._half - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        if len(self._tail) > 2 * self._half:
            del self._tail[: -self._half or None]

    def output(self) -> Output:
        tail = bytes(self._tail[-self._half :]) if self._half else b""
        return Output(bytes(self._head), tail, self.n_bytes - len(self._head) - len(tail))


class _Supervision:
    """One run being watched."""

    def __init__(self, started: Started, limits: Limits) -> None:
        self.started, self.limits = started, limits
        self.ended, self.reason = Ended.FINISHED, ""
        self.disks = [watch.Disk(folder, limits.files) for folder in started.folders]
        self.cpu_seconds = 0.0
        self.peak_memory: int | None = None
        self.peak_processes: int | None = None
        self.deadline = time.monotonic() + limits.seconds
        self.selector = selectors.DefaultSelector()
        self.kept: dict[str, _Kept] = {}
        for name, stream in (("stdout", started.process.stdout), ("stderr", started.process.stderr)):
            assert stream is not None
            os.set_blocking(stream.fileno(), False)
            self.kept[name] = _Kept(limits.output)
            self.selector.register(stream, selectors.EVENT_READ, self.kept[name])
        self.selector.register(started.status, selectors.EVENT_READ)

    def follow(self) -> None:
        """Read output and look at use until all processes have ended."""
        next_look = time.monotonic() + _LOOK_S / 4
        while self._pump(max(0.0, min(next_look, self.deadline) - time.monotonic())):
            self._judge_printed()
            now = time.monotonic()
            if now >= self.deadline:
                if self.ended is not Ended.FINISHED:
                    raise SandboxError("the command's processes do not end, not even by force")
                self._end(Ended.TIMEOUT, f"{self.limits.seconds:g} s of time")
            if now >= next_look:
                self._look()
                next_look = time.monotonic() + max(_LOOK_S, _LOOK_SHARE * (time.monotonic() - now))

    def drain(self) -> None:
        """Read what is still in the pipes."""
        deadline = time.monotonic() + _DRAIN_S
        while self.selector.get_map() and time.monotonic() < deadline:
            self._pump(deadline - time.monotonic())
        self.selector.close()

    def _pump(self, timeout: float) -> bool:
        """Read what there is, or wait for it; ``False`` when all processes have ended."""
        going_on = True
        for key, _ in self.selector.select(timeout):
            if key.data is None:
                going_on = self.started.read_status()
                self._note_cpu(watch.process_tree(self.started.top))  # it may still be there
                data = b"more" if going_on else b""
            else:
                data = os.read(key.fd, 65536)
                key.data.add(data)
            if not data:
                self.selector.unregister(key.fileobj)
        return going_on

    def _judge_printed(self) -> None:
        if sum(kept.n_bytes for kept in self.kept.values()) > self.limits.printed:
            self._end(Ended.OUTPUT, f"{_mib(self.limits.printed)} printed")

    def _look(self) -> None:
        """End the run if it uses too much now."""
        limits = self.limits
        tree = watch.process_tree(self.started.top)
        if not tree:
            return
        processes = tree[1:]
        self._note_cpu(tree)
        if self.cpu_seconds > limits.cpu_seconds:
            self._end(Ended.CPU, f"{limits.cpu_seconds:g} s of processor time")
        memory = sum(process.memory for process in processes)
        self.peak_memory = max(self.peak_memory or 0, memory, *map(watch.peak_memory, processes))
        if memory > limits.memory and watch.proportional_memory(processes) > limits.memory:
            self._end(Ended.MEMORY, f"{_mib(limits.memory)} of memory")
        n_processes = sum(process.n_threads for process in processes)
        self.peak_processes = max(self.peak_processes or 0, n_processes)
        if n_processes > limits.processes:
            self._end(Ended.PROCESSES, f"{limits.processes} processes")
        self.look_at_disk(processes)

    def _note_cpu(self, tree: Sequence[watch.Process]) -> None:
        self.cpu_seconds = max(self.cpu_seconds, sum(process.cpu_seconds for process in tree))

    def look_at_disk(self, processes: Sequence[watch.Process] = ()) -> None:
        """End the run if its folders are too large; after its end, which may have come first, say so."""
        limits = self.limits
        try:
            used = sum(disk.use(processes) for disk in self.disks)
        except watch.FolderTooLarge as error:
            self._end(Ended.DISK, str(error))
        else:
            if used > limits.disk:
                self._end(Ended.DISK, f"{_mib(limits.disk)} of disk")

    def _end(self, ended: Ended, reason: str) -> None:
        """End all processes; the first limit that is reached is the reason."""
        if self.ended is Ended.FINISHED:
            self.ended, self.reason = ended, reason
            self.deadline = time.monotonic() + _END_S
            self.started.end_all()

    def result(self, job: Job, seconds: float) -> SandboxResult:
        exit_code, ending_signal = self._outcome()
        by_kernel = ending_signal in (signal.SIGXCPU, signal.SIGKILL)
        if self.ended is Ended.FINISHED and by_kernel and self.cpu_seconds >= self.limits.cpu_seconds:
            self.ended, self.reason = Ended.CPU, f"{self.limits.cpu_seconds:g} s of processor time"
        return SandboxResult(
            ended=self.ended,
            reason=self.reason,
            exit_code=exit_code,
            signal=ending_signal,
            stdout=self.kept["stdout"].output(),
            stderr=self.kept["stderr"].output(),
            seconds=seconds,
            cpu_seconds=self.cpu_seconds,
            peak_memory=self.peak_memory,
            peak_processes=self.peak_processes,
            files=_regular_files(job.folder, job.limits.files),
            backend=job.backend,
        )

    def _outcome(self) -> tuple[int | None, int | None]:
        messages = self.started.messages
        if "error" in messages:
            raise SandboxError(f"the sandbox could not be made: {messages['at']}: {os.strerror(messages['error'])}")
        if "signal" in messages:
            return None, messages["signal"]
        if "exit-code" in messages:
            code = messages["exit-code"]
            is_signal = self.started.top != self.started.process.pid and 128 < code <= 128 + signal.NSIG
            return (None, code - 128) if is_signal else (code, None)
        if self.ended is not Ended.FINISHED:
            return None, signal.SIGKILL
        said = self.kept["stderr"].output().text
        if said.startswith("bwrap: execvp "):
            return 127, None
        raise SandboxError(f"the sandbox broke: {said.partition(chr(10))[0] or 'it was ended from outside'}")


def _mib(n_bytes: int) -> str:
    return f"{n_bytes / MIB:g} MiB"


def _regular_files(folder: Path, max_files: int) -> dict[str, int]:
    found: dict[str, int] = {}
    with suppress(watch.FolderTooLarge):
        for name, status in islice(watch.folder_files(folder), max_files):
            if stat.S_ISREG(status.st_mode):
                found[name] = status.st_size
    return dict(sorted(found.items()))
