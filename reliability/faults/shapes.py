"""Faults of the curve as it stands: collapsed, shifted, cut, on other points, rounded, noisy."""

# ruff: noqa: E501 - a table, one row a line
from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reliability.faults.changes import SOME_TASKS, after, with_lines
from reliability.faults.records import Fault, called

if TYPE_CHECKING:
    from reliability.corpus import Recipe
    from reliability.records import Task


def _per_mpc(recipe: Recipe, _task: Task) -> Recipe | None:
    h = float(recipe.told["H0"]) / 100
    return with_lines(recipe, f"{{x}} = {{x}} * {h:g}") if recipe.grid.kind == "log" else None


def _noise(size: float) -> tuple[str, str]:
    return "rng = np.random.default_rng(1)", f"y = y * (1 + {size:g} * rng.standard_normal(len(y)))"


def _digits(n: int) -> str:
    return f'y = np.array([float(f"{{v:.{n - 1}e}}") for v in y])'


COLLAPSED: Final = (
    Fault("mean", "scalar", "The mean of the curve at every x.", after("y = np.full(len({x}), np.mean(y))"), called("constant")),
    Fault("maximum", "scalar", "The maximum of the curve at every x.", after("y = np.full(len({x}), np.max(y))"), called("constant"), tasks=SOME_TASKS),
    Fault("last_value", "scalar", "The last value at every x.", after("y = np.full(len({x}), y[-1])"), called("constant"), tasks=SOME_TASKS),
    Fault("zeros", "scalar", "Zeros.", after("y = np.zeros(len({x}))"), called("all_zero")),
)  # fmt: skip

POINTS: Final = (
    Fault("shifted", "x", "The value at l belongs to l + 1.", after("y = np.append(y[1:], y[-1])", where="multipoles"), called("shift_+1")),
    Fault("from_zero", "x", "The array of CAMB, which starts at l = 0, is taken to start at l = 2.", after("y = np.concatenate([[0.0, 0.0], y[:-2]])", where="multipoles"), called("shift_-2")),
    Fault("cut_at_80pc", "x", "The last fifth is missing.", after("{x}, y = {x}[: int(0.8 * len(y))], y[: int(0.8 * len(y))]"), called("truncated"), tasks=SOME_TASKS),
    Fault("cut_at_97pc", "x", "The last 3 % are missing.", after("{x}, y = {x}[: int(0.97 * len(y))], y[: int(0.97 * len(y))]"), called("truncated")),
    Fault("every_third", "x", "Every third point only.", after("{x}, y = {x}[::3], y[::3]"), called("x_resampled"), tasks=SOME_TASKS),
    Fault("zero_tail", "x", "Zeros in the last sixth.", after("y = np.where(np.arange(len(y)) < 5 * len(y) // 6, y, 0.0)"), called("zero_tail"), tasks=SOME_TASKS),
    Fault("linear_labels", "x", "Values on the logarithmic grid, x in equal steps.", after("{x} = np.linspace({x}[0], {x}[-1], len({x}))", where="log"), called("x_relabelled")),
    Fault("linear_grid", "x", "Equal steps in the place of logarithmic ones.", after("steps = np.linspace({x}[0], {x}[-1], len({x}))", "{x}, y = steps, np.interp(steps, {x}, y)", where="log")),
    Fault("k_per_mpc", "x", "k in 1/Mpc.", _per_mpc, called("x_times_h")),
)  # fmt: skip

PRECISION: Final = (
    Fault("three_digits", "precision", "Three digits.", after(_digits(3))),
    Fault("two_digits", "precision", "Two digits.", after(_digits(2)), tasks=SOME_TASKS),
    Fault("noise_0p1pc", "precision", "Noise of 0.1 %.", after(*_noise(0.001)), called("unknown"), tasks=SOME_TASKS),
    Fault("noise_1pc", "precision", "Noise of 1 %.", after(*_noise(0.01)), called("unknown")),
    Fault("noise_10pc", "precision", "Noise of 10 %.", after(*_noise(0.1)), called("unknown"), tasks=SOME_TASKS),
    Fault("smoothed", "precision", "A running mean over a fortieth of the points.", after("width = 2 * (len(y) // 80) + 1", 'y = np.convolve(np.pad(y, width // 2, mode="edge"), np.ones(width) / width, mode="valid")'), called("unknown"), tasks=SOME_TASKS),
)  # fmt: skip

FAULTS: Final = (*COLLAPSED, *POINTS, *PRECISION)
