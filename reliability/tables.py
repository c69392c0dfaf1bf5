"""How numbers and words become cells and back: the tables, and the strict JSON, that a run writes.

Floats are written in the shortest form that reads back to the same number, missing values as empty cells, flags as 0 or
1. Text that an agent controls ends up in spreadsheets, so it is kept to one line without control characters, and text
that a spreadsheet would take for a formula gets a leading apostrophe, which `read_scores` takes off again.
"""

from __future__ import annotations

import csv
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import Any

from reliability.errors import InputError
from reliability.records import ParameterScore, TrialScore

SCORE_COLUMNS = tuple(f.name for f in fields(TrialScore) if f.name != "parameters")
PARAMETER_COLUMNS = (
    *("system", "task", "trial", "parameter", "value", "reference", "eps", "weight", "state", "line", "reason"),
    *("condition", "is_extended"),
)
"""The last two tell trials of perturbed tasks apart, and the rows that count in ``pas_extended`` only."""
MAX_TEXT = 8000
"""Longer text cells are cut, and end in an ellipsis."""

_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]+")
_UNPRINTABLE = re.compile(r"[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Marks that turn the direction of writing, and so can disguise a file name."""
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "'")
"""The apostrophe is among them so that taking one off again is unambiguous."""


def clean_text(text: str) -> str:
    """Return the text on one line, without control characters and undecodable bytes, at most MAX_TEXT long.

    >>> clean_text("two\\nlines\\x00")
    'two lines'
    """
    if not (text.isascii() and text.isprintable()):
        text = _SURROGATE.sub("\ufffd", _UNPRINTABLE.sub("", _UNSAFE.sub(" ", text)))
    text = text.strip()
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


@lru_cache(maxsize=4096)
def text_cell(text: str) -> str:
    """Return the text as a cell that no spreadsheet takes for a formula.

    >>> text_cell('=HYPERLINK("http://x")')
    '\\'=HYPERLINK("http://x")'
    """
    text = clean_text(text)
    return f"'{text}" if text.startswith(_FORMULA) else text


def text_from_cell(cell: str) -> str:
    """Return the text that `text_cell` made this cell of, but for what it cleaned."""
    return cell[1:] if cell.startswith("'") else cell


def cell(value: object) -> str:
    """Return any value as a cell: ``None`` empty, flags 0 and 1, floats as their shortest exact ``repr``."""
    if value is None:
        return ""
    if isinstance(value, str):
        return text_cell(value)
    if isinstance(value, float):
        return float.__repr__(value)  # of a numpy float, too, just the number
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int):
        return str(value) if value.bit_length() < 1000 else f"an integer of {value.bit_length()} bits"
    if hasattr(value, "item"):  # a numpy scalar
        return cell(value.item())
    raise TypeError(f"a table holds text and numbers, not {type(value).__name__}")


# ---------------------------------------------------------------------------------------------------- rows


_score_values = attrgetter(*SCORE_COLUMNS)


def score_row(score: TrialScore) -> dict[str, object]:
    """Return one row of ``scores.csv``."""
    return dict(zip(SCORE_COLUMNS, _score_values(score), strict=True))


def parameter_rows(score: TrialScore) -> Iterator[dict[str, object]]:
    """Yield the rows of ``parameters.csv`` of one trial. Flags of CAMB are written as True and False, as in code."""
    for p in score.parameters:
        value, reference = (str(v) if isinstance(v, bool) else v for v in (p.value, p.reference))
        address = (score.system, score.task, score.trial, p.parameter)
        rest = (value, reference, p.eps, p.weight, p.state, p.line, p.reason, score.condition, p.is_extended)
        yield dict(zip(PARAMETER_COLUMNS, (*address, *rest), strict=True))


# ---------------------------------------------------------------------------------------------------- writing


