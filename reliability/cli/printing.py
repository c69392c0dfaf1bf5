"""What goes to stdout, results only, and to stderr, everything else."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence

from reliability.tables import clean_text

_COLUMNS = {
    "system": "system", "attempted": "trials", "completed": "output", "esr": "ESR", "pas": "PAS", "nas": "NAS",
    "score": "Score", "n_A": "A", "n_B": "B", "n_C": "C", "n_D": "D", "n_unknown": "?", "accurate": "accurate",
    "wrong": "wrong", "silent_failure": "silent", "unscored": "unscored",
}  # fmt: skip
"""Columns of ``systems.csv`` that go to the terminal, and their headings there."""


def print_systems(rows: Iterable[Mapping[str, object]]) -> None:
    """Print the rows of ``systems.csv``, the columns a terminal has room for."""
    print_table(tuple(_COLUMNS.values()), [[row[name] for name in _COLUMNS] for row in rows])


def print_json(value: object) -> None:
    """Print strict JSON; what UTF-8 has no bytes for is escaped."""
    text = json.dumps(value, indent=2, allow_nan=False, ensure_ascii=False)
    print(text.encode("utf-8", "backslashreplace").decode())


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print aligned columns; a missing value is a dash."""
    table = [tuple(header), *[tuple(_cell(value) for value in row) for row in rows]]
    widths = [max(len(row[i]) for row in table) for i in range(len(header))]
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3f}" if value == 0 or abs(value) >= 1e-3 else f"{value:.1e}"
    return clean_text(str(value))  # an agent's text must not steer the terminal


def say(message: str) -> None:
    """Tell a person something that is no result."""
    print(message, file=sys.stderr)
