"""Read a curve, two columns of numbers, from whatever file an agent left.

Text in any common delimited form, ``.npy`` and ``.npz`` are read; nothing is ever unpickled or run. A file that holds
no curve gives an :class:`~reliability.records.UnreadableCurve` with the reason: an agent's failure, not an error.
"""

from __future__ import annotations

import io
import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reliability.delimited import MAX_COLUMNS, Table, parse_table
from reliability.records import Curve, Finding, UnreadableCurve

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from reliability.records import FloatArray

MAX_BYTES = 64 * 2**20
BLOCK = 2**16  # bytes asked for at least
INDEX_NAMES = frozenset({"", "unnamed: 0", "index"})
MAX_NAME = 200  # characters of a column name that are compared or shown
_UNIT = re.compile(r"(?:\[[^\[\]]*\]|\([^()]*\))$")


def read_curve(
    path: str | Path, *, columns: tuple[str, str] | None = None, max_bytes: int = MAX_BYTES
) -> Curve | UnreadableCurve:
    """Return the curve in a file, sorted by x, or the reason why it holds none.

    Parameters
    ----------
    path
        A file of text (comma, semicolon, tab or blanks; header or none; ``#`` comments), ``.npy`` or ``.npz``.
    columns
        Declared names of x and y. They are compared without case, ``#`` and a unit in brackets at the end. If they are
        not both there, the first two numeric columns are taken, after a row index (0, 1, ... under an empty name,
        ``Unnamed: 0`` or ``index``) if two numeric columns remain. ``Curve.column_rule`` says which rule was used.
    max_bytes
        Larger files are not read.

    Notes
    -----
    Numbers are correctly rounded (equal to ``float()`` of their text). Rows in which x or y is not finite, missing or
    text, and rows with another number of cells than the rest, are dropped and counted in ``n_dropped``. A column is
    numeric if it holds more numbers than text; dates, booleans and complex numbers are text. Decimal commas are read
    with semicolon or tab as delimiter, where no number has a point and not every comma could be a thousands separator.
    Rows that repeat x and y are collapsed; the same x with different y makes the curve ambiguous, and both rows stay,
    in the file's order.
    """
    path = Path(path)
    raw = _read_bounded(path, max_bytes)
    if isinstance(raw, UnreadableCurve):
        return raw
    if not raw.strip():
        return UnreadableCurve("the file is empty" if not raw else "the file holds only blanks")
    suffix = path.suffix.lower()
    table = _parse_arrays(raw, suffix, max_bytes) if suffix in {".npy", ".npz"} else parse_table(raw)
    if isinstance(table, UnreadableCurve):
        return table
    choice = _choose_columns(table, columns)
    return choice if isinstance(choice, UnreadableCurve) else _tidy(table, *choice)


def _read_bounded(path: Path, max_bytes: int) -> bytes | UnreadableCurve:
    """Return the bytes of a regular file of at most ``max_bytes``, even if it grows meanwhile."""
    try:
        # O_NONBLOCK: opening a FIFO must not wait for a writer
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:  # ValueError: NUL in the path
        return UnreadableCurve(f"cannot be opened: {getattr(error, 'strerror', None) or error}")
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            kind = "a directory" if stat.S_ISDIR(status.st_mode) else "a pipe, device or socket"
            return UnreadableCurve(f"is {kind}, not a file")
        blocks: list[bytes] = []
        n_read = 0
        while max(n_read, status.st_size) <= max_bytes:
            ask = max(status.st_size + 1 - n_read, BLOCK)
            block = os.read(descriptor, min(ask, max_bytes + 1 - n_read))
            if not block:
                return b"".join(blocks)
            blocks.append(block)
            n_read += len(block)
    except OSError as error:
        return UnreadableCurve(f"cannot be read: {error.strerror}")
    finally:
        os.close(descriptor)
    return UnreadableCurve(f"larger than the size limit of {max_bytes} bytes; not read")


# -------------------------------------------------------------------------------------------------- NumPy's own files


def _parse_arrays(raw: bytes, suffix: str, max_bytes: int) -> Table | UnreadableCurve:
    """Return the columns of a ``.npy`` or ``.npz`` file; object arrays (pickles) are refused."""
    import zipfile

    import numpy as np

    try:
        if suffix == ".npy":
            arrays = {"": np.load(io.BytesIO(raw), allow_pickle=False)}
        else:
            with zipfile.ZipFile(io.BytesIO(raw)) as archive:
                size = sum(item.file_size for item in archive.infolist())
            if size > max_bytes:
                return UnreadableCurve(f"unpacks to {size} bytes; the size limit is {max_bytes}")
            with np.load(io.BytesIO(raw), allow_pickle=False) as archive_:
                arrays = {name: archive_[name] for name in archive_.files}
    # a damaged file makes NumPy and zipfile raise nearly anything, MemoryError for a false shape included
    except Exception as error:
        text = " ".join(str(error).split())[:100] or type(error).__name__
        return UnreadableCurve(f"not a readable {suffix} file without pickles: {text}")
    columns: list[tuple[str, Any]] = []
    rule = suffix
    for name, values in arrays.items():
        if not isinstance(values, np.ndarray):
            return UnreadableCurve(f"not a readable {suffix} file: no array inside")
        if values.dtype.names:
            columns += [(field, values[field].ravel()) for field in values.dtype.names]
        elif values.ndim == 1:
            columns.append((name, values))
        elif values.ndim == 2:
            is_wide = values.shape[0] == 2 < values.shape[1]
            rule = f"{suffix}, two rows taken as columns" if is_wide else suffix
            if not is_wide and values.shape[1] > MAX_COLUMNS:
                return UnreadableCurve(f"array of shape {values.shape}; at most {MAX_COLUMNS} columns are read")
            columns += [("", column) for column in (values if is_wide else values.T)]
    columns = [(name, column) for name, column in columns if column.dtype.kind in "iuf"]
    n = len(columns[0][1]) if columns else 0
    same = [(name, column.astype(np.float64)) for name, column in columns if len(column) == n]
    if n == 0:
        return UnreadableCurve(f"no numeric column in the {suffix} file")
    names = tuple(name for name, _ in same) if any(name for name, _ in same) else None
    return Table([column for _, column in same], names, tuple(range(len(same))), range(1, n + 1), rule)


