"""What a run of an agent is told, and what one attempt tells: words shared by every kind of system."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from reliability.sandbox import Backend, SandboxResult

OUTPUT = "result.csv"
"""Where an agent shall write its result, relative to its work folder; the prompt says so."""
PROMPT = "prompt.md"
"""The prompt as a file in the work folder."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One trial to be made."""

    system: str
    task: str
    trial: int
    seed: int
    prompt: str
    files: tuple[Path, ...] = ()
    """Input files of the task, copied into the work folder."""

    @property
    def place(self) -> Path:
        """Where the trial goes, relative to the folder of trials."""
        return Path(self.system, self.task, str(self.trial))


@dataclass(frozen=True, slots=True)
class Usage:
    """What an attempt cost; what is not known is missing, with a reason."""

    cost_usd: float | None = None
    tokens: Mapping[str, int] = field(default_factory=dict)
    """``prompt`` and ``completion``, where they are known."""
    reason: str = ""
    """Why the cost is missing, or what it does not cover."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What an agent did: data, whether it succeeded or not."""

    result: SandboxResult | None
    """The command that ran in the sandbox; ``None`` if the agent gave nothing to run."""
    failure: str = ""
    """Why there was nothing to run."""
    usage: Usage | None = None
    """``None``: what the agent itself left about it counts."""
    report: str = ""
    """What the agent said, where it does not write a report itself."""
    details: Mapping[str, object] = field(default_factory=dict)
    """What else is worth keeping in ``trial.json``."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """An attempt that says nothing about the agent, because what it runs on failed: worth another one."""

    reason: str
    retry_after: float | None = None
    """Seconds that the other side asked to wait."""


class System(Protocol):
    """Anything that can be asked to solve a task in a work folder."""

    @property
    def backend(self) -> Backend:
        """The sandbox in which its code runs."""

    def settings(self) -> Mapping[str, object]:
        """Everything its answers depend on, for the manifest; no secret."""

    def secrets(self) -> Mapping[str, str]:
        """Name -> value of what must never be written down."""

    def attempt(self, ask: Ask, work: Path) -> Attempt | Fault:
        """Solve a task in a work folder that holds its files and nothing else."""


def seed_of(seed: int, system: str, task: str, trial: int) -> int:
    """The seed of one trial, 0 <= seed < 2**32: the same in every run, and another one for every trial."""
    address = json.dumps([seed, system, task, trial]).encode()
    return int.from_bytes(hashlib.sha256(address).digest()[:4], "big")
