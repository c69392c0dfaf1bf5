"""The reference computation with one parameter shifted: real CAMB runs, and the table that keeps what they scored.

The table ``variants/parameter_shifts.csv`` beside the reference solutions spares half an hour of CAMB. A row counts
only for the task, script, reference and tolerance that it was made with (``key``); others are computed anew.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

from reliability.errors import InputError, ReferenceSolutionError
from reliability.metrics import numerical_accuracy_score, resample
from reliability.records import NumericalAccuracy, Reference, Task
from reliability.reference_scripts import FOLDER, find_script, script_arguments
from reliability.references import numbers_sha256, sha256
from reliability.right_answers import is_right_answer
from reliability.tables import write_table
from reliability.tasks import data_folder
from reliability.validation.camb_process import CambProcess

if TYPE_CHECKING:
    from reliability.records import FloatArray

TABLE = "parameter_shifts.csv"


@dataclass(frozen=True, slots=True)
class ShiftedRun:
    """One run, scored; the scores are ``None`` where CAMB cannot compute, and `reason` says what it said."""

    task: str
    parameter: str
    error: float
    """Relative, with its sign; absolute where the right value is 0."""
    nas: float | None
    s_nrmse: float | None
    s_smape: float | None
    s_ccc: float | None
    accurate: int | None
    camb: str
    """Version that ran."""
    key: str
    """Of all that the row follows from, see :func:`task_key`."""
    reason: str = ""


COLUMNS = tuple(f.name for f in fields(ShiftedRun))


def shifted_value(right: float, error: float) -> float:
    """Return the value with this relative error; the error itself where the right value is 0."""
    return right * (1.0 + error) if right else error


def task_key(task: Task, reference: Reference) -> str:
    """Return 12 hex digits that change with the task's numbers, script, reference curve, tolerance or variations."""
    parts = [numbers_sha256(task), sha256(find_script(task)), repr(reference.tolerance)]
    total = hashlib.sha256("\n".join(parts).encode())
    total.update(reference.y.tobytes())
    if reference.variations is not None:
        total.update(reference.variations.tobytes())
    return total.hexdigest()[:12]


def judged(x: FloatArray, y: FloatArray, reference: Reference) -> tuple[NumericalAccuracy, bool | None]:
    """Return what scoring makes of a curve: NAS with its parts, and whether it is accurate."""
    scores = numerical_accuracy_score(x, y, reference.x, reference.y)
    return scores, is_right_answer(scores, resample(x, y, reference.x), reference)


# -------------------------------------------------------------------------------------------------- what is kept


class ShiftedRuns:
    """Runs by task, parameter and error: those that are known, and those that were made since."""

    def __init__(self, known: Iterable[ShiftedRun] = (), path: Path | None = None) -> None:
        """Start from `known`; every new run is added to the file `path` at once, so that an interruption costs one."""
        self._runs = {(r.key, r.parameter, r.error): r for r in known}
        self._path = path
        self.n_new = 0

    def all(self) -> list[ShiftedRun]:
        """Return every run, in order."""
        return sorted(self._runs.values(), key=lambda r: (r.task, r.parameter, r.error))

    def known(self, key: str, parameter: str) -> list[ShiftedRun]:
        """Return what was run with this parameter shifted, in order of the error."""
        found = [r for address, r in self._runs.items() if address[:2] == (key, parameter)]
        return sorted(found, key=lambda r: r.error)

    def make(
        self, task: Task, reference: Reference, address: tuple[str, str, float], process: CambProcess
    ) -> ShiftedRun:
        """Return the run with this key, parameter and error, made now if it is not known."""
        if address not in self._runs:
            self._runs[address] = run = _run(task, reference, address, process)
            self.n_new += 1
            if self._path is not None:
                _append(self._path, run)
        return self._runs[address]


def _run(task: Task, reference: Reference, address: tuple[str, str, float], process: CambProcess) -> ShiftedRun:
    key, parameter, error = address
    script = find_script(task)
    arguments = script_arguments(task, script)
    arguments[parameter] = shifted_value(float(arguments[parameter]), error)
    try:
        x, y, version = process.compute(script, arguments)
    except ReferenceSolutionError as failed:
        return ShiftedRun(task.id, parameter, error, None, None, None, None, None, "", key, str(failed))
    s, accurate = judged(x, y, reference)
    is_accurate = None if accurate is None else int(accurate)
    return ShiftedRun(task.id, parameter, error, s.nas, s.s_nrmse, s.s_smape, s.s_ccc, is_accurate, version, key)


def _append(path: Path, run: ShiftedRun) -> None:
    is_new = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(asdict(run))


def write_runs(path: Path, runs: Iterable[ShiftedRun]) -> None:
    """Write the table, in place of what had the name."""
    write_table(path, COLUMNS, (asdict(run) for run in runs))


def read_runs(path: Path | None = None) -> list[ShiftedRun]:
    """Return the runs in a table (default: the committed one), none if there is no such file.

    Raises :class:`InputError` naming file and line if it is not such a table.
    """
    path = data_folder(FOLDER) / "variants" / TABLE if path is None else path
    if not path.is_file():
        return []
    runs = []
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        if tuple(rows.fieldnames or ()) != COLUMNS:
            raise InputError(f"{path}, line 1: not the columns {','.join(COLUMNS)}")
        for row in rows:
            try:
                runs.append(_from_row(row))
            except (ValueError, TypeError):
                raise InputError(f"{path}, line {rows.line_num}: not a run with a shifted parameter") from None
    return runs


def _from_row(row: Mapping[str, str]) -> ShiftedRun:
    number = {n: float(row[n]) if row[n] else None for n in ("nas", "s_nrmse", "s_smape", "s_ccc")}
    accurate = int(row["accurate"]) if row["accurate"] else None
    return ShiftedRun(
        row["task"], row["parameter"], float(row["error"]), number["nas"], number["s_nrmse"], number["s_smape"],
        number["s_ccc"], accurate, row["camb"], row["key"], row["reason"],
    )  # fmt: skip
