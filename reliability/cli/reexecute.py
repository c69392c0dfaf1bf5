"""``reexecute``: does the code of trials make the output that was handed in with it?"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from reliability.cli.options import (
    Commands,
    accepted_sandbox,
    add_command,
    add_sandbox_options,
    add_tasks_option,
    positive,
)
from reliability.cli.printing import print_json, print_table, say

if TYPE_CHECKING:
    from reliability.reexecution import Reexecution


def add_reexecute(commands: Commands) -> None:
    """Add the command ``reexecute``."""
    sub = add_command(
        commands, "reexecute", _reexecute, "Run the code of trials in the sandbox: does it make their output?"
    )
    sub.add_argument("trials", nargs="+", type=Path, metavar="TRIALS", help="folder with trials, any known layout")
    sub.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="folder for reexecution.csv")
    sub.add_argument(
        "--camb",
        type=lambda text: [version.strip() for version in text.split(",") if version.strip()],
        default=[],
        metavar="V,V",
        help="versions of CAMB, tried in this order; pip installs those that are not there"
        " (default: the one that trial.json names, then the installed one)",
    )
    add_tasks_option(sub)
    sub.add_argument("--task", action="append", default=[], metavar="TASK", help="only this task; may be repeated")
    sub.add_argument("--system", action="append", default=[], metavar="NAME", help="only this system; may be repeated")
    sub.add_argument("--timeout", type=positive, default=600, metavar="S", help="seconds of one script (default: 600)")
    sub.add_argument("--workers", type=positive, default=1, metavar="N", help="trials at a time (default: 1)")
    add_sandbox_options(sub)


def _reexecute(arguments: argparse.Namespace) -> int:
    from tqdm import tqdm

    from reliability.reexecution.attempts import Settings
    from reliability.reexecution.run import reexecute
    from reliability.reference_runs import n_cores

    backend = accepted_sandbox(arguments)
    bar = tqdm(desc="running again", unit=" trials", disable=None)

    def progress(done: int, total: int) -> None:
        if bar.total is None:  # trials that were done before tell nothing about the speed
            bar.total, bar.initial, bar.n = total, done, done
            bar.start_t = bar.last_print_t = time.time()
        bar.update(done - bar.n)

    with bar:
        rows = reexecute(
            arguments.trials,
            arguments.output,
            Settings(backend, arguments.timeout, max(1, n_cores() // arguments.workers)),
            versions=arguments.camb,
            tasks_folder=arguments.tasks,
            only_tasks=list(dict.fromkeys(arguments.task)),
            only_systems=list(dict.fromkeys(arguments.system)),
            workers=arguments.workers,
            progress=progress,
            say=say,
        )
    if arguments.json:
        print_json([asdict(row) for row in rows])
    else:
        _print(rows)
        say(f"table: {arguments.output / 'reexecution.csv'}")
    return 0


def _print(rows: Sequence[Reexecution]) -> None:
    """Print how often each verdict was reached for each system, then every trial that was not reproduced."""
    from reliability.reexecution import Verdict

    verdicts = [name for name in (*get_args(Verdict), "") if any(row.verdict == name for row in rows)]
    systems = list(dict.fromkeys(row.system for row in rows))
    counts = [
        (
            system,
            sum(row.system == system for row in rows),
            *(sum((row.system, row.verdict) == (system, name) for row in rows) for name in verdicts),
        )
        for system in systems
    ]
    print_table(("system", "trials", *(name or "no verdict" for name in verdicts)), counts)
    others = [row for row in rows if row.verdict != "reproduced"]
    if others:
        print()
        print_table(("trial", "verdict", "CAMB", "how"), [(_name(r), r.verdict, r.camb or None, r.how) for r in others])


def _name(row: Reexecution) -> str:
    condition = f"@{row.condition}" if row.condition else ""
    return f"{row.system}/{row.task}{condition}/{row.trial}"
