"""The last resort: values with errors, parsed from a report or a printed table. What comes from here is marked so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from reliability.agent_files import read_bytes
from reliability.posterior_records import Estimate, Posterior
from reliability.posteriors.columns import is_own_column
from reliability.posteriors.limits import MAX_NAME, MAX_PARAMETERS, unreadable

MAX_REPORT = 2**20  # bytes
MAX_LINE = 500
_NUMBER = r"[-+−]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(?:[eE][-+]?\d{1,3})?"
_PLUS_MINUS = r"(?:±|\+/-|\+-|\\pm)"
_SYMMETRIC = re.compile(rf"({_NUMBER})\s{{0,3}}\$?\s{{0,3}}{_PLUS_MINUS}\s{{0,3}}\$?({_NUMBER})")
_ASYMMETRIC = re.compile(
    rf"({_NUMBER})\s{{0,3}}\$?\s{{0,3}}[\^(]?\s?\{{?\s?\+\s?({_NUMBER})\s?\}}?\s?[_/,]?\s?\{{?\s?[-−]\s?({_NUMBER})"
)
_NAME = re.compile(
    r"((?:\\?[A-Za-zΑ-Ωα-ω][\w\\{}^.Α-Ωα-ω*]{0,60}|1\s?-\s?\w{1,20})(?:\([\w\\{}/^ .]{1,40}\))?"
    r"(?:\s?\[[^\[\]]{1,30}\])?)"
    r"\s{0,40}(?:=|:|≈|~|\\approx|\bis\b)?\s{0,40}$"
)
_MARKUP = re.compile(r"[*`$]|\\(?:left|right|,|;|!)|&")
_CELL = re.compile(r"\s*\|\s*")
_VALUE_WORDS = ("median", "mean", "value", "best", "estimate", "result", "posterior")
_ERROR_WORDS = ("std", "sd", "sigma", "err", "uncert", "±", "1σ", "σ")


def read_report(path: Path) -> Posterior:
    """Return the values with errors that a text states, ``name = value ± error``, or a table of them.

    A parameter stated more than once with different values is left out, and said; a value without an error is no
    result here. Raises :class:`InputError` if there is none.
    """
    raw = read_bytes(path, MAX_REPORT)
    if len(raw) > MAX_REPORT:
        raise unreadable(path, f"a report of more than {MAX_REPORT} bytes")
    found: dict[str, Estimate] = {}
    unclear: dict[str, None] = {}
    for name, estimate in values_in_text(raw.decode("utf-8", "replace")):
        if name in found and found[name] != estimate:
            unclear[name] = None
        found.setdefault(name, estimate)
    estimates = {name: estimate for name, estimate in found.items() if name not in unclear}
    if not 0 < len(estimates) <= MAX_PARAMETERS:
        raise unreadable(path, f"{len(estimates)} values with an error stated (1 to {MAX_PARAMETERS} are read)")
    notes = ["values parsed from words, no chain was read"]
    if unclear:
        notes.append(f"stated with different values, left out: {', '.join(unclear)}")
    return Posterior(tuple(estimates), "summary", estimates, format="report", notes=tuple(notes))


def values_in_text(text: str) -> Iterator[tuple[str, Estimate]]:
    """Yield each (name, value with error) that a text states, in its order."""
    columns: tuple[int, int] | None = None
    for line in text.splitlines():
        cut = line[:MAX_LINE]
        if cut.count("|") >= 2:
            cells = [_MARKUP.sub("", cell).strip() for cell in _CELL.split(cut.strip().strip("|"))]
            columns = _value_columns(cells) or columns
            if columns and max(columns) < len(cells) and (row := _table_row(cells, *columns)):
                yield row
                continue
        else:
            columns = None
        yield from _in_line(cut)


def _in_line(line: str) -> Iterator[tuple[str, Estimate]]:
    clean = _MARKUP.sub(lambda m: " " if m[0] == "|" else "", line)
    at = 0
    while at < len(clean):
        hits = [hit for hit in (_SYMMETRIC.search(clean, at), _ASYMMETRIC.search(clean, at)) if hit]
        if not hits:
            return
        hit = min(hits, key=lambda h: h.start())
        before = clean[at : hit.start()].replace("|", " ").rstrip()
        at = hit.end()
        name = _NAME.search(before)
        if name is None or is_own_column(name[1]):
            continue
        numbers = [_float(part) for part in hit.groups()]
        minus, plus = (numbers[2], numbers[1]) if len(numbers) == 3 else (numbers[1], numbers[1])
        yield name[1].strip()[:MAX_NAME], Estimate(numbers[0], abs(minus), abs(plus))


def _value_columns(cells: list[str]) -> tuple[int, int] | None:
    """The columns of value and error, if the cells are the heading of a table."""
    lower = [cell.casefold() for cell in cells]
    value = next((i for i, c in enumerate(lower) if i and any(word in c for word in _VALUE_WORDS)), None)
    error = next((i for i, c in enumerate(lower) if i and i != value and any(w in c for w in _ERROR_WORDS)), None)
    return None if value is None or error is None else (value, error)


def _table_row(cells: list[str], value: int, error: int) -> tuple[str, Estimate] | None:
    number = re.compile(_NUMBER)
    parts = [number.fullmatch(cells[value]), number.fullmatch(cells[error].lstrip("±+/- "))]
    if not all(parts) or not cells[0] or is_own_column(cells[0]):
        return None
    size = abs(_float(cells[error].lstrip("±+/- ")))
    return cells[0][:MAX_NAME], Estimate(_float(cells[value]), size, size)


def _float(text: str) -> float:
    return float(text.replace("−", "-"))
