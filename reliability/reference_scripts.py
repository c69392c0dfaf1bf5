"""Reference scripts: ``<task folder name>.py`` with one function ``compute`` that takes the task's numbers by name.

A script never holds a number of its own: its arguments are the names in ``task.toml``, so that prompt, reference and
the truth for PAS come from one place. :func:`render_script` writes the same computation as a plain script.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reliability.errors import ReferenceSolutionError
from reliability.records import Setting, Task
from reliability.task_format import suggestion
from reliability.tasks import data_folder, format_number

FOLDER = "reference_solutions"
MAX_SCRIPT_BYTES = 1024 * 1024


def reference_folders(task: Task) -> tuple[Path, Path]:
    """Where a task's reference files may be: in ``reference_solutions`` inside or beside the folder of tasks."""
    tasks_folder = task.folder.resolve().parent
    return tasks_folder / FOLDER, tasks_folder.parent / FOLDER


def find_script(task: Task) -> Path:
    """The reference script of a task: the user's own, else the one of the same name that comes with the package."""
    folders = (*reference_folders(task), data_folder(FOLDER))
    for folder in folders:
        path = folder / f"{task.name}.py"
        if path.is_file():
            return path
    raise ReferenceSolutionError(
        f"{task.id}: no reference script; expected {task.name}.py with a function compute in "
        f"{folders[0]} or {folders[1]}"
    )


def task_numbers(task: Task) -> dict[str, Setting]:
    """Everything a reference script may ask for, by name.

    Parameters, derived numbers and settings as in ``task.toml``; ``l_min, l_max`` of a multipole grid or
    ``x_min, x_max, n_points`` of another; ``noise_file`` (absolute path) for an input file ``noise.csv``.
    """
    return {**task.parameters, **task.derived, **task.settings, **_grid_numbers(task), **_file_paths(task)}


def script_arguments(task: Task, path: Path) -> dict[str, Setting]:
    """The keyword arguments for ``compute`` in `path`; :class:`ReferenceSolutionError` if it and the task disagree.

    Every argument must be a number of the task, and every parameter and setting of the task must be used: a number that
    the prompt states and the reference ignores would be a trap.
    """
    script = _parse(path)
    numbers = task_numbers(task)
    for name in script.arguments:
        if name not in numbers:
            raise ReferenceSolutionError(
                f"{path}: compute asks for {name!r}, which {task.id} does not have; {suggestion(name, numbers)}"
            )
    used = {*script.arguments, *(n for name in script.arguments for n in _names(task.formulas.get(name, "0")))}
    unused = [name for name in (*task.parameters, *task.derived, *task.settings) if name not in used]
    if unused:
        raise ReferenceSolutionError(f"{path}: compute does not use {', '.join(unused)} of {task.id}")
    return {name: numbers[name] for name in script.arguments}


def render_script(task: Task, output: str = "result.csv") -> str:
    """A plain stand-alone script for the task: literal numbers, the computation, ``numpy.savetxt``.

    Input files are read from the working directory. Raises :class:`ReferenceSolutionError` if the reference script is
    not of the simple form this needs (one ``compute``, straight to one final ``return x, y``).
    """
    path = find_script(task)
    script_arguments(task, path)
    script = _parse(path)
    constants = _constants(task, script.arguments)
    functions = sorted({n for formula in constants.values() for n in _called(formula)})
    imports = [*([f"from math import {', '.join(functions)}"] if functions else []), *script.imports]
    if "import numpy as np" not in imports:
        imports.append("import numpy as np")
    comments = {name: unit for name, (_, unit) in task.words.items() if unit}
    lines = [f"{k} = {v}" + (f"  # {comments[k]}" if k in comments else "") for k, v in constants.items()]
    save = (
        f"table = np.column_stack([{script.returned[0]}, {script.returned[1]}])\n"
        f'np.savetxt({output!r}, table, fmt="%.17g", delimiter=",", header="{",".join(task.columns)}", comments="")'
    )
    parts = [f'"""{script.docstring}"""', "\n".join(imports), "\n".join(lines), script.body, save]
    return "\n\n".join(part for part in parts if part) + "\n"


