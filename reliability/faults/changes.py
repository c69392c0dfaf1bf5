"""Small changes of a recipe, from which faults are put together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from reliability.corpus import Ending

if TYPE_CHECKING:
    from reliability.corpus import Recipe
    from reliability.faults.records import Change
    from reliability.records import Setting, Task

SOME_TASKS = frozenset({"t01", "t06", "t08", "t09"})
"""Where faults are tried that have little to do with the task: one task of each kind of grid, and small numbers."""


def is_cmb(recipe: Recipe) -> bool:
    """Whether the output is a spectrum of the CMB, with a unit of temperature."""
    return recipe.CMB_unit is not None


def is_power(recipe: Recipe) -> bool:
    """Whether the output is a matter power spectrum, or a ratio of two."""
    return recipe.call == "get_matter_power_spectrum"


def is_tensor(recipe: Recipe) -> bool:
    """Whether gravitational waves are part of the answer."""
    return bool(recipe.told.get("WantTensors"))


def after(*lines: str, where: str = "all") -> Change:
    """Lines that change x or y before the curve is saved; `where` is one of the keys of ``WHERE`` or a task."""

    def change(recipe: Recipe, _task: Task) -> Recipe | None:
        return with_lines(recipe, *lines) if applies(recipe, where) else None

    return change


def saved(*lines: str, then: tuple[str, ...] = (), before: tuple[str, ...] = ()) -> Change:
    """The curve is saved by these lines, in which ``{first}`` and ``{second}`` are the names of the columns."""

    def change(recipe: Recipe, _task: Task) -> Recipe:
        first, second = recipe.columns
        own = tuple(line.replace("{first}", first).replace("{second}", second) for line in lines)
        return replace(recipe, ending=Ending(before, own, then))

    return change


def applies(recipe: Recipe, where: str) -> bool:
    """Whether a fault of some kind of output concerns this one."""
    known = {
        "all": True,
        "cmb": is_cmb(recipe),
        "raw": is_cmb(recipe) and recipe.raw_cl,
        "not raw": is_cmb(recipe) and not recipe.raw_cl,
        "multipoles": recipe.grid.kind == "multipoles",
        "log": recipe.grid.kind == "log",
    }
    return known.get(where, recipe.task == where)


def with_lines(recipe: Recipe, *lines: str) -> Recipe:
    """The recipe with lines before the saving."""
    return replace(recipe, ending=replace(recipe.ending, before=(*recipe.ending.before, *lines)))


def telling(**values: Setting | None) -> Change:
    """CAMB is told this, where it would be told the first of the names."""
    first = next(iter(values))
    return lambda recipe, _task: recipe.telling(**values) if first in recipe.told else None
