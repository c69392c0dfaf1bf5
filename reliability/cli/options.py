"""What commands have in common."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from reliability.sandbox import Backend

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


def add_sandbox_options(sub: argparse.ArgumentParser) -> None:
    """The options for less than the full sandbox; :func:`accepted_sandbox` has what they say."""
    how = sub.add_mutually_exclusive_group()
    how.add_argument("--accept-partial-sandbox", action="store_true", help="where the full sandbox is refused")
    how.add_argument("--no-sandbox", action="store_true", help="what is run can do whatever you can")


def accepted_sandbox(arguments: argparse.Namespace) -> Backend:
    """The sandbox to use; an error that says what this machine refuses if it is less than is accepted."""
    from reliability.sandbox import Mode, choose_backend

    if arguments.no_sandbox:
        return choose_backend(Mode.NONE)
    return choose_backend(Mode.PARTIAL if arguments.accept_partial_sandbox else Mode.FULL)


_MOST = 10**9


def positive(text: str) -> int:
    """The number in an option's text; an error of the command line if it is below 1 or beyond any use."""
    value = int(text)
    if not 1 <= value <= _MOST:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 to {_MOST}")
    return value