class TableFile:
    """A table that grows row by row in a temporary file, and takes its name only by `replace`."""

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        """Start the temporary file with the header."""
        self.path = path
        self._columns = tuple(columns)
        self._temporary = _temporary(path)
        self._file = self._temporary.open("w", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow(self._columns)

    def write(self, row: Mapping[str, object]) -> None:
        """Add one row; a missing column raises ``KeyError``."""
        self._writer.writerow([cell(row[name]) for name in self._columns])

    def write_all(self, rows: Iterable[Mapping[str, object]]) -> None:
        """Add many rows."""
        for row in rows:
            self.write(row)

    def close(self) -> None:
        """Bring all rows to the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def replace(self) -> None:
        """Give the closed file its name, in place of what had it."""
        self._temporary.replace(self.path)

    def discard(self) -> None:
        """Remove the temporary file, if it is still there."""
        self._file.close()
        self._temporary.unlink(missing_ok=True)


def _temporary(path: Path) -> Path:
    return path.with_name(f".{path.name}.tmp")


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> None:
    """Write a CSV table (UTF-8, LF); the old file stays until the new one is complete."""
    table = TableFile(path, columns)
    try:
        table.write_all(rows)
        table.close()
        table.replace()
    finally:
        table.discard()


def write_text(path: Path, text: str) -> None:
    """Write a text file; the old one stays until the new one is complete."""
    temporary = _temporary(path)
    try:
        with temporary.open("wb") as file:
            file.write(text.encode("utf-8", "backslashreplace"))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


# ---------------------------------------------------------------------------------------------------- reading


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _mode(text: str) -> str:
    if text not in ("A", "B", "C", "D"):
        raise ValueError(text)
    return text


_READERS: dict[str, tuple[Callable[[str], Any], str]] = {
    "str": (text_from_cell, "text"),
    "int": (int, "an integer"),
    "int | None": (lambda t: int(t) if t else None, "an integer or nothing"),
    "float | None": (lambda t: _number(t) if t else None, "a finite number or nothing"),
    "FailureMode | None": (lambda t: _mode(t) if t else None, "A, B, C, D or nothing"),
}
_SCORE_READERS = tuple((f.name, *_READERS[str(f.type)]) for f in fields(TrialScore) if f.name != "parameters")


def read_scores(path: Path) -> Iterator[TrialScore]:
    """Yield the trial scores of a ``scores.csv``, without their parameters.

    Raises
    ------
    InputError
        If the file is not exactly such a table; names line and column.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file, strict=True)
            header = tuple(next(rows, ()))
            if header != SCORE_COLUMNS:
                odd = next((n for n in SCORE_COLUMNS if n not in header), "their order, or one too many")
                raise InputError(f"{path}, line 1: not the columns of scores.csv ({odd})")
            for row in rows:
                yield _read_score(row, f"{path}, line {rows.line_num}")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (csv.Error, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not a CSV table in UTF-8: {error}") from None


def _read_score(row: list[str], place: str) -> TrialScore:
    if len(row) != len(SCORE_COLUMNS):
        raise InputError(f"{place}: {len(row)} cells where {len(SCORE_COLUMNS)} are needed")
    values: dict[str, Any] = {}
    for text, (name, read, allowed) in zip(row, _SCORE_READERS, strict=True):
        try:
            values[name] = read(text)
        except ValueError:
            raise InputError(f"{place}, column {name}: {text[:40]!r} is not {allowed}") from None
    return TrialScore(**values)


# ---------------------------------------------------------------------------------------------------- JSON


def strict_json(content: object, *, indent: int | None = 2) -> str:
    """Return JSON that every parser takes: sorted keys, numbers that are not finite as ``null``, a final newline."""
    return json.dumps(_plain(content), indent=indent, sort_keys=True, allow_nan=False, ensure_ascii=False) + "\n"


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _plain(v) for key, v in value.items()}
    if isinstance(value, str | bool) or value is None:
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, int):
        return value if value.bit_length() < 1000 else cell(value)
    if isinstance(value, Iterable):
        return [_plain(v) for v in value]
    return _plain(value.item()) if hasattr(value, "item") else str(value)


_PARAMETER_FIELDS = tuple(f.name for f in fields(ParameterScore))
_parameter_values = attrgetter(*_PARAMETER_FIELDS)


def encode_score(score: TrialScore) -> str:
    """Return the complete record on one line of JSON, from which `decode_score` makes an equal one."""
    content = [*_score_values(score), [_parameter_values(p) for p in score.parameters]]
    try:
        return json.dumps(content, allow_nan=False, default=_scalar)
    except ValueError:  # a number that JSON has no word for, or too long an integer
        return json.dumps(_tagged(content), allow_nan=False, default=_scalar)


def _scalar(value: Any) -> object:
    return value.item()


def _tagged(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_tagged(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": float.__repr__(value)}
    if isinstance(value, int) and value.bit_length() > 1000:
        return {"int": hex(value)}
    return value


def _untagged(values: list[Any]) -> list[Any]:
    """Return the values with what `_tagged` wrapped unwrapped."""
    if any(type(v) is dict for v in values):
        return [_untag(v) if isinstance(v, dict) else v for v in values]
    return values


def _untag(tag: Mapping[str, str]) -> float | int:
    return float(tag["float"]) if "float" in tag else int(tag["int"], 16)


def decode_score(content: list[Any]) -> TrialScore:
    """Return the record that `encode_score` wrote, from its parsed JSON.

    Raises
    ------
    ValueError, TypeError, KeyError
        If it is not such a record.
    """
    *values, parameters = content
    scores = []
    for p in parameters:
        if len(p) != len(_PARAMETER_FIELDS):
            raise ValueError(f"{len(p)} values for {len(_PARAMETER_FIELDS)} fields")
        scores.append(ParameterScore(*_untagged(p)))
    return TrialScore(**dict(zip(SCORE_COLUMNS, _untagged(values), strict=True)), parameters=tuple(scores))
