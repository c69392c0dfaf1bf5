"""What goes to stdout, results only, and to stderr, everything else."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence

from reliability.text_tables import text_table

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
    print("\n".join(text_table(header, rows)))


def say(message: str) -> None:
    """Tell a person something that is no result."""
    print(message, file=sys.stderr)
