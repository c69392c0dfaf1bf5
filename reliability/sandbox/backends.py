"""Which sandbox this machine allows, found out by trying, and whether that is enough for the user."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import lru_cache, partial
from pathlib import Path

from reliability.errors import SandboxError
from reliability.sandbox import bwrap, cgroups, landlock
from reliability.sandbox.records import Backend, Limits, Mode
from reliability.sandbox.seccomp import is_known_machine
from reliability.sandbox.started import Job, Started

UNLIMITED_ROOT = "as root here the number of processes is watched, not limited"


@lru_cache(maxsize=1)
def available_backend() -> Backend:
    """The backend that contains most of those that work here; its ``refused`` says why better ones do not."""
    refused: dict[str, str] = {}
    for find in (_bubblewrap, _landlock):
        try:
            backend = find()
        except SandboxError as error:
            refused[find.__name__.strip("_")] = str(error)
        else:
            return Backend(backend.name, backend.mode, backend.gaps, refused)
    return Backend("none", Mode.NONE, ("everything",), refused)


def choose_backend(accepted: Mode = Mode.FULL) -> Backend:
    """The backend to run agents' code with, if a user accepts no less than `accepted`.

    ``FULL`` and ``PARTIAL`` take the best that works; ``NONE`` takes no sandbox, whatever works. Raises
    :class:`SandboxError`, which names what is refused and what would stay open, if that is less than is accepted.
    """
    if accepted is Mode.NONE:
        return Backend("none", Mode.NONE, ("everything",), {})
    backend = available_backend()
    if backend.mode is Mode.FULL or backend.mode is accepted:
        return backend
    why = "; ".join(f"{name}: {reason}" for name, reason in (backend.refused or {}).items())
    if backend.mode is Mode.PARTIAL:
        raise SandboxError(
            f"no full sandbox on this machine ({why}); {backend.name} would leave open: {'; '.join(backend.gaps)}. "
            "To accept that: --accept-partial-sandbox"
        )
    raise SandboxError(f"no sandbox on this machine ({why}). To run agents' code without: --no-sandbox")


def partial_backend() -> Backend:
    """The fallback even where the full sandbox works; raises :class:`SandboxError` if it is refused."""
    return _landlock()


def start_with(job: Job) -> AbstractContextManager[Started]:
    """Start a job with its backend."""
    if job.backend.name == "bubblewrap":
        return bwrap.start(job, _working_bubblewrap())
    return landlock.start(job)


def _bubblewrap() -> Backend:
    _working_bubblewrap()
    return Backend("bubblewrap", Mode.FULL, _gaps_of_root())


@lru_cache(maxsize=1)
def _working_bubblewrap() -> Path:
    _need_linux()
    programs = bwrap.programs()
    if not programs:
        raise SandboxError("not installed")
    reasons = []
    for program in programs:
        try:
            _try(Backend("bubblewrap", Mode.FULL), partial(bwrap.start, program=program))
        except SandboxError as error:
            reasons.append(str(error))
        else:
            return program
    raise SandboxError("; ".join(dict.fromkeys(reasons)))


def _landlock() -> Backend:
    _need_linux()
    version = landlock.landlock_version()
    if version == 0:
        raise SandboxError("the kernel does not have Landlock, or it is switched off")
    backend = Backend("landlock", Mode.PARTIAL, (*landlock.gaps(version), *_gaps_of_root()), {})
    _try(backend, landlock.start)
    return backend


def _need_linux() -> None:
    if sys.platform != "linux":
        raise SandboxError("works on Linux only")
    if not is_known_machine():
        raise SandboxError("the system calls of this processor are not known")


def _try(backend: Backend, start: Callable[[Job], AbstractContextManager[Started]]) -> None:
    """Run ``true`` in a sandbox; raises :class:`SandboxError` if that does not succeed."""
    with tempfile.TemporaryDirectory(prefix="reliability-") as folder:
        job = Job(
            command=["/bin/sh", "-c", ":"], folder=Path(folder).resolve(), environment={}, readable=(), network=False,
            limits=Limits(), pass_fds=(), backend=backend,
        )  # fmt: skip
        with start(job) as started:
            while started.read_status():
                pass
            if started.messages.get("exit-code") != 0:
                raise SandboxError(f"cannot run a command: {_why(started)}")


def _why(started: Started) -> str:
    if "error" in started.messages:
        return f"{started.messages['at']}: {os.strerror(started.messages['error'])}"
    assert started.process.stderr is not None
    said = started.process.stderr.read(4096).decode("utf-8", "replace")
    return said.partition("\n")[0] or str(started.messages)


def _gaps_of_root() -> tuple[str, ...]:
    if os.geteuid() != 0:
        return ()
    with cgroups.process_limit(1) as group:
        return () if group else (UNLIMITED_ROOT,)
