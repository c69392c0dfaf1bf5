"""The inference problems (deep research): what is asked, the data, and the prompt an agent is given.

A task is a folder with ``task.toml``, ``prompt.md`` and its data, a table in ECSV with units and citation. The last
part of every prompt, where to leave what, is one file for all: ``contract.md`` beside the folders.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, cast

from reliability.errors import OutputError, TaskError
from reliability.task_format import PROMPT_FILE, TOML_FILE, check_keys, number_value, read_toml, text_value
from reliability.tasks import data_folder

if TYPE_CHECKING:
    from reliability.records import FloatArray

FOLDER = "tasks_deepresearch"
CONTRACT_FILE = "contract.md"


@dataclass(frozen=True, slots=True)
class InferenceParameter:
    """One quantity whose posterior is asked for."""

    name: str
    words: str
    unit: str
    aliases: tuple[str, ...]
    """Other names of the same number, beside those that :mod:`reliability.posteriors` knows."""


@dataclass(frozen=True, slots=True)
class Structural:
    """A trade between parameters that the data cannot decide, known beforehand."""

    kind: Literal["exact", "assumption"]
    """``exact``: the likelihood does not change along it; ``assumption``: an unstated choice decides."""
    parameters: tuple[str, ...]
    """The parameters that only the trade, or the choice, makes look measured."""
    traded_with: str
    intervention: str
    """How it is proven, in words; :mod:`reliability.degeneracies` does it."""


@dataclass(frozen=True, slots=True)
class InferenceTask:
    """One inference problem: every word and number of ``task.toml``, and where its files are."""

    id: str
    """``T1`` .. ``T4``."""
    name: str
    """Folder name; the reference script is ``<id>_<rest of the name>.py``."""
    folder: Path
    title: str
    label: Literal["under-constrained", "compositional"]
    """Category of [PW] 4.3."""
    field: str
    data: Path
    transcription: str
    """How the data came from the published table."""
    minutes: float
    """Run-time limit that the prompt states."""
    analysis: str
    """The named reference analysis, whose PRS is the ceiling."""
    analysis_reason: str
    parameters: tuple[InferenceParameter, ...]
    structural: Structural | None


def load_inference_tasks(folder: Path | None = None) -> dict[str, InferenceTask]:
    """The inference problems in the subfolders of `folder` (default: the package's four) by id, in order of names."""
    folder = data_folder(FOLDER) if folder is None else folder
    tasks: dict[str, InferenceTask] = {}
    for place in sorted(path.parent for path in folder.glob(f"*/{TOML_FILE}")):
        task = read_inference_task(place)
        if task.id in tasks:
            raise TaskError(f"{place / TOML_FILE}: id {task.id!r} is already taken by {tasks[task.id].folder}")
        tasks[task.id] = task
    if not tasks:
        raise TaskError(f"{folder}: holds no inference task; expected subfolders with {TOML_FILE} and {PROMPT_FILE}")
    return tasks


def read_inference_task(folder: Path) -> InferenceTask:
    """The task in one folder; :class:`TaskError` names file, place and what is allowed."""
    path = folder / TOML_FILE
    table = read_toml(path)
    texts = ("id", "title", "label", "field", "data", "transcription", "analysis", "analysis_reason")
    required = (*texts, "minutes", "parameters")
    check_keys(path, "top level", table, (*required, "structural"), required=required)
    words = {key: text_value(path, "top level", key, table[key]) for key in texts}
    if not re.fullmatch(r"T[1-9]\d*", words["id"]):
        raise TaskError(f"{path}: id {words['id']!r} must be T and a number")
    if words["label"] not in ("under-constrained", "compositional"):
        raise TaskError(f"{path}: label must be 'under-constrained' or 'compositional', found {words['label']!r}")
    data = folder / Path(words.pop("data")).name
    for needed in (data, folder / PROMPT_FILE):
        if not needed.is_file():
            raise TaskError(f"{needed}: missing; {words['id']} needs it")
    return InferenceTask(
        **words,  # type: ignore[arg-type]  # the label was checked
        name=folder.name,
        folder=folder,
        data=data,
        minutes=number_value(path, "top level", "minutes", table["minutes"]),
        parameters=tuple(_parameter(path, entry) for entry in _tables(path, "parameters", table["parameters"])),
        structural=_structural(path, table["structural"]) if "structural" in table else None,
    )


def _tables(path: Path, name: str, value: object) -> list[dict[str, object]]:
    if not isinstance(value, list) or not value or not all(isinstance(entry, dict) for entry in value):
        raise TaskError(f"{path}: [[{name}]] must be a list of tables")
    return value


def _parameter(path: Path, table: dict[str, object]) -> InferenceParameter:
    keys = ("name", "words", "unit", "aliases")
    check_keys(path, "[[parameters]]", table, keys, required=keys)
    name, words, unit = (text_value(path, "[[parameters]]", key, table[key]) for key in keys[:3])
    aliases = table["aliases"]
    if not isinstance(aliases, list):
        raise TaskError(f"{path}: [[parameters]]: aliases of {name} must be a list of names")
    others = tuple(text_value(path, "[[parameters]]", "aliases", alias) for alias in aliases)
    return InferenceParameter(name, words, unit, others)


def _structural(path: Path, table: object) -> Structural:
    keys = ("kind", "parameters", "traded_with", "intervention")
    if not isinstance(table, dict):
        raise TaskError(f"{path}: [structural] must be a table")
    check_keys(path, "[structural]", table, keys, required=keys)
    kind, traded_with, intervention = (
        text_value(path, "[structural]", key, table[key]) for key in ("kind", "traded_with", "intervention")
    )
    names = table["parameters"]
    if kind not in ("exact", "assumption") or not isinstance(names, list):
        raise TaskError(f"{path}: [structural]: kind must be 'exact' or 'assumption', parameters a list")
    parameters = tuple(text_value(path, "[structural]", "parameters", name) for name in names)
    return Structural(cast("Literal['exact', 'assumption']", kind), parameters, traded_with, intervention)


# -------------------------------------------------------------------------------------------------------------- data


@cache
def read_columns(data: Path) -> Mapping[str, FloatArray]:
    """The columns of numbers of a task's table by name, NaN where an entry is missing, read-only."""
    import numpy as np

    table = _read_table(data)
    columns = {}
    for name in table.colnames:
        if table[name].dtype.kind in "fiu":
            column = np.ma.filled(np.ma.array(table[name].data, dtype=np.float64), np.nan)
            column.flags.writeable = False
            columns[name] = column
    return MappingProxyType(columns)


@cache
def read_words(data: Path, column: str = "name") -> tuple[str, ...]:
    """A column of words of a task's table, by default the names of its objects; nothing if it has no such column."""
    table = _read_table(data)
    return tuple(str(entry) for entry in table[column]) if column in table.colnames else ()


def _read_table(data: Path):  # type: ignore[no-untyped-def]  # astropy has no types
    from astropy.table import Table

    try:
        return Table.read(data, format="ascii.ecsv")
    except (OSError, ValueError, TypeError) as error:
        raise TaskError(f"{data}: cannot be read as ECSV: {' '.join(str(error).split())}") from error


def copy_data(task: InferenceTask, folder: Path) -> Path:
    """Copy the task's data into `folder` and return the path; another file of that name is not overwritten."""
    target = folder / task.data.name
    content = task.data.read_bytes()
    try:
        if target.exists() and target.read_bytes() == content:
            return target
        folder.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as stream:
            stream.write(content)
    except FileExistsError as error:
        raise OutputError(f"{target}: is there already and is not the data of {task.id}; move it away") from error
    except OSError as error:
        raise OutputError(f"{target}: cannot be written ({error.strerror})") from error
    return target


# ------------------------------------------------------------------------------------------------------------ prompt


def render_inference_prompt(task: InferenceTask, output: str | None = None) -> str:
    """The prompt as an agent gets it: the task's words, then the contract; `output` is the folder for the results.

    Only columns that the data have are named, with their own units and descriptions.
    """
    from jinja2 import StrictUndefined, TemplateError
    from jinja2.sandbox import SandboxedEnvironment

    table = _read_table(task.data)
    numbers = {
        "data": task.data.name,
        "n_rows": len(table),
        "minutes": f"{task.minutes:g}",
        "columns": "\n".join(_column_line(table[name]) for name in table.colnames),
        "parameters": "\n".join(_parameter_line(parameter) for parameter in task.parameters),
        "output": output,
    }
    environment = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False)
    parts = []
    for path in (task.folder / PROMPT_FILE, task.folder.parent / CONTRACT_FILE):
        try:
            parts.append(environment.from_string(path.read_text(encoding="utf-8")).render(numbers).strip("\n"))
        except (OSError, UnicodeDecodeError, TemplateError) as error:
            raise TaskError(f"{path}: {' '.join(str(error).split())}") from error
    return "\n\n".join(parts) + "\n"


def _column_line(column) -> str:  # type: ignore[no-untyped-def]  # astropy has no types
    unit = f" [{column.unit}]" if column.unit is not None else ""
    return f"- `{column.name}`{unit}: {column.description}"


def _parameter_line(parameter: InferenceParameter) -> str:
    unit = f" [{parameter.unit}]" if parameter.unit else ""
    return f"- `{parameter.name}`{unit}: {parameter.words}"
