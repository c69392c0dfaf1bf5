"""Bytes of a delimited text file to a table of numbers: a fast way for clean files, a careful way for all others.

Both ways return the same bits for a clean file; the fast one *verifies* that the file is clean (every line has the same
number of commas and nothing but number characters) and hands over to the careful one when it is not.
Every number is correctly rounded, that is, equal to Python's ``float()`` of its text.
"""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import TYPE_CHECKING, NamedTuple

from reliability.records import Finding, UnreadableCurve

if TYPE_CHECKING:
    from reliability.records import FloatArray

FAST_LIMIT = 8 * 2**20  # bytes; above it the fast way's list of Python numbers takes too much memory
MAX_LINE = 2**20  # characters in a line
MAX_COLUMNS = 1000
MAX_CELL = 400  # characters; the longest exact decimal form a program prints for a double is shorter
SAMPLE_LINES = 100  # lines looked at to find the delimiter

MISSING = frozenset({"", "na", "n/a", "null", "none", "-", "--"})
_NUMBER_BYTES = b"0123456789+-.eE \r"
_MINUS_ZERO = (b"-0,", b"-0\n", b"-0\r", b"-0 ")
_FORTRAN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)[dD][+-]?\d+")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x19\x1b-\x1f\x7f]")
_SIGNATURES = (
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x89HDF", "HDF5"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x1f\x8b", "gzip"),
    (b"\x80\x02", "a pickle"),
    (b"\x80\x03", "a pickle"),
    (b"\x80\x04", "a pickle"),
    (b"\x80\x05", "a pickle"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a PNG picture"),
)
_BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32"),  # before UTF-16, which begins alike
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers of a file, one array a column; cells that are missing or hold text are NaN."""

    columns: Sequence[FloatArray]
    names: tuple[str, ...] | None
    """``None``: the file has no header."""
    numeric: tuple[int, ...]
    """Indices of the columns that hold more numbers than text."""
    lines: Sequence[int]
    """1-based line of each row."""
    format: str
    """How the text was split, e.g. ``comma``."""
    n_ragged: int = 0
    """Rows left out because they have another number of cells than the rest."""
    findings: tuple[Finding, ...] = ()


class Dialect(NamedTuple):
    """How a line is cut into cells; ``delimiter`` ``None`` means runs of blanks."""

    name: str
    delimiter: str | None
    decimal_comma: bool = False


DIALECTS = (
    Dialect("comma", ","),
    Dialect("semicolon", ";"),
    Dialect("tab", "\t"),
    Dialect("blanks", None),
    Dialect("semicolon, decimal comma", ";", True),
    Dialect("tab, decimal comma", "\t", True),
)


def parse_table(raw: bytes) -> Table | UnreadableCurve:
    """Return the table of numbers in a delimited text file, or the reason why there is none."""
    if len(raw) <= FAST_LIMIT and (table := read_clean(raw)) is not None:
        return table
    return read_careful(raw)


def to_number(cell: str, *, decimal_comma: bool = False) -> float | None:
    """Return the number in a cell, NaN if it is missing, ``None`` if it is text (dates, booleans and complex too)."""
    cell = cell.strip(" \t\"'")
    if len(cell) > MAX_CELL:
        return None
    try:
        value = float(cell)
    except ValueError:
        if decimal_comma and "," in cell:
            return None if "." in cell else to_number(cell.replace(",", ".", 1))
        if cell.lower() in MISSING:
            return nan
        return float(cell.replace("d", "e").replace("D", "e")) if _FORTRAN.fullmatch(cell) else None
    return None if "_" in cell or not cell.isascii() or (decimal_comma and "." in cell) else value


# ------------------------------------------------------------------------------------------------------- fast way


def read_clean(raw: bytes) -> Table | None:
    """Return the table of a clean comma-separated file (an optional header line, then numbers), else ``None``."""
    raw = raw.rstrip()
    end = raw.find(b"\n")
    if not 0 < end <= MAX_LINE or not raw[:end].isascii():
        return None
    cells = raw[:end].decode("ascii").strip().split(",")
    width = len(cells)
    if not 2 <= width <= MAX_COLUMNS:
        return None
    is_text = [to_number(cell) is None for cell in cells]
    names = None
    if any(is_text):
        if not all(is_text) or b'"' in raw[:end] or b"'" in raw[:end]:
            return None
        names = _clean_names(cells)
        raw = raw[end + 1 :]
    values = _clean_numbers(raw, width)
    if values is None:
        return None
    first = 1 if names is None else 2
    return Table(tuple(values), names, tuple(range(width)), range(first, first + values.shape[1]), "comma")


def _clean_numbers(body: bytes, width: int) -> FloatArray | None:
    """Return the numbers as (columns, rows) if each line of ``body`` is ``width`` finite numbers between commas.

    A JSON parser reads them: correctly rounded, several times faster than ``float()`` cell by cell, and its strict
    grammar refuses what only the careful way may judge (``1e5-3``, ``007``, an empty cell).
    """
    import numpy as np

    try:
        from orjson import loads
    except ImportError:  # the standard library's parser gives the same numbers, more slowly
        from json import loads  # type: ignore[assignment]
    skeleton = body.translate(None, _NUMBER_BYTES)
    n = skeleton.count(b"\n") + 1
    row = b"," * (width - 1)
    if skeleton != (row + b"\n") * (n - 1) + row or body.endswith(b"-0") or any(zero in body for zero in _MINUS_ZERO):
        return None  # JSON's integer -0 would lose its sign
    try:
        numbers = np.fromiter(loads(b"[" + body.replace(b"\n", b",") + b"]"), np.float64, n * width)
    except (ValueError, OverflowError):
        return None
    return np.ascontiguousarray(numbers.reshape(n, width).T) if np.isfinite(numbers).all() else None


# ---------------------------------------------------------------------------------------------------- careful way


def read_careful(raw: bytes) -> Table | UnreadableCurve:
    """Return the table of any delimited text file, line by line, or the reason why there is none."""
    encoding = _encoding(raw)
    if isinstance(encoding, UnreadableCurve):
        return encoding
    is_small = len(raw) < MAX_LINE
    long_line = None if is_small else next((n for n, line in _lines(raw, encoding) if len(line) >= MAX_LINE), None)
    if long_line is not None:
        return UnreadableCurve(f"line {long_line} is longer than {MAX_LINE} characters")
    sample = _sample(raw, encoding)
    found = _sniff([line for _, line in sample if not line.startswith("#")])
    if found is None:
        return UnreadableCurve(_why_no_table([item for item in sample if not item[1].startswith("#")]))
    dialect, width = found
    start, names = _header(sample, dialect, width)
    if width > MAX_COLUMNS:
        return UnreadableCurve(f"line {start} has {width} columns; at most {MAX_COLUMNS} are read")
    table = _rows(_lines(raw, encoding), start, dialect, width, names)
    if encoding == "latin-1":
        note = Finding("encoding", "the file is not UTF-8; it was read as Latin-1")
        return replace(table, findings=(*table.findings, note))
    return table


def _encoding(raw: bytes) -> str | UnreadableCurve:
    for signature, what in _SIGNATURES:
        if raw.startswith(signature):
            return UnreadableCurve(f"binary data: looks like {what}, not text")
    encoding = next((name for bom, name in _BOMS if raw.startswith(bom)), "utf-8-sig")
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8-sig":
            return UnreadableCurve(f"not valid {encoding.upper()} at byte {error.start}")
        encoding, text = "latin-1", raw.decode("latin-1")
    if control := _CONTROL.search(text):
        line = text.count("\n", 0, control.start()) + 1
        return UnreadableCurve(f"binary data: control character {control.group()!r} in line {line}")
    return encoding


def _lines(raw: bytes, encoding: str) -> Iterator[tuple[int, str]]:
    """Yield (line number, stripped line) for all lines, ended by LF, CRLF or CR, in bounded memory."""
    stream = io.TextIOWrapper(io.BytesIO(raw), encoding=encoding, newline=None)
    number = 0
    while line := stream.readline(MAX_LINE):
        number += 1
        yield number, line.strip(" \n\x0b\x0c\x1a") if len(line) < MAX_LINE else line


def _sample(raw: bytes, encoding: str) -> list[tuple[int, str]]:
    """Return the first lines that are not blank, with the comments before and among them."""
    sample: list[tuple[int, str]] = []
    n_content = 0
    for number, line in _lines(raw, encoding):
        if line.strip():
            sample.append((number, line))
            n_content += not line.startswith("#")
            if n_content == SAMPLE_LINES or len(sample) == 100 * SAMPLE_LINES:
                break
    return sample


def _split(line: str, delimiter: str | None) -> list[str]:
    if delimiter is None:
        return line.split()
    if '"' in line:
        try:
            return next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
        except csv.Error:
            return [line]
    return line.split(delimiter)


def _data_cells(line: str, dialect: Dialect) -> list[str]:
    return _split(line.partition("#")[0].rstrip(" ") if "#" in line else line, dialect.delimiter)


def _rank(cells: list[str], decimal_comma: bool) -> int:
    """Rate a line: 2 if all cells are numbers or missing, 1 if two are numbers and no other delimiter hides, else 0."""
    if len(cells) < 2:
        return 0
    numbers = [to_number(cell, decimal_comma=decimal_comma) for cell in cells]
    texts = [cell for cell, value in zip(cells, numbers, strict=True) if value is None]
    n_given = sum(cell.strip().lower() not in MISSING for cell in cells) - len(texts)
    if not texts:
        return 2 if n_given else 0
    is_hiding = any(
        to_number(part) is not None for text in texts if ";" in text or "\t" in text for part in _parts(text)
    )
    return 1 if n_given >= 2 and not is_hiding else 0


def _parts(text: str) -> list[str]:
    return text.replace("\t", ";").split(";")


def _sniff(lines: Sequence[str]) -> tuple[Dialect, int] | None:
    """Return the dialect under which most lines are numbers, and the usual number of cells."""
    best: tuple[tuple[int, int], Dialect, int] | None = None
    for dialect in DIALECTS:
        split = [_data_cells(line, dialect) for line in lines]
        ranks = [_rank(cells, dialect.decimal_comma) for cells in split]
        rows = [cells for cells, rank in zip(split, ranks, strict=True) if rank]
        if not rows or (dialect.decimal_comma and not _is_decimal_comma(rows)):
            continue
        key = (ranks.count(2), ranks.count(1))
        if best is None or key > best[0]:
            width = Counter(map(len, rows)).most_common(1)[0][0]
            usual = [cells for cells in rows if len(cells) == width]
            if all(not cells[-1].strip() for cells in usual):
                width -= 1  # trailing delimiter
            best = (key, dialect, width)
    return best and best[1:]


def _is_decimal_comma(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether commas can only be decimal: no point anywhere, and not all of the form 1,234 (thousands)."""
    cells = [cell.strip() for row in rows for cell in row]
    with_comma = [cell for cell in cells if "," in cell]
    return not any("." in cell for cell in cells) and not all(map(_THOUSANDS.fullmatch, with_comma))


