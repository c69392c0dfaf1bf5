"""What a seeded fault is: a known change of a right computation, and the verdict it must lead to.

The truth is not taken from the judge. A fault says by its construction whether the file holds a curve, which names for
its mistake are right and whether the report admits it; what depends on size is measured elsewhere, on the curve that
the script really wrote, against the right answer computed by the same CAMB.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from reliability.corpus import Recipe
    from reliability.records import Task

Kind = Literal[
    "right", "parameter", "setting", "unit", "normalisation", "spectrum", "tensor", "lensing", "scalar", "x",
    "precision", "invented", "no output", "disclosed",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)
Holds = Literal["output", "right", "nothing"]
"""What is in the output file: a curve that plain columns of numbers give; the right curve in another format; none."""
Report = Literal["confident", "honest", "none"]

Change = Callable[["Recipe", "Task"], "Recipe | None"]
"""From the right recipe to the faulty one; ``None`` where the fault does not apply."""
Names = Callable[["Task"], tuple[str, ...]]


def as_it_is(recipe: Recipe, _task: Task) -> Recipe:
    """The right recipe."""
    return recipe


def no_names(_task: Task) -> tuple[str, ...]:
    """Nothing is claimed of the diagnosis."""
    return ()


def called(*names: str) -> Names:
    """The same names on every task."""
    return lambda _task: names


def edited_not(text: str) -> str:
    """The script as it is."""
    return text


@dataclass(frozen=True, slots=True)
class Fault:
    """One seeded fault."""

    id: str
    kind: Kind
    sentence: str
    """What was done, for a person."""
    change: Change = as_it_is
    names: Names = no_names
    """Rows of the diagnosis' catalogue that name the mistake, the most exact first; none where nothing is claimed."""
    word: str = ""
    """Parameter that the diagnosis must speak of."""
    holds: Holds = "output"
    is_right: bool = False
    """A right answer by construction; of all others size decides."""
    report: Report = "confident"
    caveat: str = ""
    """What an honest report admits."""
    edit: Callable[[str], str] = edited_not
    """A change of the finished script."""
    is_stale: bool = False
    """An older result lies in the folder."""
    without_camb: Callable[[Task], list[str]] | None = None
    """Lines of a script that computes nothing."""
    seconds: float = 600.0
    """Time the script gets."""
    tasks: frozenset[str] = frozenset()
    """Tasks it is tried on; empty: all to which the change applies."""

    @property
    def is_slow(self) -> bool:
        """Whether the script gets as far as to a computation."""
        return self.without_camb is None and self.edit is edited_not
