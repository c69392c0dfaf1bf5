"""Reference solutions on disk: the curve, its provenance, and the variants that set its tolerance.

Beside each script ``NAME.py`` lie ``NAME.csv`` (one header line, two columns, shortest text that gives the number back)
and ``NAME.json``: hashes of the script, of the task's numbers and of the curve; versions; checks made; agreement
between CAMB lines; tolerance. A curve whose hashes do not fit is refused: it answers another question.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from reliability.curves import read_curve
from reliability.errors import ReferenceSolutionError
from reliability.records import Reference, Task, Tolerance, UnreadableCurve
from reliability.reference_scripts import FOLDER, find_script, reference_folders, render_script
from reliability.tasks import data_folder, grid_values

if TYPE_CHECKING:
    from reliability.records import FloatArray

__all__ = [
    "SCHEMA",
    "Variant",
    "curve_text",
    "find_script",
    "load_reference",
    "load_references",
    "load_variants",
    "numbers_sha256",
    "read_provenance",
    "render_script",
    "sha256",
    "tolerance_of",
]

SCHEMA = 1
"""Version of the provenance files."""

NEEDED_VARIATIONS = frozenset({"accuracy", "camb", "lmax"})
"""Kinds of right variants (first word of their names) without which the shape of a deviation is not judged."""

Role = Literal["envelope", "held_back", "near_miss", "inseparable"]


@dataclass(frozen=True, slots=True)
class Variant:
    """One recomputation of a task with something changed."""

    task: str
    name: str
    """What was changed, e.g. ``accuracy_boost_2``."""
    role: Role
    """``envelope``: a right answer that sets the tolerance; ``held_back``: must pass; ``near_miss``: must not;
    ``inseparable``: a mistake with less effect than the spread of right answers, which no tolerance can tell."""
    x: FloatArray
    y: FloatArray
    provenance: Mapping[str, object]


# ------------------------------------------------------------------------------------------------ reading


def load_reference(task: Task) -> Reference:
    """The committed reference of a task, after checking that it answers exactly this task.

    Raises :class:`ReferenceSolutionError`, with the command that makes it, if the curve is missing, if ``task.toml``,
    an input file or the script changed since it was made, or if the curve does not lie on the task's grid.
    """
    folder = next((f for f in reference_folders(task) if (f / f"{task.name}.csv").is_file()), None)
    if folder is None:
        raise ReferenceSolutionError(f"{task.id}: no reference curve {task.name}.csv; make it: {_command(task)}")
    path = folder / f"{task.name}.csv"
    provenance = read_provenance(folder / f"{task.name}.json")
    expected = {
        "numbers_sha256": (numbers_sha256(task), f"the numbers in {task.folder / 'task.toml'}"),
        "script_sha256": (sha256(find_script(task)), f"the script {find_script(task)}"),
        "curve_sha256": (sha256(path), "the curve itself"),
    }
    for key, (found, what) in expected.items():
        if provenance.get(key) != found:
            raise ReferenceSolutionError(f"{path}: {what} changed since it was made; make it again: {_command(task)}")
    x, y = _read_curve(path, task)
    tolerance = tolerance_of(provenance, path)
    return Reference(task.id, x, y, tolerance, provenance, _variations(task, y))


def _variations(task: Task, y: FloatArray) -> FloatArray | None:
    """How the right variants of a task deviate from its reference; ``None`` unless they cover all that may vary."""
    import numpy as np

    right = [v for v in load_variants(task, role="envelope").values() if not np.allclose(v.y, y, rtol=1e-12, atol=0)]
    varied = {v.name.split("_")[0] for v in right}
    return np.array([v.y - y for v in right]) if varied >= NEEDED_VARIATIONS else None


def load_references(tasks: Mapping[str, Task]) -> dict[str, Reference]:
    """The references of many tasks, by task id."""
    return {task_id: load_reference(task) for task_id, task in tasks.items()}


def load_variants(task: Task, role: Role | None = None) -> dict[str, Variant]:
    """The committed variant curves of a task by name, of one role or all.

    There are none for a task that has no ``variants/provenance.json``.
    """
    for folder in (*reference_folders(task), data_folder(FOLDER)):
        place = folder / "variants"
        if (place / "provenance.json").is_file():
            break
    else:
        return {}
    provenance = read_provenance(place / "provenance.json")
    entries = cast("dict[str, dict[str, object]]", provenance.get("variants", {}))
    variants = {}
    for file_name, entry in entries.items():
        if entry.get("task") != task.id or entry.get("numbers_sha256") != numbers_sha256(task):
            continue
        if role is not None and entry.get("role") != role:
            continue
        path = place / file_name
        if entry.get("curve_sha256") != sha256(path):
            raise ReferenceSolutionError(f"{path}: changed since it was made")
        x, y = _read_curve(path, task)
        name = str(entry["name"])
        variants[name] = Variant(task.id, name, cast("Role", entry["role"]), x, y, entry)
    return variants


def read_provenance(path: Path) -> dict[str, object]:
    """A provenance file, checked for its schema version."""
    try:
        provenance = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ReferenceSolutionError(f"{path}: cannot be read as provenance: {' '.join(str(error).split())}") from error
    if not isinstance(provenance, dict) or provenance.get("schema") != SCHEMA:
        raise ReferenceSolutionError(f"{path}: not provenance of schema {SCHEMA}")
    return provenance


def tolerance_of(provenance: Mapping[str, object], path: Path) -> Tolerance:
    """The tolerance in a provenance file; `path` is named in the error if it holds none."""
    table = provenance.get("tolerance")
    values = [table.get(key) if isinstance(table, dict) else None for key in ("nrmse", "smape", "ccc")]
    numbers = [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool) and 0 < v < 1]
    if len(numbers) != 3:
        raise ReferenceSolutionError(f"{path}: provenance must give a tolerance (nrmse, smape, ccc) between 0 and 1")
    return Tolerance(*numbers)


def _read_curve(path: Path, task: Task) -> tuple[FloatArray, FloatArray]:
    import numpy as np

    curve = read_curve(path, columns=task.columns)
    if isinstance(curve, UnreadableCurve):
        raise ReferenceSolutionError(f"{path}: cannot be read as two columns of numbers: {curve.reason}")
    if (curve.x_name, curve.y_name) != task.columns:
        found = f"{curve.x_name},{curve.y_name}"
        raise ReferenceSolutionError(f"{path}: header is {found!r}, expected {','.join(task.columns)!r}")
    if curve.findings:
        raise ReferenceSolutionError(f"{path}: {curve.findings[0].message}")
    x_task = grid_values(task.grid)
    # The grid of get_matter_power_spectrum and geomspace differ in the last digits.
    if curve.x.shape != x_task.shape or not np.allclose(curve.x, x_task, rtol=1e-12, atol=0):
        raise ReferenceSolutionError(f"{path}: the curve does not lie on the grid of {task.id}")
    return curve.x, curve.y


# ------------------------------------------------------------------------------------------------ writing and hashes


def curve_text(task: Task, x: FloatArray, y: FloatArray) -> str:
    """The CSV text of a curve: header, two columns, each number the shortest text that gives it back."""
    x_texts = [str(int(v)) if task.grid.kind == "multipoles" else repr(float(v)) for v in x]
    rows = (f"{a},{float(b)!r}\n" for a, b in zip(x_texts, y, strict=True))
    return ",".join(task.columns) + "\n" + "".join(rows)


def sha256(path: Path) -> str:
    """SHA-256 of a text file, line ends taken as LF so that a checkout on another system fits."""
    try:
        return hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
    except OSError as error:
        raise ReferenceSolutionError(f"{path}: cannot be read ({error.strerror})") from error


def numbers_sha256(task: Task) -> str:
    """SHA-256 of all in the task that decides the answer: numbers, formulas, settings, grid, columns, input files."""

    def plain(value: object) -> object:
        # 70 and 70.0 are the same number
        return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value

    content = {
        "parameters": {k: plain(v) for k, v in task.parameters.items()},
        "derived": dict(task.formulas),
        "settings": {k: plain(v) for k, v in task.settings.items()},
        "grid": [task.grid.kind, float(task.grid.start), float(task.grid.stop), task.grid.n],
        "columns": list(task.columns),
        "files": {name: sha256(task.folder / name) for name in task.files},
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _command(task: Task) -> str:
    """The command that makes the reference, for error messages."""
    tasks_folder = task.folder.resolve().parent
    if tasks_folder == data_folder("tasks_oneshot").resolve():
        return f"reliability references {task.id} --out {data_folder(FOLDER)}"
    return f"reliability references {task.id} --tasks {tasks_folder} --out {tasks_folder / FOLDER}"
