"""Tables for a terminal and for plain text files: aligned columns, and nothing in a cell that steers a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reliability.tables import clean_text


def text_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return the lines of a table; a missing value is a dash.

    >>> text_table(("name", "value"), [("a", 0.25), ("b", None)])
    ['name  value', 'a     0.250', 'b     -']
    """
    table = [tuple(header), *[tuple(_cell(value) for value in row) for row in rows]]
    widths = [max(len(row[i]) for row in table) for i in range(len(header))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3f}" if value == 0 or abs(value) >= 1e-3 else f"{value:.1e}"
    return clean_text(str(value))
