"""What a recorder is given and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from reliability.records import CodeReading

SCRIPT = "script.py"

Mode = Literal["first", "full"]
Ended = Literal["finished", "exited", "stopped", "first computation", "timeout", "killed"]


@dataclass(frozen=True, slots=True)
class Job:
    """A script to run, with the files that it finds beside it."""

    source: str | bytes
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Path in its folder, with forward slashes, to content."""
    script: str = SCRIPT
    """Where the script itself is, in the same way; it is run from the folder."""
    is_altered: bool = False
    """Let CAMB compute with other parameters than it is given: what is written should then be something else."""


@dataclass(frozen=True, slots=True)
class Recording:
    """What CAMB received while a script ran."""

    reading: CodeReading
    """The models computed, as :func:`~reliability.camb_code.read_camb_code` gives them; values are what CAMB had."""
    ended: Ended
    error: str
    """What stopped it, or its exit code if that is not 0."""
    line: int | None
    """Line of the script at which it stopped."""
    writes: Mapping[str, int]
    """Files it opened for writing, relative to its folder: how many models had been computed by then."""
    camb: str
    """Version of CAMB that received this."""
    seconds: float
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Content of the files that it opened for writing in its folder, where :func:`record` was told to keep it; with
    `is_moved` of all that it left there, below ``outside/`` what it wrote elsewhere, and as ``stdout`` what it
    printed."""
    missed: tuple[str, ...] = ()
    """With `is_moved`: files that it looked for and that were not there."""
    programs: tuple[str, ...] = ()
    """Programs that it started; what CAMB does in other programs than this Python is not seen."""
