"""``reexecution.csv``: written row by row, and read again by the scores."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any, NamedTuple

from reliability.errors import InputError
from reliability.reexecution.records import Reexecution
from reliability.tables import text_from_cell, write_table

COLUMNS = tuple(field.name for field in fields(Reexecution))
TABLE = "reexecution.csv"
MAX_BYTES = 256 * 2**20

Address = tuple[str, str, str, int]


class Known(NamedTuple):
    """What the scores need of a row."""

    verdict: str
    sha256: str
    """Of the trial's files for which the verdict holds."""


def write_reexecutions(path: Path, rows: Iterable[Reexecution]) -> None:
    """Write the table; the old one stays until the new one is complete."""
    write_table(path, COLUMNS, (dict(zip(COLUMNS, astuple(row), strict=True)) for row in rows))


def read_verdicts(path: Path) -> dict[Address, Known]:
    """Return the verdict on each trial, by address.

    Raises :class:`InputError`, which names file and line, if it is no such table.
    """
    found: dict[Address, Known] = {}
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path}: larger than {MAX_BYTES} bytes, so not a table of re-executions")
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file, strict=True)
            if tuple(next(rows, ())) != COLUMNS:
                raise InputError(f"{path}, line 1: not the columns of {TABLE}")
            for row in rows:
                address, verdict = _read_row(row, f"{path}, line {rows.line_num}")
                found[address] = verdict
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (csv.Error, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not a CSV table in UTF-8: {error}") from None
    return found


def _read_row(row: list[str], place: str) -> tuple[Address, Known]:
    if len(row) != len(COLUMNS):
        raise InputError(f"{place}: {len(row)} cells where {len(COLUMNS)} are needed")
    cells: Mapping[str, str] = dict(zip(COLUMNS, map(text_from_cell, row), strict=True))
    try:
        trial = int(cells["trial"])
    except ValueError:
        raise InputError(f"{place}, column trial: {cells['trial'][:40]!r} is not an integer") from None
    return (cells["system"], cells["task"], cells["condition"], trial), Known(cells["verdict"], cells["sha256"])


def encode(row: Reexecution) -> str:
    """Return a row as JSON on one line."""
    return json.dumps(astuple(row), allow_nan=False)


def decode(content: Any) -> Reexecution:
    """Return the row that `encode` wrote, from its parsed JSON; raises ValueError or TypeError if it is none."""
    if not isinstance(content, list) or len(content) != len(COLUMNS):
        raise ValueError("not a row")
    return Reexecution(*content)
