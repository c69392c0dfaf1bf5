"""One trial: an agent's curve against the reference, and what separates them."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from reliability.curve_comparison import drawable, has_log_x, pretty_label, residual, y_scale
from reliability.figure_style import BLACK, COLUMN_WIDTH, MM, VERMILION, new_figure, shorten, style
from reliability.records import Curve, Reference, Task, TrialScore, UnreadableCurve
from reliability.tables import clean_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from reliability.records import FloatArray


def figure_curve(
    task: Task, curve: Curve | UnreadableCurve | None, reference: Reference, score: TrialScore | None = None
) -> Figure:
    """Return an agent's curve against the reference, with the residual below.

    The residual is relative where the reference keeps its sign (their ratio, if it is far from 1), else in units of the
    reference's range. It is taken on the reference's grid, where the agent has values. Without a curve the reference
    stands alone, and the reason is given.
    """
    with style():
        figure = new_figure(COLUMN_WIDTH, 86 * MM)
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(2.2, 1))
        if has_log_x(task.grid):
            lower.set_xscale("log")
        upper.plot(reference.x, reference.y, color=BLACK, lw=1.6, label="reference")
        if isinstance(curve, Curve) and curve.x.size:
            y = drawable(curve.y, reference.y)
            n_hidden = _scale(upper, y, reference.y)
            label = f"agent ({n_hidden} values ≤ 0 not shown)" if n_hidden else "agent"
            upper.plot(curve.x, y, label=label, ls=(0, (4, 1.5)), **_agent_look(curve.x.size))
            _plot_residual(lower, reference, curve.x, y)
        else:
            _scale(upper, reference.y, reference.y)
            reason = curve.reason if isinstance(curve, UnreadableCurve) else "the agent left no curve"
            _write_in(lower, shorten(reason, 55))
        lower.set_xlabel(_pretty(task.x_label), parse_math=False)
        upper.set_ylabel(_pretty(task.y_label), parse_math=False)
        upper.legend()
        figure.suptitle("\n".join(_title(task, score)), x=0.01, ha="left", parse_math=False)
        figure.align_ylabels()
    return figure


def _agent_look(n: int) -> dict[str, Any]:
    # a fraction spaces the markers evenly on paper, also on a logarithmic axis
    return {"color": VERMILION, "marker": "o", "ms": 2.5, "markevery": 0.09 if n > 20 else 1}


def _write_in(axes: Axes, text: str) -> None:
    axes.set_yticks([])
    axes.text(0.5, 0.5, text, ha="center", va="center", transform=axes.transAxes, parse_math=False)


def _scale(axes: Axes, y: FloatArray, reference: FloatArray) -> int:
    """Choose the y scale on which both curves can be seen; return how many of the agent's values it cannot show."""
    kind = y_scale(y, reference)
    if kind == "log":
        axes.set_yscale("log", nonpositive="mask")
        return int((y <= 0).sum())
    if kind == "symlog":
        _set_symlog(axes, float(np.abs(reference).max()))
    return 0


def _set_symlog(axes: Axes, linear: float) -> None:
    from matplotlib.ticker import SymmetricalLogLocator

    axes.set_yscale("symlog", linthresh=linear)
    locator = SymmetricalLogLocator(base=10, linthresh=linear)
    locator.set_params(numticks=4)
    axes.yaxis.set_major_locator(locator)


def _plot_residual(axes: Axes, reference: Reference, x: FloatArray, y: FloatArray) -> None:
    """Plot what separates the agent's curve from the reference."""
    left = residual(reference, x, y)
    if left is None:
        _write_in(axes, "no common x")
        return
    axes.plot(left.x, left.values, **_agent_look(left.x.size))
    axes.axhline(1 if left.kind == "ratio" else 0, color=BLACK, lw=0.6)
    axes.set_ylabel(_RESIDUAL_LABELS[left.kind])
    if left.kind == "ratio":
        axes.set_yscale("log")
    elif np.abs(left.values).max() > 1000:
        _set_symlog(axes, 1.0)


_RESIDUAL_LABELS = {
    "ratio": "agent / reference",
    "relative": "agent/ref. - 1\n[%]",
    "range": "difference\n[% of range]",
}


def _pretty(label: str) -> str:
    return shorten(pretty_label(label), 44)


def _title(task: Task, score: TrialScore | None) -> list[str]:
    lines = [shorten(f"{task.id}  {task.title}", 56)]
    if score is None:
        return lines
    numbers = (("PAS", score.pas), ("NAS", score.nas), ("Score", score.score))
    esr = "–" if score.esr is None else str(score.esr)
    words = [f"ESR {esr}", *(f"{name} {'–' if v is None else f'{v:.3f}'}" for name, v in numbers)]
    verdict = {1: "accurate", 0: "not accurate", None: "accuracy unknown"}[score.accurate]
    lines.append(f"{shorten(score.system, 20)}, trial {score.trial}: mode {score.mode or 'unknown'}, {verdict}")
    lines.append("   ".join(words))
    reason = score.esr_reason or score.unscored_reason or score.notes
    return lines + textwrap.wrap(clean_text(reason), 56, max_lines=3, placeholder=" …")
