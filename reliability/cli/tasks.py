"""``tasks`` and ``prompt``: what agents are asked."""

from __future__ import annotations

import argparse
from pathlib import Path

from reliability.cli.options import Commands, add_command, add_tasks_option
from reliability.cli.printing import print_json, print_table, say


def add_tasks(commands: Commands) -> None:
    """Add the command ``tasks``."""
    sub = add_command(commands, "tasks", _tasks, "List the tasks.")
    add_tasks_option(sub)


def _tasks(arguments: argparse.Namespace) -> int:
    from reliability.inference_tasks import load_inference_tasks
    from reliability.tasks import load_tasks

    tasks = load_tasks(arguments.tasks).values()
    deep = load_inference_tasks().values() if arguments.tasks is None else ()
    if arguments.json:
        rows = [{"id": t.id, "title": t.title, "group": t.group, "quantity": t.quantity, "unit": t.unit} for t in tasks]
        shapes = [{"columns": t.columns, "n_points": t.grid.n} for t in tasks]
        print_json(
            [row | shape for row, shape in zip(rows, shapes, strict=True)]
            + [
                {"id": t.id, "title": t.title, "group": t.label, "parameters": [p.name for p in t.parameters]}
                for t in deep
            ]
        )
    else:
        header = ("task", "title", "group", "columns", "points")
        print_table(header, [(t.id, t.title, t.group, ", ".join(t.columns), t.grid.n) for t in tasks])
        if deep:
            print()
            names = [(t.id, t.title, t.label, ", ".join(p.name for p in t.parameters)) for t in deep]
            print_table(("task", "title", "group", "parameters"), names)
    return 0


def add_prompt(commands: Commands) -> None:
    """Add the command ``prompt``."""
    sub = add_command(commands, "prompt", _prompt, "Print the prompt of one task, as an agent gets it.")
    sub.add_argument("task", metavar="TASK")
    sub.add_argument(
        "--output",
        metavar="PATH",
        help="where the agent shall write its result, appended to the prompt; for T1 to T4 its folder, which gets the "
        "data (default: this one)",
    )
    add_tasks_option(sub)


def _prompt(arguments: argparse.Namespace) -> int:
    from reliability.tasks import DEEP_RESEARCH_IDS, find_task, load_tasks, render_prompt

    if arguments.tasks is None and arguments.task in DEEP_RESEARCH_IDS:
        return _inference_prompt(arguments)
    task = find_task(arguments.task, load_tasks(arguments.tasks))
    text = render_prompt(task, arguments.output)
    if arguments.json:
        print_json({"task": task.id, "prompt": text, "files": [str(task.folder / name) for name in task.files]})
    else:
        print(text, end="")
        for name in task.files:
            say(f"the agent also needs {task.folder / name} as {name} in its working directory")
    return 0


def _inference_prompt(arguments: argparse.Namespace) -> int:
    from reliability.inference_tasks import copy_data, load_inference_tasks, render_inference_prompt

    task = load_inference_tasks()[arguments.task]
    text = render_inference_prompt(task, arguments.output)
    copied = copy_data(task, Path(arguments.output or "."))
    if arguments.json:
        print_json({"task": task.id, "prompt": text, "files": [str(copied)]})
    else:
        print(text, end="")
        say(f"the data are in {copied}")
    return 0
