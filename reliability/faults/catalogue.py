"""All seeded faults in one table."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from reliability.corpus import Recipe, recipe_for
from reliability.faults import controls, files, invented, parameters, shapes, spectra, units
from reliability.faults.records import Fault

if TYPE_CHECKING:
    from reliability.records import Task

FAULTS: Final[Mapping[str, Fault]] = MappingProxyType(
    {
        fault.id: fault
        for module in (controls, units, spectra, shapes, invented, files, parameters)
        for fault in module.FAULTS
    }
)
"""By id, right answers first."""


def faulty_recipe(fault: Fault, task: Task) -> Recipe | None:
    """Return what a fault makes of the right recipe of a task; ``None`` where it does not apply."""
    if fault.tasks and task.id not in fault.tasks:
        return None
    return fault.change(recipe_for(task), task)
