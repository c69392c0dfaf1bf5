"""The evaluator under stress: which edits change which score, and whether better answers outscore worse ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from reliability.figure_style import BLACK, BLUE, GREEN, MM, ORANGE, SKY, VERMILION, new_figure, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 174 * MM
SCORES = (
    # name, label, colour, marker
    ("esr", "ESR", BLACK, "o"),
    ("pas", "PAS", BLUE, "s"),
    ("nas", "NAS", ORANGE, "^"),
    ("score", "Score", VERMILION, "D"),
    ("mode", "mode", SKY, "v"),
    ("accurate", "accurate", GREEN, "P"),
)
_LABELS: Mapping[str, str] = {name: label for name, label, _, _ in SCORES}

Rows = Sequence[Mapping[str, Any]]


def figure_edit_effects(edits: Rows) -> Figure:
    """Return how often each edit changes each score, in per cent of the answers it was made on.

    `edits` are rows of :func:`~reliability.validation.stress.edit_rows`. Left, edits that should change nothing, right
    those that should; a frame marks what each must change.
    """
    same = [row for row in edits if row["target"] != "answer"]
    mattering = [row for row in edits if row["target"] == "answer"]
    longest = max(len({row["edit"] for row in rows}) for rows in (same, mattering))
    with style():
        figure = new_figure(WIDTH, (26 + 3.4 * max(longest, 3)) * MM)
        panels = figure.subplots(1, 2)
        images = [
            _draw_edits(panels[0], same, "edits that should change nothing"),
            _draw_edits(panels[1], mattering, "edits that matter (framed: must change)"),
        ]
        bar = figure.colorbar(images[0], ax=list(panels), location="top", aspect=60, pad=0.02)
        bar.set_label("answers whose score changed [%]")
        bar.outline.set_visible(False)
    return figure


def _draw_edits(axes: Axes, rows: Rows, title: str) -> Any:
    from matplotlib.patches import Rectangle

    names = list(dict.fromkeys(row["edit"] for row in rows))
    scores = list(dict.fromkeys(row["score"] for row in rows))
    grid = np.full((len(names), len(scores)), np.nan)
    for row in rows:
        i, j = names.index(row["edit"]), scores.index(row["score"])
        grid[i, j] = 100.0 * row["share"]
        ink = "white" if row["share"] < 0.5 else "black"
        axes.text(j, i, f"{grid[i, j]:.0f}", ha="center", va="center", color=ink, fontsize=5)
        if row["should_change"]:
            axes.add_patch(Rectangle((j - 0.46, i - 0.44), 0.92, 0.88, fill=False, ec=VERMILION, lw=0.8))
    image = axes.imshow(grid, cmap="cividis", vmin=0, vmax=100, aspect="auto")
    axes.set_title(title, loc="left")
    axes.set_xticks(range(len(scores)), [_LABELS.get(s, s) for s in scores], rotation=45, ha="right")
    axes.set_yticks(range(len(names)), names, parse_math=False)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return image


def figure_ordering(orders: Rows) -> Figure:
    """Return the probability that the better of two answers outscores the worse, per family and score, with intervals.

    `orders` are rows of :func:`reliability.validation.stress.order_rows`. 1/2 (dashed) is what a coin would do.
    """
    from matplotlib.lines import Line2D

    families = list(dict.fromkeys(row["family"] for row in orders))
    with style():
        figure = new_figure(WIDTH, (24 + 8 * max(len(families), 2)) * MM)
        axes = figure.add_subplot()
        for i, family in enumerate(families):
            if i % 2:
                axes.axhspan(i - 0.5, i + 0.5, color="#F2F2F2", lw=0, zorder=0)
            for j, (score, _, colour, marker) in enumerate(SCORES):
                row = next((r for r in orders if (r["family"], r["score"]) == (family, score)), None)
                if row is None or row["probability"] is None:
                    continue
                y = i + 0.13 * (j - 2.5)
                axes.plot([row["probability_low"], row["probability_high"]], [y, y], color=colour, lw=0.8)
                axes.plot(row["probability"], y, marker, color=colour, ms=3.5, mec="white", mew=0.4, clip_on=False)
        axes.axvline(0.5, color=BLACK, lw=0.6, ls="--", zorder=0.5)
        axes.set_yticks(range(len(families)), ["all pairs" if f == "all" else f for f in families], parse_math=False)
        axes.set_ylim(len(families) - 0.5, -0.5)
        axes.set_xlim(0, 1)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("probability that the better answer outscores the worse (ties: half), with 95 % interval")
        handles = [Line2D([], [], color=c, marker=m, ms=4, lw=1, label=name) for _, name, c, m in SCORES]
        figure.legend(handles=handles, loc="outside upper center", ncols=len(SCORES), columnspacing=1.2)
    return figure