# -------------------------------------------------------------------------------------------- choosing and tidying


def _plain(name: str) -> str:
    return name[:MAX_NAME].strip("# \t").casefold()


def _without_unit(name: str) -> str:
    return _UNIT.sub("", _plain(name)).strip()


def _choose_columns(table: Table, declared: tuple[str, str] | None) -> tuple[int, int, int, str] | UnreadableCurve:
    """Return indices of x and y, the number of numeric columns, and the rule that picked them."""
    numeric = list(table.numeric)
    names = table.names
    index = ""
    if names is not None and len(numeric) >= 3 and numeric[0] == 0 and _plain(names[0]) in INDEX_NAMES:
        first = table.columns[0]
        if all(value == i for i, value in enumerate(first.tolist())):
            del numeric[0]
            index = "row index dropped, "
    if len(numeric) < 2:
        return UnreadableCurve(_too_few(table, numeric))
    if declared is not None and names is not None:
        for key, rule in ((_plain, "by name"), (_without_unit, "by name without unit")):
            found = [key(name) for name in names]
            wanted = [key(name) for name in declared]
            hits = [next((j for j in numeric if found[j] == name), None) for name in wanted]
            if hits[0] is not None and hits[1] is not None and hits[0] != hits[1]:
                return hits[0], hits[1], len(numeric), f"{rule} ({table.format})"
    return numeric[0], numeric[1], len(numeric), f"{index}first two numeric columns ({table.format})"


def _too_few(table: Table, numeric: Sequence[int]) -> str:
    if not len(table.lines):
        return "no data rows"
    if not numeric:
        return "no numeric column; a curve needs two"
    return f"one numeric column only ({_name(table, numeric[0])}); a curve needs two"


def _name(table: Table, j: int) -> str:
    name = table.names[j][:MAX_NAME] if table.names is not None else ""
    return name or f"column {j + 1}"


def _tidy(table: Table, i: int, j: int, n_columns: int, rule: str) -> Curve | UnreadableCurve:
    """Return the curve of columns ``i`` and ``j``: finite rows, sorted by x, repeated rows collapsed."""
    import numpy as np

    x, y = table.columns[i], table.columns[j]
    lines: Sequence[int] | NDArray[np.int64] = table.lines
    n_dropped = table.n_ragged
    findings = list(table.findings)
    finite = np.isfinite(x) & np.isfinite(y)
    if not finite.all():
        lines = np.asarray(lines)
        n_lost = int((~finite).sum())
        n_dropped += n_lost
        text = f"{n_lost} rows dropped: x or y is not a finite number"
        findings.append(Finding("not_finite", text, int(lines[~finite][0])))
        x, y, lines = x[finite], y[finite], lines[finite]
    if not x.size:
        return UnreadableCurve(f"no row with two finite numbers ({n_dropped} rows dropped)")
    is_ambiguous = False
    if not (x[1:] > x[:-1]).all():
        x, y, is_ambiguous = _sort(x, y, np.asarray(lines), findings)
    return Curve(x, y, _name(table, i), _name(table, j), rule, n_columns, n_dropped, is_ambiguous, tuple(findings))


def _sort(
    x: FloatArray, y: FloatArray, lines: NDArray[np.int64], findings: list[Finding]
) -> tuple[FloatArray, FloatArray, bool]:
    """Return x and y sorted by x (stable), repeated rows collapsed, and whether an x has two different y."""
    import numpy as np

    steps = np.diff(x)
    if (steps < 0).any() and (steps > 0).any():
        findings.append(Finding("unsorted_x", "x is not sorted; sorted here", int(lines[1:][steps < 0][0])))
    order = np.argsort(x, kind="stable")
    x, y, lines = x[order], y[order], lines[order]
    same_x = x[1:] == x[:-1]
    same_y = y[1:] == y[:-1]
    repeated = same_x & same_y
    different = same_x & ~same_y
    if different.any():
        text = f"{int(different.sum())} times the same x with a different y, first x = {float(x[1:][different][0])!r}"
        findings.append(Finding("duplicate_x", text, int(lines[1:][different][0])))
    if repeated.any():
        text = f"{int(repeated.sum())} rows that repeat x and y were collapsed"
        findings.append(Finding("repeated_rows", text, int(lines[1:][repeated][0])))
        keep = np.append(True, ~repeated)
        x, y = x[keep], y[keep]
    return x, y, bool(different.any())
