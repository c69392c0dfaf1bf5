"""What commands have in common."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""Where commands are entered."""


def add_command(
    commands: Commands, name: str, run: Callable[[argparse.Namespace], int], summary: str
) -> argparse.ArgumentParser:
    """A new command, whose other options are to be added; `run` returns its exit code."""
    sub = commands.add_parser(name, help=summary, description=summary, allow_abbrev=False)
    sub.set_defaults(run=run)
    sub.add_argument("--json", action="store_true", help="strict JSON on stdout")
    return sub


def add_tasks_option(sub: argparse.ArgumentParser) -> None:
    """The option for the user's own tasks."""
    sub.add_argument("--tasks", type=Path, metavar="DIR", help="folder of task folders (default: the fourteen)")


def positive(text: str) -> int:
    """The number in an option's text; an error of the command line if it is below 1."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value
