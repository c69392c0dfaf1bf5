"""What a re-execution gives: one verdict a trial, and what it was reached from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from reliability.diagnosis import Alternatives
    from reliability.recorder import Recording
    from reliability.records import Curve, Reference, Task, UnreadableCurve

Verdict = Literal[
    "reproduced",
    "version-dependent",
    "differs",
    "fails",
    "no output",
    "depends on missing input",
    "fabricated",
]


@dataclass(frozen=True, slots=True)
class Expected:
    """What a task expects: the right curve, and those of known mistakes."""

    task: Task
    reference: Reference
    alternatives: Alternatives


@dataclass(frozen=True, slots=True)
class Handed:
    """The output that a trial handed in."""

    name: str
    """Base name of the file."""
    content: bytes
    curve: Curve | UnreadableCurve


@dataclass(frozen=True, slots=True)
class Comparison:
    """The curve that was handed in beside the one that its script writes now."""

    is_same: bool
    max_relative: float | None
    """Largest difference relative to the curve's size nearby; ``None`` where the x values are others."""
    x: float | None = None
    """Where it is."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One run of one script of a trial."""

    script: str
    """Path in the trial's folder."""
    source: bytes
    recording: Recording
    file: str = ""
    """The file it wrote that counts as the output; empty if it wrote none."""
    curve: Curve | None = None
    """What is in it, if it is a curve."""
    comparison: Comparison | None = None
    made: tuple[str, ...] = ()
    """Files that it was given because it looked for them, and that other scripts of the trial had written."""
    lent: tuple[str, ...] = ()
    """Files that it was given because it looked for them, from the trial's folder: nobody knows what made them."""
    n_models: int = 0
    """Models that CAMB computed for it, and for the scripts that made what it read."""

    @property
    def is_same(self) -> bool:
        """Whether it wrote what was handed in."""
        return self.comparison is not None and self.comparison.is_same


@dataclass(frozen=True, slots=True)
class Reexecution:
    """One row of ``reexecution.csv``; field names are the column names."""

    system: str
    task: str
    condition: str
    trial: int
    verdict: Verdict | Literal[""]
    """Empty if we could not judge; `how` says why."""
    camb: str
    """Version of CAMB that the verdict is about; empty if nothing was run."""
    script: str
    """The script that made the output, or that was expected to."""
    file: str
    """The file it wrote, by the path under which it wrote it."""
    how: str
    """The verdict in words."""
    max_relative: float | None
    """Largest difference from the curve that was handed in, relative to its size nearby."""
    seconds: float | None
    """Time of all runs of scripts that the verdict took."""
    ended: str
    """How the script ended, with the error and its line."""
    sha256: str
    """Of the trial's files: a verdict holds for these."""

    @property
    def address(self) -> tuple[str, str, str, int]:
        """(system, task, condition, trial): what tells one trial from another."""
        return self.system, self.task, self.condition, self.trial
