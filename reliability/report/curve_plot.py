"""One trial as a small drawing: the agent's curve over the reference, the residual below. Plain SVG, same bytes always.

Colours come from the page's style, so that the drawing follows light, dark and print.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from markupsafe import Markup, escape

from reliability.curve_comparison import Residual, drawable, has_log_x, pretty_label, residual, y_scale
from reliability.report.scales import Kind, Scale, make_scale, number
from reliability.report.thinning import thin
from reliability.report.verdicts import sentence
from reliability.tables import clean_text

if TYPE_CHECKING:
    from reliability.records import Curve, FloatArray, Reference, Task

WIDTH, HEIGHT = 460, 300
LEFT, RIGHT = 58, 452
UPPER, LOWER = (26, 176), (206, 270)
"""From top to bottom, both panels."""
Series = Literal["reference", "agent", "residual"]
_LABELS = {"ratio": "agent / reference", "relative": "agent / reference − 1 [%]", "range": "difference [% of range]"}


@dataclass(frozen=True, slots=True)
class CurvePlot:
    """A drawing, what it shows in words, and the points in it."""

    svg: Markup
    alt: str
    caption: str
    points: tuple[tuple[Series, FloatArray, FloatArray], ...]
    """(which curve, x, y) as drawn."""


def plot_curve(task: Task, curve: Curve | None, reference: Reference) -> CurvePlot:
    """Return the drawing of one trial; without a curve the reference stands alone."""
    x_scale = make_scale("log" if has_log_x(task.grid) else "linear", reference.x, margin=0.0)
    agent = drawable(curve.y, reference.y) if curve is not None and curve.x.size else None
    kind, shown = _kind_and_values(agent, reference.y)
    upper = _Panel(UPPER, x_scale, make_scale(kind, shown, linear=float(np.abs(reference.y).max()) or 1.0))
    parts = [upper.frame(with_numbers=False), upper.line("ref", reference.x, reference.y)]
    points: list[tuple[Series, FloatArray, FloatArray]] = [("reference", *upper.drawn)]
    left = None
    if curve is not None and agent is not None:
        parts.append(upper.line("agent", curve.x, agent))
        points.append(("agent", *upper.drawn))
        left = residual(reference, curve.x, agent)
    lower = _Panel(LOWER, x_scale, _residual_scale(left))
    if left is None:
        parts.append(lower.along(with_numbers=True))
    else:
        parts.append(lower.frame(with_numbers=True, level=1.0 if left.kind == "ratio" else 0.0))
        parts.append(lower.line("residual", left.x, left.values))
        points.append(("residual", *lower.drawn))
    parts.append(_words(task, left, has_agent=agent is not None))
    alt = _alt(task, left, has_agent=agent is not None)
    n_hidden = int((agent <= 0).sum()) if agent is not None and kind == "log" else 0
    caption = _caption(task, left, kind, n_hidden, has_agent=agent is not None) + _drawn(
        len(points[0][1]), reference.x.size
    )
    head = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(alt)}">'
    return CurvePlot(Markup(head + "".join(parts) + "</svg>"), alt, caption, tuple(points))


def _kind_and_values(agent: FloatArray | None, reference: FloatArray) -> tuple[Kind, FloatArray]:
    y = reference if agent is None else agent
    return y_scale(y, reference), np.concatenate([y, reference])


def _residual_scale(left: Residual | None) -> Scale:
    if left is None:
        return Scale("linear", -1.0, 1.0)
    if left.kind == "ratio":
        return make_scale("log", np.append(left.values, 1.0), margin=0.1)
    if np.abs(left.values).max() > 1000:
        return make_scale("symlog", left.values)
    return make_scale("linear", np.append(left.values, 0.0), margin=0.1)


class _Panel:
    """One pair of axes; `drawn` holds the points of the line drawn last."""

    def __init__(self, rows: tuple[int, int], x: Scale, y: Scale) -> None:
        self.top, self.bottom = rows
        self.x, self.y = x, y
        self.drawn: tuple[FloatArray, FloatArray] = (np.empty(0), np.empty(0))

    def line(self, name: str, x: FloatArray, y: FloatArray) -> str:
        """Return a line through the points that a pixel can show; gaps where the scale has no place for a value."""
        along = self.x.positions(x)
        kept = thin(along, y)
        self.drawn = (x[kept], y[kept])
        px = LEFT + (RIGHT - LEFT) * along[kept]
        py = self.bottom - (self.bottom - self.top) * np.clip(self.y.positions(y[kept]), -0.02, 1.02)
        if len(px) == 1:
            return f'<circle class="{name}-dot" cx="{px[0]:.1f}" cy="{py[0]:.1f}" r="2.5"/>'
        steps, pen = [], "M"
        for a, b in zip(px.tolist(), py.tolist(), strict=True):
            if math.isnan(b):
                pen = "M"
                continue
            steps.append(f"{pen}{a:.1f} {b:.1f}")
            pen = "L"
        return f'<path class="{name}" d="{"".join(steps)}"/>'

    def frame(self, *, with_numbers: bool, level: float | None = None) -> str:
        """Return both axes with ticks and numbers; `level` is a thin line across."""
        parts = [f'<path class="axis" d="M{LEFT} {self.top}V{self.bottom}"/>', self.along(with_numbers=with_numbers)]
        ticks = self.y.ticks(6 if self.bottom - self.top > 100 else 4)
        for value, y in zip(ticks, self._rows(ticks), strict=True):
            parts.append(f'<path class="tick" d="M{LEFT - 4} {y:.1f}H{LEFT}"/>')
            parts.append(f'<text class="end" x="{LEFT - 7}" y="{y + 4:.1f}">{number(value)}</text>')
        if level is not None:
            parts.append(f'<path class="level" d="M{LEFT} {self._rows([level])[0]:.1f}H{RIGHT}"/>')
        return "".join(parts)

    def along(self, *, with_numbers: bool) -> str:
        """Return the x axis alone."""
        parts = [f'<path class="axis" d="M{LEFT} {self.bottom}H{RIGHT}"/>']
        ticks = self.x.ticks(6)
        for value, p in zip(ticks, self.x.positions(np.array(ticks)).tolist(), strict=True):
            x = LEFT + (RIGHT - LEFT) * p
            parts.append(f'<path class="tick" d="M{x:.1f} {self.bottom}v4"/>')
            if with_numbers:
                parts.append(f'<text class="mid" x="{x:.1f}" y="{self.bottom + 16}">{number(value)}</text>')
        return "".join(parts)

    def _rows(self, values: list[float]) -> list[float]:
        places = self.bottom - (self.bottom - self.top) * self.y.positions(np.array(values))
        return [float(y) for y in places]


def _words(task: Task, left: Residual | None, *, has_agent: bool) -> str:
    y_label, x_label = (escape(clean_text(pretty_label(t))[:44]) for t in (task.y_label, task.x_label))
    parts = [f'<text x="{LEFT - 50}" y="14">{y_label}</text>']
    parts.append('<path class="ref" d="M268 10h24"/><text x="297" y="14">reference</text>')
    if has_agent:
        parts.append('<path class="agent" d="M372 10h24"/><text x="401" y="14">agent</text>')
    below = _LABELS[left.kind] if left else ("no common x" if has_agent else "the agent left no curve")
    parts.append(f'<text x="{LEFT - 50}" y="{LOWER[0] - 10}">{below}</text>')
    parts.append(f'<text class="end" x="{RIGHT}" y="{HEIGHT - 2}">{x_label}</text>')
    return "".join(parts)


def _alt(task: Task, left: Residual | None, *, has_agent: bool) -> str:
    what = f"{clean_text(task.y_label)} against {clean_text(task.x_label)}"
    if not has_agent:
        return f"{what}: the reference alone, the agent left no curve."
    if left is None:
        return f"{what}: agent and reference have no x in common."
    centre = 1.0 if left.kind == "ratio" else 0.0
    middle = float(np.median(left.values))
    distance = np.abs(np.log(left.values)) if left.kind == "ratio" else np.abs(left.values - centre)
    at = int(np.argmax(distance))
    worst = f"{number(float(left.values[at]))} at {number(float(left.x[at]), 4)}"
    return f"{what}, agent over reference. {_LABELS[left.kind]}: median {number(middle)}, farthest {worst}."


def _caption(task: Task, left: Residual | None, kind: Kind, n_hidden: int, *, has_agent: bool) -> str:
    unit = pretty_label(clean_text(task.unit)) or "no unit"
    curves = "reference (solid) and agent (dashed)" if has_agent else "the reference; the agent left no curve"
    text = f"{sentence(pretty_label(clean_text(task.quantity)))[:-1]}: {curves}, in {unit}."
    if left is not None:
        text += f" Below: {_LABELS[left.kind]}."
    if kind == "symlog":
        text += " The vertical scale is linear up to the reference's largest value, logarithmic above."
    return text + (f" {n_hidden} of the agent's values are not positive and not shown." if n_hidden else "")


def _drawn(n_drawn: int, n: int) -> str:
    return f" {n_drawn} of {n} points are drawn." if n_drawn < n else ""
