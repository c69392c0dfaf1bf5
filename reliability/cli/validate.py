"""``validate``: the judge on trial."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reliability.cli.options import Commands, accepted_sandbox, add_command, add_sandbox_options, positive
from reliability.cli.printing import print_json, print_table, say

if TYPE_CHECKING:
    from reliability.validation.run import Validation

SHOWN = {
    "kind": "kind", "n_faults": "faults", "n_trials": "trials", "n_right": "right", "n_wrong": "wrong",
    "n_between": "between", "n_no_output": "no output", "noticed": "noticed", "named": "named",
    "false_alarm": "false alarm", "mode_right": "mode right", "silent_right": "silent right",
    "wrong_in_mode_D": "wrong in D",
}  # fmt: skip
"""Columns of ``kinds.csv`` that go to the terminal, and their headings there."""


def add_validate(commands: Commands) -> None:
    """Add the command ``validate``."""
    sub = add_command(
        commands, "validate", _validate, "Run seeded faults through the suite: how often are its own verdicts right?"
    )
    sub.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="folder for tables and figures")
    sub.add_argument("--quick", action="store_true", help="a selection of faults on few tasks, in minutes")
    sub.add_argument("--seed", type=int, default=0, help="seed of styles, reports and selection")
    sub.add_argument("--styles", type=positive, default=3, metavar="N", help="styles of each fault on each task")
    sub.add_argument("--workers", type=positive, metavar="N", help="processes (default: all cores)")
    sub.add_argument("--no-figures", action="store_true", help="tables only")
    add_sandbox_options(sub)


def _validate(arguments: argparse.Namespace) -> int:
    from tqdm import tqdm

    from reliability.reference_runs import n_cores
    from reliability.validation.run import validate

    backend = accepted_sandbox(arguments)
    bars: dict[str, Any] = {}

    def progress(step: str, done: int, total: int) -> None:
        if step not in bars:  # what an earlier run did tells nothing about the speed
            bars[step] = tqdm(desc=step, unit=" trials", disable=None, total=total, initial=done)
        bars[step].update(done - bars[step].n)

    try:
        found = validate(
            arguments.output,
            seed=arguments.seed,
            n_styles=arguments.styles,
            is_quick=arguments.quick,
            workers=arguments.workers or n_cores(),
            backend=backend,
            progress=progress,
        )
    finally:
        for bar in bars.values():
            bar.close()
    figures = [] if arguments.no_figures else _draw(arguments.output, found)
    if arguments.json:
        tables = {"kinds": found.kinds, "faults": found.faults, "modes": found.modes}
        print_json(
            {"output": str(arguments.output), **tables, "disagreements": found.disagreements, "figures": figures}
        )
        return 0
    print_table(tuple(SHOWN.values()), [[row[name] for name in SHOWN] for row in found.kinds])
    print()
    print_table(tuple(found.modes[0]), [tuple(row.values()) for row in found.modes])
    say(f"{len(found.disagreements)} of {len(found.verdicts)} trials are not judged as is true: disagreements.csv")
    say(f"tables and figures: {arguments.output}")
    return 0


def _draw(folder: Path, found: Validation) -> list[str]:
    from reliability.figure_style import save_figure
    from reliability.validation_figures import figure_kinds, figure_mode_d, figure_modes

    figures = {
        "kinds": figure_kinds(found.kinds),
        "wrong_in_mode_D": figure_mode_d(found.kinds),
        "modes": figure_modes(found.modes),
    }
    return [str(path) for name, figure in figures.items() for path in save_figure(figure, folder / "figures" / name)]
