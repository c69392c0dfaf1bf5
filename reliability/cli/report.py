"""``report``: the page of a run, and the comparison of two."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reliability.cli.options import Commands, add_command, add_tasks_option
from reliability.cli.printing import print_json, say

if TYPE_CHECKING:
    from reliability.report import WrittenReport


def add_report(commands: Commands) -> None:
    """Add the command ``report``."""
    sub = add_command(
        commands, "report", _report, "Write report.html of a run: who can be trusted on what, and why not."
    )
    sub.add_argument("run_folder", type=Path, metavar="RUN", help="folder that `reliability score` wrote")
    sub.add_argument(
        "--trials",
        nargs="+",
        type=Path,
        metavar="DIR",
        help="where the trials are now, for curves and code (default: where they were scored)",
    )
    add_tasks_option(sub)


def _report(arguments: argparse.Namespace) -> int:
    report = make_report(arguments.run_folder, arguments.trials, arguments.tasks)
    if arguments.json:
        print_json({"page": str(report.page), "files": report.n_files, "missing": list(report.missing)})
    else:
        say_report(report)
    return 0


def add_compare(commands: Commands) -> None:
    """Add the command ``compare``."""
    sub = add_command(commands, "compare", _compare, "What changed between two runs: differences, verdicts, and why.")
    sub.add_argument("first", type=Path, metavar="RUN_A", help="folder that `reliability score` wrote")
    sub.add_argument("second", type=Path, metavar="RUN_B", help="another, e.g. of a new agent or suite version")
    sub.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder for compare.html, .txt and the tables")
    sub.add_argument(
        "--pair",
        nargs=2,
        action="append",
        default=[],
        metavar=("SYSTEM_A", "SYSTEM_B"),
        help="systems to compare that are called differently in the two runs",
    )


def _compare(arguments: argparse.Namespace) -> int:
    from reliability.report import compare_runs, comparison_text, write_comparison
    from reliability.report.names import trial_name

    found = compare_runs(arguments.first, arguments.second, pairs=[tuple(pair) for pair in arguments.pair])
    page = write_comparison(found, arguments.output) if arguments.output else None
    if arguments.json:
        rows = [difference._asdict() for difference in found.differences]
        content = {"page": str(page) if page else None, "differences": rows, "n_common": found.n_common}
        print_json(content | {"changed": [trial_name(change.after.address) for change in found.changes]})
    else:
        print("\n".join(comparison_text(found)))
        if page:
            say(f"comparison: {page}")
    return 0


def make_report(run: Path, trials: Sequence[Path] | None, tasks: Path | None) -> WrittenReport:
    """Write the report of a run, with a progress bar."""
    from tqdm import tqdm

    from reliability.report import write_report

    with tqdm(desc="report", unit=" trials", disable=None) as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        return write_report(run, roots=trials, tasks_folder=tasks, progress=progress)


def say_report(report: WrittenReport) -> None:
    """Tell where the report is, and what it could not show."""
    for text in report.missing:
        say(f"report: {text}")
    say(f"report: {report.page}")
