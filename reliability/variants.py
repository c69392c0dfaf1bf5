"""The alternatives of a task: curves of known mistakes, committed beside the references for the diagnosis.

``variants/alternatives.json`` says how each was made, by which CAMB, and the hash of ``variants/NAME.npz``, which holds
the curves on the task's own grid. A user's task has none, and is diagnosed by transformations alone.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from reliability.diagnosis import CATALOGUE, Alternative, Alternatives, ParameterStep
from reliability.errors import ReferenceSolutionError
from reliability.records import Task
from reliability.reference_scripts import FOLDER, reference_folders
from reliability.references import numbers_sha256, read_provenance, tolerance_of
from reliability.tasks import data_folder

if TYPE_CHECKING:
    from pathlib import Path

INDEX = "alternatives.json"
ARRAYS = "{}.npz"
"""File name of a task's curves; the task's folder name goes in."""


def load_alternatives(task: Task) -> Alternatives:
    """Return the committed alternatives of a task; empty if there are none for exactly this task.

    Raises :class:`ReferenceSolutionError` if the file of curves is missing, changed, or not on the task's grid.
    """
    folders = (*reference_folders(task), data_folder(FOLDER))
    place = next((f / "variants" for f in folders if (f / "variants" / INDEX).is_file()), None)
    if place is None:
        return Alternatives()
    entry = cast("dict[str, Any]", read_provenance(place / INDEX).get("tasks", {})).get(task.id)
    if not isinstance(entry, dict) or entry.get("numbers_sha256") != numbers_sha256(task):
        return Alternatives()
    path = place / ARRAYS.format(task.name)
    return _from_arrays(path, task, entry, _read(path, entry))


def load_all_alternatives(tasks: Mapping[str, Task]) -> dict[str, Alternatives]:
    """The alternatives of many tasks, by task id."""
    return {task_id: load_alternatives(task) for task_id, task in tasks.items()}


def _read(path: Path, entry: Mapping[str, Any]) -> dict[str, Any]:
    import hashlib

    import numpy as np

    try:
        raw = path.read_bytes()
        if hashlib.sha256(raw).hexdigest() != entry.get("arrays_sha256"):
            raise ReferenceSolutionError(f"{path}: changed since it was made")
        with np.load(io.BytesIO(raw), allow_pickle=False) as arrays:
            return dict(arrays)
    except (OSError, ValueError) as error:
        raise ReferenceSolutionError(f"{path}: cannot be read: {' '.join(str(error).split())}") from error


def _from_arrays(path: Path, task: Task, entry: Mapping[str, Any], arrays: Mapping[str, Any]) -> Alternatives:
    entries = cast("dict[str, dict[str, Any]]", entry["alternatives"])
    if set(entries) != set(arrays) or any(y.shape != (task.grid.n,) for y in arrays.values()):
        raise ReferenceSolutionError(f"{path}: not the curves that {INDEX} lists, on the grid of {task.id}")
    unnamed = [name for name, e in entries.items() if "tolerance" in e and name.partition("@")[0] not in CATALOGUE]
    if unnamed:
        raise ReferenceSolutionError(f"{path}: the catalogue has no row for {', '.join(unnamed)}")
    curves = [Alternative(name, arrays[name], tolerance_of(e, path)) for name, e in entries.items() if "tolerance" in e]
    steps = []
    for name in entries:
        if name.startswith("step_") and name.endswith("_up"):
            parameter, lower = name.removeprefix("step_").removesuffix("_up"), name.removesuffix("up") + "down"
            low, high = (float(entries[n]["arguments"][parameter]) for n in (lower, name))
            steps.append(ParameterStep(parameter, low, high, arrays[lower], arrays[name]))
    return Alternatives(tuple(curves), tuple(steps), str(entry["arrays_sha256"]))
