"""The one-shot tasks: finding them, their grids, and the prompt an agent is given.

A task is a folder with ``task.toml`` (every number; see :mod:`reliability.task_format`) and ``prompt.md`` (words, with
placeholders for the numbers). Users' own folders work the same way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from reliability.errors import TaskError, UnknownTaskError
from reliability.records import Grid, Setting, Task
from reliability.task_format import PARAMETER_WORDS, PROMPT_FILE, TOML_FILE, read_task, suggestion

if TYPE_CHECKING:
    from reliability.records import FloatArray

__all__ = [
    "DEEP_RESEARCH_IDS",
    "PARAMETER_WORDS",
    "data_folder",
    "find_task",
    "format_number",
    "grid_values",
    "load_task",
    "load_tasks",
    "render_prompt",
]

DEEP_RESEARCH_IDS = ("T1", "T2", "T3", "T4")
"""Reserved: this version scores one-shot tasks."""


def data_folder(name: str) -> Path:
    """A data folder of the project: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent
    installed = package / "_data" / name
    return installed if installed.is_dir() else package.parent / name


def load_task(folder: Path) -> Task:
    """The task in one folder; :class:`TaskError` says what is wrong with it."""
    if not folder.is_dir():
        raise TaskError(f"{folder}: not a folder; a task is a folder with {TOML_FILE} and {PROMPT_FILE}")
    return read_task(folder)


def load_tasks(folder: Path | None = None) -> dict[str, Task]:
    """The tasks in the subfolders of ``folder`` (default: the package's fourteen) by id, in the order of the names."""
    folder = data_folder("tasks_oneshot") if folder is None else folder
    if not folder.is_dir():
        raise TaskError(f"{folder}: no such folder of tasks")
    tasks: dict[str, Task] = {}
    for place in sorted(path.parent for path in folder.glob(f"*/{TOML_FILE}")):
        task = load_task(place)
        if task.id in DEEP_RESEARCH_IDS:
            raise TaskError(f"{place / TOML_FILE}: id {task.id!r} is reserved for a deep-research task")
        if task.id in tasks:
            raise TaskError(f"{place / TOML_FILE}: id {task.id!r} is already taken by {tasks[task.id].folder}")
        tasks[task.id] = task
    if not tasks:
        raise TaskError(f"{folder}: holds no task; expected subfolders with {TOML_FILE} and {PROMPT_FILE}")
    return tasks


def find_task(task_id: str, tasks: Mapping[str, Task]) -> Task:
    """The task with this id; :class:`UnknownTaskError` suggests what may have been meant."""
    if task_id in tasks:
        return tasks[task_id]
    if task_id in DEEP_RESEARCH_IDS:
        known_ids = ", ".join(tasks)
        raise UnknownTaskError(f"{task_id!r} is a deep-research task; this version scores one-shot tasks: {known_ids}")
    meant = [known for known in (*tasks, *DEEP_RESEARCH_IDS) if _plain(known) == _plain(task_id)]
    hint = f"did you mean {' or '.join(map(repr, meant))}?" if meant else suggestion(task_id, tasks)
    raise UnknownTaskError(f"no task has the id {task_id!r}; {hint}")


def _plain(task_id: str) -> str:
    """The id without case and leading zeros: ``t1``, ``T1`` and ``t01`` are easily confused."""
    head = task_id.lower().rstrip("0123456789")
    digits = task_id[len(head) :]
    return head + (digits.lstrip("0") or digits[-1:])


def grid_values(grid: Grid) -> FloatArray:
    """The x values, ``n`` of them: integers, evenly spaced, or evenly spaced in the logarithm; both ends are exact."""
    import numpy as np

    if grid.kind == "multipoles":
        return np.arange(grid.start, grid.stop + 1, dtype=np.float64)
    if grid.kind == "linear":
        return np.linspace(grid.start, grid.stop, grid.n)
    return np.geomspace(grid.start, grid.stop, grid.n)


def format_number(value: Setting) -> str:
    """The shortest text that gives the number back: ``2e-9``, ``67.5``, ``70``; texts and booleans as they are."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, float) and value.is_integer() and math.fabs(value) < 1e15:
        return str(int(value))
    return repr(value).replace("e-0", "e-").replace("e+0", "e").replace("e+", "e")


def _parameter_lines(task: Task) -> str:
    lines = []
    for name, value in task.parameters.items():
        words, unit = task.words[name]
        lines.append(f"- {words} ({name}): {format_number(value)}{' ' + unit if unit else ''}")
    return "\n".join(lines)


def render_prompt(task: Task, output: str | None = None) -> str:
    """The prompt as an agent gets it, ending with the path for its output if one is given.

    The template may use every number of ``[parameters]``, ``[settings]`` and ``grid.start/stop/n`` by name, the block
    ``parameters`` (a line each: words, symbol, value, unit), ``derived.NAME`` (the formula as written; the value of a
    derived number is never printed), and ``quantity``, ``unit``, ``columns``, ``title``. A name that the task
    does not have raises :class:`TaskError`.
    """
    from jinja2 import StrictUndefined, TemplateError
    from jinja2.sandbox import SandboxedEnvironment

    path = task.folder / PROMPT_FILE
    environment = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False, finalize=_finalize)
    try:
        text = path.read_text(encoding="utf-8")
        words = environment.from_string(text).render(
            {
                **task.settings,
                **task.parameters,
                "parameters": _parameter_lines(task),
                "derived": dict(task.formulas),
                "grid": {"start": task.grid.start, "stop": task.grid.stop, "n": task.grid.n},
                "title": task.title,
                "quantity": task.quantity,
                "unit": task.unit,
                "columns": task.columns,
            }
        )
    except (OSError, UnicodeDecodeError, TemplateError) as error:
        raise TaskError(f"{path}: {' '.join(str(error).split())}") from error
    words = words.rstrip("\n") + "\n"
    if output is None:
        return words
    return f"{words}\nWrite the result to exactly this path:\n{output}\n"


def _finalize(value: object) -> object:
    """Numbers in the template's output print as :func:`format_number` writes them."""
    return format_number(value) if isinstance(value, (bool, int, float)) else value
