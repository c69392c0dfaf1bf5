"""Chains in text: GetDist and Cobaya with ``.paramnames`` and ``.ranges``, CSV, ECSV and other tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reliability.agent_files import natural, read_bytes
from reliability.delimited import Table, parse_table, to_number
from reliability.posterior_records import Prior
from reliability.posteriors.building import Raw
from reliability.posteriors.columns import raw_from_columns
from reliability.posteriors.limits import MAX_BYTES, MAX_PARAMETERS, check_count, check_file, unreadable
from reliability.records import UnreadableCurve

_NUMBERED = re.compile(r"(?P<root>.+?)(?P<mark>[._])(?P<number>[0-9]{1,3})\.txt")
_SMALL = 2**20
MAX_FILES = 256
"""Chains of one root."""


@dataclass(frozen=True, slots=True)
class ChainFiles:
    """The files of one GetDist or Cobaya run."""

    root: Path
    chains: tuple[Path, ...]

    @property
    def names_file(self) -> Path:
        """``<root>.paramnames``, which may not exist."""
        return self.root.with_name(f"{self.root.name}.paramnames")

    @property
    def ranges_file(self) -> Path:
        """``<root>.ranges``, which may not exist."""
        return self.root.with_name(f"{self.root.name}.ranges")


def find_chain_files(path: Path) -> ChainFiles | None:
    """Return the run that `path` (a chain of it, or its root) belongs to; ``None`` if nothing looks like one."""
    match = _NUMBERED.fullmatch(path.name)
    root = path.with_name(match["root"]) if match else path.with_suffix("") if path.suffix == ".txt" else path
    found = ChainFiles(root, ())
    marks = [match["mark"]] if match else ["_", "."]
    for mark in marks:
        pattern = re.compile(re.escape(root.name + mark) + r"[0-9]{1,3}\.txt")
        try:
            siblings = [p for p in root.parent.iterdir() if pattern.fullmatch(p.name) and p.is_file()]
        except OSError:
            siblings = []
        if siblings:
            chains = sorted(siblings, key=lambda p: natural(p.name))
            return ChainFiles(root, tuple(chains[:MAX_FILES]))
    single = root.with_name(f"{root.name}.txt")
    is_run = found.names_file.is_file() and single.is_file()
    return ChainFiles(root, (single,)) if is_run else None


def read_chain_files(files: ChainFiles, path: Path) -> Raw:
    """Return the chains of a run: weight, minus log-posterior, parameters; each file a chain of its own.

    Names come from ``.paramnames`` (a ``*`` marks derived parameters), else from the header that Cobaya writes.
    """
    tables = [_table(file) for file in files.chains]
    width = len(tables[0].columns)
    if any(len(table.columns) != width for table in tables):
        raise unreadable(path, f"the chains of {files.root.name} have different numbers of columns")
    check_count(path, "the run", sum(len(t.columns[0]) for t in tables), width)
    columns = [np.concatenate([table.columns[i] for table in tables]) for i in range(width)]
    header = tables[0].names
    if files.names_file.is_file():
        names = _param_names(files.names_file)
        if len(names) != width - 2:
            reason = f"{files.names_file.name} names {len(names)} parameters, the chain has {width - 2}"
            raise unreadable(path, f"{reason} after weight and log-posterior")
    elif header is not None and header[0].casefold() == "weight":
        names = list(header[2:])
    else:
        raise unreadable(path, f"neither {files.names_file.name} nor a header names the columns")
    raw = raw_from_columns(dict(zip(["weight", "minuslogpost", *names], columns, strict=True)), path, "GetDist text")
    raw.is_multiplicity = True
    raw.lengths = [len(table.columns[0]) for table in tables]
    raw.structure = "chains" if len(tables) > 1 else "single"
    raw.notes += [f"{n} rows with another number of cells left out" for t in tables if (n := t.n_ragged)]
    if len(tables) > 1:
        raw.notes.append(f"{len(tables)} chains of the run {files.root.name} read")
    if files.ranges_file.is_file():
        raw.bounds = _ranges(files.ranges_file, raw.names or ())
    return raw


def read_table(path: Path) -> Raw | str:
    """Return the posterior in a table with a header, or the reason why the text is no such table."""
    raw_bytes = read_bytes(path, MAX_BYTES)
    table = parse_table(raw_bytes)
    if isinstance(table, UnreadableCurve):
        return _single_column(raw_bytes) or table.reason
    text_columns = len(table.columns) - len(table.numeric)
    if table.names is None or text_columns > 1 or len(table.columns[0]) < 2:
        return "no table of numbers under names"
    check_count(path, "the table", len(table.columns), len(table.columns[0]))
    if len(table.columns) > MAX_PARAMETERS:
        return f"{len(table.columns)} columns"
    named = {table.names[i]: table.columns[i] for i in table.numeric}
    if len(named) != len(table.numeric):
        raise unreadable(path, "two columns have the same name")
    if table.names[0].casefold() == "weight" and len(table.names) > 1 and table.names[1].startswith("minuslog"):
        raw = raw_from_columns(named, path, "Cobaya text")
        raw.is_multiplicity = True
    else:
        kind = "ECSV" if raw_bytes.startswith(b"# %ECSV") else f"table ({table.format})"
        raw = raw_from_columns(named, path, kind)
    raw.notes += [finding.message for finding in table.findings]
    return raw


def _single_column(raw: bytes) -> Raw | None:
    """The posterior in one column under a name; the reader of tables wants two."""
    lines = [line.strip() for line in raw.decode("utf-8-sig", "replace").splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("# ")]
    if len(lines) < 3 or to_number(lines[0]) is not None:
        return None
    numbers = [to_number(line) for line in lines[1:]]
    if any(number is None for number in numbers):
        return None
    samples = np.array([numbers], np.float64)
    return Raw(samples, [lines[0].strip("#\"' ")], [samples.shape[1]], "single", "table (one column)")


def _table(path: Path) -> Table:
    check_file(path)
    table = parse_table(read_bytes(path, MAX_BYTES))
    if isinstance(table, UnreadableCurve):
        raise unreadable(path, f"no chain: {table.reason}")
    if len(table.columns) < 3:
        raise unreadable(path, "a chain in GetDist's form has weight, minus log-posterior and parameters")
    return table


def _lines(path: Path) -> list[str]:
    content = read_bytes(path, _SMALL)
    if len(content) > _SMALL:
        raise unreadable(path, f"more than {_SMALL} bytes")
    text = content.decode("utf-8", "replace")
    return [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def _param_names(path: Path) -> list[str]:
    return [line.split()[0].removesuffix("*") for line in _lines(path)]


def _ranges(path: Path, names: Sequence[str]) -> dict[str, Prior]:
    """Return the finite bounds of the parameters: a line is a name, a lower and an upper bound, ``N`` for none."""
    bounds = {}
    for line in _lines(path):
        cells = line.split()
        if len(cells) < 3 or cells[0] not in names:
            continue
        low, high = (None if cell.upper() in ("N", "NONE", "INF", "-INF") else to_number(cell) for cell in cells[1:3])
        if low is not None or high is not None:
            prior = Prior(*(-np.inf if low is None else low, np.inf if high is None else high))
            if prior.low < prior.high:
                bounds[cells[0]] = prior
    return bounds
