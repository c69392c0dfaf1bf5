"""What each score notices of an error in one parameter: the detection limits, task by task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from reliability.figure_style import FONT_SIZE, MM, new_figure, style
from reliability.tasks import PARAMETER_WORDS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from reliability.validation.limits import DetectionLimit
    from reliability.validation.noticing import Score

WIDTH = 174 * MM
"""Two journal columns."""
PANELS: Sequence[tuple[Score, str]] = (
    ("pas", "PAS falls below 0.999"),
    ("nas", "NAS falls below 0.999, or what right answers have"),
    ("mode", "mode is no longer D (correct)"),
    ("accurate", "no longer accurate"),
)
LOW, HIGH = 0.01, 100.0
"""Ends of the colours, in per cent."""
NEVER = "not with both signs, up to twice the right value or a tenth"
_MISSING = {"never": ("//////", "#F2F2F2"), "not computed": ("", "white")}


def figure_detection_limits(limits: Sequence[DetectionLimit]) -> Figure:
    """Return a panel a score: parameter against task, the size in per cent from which errors of both signs are noticed.

    Where the right value is 0 (omk) the size is absolute, times 100. An error that is not noticed with one of the signs
    is never noticed for sure: hatched. An estimate, for want of runs, is in italics.
    """
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LogNorm
    from matplotlib.patches import Patch

    tasks = sorted({limit.task for limit in limits})
    found = {limit.parameter for limit in limits}
    parameters = [*(p for p in PARAMETER_WORDS if p in found), *sorted(found - set(PARAMETER_WORDS))]
    with style():
        figure = new_figure(WIDTH, (30 + 2 * 5.2 * max(len(parameters), 3)) * MM)
        norm = LogNorm(LOW, HIGH)
        for axes, (score, title) in zip(figure.subplots(2, 2, sharex=True, sharey=True).flat, PANELS, strict=True):
            axes.set_title(title, loc="left")
            for limit_pair in _pairs(limits, score).values():
                place = tasks.index(limit_pair[0].task), parameters.index(limit_pair[0].parameter)
                _draw_cell(axes, place, limit_pair, norm)
            axes.set_xlim(-0.5, len(tasks) - 0.5)
            axes.set_ylim(len(parameters) - 0.5, -0.5)
            axes.set_xticks(range(len(tasks)), [task.removeprefix("t") for task in tasks])
            axes.set_yticks(range(len(parameters)), parameters)
            axes.tick_params(length=0)
            axes.spines[:].set_visible(False)
        for axes in figure.axes[2:]:
            axes.set_xlabel("task")
        figure.supylabel("parameter", fontsize=FONT_SIZE)
        bar = figure.colorbar(ScalarMappable(norm, "cividis"), ax=figure.axes, location="top", aspect=60, extend="both")
        bar.set_label(
            "smallest error that is noticed, whatever its sign [% of the right value; omk = 0: absolute × 100]"
        )
        bar.outline.set_visible(False)
        hatch, colour = _MISSING["never"]
        never = Patch(facecolor=colour, edgecolor="#999999", hatch=hatch, lw=0, label=NEVER)
        others = Patch(facecolor="none", lw=0, label="italics: estimated, ?: runs still to be made")
        figure.legend(handles=[never, others], loc="outside lower right", ncols=2, handlelength=1.2, borderpad=0)
    return figure


def _pairs(limits: Sequence[DetectionLimit], score: Score) -> dict[tuple[str, str], list[DetectionLimit]]:
    """Return the limits of one score, both signs together."""
    pairs: dict[tuple[str, str], list[DetectionLimit]] = {}
    for limit in limits:
        if limit.score == score:
            pairs.setdefault((limit.task, limit.parameter), []).append(limit)
    return pairs


def _draw_cell(axes: Axes, place: tuple[int, int], limits: Sequence[DetectionLimit], norm: Any) -> None:
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    corner = place[0] - 0.47, place[1] - 0.45
    statuses = {limit.status for limit in limits}
    sizes = [100.0 * limit.limit for limit in limits if limit.limit is not None]
    missing = next((status for status in _MISSING if status in statuses), None)
    if missing is not None or not sizes:
        hatch, colour = _MISSING[missing or "not computed"]
        axes.add_patch(Rectangle(corner, 0.94, 0.9, facecolor=colour, edgecolor="#999999", hatch=hatch, lw=0))
        if missing != "never":
            axes.text(*place, "?", ha="center", va="center", fontsize=5)
        return
    size = max(sizes)
    share = float(np.clip(norm(size), 0.0, 1.0))
    axes.add_patch(Rectangle(corner, 0.94, 0.9, facecolor=colormaps["cividis"](share), lw=0))
    slant = "italic" if "estimated" in statuses else "normal"
    ink = "white" if share < 0.5 else "black"
    axes.text(*place, percent(size), ha="center", va="center", fontsize=4.5, color=ink, style=slant)


def percent(size: float) -> str:
    """Return a size in per cent in at most four characters.

    >>> [percent(v) for v in (0.0421, 0.7, 5.1, 52.6, 1e-10)]
    ['.042', '.70', '5.1', '53', '~0']
    """
    if size < 5e-4:
        return "~0"
    if size < 1.0:
        return f"{size:.3f}"[1:] if size < 0.0995 else f"{size:.2f}"[1:]
    return f"{size:.1f}" if size < 9.95 else f"{size:.0f}"
