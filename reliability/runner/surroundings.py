"""What an agent's program can see in its sandbox: an interpreter, the program itself, and no right answer."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reliability.errors import InputError
from reliability.sandbox import Backend, Limits, Sandbox, SandboxResult, interpreter_paths

_SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
_MAX_SHEBANG = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The sandbox that all trials of a run share, but for the work folder."""

    backend: Backend
    limits: Limits
    python: Path = field(default_factory=lambda: Path(sys.executable))
    """What runs as ``python`` inside."""
    readable: tuple[Path, ...] = ()
    """What can be read besides the system and the interpreter."""
    hidden: tuple[Path, ...] = ()
    """What stays invisible even if a folder around it is readable: right answers, other trials."""
    environment: Mapping[str, str] = field(default_factory=dict)

    def run(
        self, command: Sequence[str], work: Path, *, network: bool = False, extra: Iterable[Path] = ()
    ) -> SandboxResult:
        """Run a command in a work folder; raises :class:`~reliability.errors.SandboxError` if that cannot be done."""
        shown = dict.fromkeys((*interpreter_paths(self.python), *self.readable, *extra))
        readable = [part for path in shown for part in without(path, self.hidden)]
        environment = {
            "PATH": f"{self.python.parent}:{_SYSTEM_PATH}",
            "OMP_NUM_THREADS": "1",  # the same on every machine and for every number of workers
            **self.environment,
        }
        sandbox = Sandbox(work, self.limits, readable=readable, network=network, backend=self.backend)
        return sandbox.run(command, env=environment)


def without(path: Path, hidden: Iterable[Path]) -> list[Path]:
    """The path, or what is in it without the folders that shall stay hidden; links that lead there are left out."""
    real = path.resolve()
    inner = [folder.resolve() for folder in hidden]
    if any(real.is_relative_to(folder) for folder in inner):
        return []
    if not any(folder.is_relative_to(real) for folder in inner):
        return [path]
    if path.is_symlink():
        return []
    return [part for child in sorted(path.iterdir()) for part in without(child, inner)]


def find_program(word: str) -> Path:
    """The program that the first word of a command names. Raises :class:`InputError` if there is none."""
    found = shutil.which(word)
    if found is None:
        raise InputError(f"--command: no program {word!r} here")
    return Path(os.path.abspath(found))  # noqa: PTH100 - a link in a virtual environment must not be resolved


def program_paths(program: Path) -> tuple[Path, ...]:
    """What a program needs to be readable: itself, its installation, the interpreter in its first line."""
    found = [*interpreter_paths(program)]
    try:
        with program.open("rb") as file:
            first = file.readline(_MAX_SHEBANG)
    except OSError:
        return tuple(found)
    if first.startswith(b"#!") and (words := first[2:].split()):
        found += interpreter_paths(os.fsdecode(words[0]))
    return tuple(dict.fromkeys(found))
