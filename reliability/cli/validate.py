"""``validate``: the judge on trial."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reliability.cli.options import Commands, accepted_sandbox, add_command, add_sandbox_options, positive
from reliability.cli.printing import print_json, print_table, say

if TYPE_CHECKING:
    from reliability.validation.run import Validation
    from reliability.validation.sensitivity import Sensitivity

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
    how = sub.add_mutually_exclusive_group()
    how.add_argument("--quick", action="store_true", help="a selection of faults on few tasks, in minutes; no limits")
    how.add_argument("--limits-anew", action="store_true", help="compute every run of the detection limits again")
    sub.add_argument("--seed", type=int, default=0, help="seed of styles, reports and selection")
    sub.add_argument("--styles", type=positive, default=3, metavar="N", help="styles of each fault on each task")
    sub.add_argument("--workers", type=positive, metavar="N", help="processes (default: all cores)")
    sub.add_argument("--no-figures", action="store_true", help="tables only")
    add_sandbox_options(sub)


class _Bars:
    """A progress bar a step."""

    def __init__(self) -> None:
        self.bars: dict[str, Any] = {}

    def __call__(self, step: str, done: int, total: int) -> None:
        from tqdm import tqdm

        if step not in self.bars:  # what an earlier run did tells nothing about the speed
            self.bars[step] = tqdm(desc=step, disable=None, total=total, initial=done)
        self.bars[step].update(done - self.bars[step].n)

    def close(self) -> None:
        for bar in self.bars.values():
            bar.close()


def _validate(arguments: argparse.Namespace) -> int:
    from reliability.reference_runs import n_cores
    from reliability.validation.run import validate
    from reliability.validation.sensitivity import measure_sensitivity

    os.environ.setdefault("OMP_NUM_THREADS", "1")  # of CAMB's: the workers are enough, and one thread rounds one way
    backend, workers, bars = accepted_sandbox(arguments), arguments.workers or n_cores(), _Bars()
    output, seed = arguments.output, arguments.seed
    measured = None
    try:
        found = validate(
            output,
            seed=seed,
            n_styles=arguments.styles,
            is_quick=arguments.quick,
            workers=workers,
            backend=backend,
            progress=bars,
        )
        if not arguments.quick:
            measured = measure_sensitivity(
                output, seed=seed, workers=workers, is_anew=arguments.limits_anew, progress=bars
            )
    finally:
        bars.close()
    figures = [] if arguments.no_figures else _draw(output, found, measured)
    if arguments.json:
        tables: dict[str, Any] = {"kinds": found.kinds, "faults": found.faults, "modes": found.modes}
        tables |= {"disagreements": found.disagreements}
        if measured:
            tables |= {"edits": measured.edits, "orders": measured.orders}
            tables |= {"posterior_alarms": measured.alarms, "posterior_detections": measured.detections}
        print_json({"output": str(output), **tables, "figures": figures})
    else:
        _show(found)
        say(f"tables and figures: {output}")
    return 0


def _show(found: Validation) -> None:
    print_table(tuple(SHOWN.values()), [[row[name] for name in SHOWN] for row in found.kinds])
    print()
    print_table(tuple(found.modes[0]), [tuple(row.values()) for row in found.modes])
    say(f"{len(found.disagreements)} of {len(found.verdicts)} trials are not judged as is true: disagreements.csv")


def _draw(folder: Path, found: Validation, measured: Sensitivity | None) -> list[str]:
    from reliability.figure_style import save_figure
    from reliability.limit_figures import figure_detection_limits
    from reliability.posterior_rate_figures import figure_posterior_detection
    from reliability.stress_figures import figure_edit_effects, figure_ordering
    from reliability.validation_figures import figure_kinds, figure_mode_d, figure_modes

    figures = {
        "kinds": figure_kinds(found.kinds),
        "wrong_in_mode_D": figure_mode_d(found.kinds),
        "modes": figure_modes(found.modes),
    }
    if measured is not None:
        figures |= {
            "limits": figure_detection_limits(measured.limits),
            "edits": figure_edit_effects(measured.edits),
            "orders": figure_ordering(measured.orders),
            "posteriors": figure_posterior_detection(measured.detections, measured.alarms),
        }
    return [str(path) for name, figure in figures.items() for path in save_figure(figure, folder / "figures" / name)]
