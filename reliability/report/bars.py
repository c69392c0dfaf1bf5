"""The two drawings of the first page: an interval on the line from 0 to 1, and stacked shares. Plain SVG."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from reliability.figure_style import shorten
from reliability.report.overview import SystemRow
from reliability.report.verdicts import VERDICTS

WIDTH = 460
ROW = 40
LEGEND = 46
_LENGTH = 120


def interval_bar(value: float | None, low: float | None, high: float | None) -> Markup:
    """Return a value in [0, 1] as a dot with its interval; the numbers stand beside it in the table."""
    if value is None:
        return Markup("")
    parts = ['<path class="zero" d="M8 13H128M8 9V17M128 9V17"/>']
    if low is not None and high is not None:
        parts.append(f'<path class="whisker" d="M{8 + _LENGTH * low:.1f} 13H{8 + _LENGTH * high:.1f}"/>')
    parts.append(f'<circle class="dot" cx="{8 + _LENGTH * value:.1f}" cy="13" r="4"/>')
    return Markup(f'<svg class="bar" viewBox="0 0 136 18" aria-hidden="true">{"".join(parts)}</svg>')


def verdict_bars(rows: Sequence[SystemRow]) -> Markup:
    """Return the shares of what each system's trials come to, as stacked bars with their per cents."""
    seen = [v for v in VERDICTS if any(v == found for row in rows for found, _ in row.verdicts)]
    parts = []
    for i, v in enumerate(seen):
        x, y = 4 + 152 * (i % 3), 4 + 19 * (i // 3)
        parts.append(f'<rect class="s-{v.id}" x="{x}" y="{y}" width="13" height="11"/>')
        parts.append(f'<text x="{x + 18}" y="{y + 10}">{v.mark} {v.words}</text>')
    for i, row in enumerate(rows):
        parts += _stack(row, LEGEND + ROW * i)
    words = "; ".join(f"{row.name}: " + ", ".join(f"{n} {v.words}" for v, n in row.verdicts) for row in rows)
    alt = escape(words if len(words) <= 2000 else f"What the trials of {len(rows)} systems come to; see the table.")
    height = LEGEND + ROW * len(rows)
    head = f'<svg class="modes" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{alt}">'
    return Markup(head + "".join(parts) + "</svg>")


def _stack(row: SystemRow, top: int) -> list[str]:
    total = sum(n for _, n in row.verdicts)
    parts = [f'<text x="4" y="{top + 12}">{escape(shorten(row.name, 48))}</text>']
    x = 4.0
    for v, n in row.verdicts:
        width = (WIDTH - 8) * n / total
        parts.append(f'<rect class="s-{v.id}" x="{x:.1f}" y="{top + 17}" width="{width:.1f}" height="17"/>')
        if width >= 40:
            share = f"{100 * n / total:.0f} %"
            words = f"{v.mark} {share}" if width >= 52 else share
            parts.append(f'<text class="on mid" x="{x + width / 2:.1f}" y="{top + 30}">{words}</text>')
        x += width
    return parts
