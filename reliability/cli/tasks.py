"""``tasks`` and ``prompt``: what agents are asked."""

from __future__ import annotations

import argparse

from reliability.cli.options import Commands, add_command, add_tasks_option
from reliability.cli.printing import print_json, print_table, say


def add_tasks(commands: Commands) -> None:
    """Add the command ``tasks``."""
    sub = add_command(commands, "tasks", _tasks, "List the tasks.")
    add_tasks_option(sub)


def _tasks(arguments: argparse.Namespace) -> int:
    from reliability.tasks import load_tasks

    tasks = load_tasks(arguments.tasks).values()
    if arguments.json:
        rows = [{"id": t.id, "title": t.title, "group": t.group, "quantity": t.quantity, "unit": t.unit} for t in tasks]
        print_json([row | {"columns": t.columns, "n_points": t.grid.n} for row, t in zip(rows, tasks, strict=True)])
    else:
        header = ("task", "title", "group", "columns", "points")
        print_table(header, [(t.id, t.title, t.group, ", ".join(t.columns), t.grid.n) for t in tasks])
    return 0


def add_prompt(commands: Commands) -> None:
    """Add the command ``prompt``."""
    sub = add_command(commands, "prompt", _prompt, "Print the prompt of one task, as an agent gets it.")
    sub.add_argument("task", metavar="TASK")
    sub.add_argument("--output", metavar="PATH", help="where the agent shall write its result; appended to the prompt")
    add_tasks_option(sub)


def _prompt(arguments: argparse.Namespace) -> int:
    from reliability.tasks import find_task, load_tasks, render_prompt

    task = find_task(arguments.task, load_tasks(arguments.tasks))
    text = render_prompt(task, arguments.output)
    if arguments.json:
        print_json({"task": task.id, "prompt": text, "files": [str(task.folder / name) for name in task.files]})
    else:
        print(text, end="")
        for name in task.files:
            say(f"the agent also needs {task.folder / name} as {name} in its working directory")
    return 0
