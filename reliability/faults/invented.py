"""Curves that nobody computed for this task: made up, typed in, or another task's."""

# ruff: noqa: E501 - a table, one row a line
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from reliability.corpus import recipe_for
from reliability.faults.records import Fault, called
from reliability.references import load_reference
from reliability.tasks import load_tasks

if TYPE_CHECKING:
    from reliability.corpus import Recipe
    from reliability.records import Task

FORMULAS: Final[Mapping[str, str]] = {
    "TT": "1100 * (x / 10.0) ** 0.1 * np.exp(-((x / 1400.0) ** 1.3))",
    "EE": "2e-2 * x ** 0.9 * np.exp(-((x / 1600.0) ** 2))",
    "BB": "1e-6 * x**2 / (1 + (x / 1000.0) ** 2.6)",
    "d_A": "4400 * x / (1 + x) ** 1.6",
    "P_k": "2.6e4 * (2 * (x / 0.018) ** 0.965 / (1 + (x / 0.018) ** 2.6))",
    "rel_diff": "1.2e-3 * (1 - np.exp(-x / 0.05)) - 3e-4",
    "delensing_efficiency": "62 * np.exp(-x / 400.0)",
}
"""What looks plausible, by the name of the second column (D_l of a spectrum)."""
TWINS: Final = {"t01": "t02", "t02": "t01", "t03": "t04", "t04": "t03", "t07": "t10", "t10": "t07", "t11": "t01"}
"""Tasks of the same quantity."""
KNOTS: Final = 12


def _grid_line(task: Task) -> str:
    grid = task.grid
    if grid.kind == "multipoles":
        return f"x = np.arange({int(grid.start)}, {int(grid.stop) + 1})"
    spaced = "linspace" if grid.kind == "linear" else "geomspace"
    return f"x = np.{spaced}({grid.start!r}, {grid.stop!r}, {grid.n})"


def _script(task: Task, *lines: str) -> list[str]:
    header = ",".join(task.columns)
    save = f'np.savetxt("result.csv", np.column_stack([x, y]), delimiter=",", header="{header}", comments="")'
    return ["import numpy as np", "", _grid_line(task), *lines, save]


def _power_law(task: Task) -> list[str]:
    raw = ["y = y * 2 * np.pi / (x * (x + 1))"] if task.settings.get("raw_cl") else []
    return _script(task, f"y = {FORMULAS[task.columns[1]]}", *raw)


def _typed_in(task: Task) -> list[str]:
    """A table of a few numbers, as remembered from a figure, and lines between them."""
    reference = load_reference(task)
    at = np.unique(np.linspace(0, reference.x.size - 1, KNOTS).astype(int))
    xs, ys = (", ".join(f"{v:.3g}" for v in values[at]) for values in (reference.x, reference.y))
    return _script(task, f"known_x = [{xs}]", f"known_y = [{ys}]", "y = np.interp(x, known_x, known_y)")


def _random(task: Task) -> list[str]:
    return _script(task, "rng = np.random.default_rng(7)", "y = np.abs(rng.standard_normal(len(x)))")


def _twin(recipe: Recipe, task: Task) -> Recipe | None:
    if task.id not in TWINS:
        return None
    return replace(recipe_for(load_tasks()[TWINS[task.id]]), task=task.id, columns=recipe.columns)


FAULTS: Final = (
    Fault("made_up", "invented", "A plausible formula, without CAMB.", names=called("unknown"), without_camb=_power_law),
    Fault("typed_in", "invented", "Twelve numbers and lines between them, without CAMB.", names=called("unknown"), without_camb=_typed_in),
    Fault("random_numbers", "invented", "Random numbers.", names=called("unknown"), without_camb=_random),
    Fault("other_task", "invented", "The answer to another task.", _twin),
)  # fmt: skip
