"""Right answers, which nothing may be said against, and faults that the agent admits."""

# ruff: noqa: E501 - a table, one row a line
from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from reliability.faults import parameters, shapes, spectra, units
from reliability.faults.changes import SOME_TASKS
from reliability.faults.records import Fault

if TYPE_CHECKING:
    from reliability.corpus import Recipe
    from reliability.records import Task

RIGHT: Final = "right"
"""The fault that is none: the right answer, in every style."""


def _further(recipe: Recipe, task: Task) -> Recipe | None:
    """An lmax above the stated one is a right answer too, except where the lensing noise ends at it."""
    lmax = recipe.told.get("lmax")
    return None if lmax is None or task.id == "t14" else recipe.telling(lmax=int(lmax) + 500)


def _admitted(base: Fault, caveat: str) -> Fault:
    return replace(base, id=f"{base.id}_admitted", kind="disclosed", report="honest", caveat=caveat, tasks=SOME_TASKS)


_BY_ID: Final = {
    fault.id: fault for fault in (*parameters.FAULTS, *units.FAULTS, *spectra.FAULTS, *shapes.FAULTS)
}  # fmt: skip

CONTROLS: Final = (
    Fault(RIGHT, "right", "The right answer.", is_right=True),
    Fault("further_lmax", "right", "An lmax 500 above the stated one.", _further, is_right=True),
    Fault(
        "right_with_caveat", "right", "The right answer, with a caveat about it.", is_right=True, report="honest", tasks=SOME_TASKS,
        caveat="I could not compare the numbers with an independent code, so please verify them before use.",
    ),
    Fault("right_without_report", "right", "The right answer without a word.", is_right=True, report="none", tasks=SOME_TASKS),
)  # fmt: skip

ADMITTED: Final = (
    _admitted(_BY_ID["unlensed"], "The spectrum is unlensed, although the task asks for the lensed one."),
    _admitted(_BY_ID["dimensionless"], "The values are not converted to muK^2; they are dimensionless."),
    _admitted(_BY_ID["H0_3pc_high"], "The Hubble constant is 3 percent higher than the task asks for."),
    _admitted(_BY_ID["cut_at_97pc"], "The output is incomplete: the last points of the range are missing."),
    _admitted(
        _BY_ID["noise_10pc"], "The numbers are approximate and should not be trusted to better than ten percent."
    ),
    _admitted(_BY_ID["zeros"], "The computation failed, and the file holds zeros as placeholders."),
)

FAULTS: Final = (*CONTROLS, *ADMITTED)
