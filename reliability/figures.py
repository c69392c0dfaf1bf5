"""The three figures of the paper; :func:`figure_curve` for one trial is offered here too.

Every function takes rows or records and returns a :class:`matplotlib.figure.Figure`; nothing is shown, saved or kept
globally. Things are told apart by colour *and* by marker or hatch. What has no data is shown as missing, never as 0.
Names come from folders that agents and users wrote: they are cleaned, shortened, and never read as formulas.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from reliability.curve_figures import figure_curve
from reliability.figure_style import (
    BLACK,
    BLUE,
    COLUMN_WIDTH,
    GREEN,
    MM,
    ORANGE,
    SKY,
    VERMILION,
    new_figure,
    save_figure,
    shorten,
    style,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["figure_curve", "figure_failure_modes", "figure_mean_metrics", "figure_task_scores", "save_figure"]

Rows = Sequence[Mapping[str, Any]]
"""Rows as :func:`reliability.summaries.summarise` makes them: numbers, and ``None`` for missing."""

METRICS = (
    # column, label, colour, marker
    ("esr", "ESR", BLACK, "o"),
    ("pas", "PAS", BLUE, "s"),
    ("nas", "NAS", ORANGE, "^"),
    ("score", "Score", VERMILION, "D"),
)
MODES = (
    # mode, label, colour, hatch
    ("D", "D correct", GREEN, ""),
    ("C", "C wrong computation", ORANGE, "////"),
    ("B", "B wrong parameters", SKY, "...."),
    ("A", "A no valid output", VERMILION, "xxxx"),
    ("unknown", "unknown", "#DDDDDD", "----"),
)


def _system_name(row: Mapping[str, Any]) -> str:
    name, condition = str(row["system"]), str(row["condition"] or "")
    return shorten(name) + (f" @{shorten(condition, 12)}" if condition else "")


def _legend(figure: Figure, handles: Sequence[Any], columns: int) -> None:
    figure.legend(handles=handles, loc="outside upper center", ncols=columns, columnspacing=1.2, handletextpad=0.4)


def _system_axis(axes: Axes, systems: Rows) -> None:
    """Put the systems on the y axis, the first on top."""
    axes.set_yticks(range(len(systems)), [_system_name(row) for row in systems], parse_math=False)
    axes.set_ylim(len(systems) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def _no_trials() -> Figure:
    with style():
        figure = new_figure(COLUMN_WIDTH, 20 * MM)
        figure.text(0.5, 0.5, "no trials", ha="center", va="center")
    return figure


def figure_mean_metrics(systems: Rows) -> Figure:
    """Return figure 1 of the paper: mean ESR, PAS, NAS and Score per system, with 95 % intervals.

    Means are over all attempted trials, as in the paper. A metric without any value is marked as having none.
    """
    from matplotlib.lines import Line2D

    if not systems:
        return _no_trials()
    with style():
        figure = new_figure(COLUMN_WIDTH, (24 + 11 * max(len(systems), 2)) * MM)
        axes = figure.add_subplot()
        for i, row in enumerate(systems):
            if i % 2:
                axes.axhspan(i - 0.5, i + 0.5, color="#F2F2F2", lw=0, zorder=0)
            for j, (column, label, colour, marker) in enumerate(METRICS):
                y = i + 0.2 * (j - 1.5)
                value, low, high = (row[f"{column}{end}"] for end in ("", "_low", "_high"))
                if value is None:
                    axes.text(0.01, y, f"{label}: no data", color=colour, va="center", style="italic")
                    continue
                if low is not None and high is not None:
                    axes.plot([low, high], [y, y], color=colour, lw=1, solid_capstyle="butt")
                axes.plot(value, y, marker, color=colour, ms=4, mec="white", mew=0.4, clip_on=False, zorder=3)
        _system_axis(axes, systems)
        axes.set_xlim(0, 1)
        axes.grid(axis="x", color="#CCCCCC", lw=0.4)
        axes.set_axisbelow(True)
        axes.set_xlabel("mean of task means (0 to 1)\nwith 95 % interval")
        handles = [Line2D([], [], color=c, marker=m, ms=4, lw=1, label=name) for _, name, c, m in METRICS]
        _legend(figure, handles, 4)
    return figure


def figure_task_scores(tasks: Rows) -> Figure:
    """Return figure 2 of the paper: mean Score of every system at every task.

    Parameters
    ----------
    tasks
        Rows of ``tasks.csv``; only those of level ``task`` are used. A task that a system did not attempt, or for which
        no trial has a Score, is hatched.
    """
    from matplotlib.patches import Patch

    rows = [row for row in tasks if row["level"] == "task"]
    ids = sorted({str(row["task"]) for row in rows})
    systems = list({(row["system"], row["condition"]): row for row in rows}.values())
    scores = {(_address(row), str(row["task"])): row["score"] for row in rows}
    if not rows:
        return _no_trials()
    with style():
        width = max(COLUMN_WIDTH, (22 + 6 * len(systems)) * MM)
        figure = new_figure(width, (34 + 5 * max(len(ids), 2)) * MM)
        axes = figure.add_subplot()
        grid = np.full((len(ids), len(systems)), np.nan)
        for j, system in enumerate(systems):
            for i, task in enumerate(ids):
                value = scores.get((_address(system), task))
                if value is None:
                    axes.add_patch(_missing_cell(i, j))
                    continue
                grid[i, j] = value
                text = f"{value:.2f}"
                ink = "white" if value < 0.5 else "black"
                axes.text(j, i, text if len(systems) <= 6 else text.removeprefix("0"), ha="center", va="center", c=ink)
        image = axes.imshow(grid, cmap="cividis", vmin=0, vmax=1, aspect="auto")
        names = [_system_name(system) for system in systems]
        many = len(systems) > 3 or max(map(len, names)) > 14
        turned: dict[str, Any] = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if many else {}
        axes.set_xticks(range(len(systems)), names, parse_math=False, **turned)
        axes.set_yticks(range(len(ids)), [shorten(task, 14) for task in ids], parse_math=False)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set_ylabel("task")
        bar = figure.colorbar(image, ax=axes, location="top", aspect=30, pad=0.02)
        bar.set_label("mean Score = PAS × NAS (0 to 1)")
        bar.outline.set_visible(False)
        if np.isnan(grid).any():
            figure.legend(
                handles=[Patch(label="no data", **_MISSING)], loc="outside lower left", handlelength=1.2, borderpad=0
            )
    return figure


_MISSING: Mapping[str, Any] = {"facecolor": "white", "edgecolor": "#999999", "hatch": "//////", "lw": 0}


def _missing_cell(i: int, j: int) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((j - 0.5, i - 0.5), 1, 1, zorder=3, **_MISSING)


def _address(row: Mapping[str, Any]) -> tuple[str, str]:
    return str(row["system"]), str(row["condition"])


def figure_failure_modes(systems: Rows) -> Figure:
    """Return figure 3 of the paper: shares of the failure modes A to D, of all attempted trials, per system.

    Trials whose mode is not known (no code was kept, or a score is undefined) are a share of their own.
    """
    from matplotlib.patches import Patch

    if not systems:
        return _no_trials()
    with style():
        figure = new_figure(COLUMN_WIDTH, (30 + 7 * max(len(systems), 2)) * MM)
        axes = figure.add_subplot()
        for i, row in enumerate(systems):
            left = 0.0
            for mode, _, colour, hatch in MODES:
                share = 100 * float(row[f"share_{mode}"])
                axes.barh(i, share, 0.7, left, color=colour, hatch=hatch, edgecolor="white", lw=0.5)
                if share >= 10:
                    box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
                    axes.text(left + share / 2, i, f"{share:.0f}", ha="center", va="center", bbox=box)
                left += share
        _system_axis(axes, systems)
        axes.set_xlim(0, 100)
        axes.set_xlabel("share of attempted trials [%]")
        handles = [Patch(facecolor=c, hatch=h, edgecolor="white", label=name) for _, name, c, h in MODES]
        _legend(figure, handles, 2)
    return figure