def _clean_names(cells: Sequence[str]) -> tuple[str, ...]:
    return tuple(cell.strip(" \t\"'").lstrip("#").strip(" \t\"'") for cell in cells)


def _header(sample: list[tuple[int, str]], dialect: Dialect, width: int) -> tuple[int, tuple[str, ...] | None]:
    """Return the line at which the numbers start and the column names above it, if any.

    The first line of text with the right number of cells is the header; where there is none, the last such comment
    above the numbers. A header with one cell less names all columns but the first, as R writes row names.
    """
    start, above = sample[0][0], list[tuple[int, str]]()
    for number, line in sample:
        cells = _data_cells(line, dialect)
        is_frame_header = cells[:1] == [""] and cells[1:] == [str(i) for i in range(len(cells) - 1)]  # pandas: ,0,1
        if not line.startswith("#") and _rank(cells, dialect.decimal_comma) and not is_frame_header:
            start = number
            break
        above.append((number, line))
    plain = [line for _, line in above if not line.startswith("#")]
    comments = [line.lstrip("# \t") for _, line in reversed(above) if line.startswith("#")]
    for line in plain:
        cells = _split(line, dialect.delimiter)
        if len(cells) == width + 1 and not cells[-1].strip():
            cells.pop()
        if len(cells) == width:
            return start, _clean_names(cells)
        if len(cells) == width - 1 >= 2:
            return start, ("", *_clean_names(cells))
    for line in comments:
        for delimiter in (dialect.delimiter, ",", ";", "\t", None):
            cells = _split(line, delimiter)
            if len(cells) == width and all(to_number(cell) is None for cell in cells):
                return start, _clean_names(cells)
    return start, None