@dataclass(frozen=True, slots=True)
class _Script:
    docstring: str
    imports: tuple[str, ...]
    arguments: tuple[str, ...]
    body: str
    """Source of compute between its docstring and its return, at module level."""
    returned: tuple[str, str]
    """Source of the two expressions it returns."""


def _parse(path: Path) -> _Script:
    try:
        if path.stat().st_size > MAX_SCRIPT_BYTES:
            raise ReferenceSolutionError(f"{path}: larger than {MAX_SCRIPT_BYTES} bytes")
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
    except (OSError, SyntaxError, ValueError, RecursionError) as error:
        raise ReferenceSolutionError(f"{path}: cannot be read as Python: {' '.join(str(error).split())}") from error
    imports = tuple(ast.unparse(node) for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom)))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    if len(functions) != 1 or functions[0].name != "compute":
        raise ReferenceSolutionError(f"{path}: must define exactly one function, compute")
    function = functions[0]
    arguments = function.args
    if arguments.args or arguments.posonlyargs or arguments.vararg or arguments.kwarg or any(arguments.kw_defaults):
        raise ReferenceSolutionError(f"{path}: compute must take keyword-only arguments without defaults")
    last, returns = function.body[-1], [n for n in ast.walk(function) if isinstance(n, ast.Return)]
    if not isinstance(last, ast.Return) or len(returns) != 1 or not isinstance(last.value, ast.Tuple):
        raise ReferenceSolutionError(f"{path}: compute must have one return, at its end: return x, y")
    if len(last.value.elts) != 2:
        raise ReferenceSolutionError(f"{path}: compute must return two arrays, x and y")
    has_docstring = ast.get_docstring(function) is not None
    first = (function.body[0].end_lineno or 0) if has_docstring else function.body[0].lineno - 1
    body = "\n".join(source.splitlines()[first : last.lineno - 1])
    return _Script(
        docstring=ast.get_docstring(tree) or path.stem,
        imports=imports,
        arguments=tuple(a.arg for a in arguments.kwonlyargs),
        body=textwrap.dedent(body).strip("\n"),
        returned=(ast.unparse(last.value.elts[0]), ast.unparse(last.value.elts[1])),
    )


def _grid_numbers(task: Task) -> dict[str, Setting]:
    grid = task.grid
    if grid.kind == "multipoles":
        return {"l_min": int(grid.start), "l_max": int(grid.stop)}
    return {"x_min": grid.start, "x_max": grid.stop, "n_points": grid.n}


def _file_paths(task: Task) -> dict[str, Setting]:
    return {f"{Path(name).stem}_file": str((task.folder / name).resolve()) for name in task.files}


def _constants(task: Task, arguments: tuple[str, ...]) -> Mapping[str, str]:
    """Name -> source text, in the order of task.toml; formulas stay formulas."""
    needed = {*arguments, *(n for name in arguments for n in _names(task.formulas.get(name, "0")))}
    files = {f"{Path(name).stem}_file": name for name in task.files}
    literals = {**task.parameters, **task.settings, **_grid_numbers(task), **files}
    texts: dict[str, str] = {}
    for name in (*task.parameters, *task.formulas, *task.settings, *_grid_numbers(task), *files):
        if name in task.formulas:
            texts[name] = task.formulas[name]
        elif name in needed:
            value = literals[name]
            texts[name] = repr(value) if isinstance(value, (bool, str)) else format_number(value)
    return texts


def _names(formula: str) -> set[str]:
    """The names in an expression, functions included."""
    return {node.id for node in ast.walk(ast.parse(formula, mode="eval")) if isinstance(node, ast.Name)}


def _called(formula: str) -> set[str]:
    """The plain function names that an expression calls; none in a literal."""
    calls = (node for node in ast.walk(ast.parse(formula, mode="eval")) if isinstance(node, ast.Call))
    return {call.func.id for call in calls if isinstance(call.func, ast.Name)}
