"""Figures of a validation: what the judge notices and names, and where the paper's mode D lets a wrong curve pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reliability.figure_style import BLUE, COLUMN_WIDTH, GREEN, MM, ORANGE, VERMILION, new_figure, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Rows = Sequence[Mapping[str, Any]]
Share = tuple[str, str, str, str]
"""Column, label, colour, marker."""

NOTICED = (
    ("noticed", "wrong, and noticed", BLUE, "o"),
    ("named", "named, where a name is known", GREEN, "s"),
    ("false_alarm", "right, but not believed", VERMILION, "D"),
)
LENIENT = (("wrong_in_mode_D", "wrong, but mode D", ORANGE, "^"),)


def figure_kinds(kinds: Rows) -> Figure:
    """Return, for each kind of fault, the shares noticed and named, and of right answers not believed, with intervals.

    `kinds`: rows of ``kinds.csv``. A share without any trial is not drawn.
    """
    return _dots(kinds, NOTICED, "share of curves (fault × task)\nwith 95 % interval (Wilson)")


def figure_mode_d(kinds: Rows) -> Figure:
    """Return the share of wrong curves that the paper's rule calls correct (mode D), for each kind of fault."""
    return _dots(kinds, LENIENT, "share of wrong curves in mode D\nwith 95 % interval (Wilson)")


def _dots(kinds: Rows, shares: Sequence[Share], label: str) -> Figure:
    from matplotlib.lines import Line2D

    kinds = [row for row in kinds if any(row[name] is not None for name, *_ in shares)]
    with style():
        figure = new_figure(COLUMN_WIDTH, (22 + (3 + 2.2 * len(shares)) * max(len(kinds), 2)) * MM)
        axes = figure.add_subplot()
        for i, row in enumerate(kinds):
            if i % 2:
                axes.axhspan(i - 0.5, i + 0.5, color="#F2F2F2", lw=0, zorder=0)
            for j, share in enumerate(shares):
                _dot(axes, row, share, i + 0.24 * (j - (len(shares) - 1) / 2))
        axes.set_yticks(range(len(kinds)), [f"{row['kind']} ({row['n_faults']})" for row in kinds])
        axes.set_ylim(len(kinds) - 0.5, -0.5)
        axes.tick_params(axis="y", length=0)
        axes.set_ylabel("kind of fault (number of faults)")
        axes.set_xlim(0, 1)
        axes.grid(axis="x", color="#CCCCCC", lw=0.4)
        axes.set_axisbelow(True)
        axes.set_xlabel(label)
        handles = [Line2D([], [], color=c, marker=m, ms=4, lw=1, label=text) for _, text, c, m in shares]
        figure.legend(handles=handles, loc="outside upper center", ncols=1)
    return figure


def _dot(axes: Axes, row: Mapping[str, Any], share: Share, y: float) -> None:
    name, _, colour, marker = share
    value, low, high = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
    if value is not None:
        axes.plot([low, high], [y, y], color=colour, lw=1, solid_capstyle="butt")
        axes.plot(value, y, marker, color=colour, ms=3.5, mec="white", mew=0.4, clip_on=False, zorder=3)


def figure_modes(modes: Rows) -> Figure:
    """Return the confusion matrix of failure modes: trials by what is true (down) and what is said (across)."""
    from matplotlib.colors import LogNorm

    said = [name for name in modes[0] if name != "true_mode"]
    counts = [[int(row[name]) for name in said] for row in modes]
    with style():
        figure = new_figure(COLUMN_WIDTH, 62 * MM)
        axes = figure.add_subplot()
        most = max(max(row) for row in counts)
        shown = [[max(n, 0.5) for n in row] for row in counts]
        axes.imshow(shown, cmap="Blues", norm=LogNorm(0.5, 4 * max(most, 1)), aspect="auto")
        for i, row in enumerate(counts):
            for j, n in enumerate(row):
                axes.text(j, i, str(n), ha="center", va="center")
        axes.set_xticks(range(len(said)), said)
        axes.set_yticks(range(len(counts)), [str(row["true_mode"]) for row in modes])
        axes.set_xlabel("failure mode said")
        axes.set_ylabel("failure mode true")
        axes.set_title("number of trials")
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
    return figure
