"""How strong a fault of a posterior must be for its check to see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reliability.figure_style import BLUE, MM, VERMILION, new_figure, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 174 * MM
N_COLUMNS = 4

Rows = Sequence[Mapping[str, Any]]


def figure_posterior_detection(detections: Rows, alarms: Rows) -> Figure:
    """Return the share of faulty posteriors that are flagged against the fault's strength, with 95 % intervals.

    `detections` and `alarms` are what :func:`~reliability.validation.posterior_rates.posterior_rates` returns. The
    dashed line is the share of healthy posteriors on which the same check raises a false alarm.
    """
    faults: dict[str, list[Mapping[str, Any]]] = {}
    for row in detections:
        faults.setdefault(row["fault"], []).append(row)
    false = {row["check"]: row["rate"] for row in alarms}
    n_rows = -(-len(faults) // N_COLUMNS)
    with style():
        figure = new_figure(WIDTH, 52 * MM * n_rows)
        panels = figure.subplots(n_rows, N_COLUMNS, sharey=True, squeeze=False)
        for axes in panels.flat[len(faults) :]:
            axes.set_axis_off()
        for axes, (fault, rows) in zip(panels.flat, faults.items(), strict=False):
            _draw(axes, fault, rows, false[rows[0]["check"]])
        for axes in panels[:, 0]:
            axes.set_ylabel("posteriors flagged [%]")
    return figure


def _draw(axes: Axes, fault: str, rows: Rows, false_alarm: float) -> None:
    strengths = [row["strength"] for row in rows]
    rates, low, high = ([100 * row[name] for row in rows] for name in ("rate", "rate_low", "rate_high"))
    errors = [[r - a for r, a in zip(rates, low, strict=True)], [b - r for r, b in zip(rates, high, strict=True)]]
    axes.errorbar(strengths, rates, yerr=errors, color=BLUE, marker="o", markersize=3, linewidth=1, capsize=1.5)
    axes.axhline(100 * false_alarm, color=VERMILION, linestyle="--", linewidth=0.8)
    axes.set_title(f"{fault}: {rows[0]['check'].replace('_', ' ')}", loc="left", fontsize=7)
    axes.set_xlabel(rows[0]["strength_is"])
    axes.set_ylim(-4, 104)
    if max(strengths) > 20 * min(strengths):
        axes.set_xscale("log")
    if strengths[0] > strengths[-1]:  # the stronger, the further right
        axes.invert_xaxis()
