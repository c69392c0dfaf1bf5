"""One wrong curve with its explanation: agent, reference, and what the diagnosis says the agent's values are."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import numpy as np

from reliability.curve_figures import figure_curve
from reliability.figure_style import SKY, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from reliability.diagnosis import Diagnosis
    from reliability.records import Curve, Reference, Task


def figure_diagnosis(task: Task, curve: Curve, reference: Reference, diagnosis: Diagnosis) -> Figure:
    """Return the agent's curve over the reference, and over both the curve that the first explanation gives.

    Where the explanation is right, its broad line lies under the agent's curve. Without one the figure says so.
    """
    figure = figure_curve(task, curve, reference)
    upper = figure.axes[0]
    with style():
        first = next((e for e in diagnosis.explanations if not np.array_equal(e.y, reference.y)), None)
        if first is not None:
            limits = upper.get_ylim()
            upper.plot(first.x, first.y, color=SKY, lw=3.2, label=f"explained: {first.id}", zorder=1.9)
            upper.set_ylim(limits)
            upper.legend()
        verdict = "accurate" if diagnosis.status == "accurate" else diagnosis.sentence
        lines = [f"{task.id}  {task.title}", *textwrap.wrap(verdict, 56, max_lines=4, placeholder=" …")]
        figure.suptitle("\n".join(lines), x=0.01, ha="left", parse_math=False)
    return figure
