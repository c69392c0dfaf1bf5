"""How trials lie on disk: which folder names make an address, and where inside a trial its files are.

A layout is recognised, never configured. To add one: write a function from folder names to an :class:`Address` (or
``None`` if they are none), enter a :class:`Layout` in :data:`LAYOUTS`, and add a hit and a near miss to
``tests/test_trials.py``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_TRIAL_NUMBER = re.compile(r"[0-9]{1,9}")
_BENCHMARK_TASK = re.compile(r"prompt_(.+)_([0-9]{1,4})")
_BENCHMARK_TRIAL = re.compile(r"trial_([0-9]{1,9})")


class Address(NamedTuple):
    """Who attempted what, and for which time."""

    system: str
    task: str
    condition: str
    trial: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the parts of a trial are, relative to its folder; ``""`` is the folder itself."""

    name: str
    address: Callable[[Sequence[str]], Address | None]
    """From the names of the folder and those above it (outermost first) to the address they spell, if they do."""
    marks: frozenset[str]
    """Subfolders or files of which one shows that a folder is a trial of this layout."""
    code: tuple[str, ...]
    """Folders with ``*.py``."""
    output: tuple[str, ...] = ("result.csv", "data/result.csv")
    """Places of the output file, the first that exists counts."""
    data: str = "data"
    """Folder in which a single other table counts as the output."""
    texts: tuple[str, ...] = ("report.md", "report.txt")
    chats: str = "chats"
    cost: tuple[str, ...] = ("", "cost")
    """Folders with ``cost_report_*.json``."""
    time: tuple[str, ...] = ("", "time")
    """Folders with ``timing_report_*.json``."""


CODE = ("codebase", "code", "")


def native_address(names: Sequence[str]) -> Address | None:
    """Return the address in ``<system>/<task>[@<condition>]/<n>``."""
    if len(names) < 3 or not _TRIAL_NUMBER.fullmatch(names[-1]):
        return None
    task, _, condition = names[-2].partition("@")
    return Address(names[-3], task, condition, int(names[-1]))


def benchmark_address(names: Sequence[str]) -> Address | None:
    """Return the address in ``prompt_<agent>_<i>/trial_<n>`` of the public CMBAgent benchmark; prompt 0 is task t01."""
    if len(names) < 2:
        return None
    task, trial = _BENCHMARK_TASK.fullmatch(names[-2]), _BENCHMARK_TRIAL.fullmatch(names[-1])
    if task is None or trial is None:
        return None
    return Address(task[1], f"t{int(task[2]) + 1:02d}", "", int(trial[1]))


def no_address(_names: Sequence[str]) -> None:
    """Return ``None``: a work directory's own name says neither system nor task."""


LAYOUTS = (
    Layout("cmbagent benchmark", benchmark_address, frozenset({"codebase", "data"}), CODE),
    Layout("native", native_address, frozenset({"trial.json", "code", "result.csv", "report.md"}), CODE),
    Layout("cmbagent work directory", no_address, frozenset({"codebase", "chats", "cost", "time"}), CODE),
)
NATIVE = LAYOUTS[1]
WORK_DIRECTORY = LAYOUTS[2]
LOOKED_FOR = (
    "<system>/<task>[@<condition>]/<n>/, prompt_<agent>_<i>/trial_<n>/, "
    "or a CMBAgent work directory (codebase/, data/, chats/, cost/, time/)"
)
"""For messages: every address that is recognised."""