def _rows(
    lines: Iterator[tuple[int, str]], start: int, dialect: Dialect, width: int, names: tuple[str, ...] | None
) -> Table:
    import numpy as np

    values, line_of_row = array("d"), array("q")
    numbers, texts, first_text = [0] * width, [0] * width, [0] * width
    n_plain = 0
    ragged: list[tuple[int, int]] = []
    n_ragged = 0
    for number, line in lines:
        if number < start or not line.strip() or line.startswith("#"):
            continue
        cells = _data_cells(line, dialect)
        if len(cells) == width + 1 and not cells[-1].strip():
            cells.pop()
        if len(cells) != width:
            n_ragged += 1
            ragged = ragged or [(number, len(cells))]
            continue
        line_of_row.append(number)
        if (row := _plain_row(line, cells, dialect)) is not None:
            values.extend(row)
            n_plain += 1
            continue
        for j, cell in enumerate(cells):
            value = to_number(cell, decimal_comma=dialect.decimal_comma)
            if value is None:
                texts[j] += 1
                first_text[j] = first_text[j] or number
            elif not isnan(value) or cell.strip().lower() not in MISSING:
                numbers[j] += 1
            values.append(nan if value is None else value)
    numeric = tuple(j for j in range(width) if n_plain + numbers[j] > texts[j])
    findings = [
        Finding("not_a_number", f"{texts[j]} cells of column {j + 1} hold text instead of a number", first_text[j])
        for j in numeric
        if texts[j]
    ]
    if ragged:
        text = f"{n_ragged} rows do not have {width} cells like the rest; the first such row has {ragged[0][1]}"
        findings.append(Finding("ragged_row", text, ragged[0][0]))
    table = np.array(values, np.float64).reshape(-1, width).T
    columns = tuple(map(np.ascontiguousarray, table))
    return Table(columns, names, numeric, line_of_row, dialect.name, n_ragged, tuple(findings))


def _plain_row(line: str, cells: list[str], dialect: Dialect) -> list[float] | None:
    """Return the numbers of a row without anything odd in it: the common case, several times faster."""
    if dialect.decimal_comma or len(line) > MAX_CELL or "_" in line or not line.isascii():
        return None
    try:
        return list(map(float, cells))
    except ValueError:
        return None


def _why_no_table(content: list[tuple[int, str]]) -> str:
    if not content:
        return "no data rows: the file holds only blank lines or comments"
    if all(to_number(line.rstrip(",;\t ")) is not None for _, line in content[1:]) and len(content) > 1:
        return "one numeric column only; a curve needs two"
    if len(content) == 1:
        return f"no data rows: the only line is {content[0][1][:60]!r}"
    number, line = content[1]
    return f"no line holds two numbers, e.g. line {number}: {line[:60]!r}"
