"""Which seeded trials a validation consists of; each depends on the seed and its own address alone."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reliability.corpus import STYLES, Style, draw_style
from reliability.faults import FAULTS, RIGHT, Fault, faulty_recipe

if TYPE_CHECKING:
    from reliability.records import Task

FULL_SHARE: Final = 0.1
"""Share of the further styles that is run in full as well."""
NAMED_SHARE: Final = 0.03
"""The same for right answers in the named styles, of which there are many."""
NAMED_TASKS: Final = 3
"""Tasks on which each named style writes the right answer; a quick validation has them on one."""
QUICK_TASK: Final = "t08"
"""A quick validation tries every fault that concerns it on the task that costs nothing,"""
QUICK_PER_KIND: Final = 1
"""and this many of each kind on other tasks."""
TWO_MODELS_FIRST: Final = "fiducial_first"
"""Clutter that computes another model first: a run to the first computation cannot see the task's own."""


@dataclass(frozen=True, slots=True)
class Case:
    """One seeded trial: a fault on a task in a style."""

    fault: Fault
    task: str
    number: int
    style: Style
    style_name: str
    """``drawn``, or the name in the table of styles."""
    is_full: bool
    """Whether CAMB really computes it; else the curve is that of number 0 if CAMB receives the same model."""
    seed: str

    @property
    def place(self) -> Path:
        """Folder of the trial below that of all trials: the fault stands for a system."""
        return Path(self.fault.id, self.task, str(self.number))


def all_cases(tasks: Mapping[str, Task], *, seed: int, n_styles: int, is_quick: bool) -> list[Case]:
    """Return the cases of a validation, those of number 0 first.

    Every fault on every task where it is tried, in `n_styles` drawn styles; and right answers in every named style.
    """
    pairs = [(f, t) for f in FAULTS.values() for t in tasks if faulty_recipe(f, tasks[t]) is not None]
    if is_quick:
        pairs = _quick(pairs, random.Random(f"{seed}:quick"))
    cases = [_drawn(fault, task, k, seed) for k in range(n_styles) for fault, task in pairs]
    controls = [task for fault, task in pairs if fault.id == RIGHT]
    for i, name in enumerate(STYLES):
        own = [QUICK_TASK] if is_quick else random.Random(f"{seed}:{name}").sample(controls, NAMED_TASKS)
        cases += [_named(task, n_styles + i, name, seed) for task in controls if task in own]
    return cases


def _quick(pairs: Sequence[tuple[Fault, str]], rng: random.Random) -> list[tuple[Fault, str]]:
    """Return a selection that holds every kind; a task that occurs has its right answer, which others are held to."""
    kept = [pair for pair in pairs if pair[1] == QUICK_TASK]
    for kind in dict.fromkeys(fault.kind for fault, _ in pairs):
        others = [p for p in pairs if p[0].kind == kind and p[1] not in (QUICK_TASK, "t13")]
        kept += rng.sample(others, min(QUICK_PER_KIND, len(others)))
    used = {task for _, task in kept}
    kept += [(FAULTS[RIGHT], task) for _, task in pairs if task in used]
    wanted = {(fault.id, task) for fault, task in kept}
    return [pair for pair in pairs if (pair[0].id, pair[1]) in wanted]


def _drawn(fault: Fault, task: str, number: int, seed: int) -> Case:
    text = f"{seed}:{fault.id}:{task}:{number}"
    rng = random.Random(text)
    style = draw_style(rng)
    while style.needs_running:  # what no reader of code can know says nothing about this one
        style = draw_style(rng)
    is_sampled = rng.random() < FULL_SHARE and number > 0
    if not is_sampled:
        style = replace(style, clutter=tuple(name for name in style.clutter if name != TWO_MODELS_FIRST))
    is_full = number == 0 or is_sampled or not fault.is_slow
    return Case(fault, task, number, style, "drawn", is_full, text)


def _named(task: str, number: int, name: str, seed: int) -> Case:
    text = f"{seed}:{RIGHT}:{task}:{name}"
    style = STYLES[name]
    is_full = random.Random(text).random() < NAMED_SHARE or TWO_MODELS_FIRST in style.clutter
    return Case(FAULTS[RIGHT], task, number, style, name, is_full, text)
