"""How small an error each score notices, what each score does under edits, and how weak a fault of a posterior is seen:
the other half of a validation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reliability.tables import write_table
from reliability.tasks import load_tasks
from reliability.validation.limits import LIMIT_COLUMNS, DetectionLimit, detection_limits, limit_rows
from reliability.validation.posterior_rates import ALARM_COLUMNS, DETECTION_COLUMNS, posterior_rates
from reliability.validation.shifted_runs import ShiftedRuns, read_runs, write_runs
from reliability.validation.stress import EDIT_COLUMNS, ORDER_COLUMNS, edit_rows, evaluator_stress, order_rows

if TYPE_CHECKING:
    from pathlib import Path

Rows = list[dict[str, object]]
RUNS = "limit_runs.csv"
"""In the output folder: the CAMB runs of the detection limits, where they are made anew."""


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """Detection limits, and the rows of the stress test's and the posterior checks' tables."""

    limits: tuple[DetectionLimit, ...]
    edits: Rows
    orders: Rows
    alarms: Rows
    """Of the posterior checks on healthy posteriors."""
    detections: Rows
    """Of faults of known strength in posteriors."""


def measure_sensitivity(
    output: Path,
    *,
    seed: int = 0,
    workers: int = 1,
    is_anew: bool = False,
    progress: Callable[[str, int, int], object] = lambda _step, _done, _n: None,
) -> Sensitivity:
    """Return the detection limits, the stress test and the posterior checks' rates; write their tables to `output`.

    The limits follow from the CAMB runs that are committed, and are estimated or missing where these do not suffice;
    with `is_anew` all runs are made again, and kept in `output`: an interruption loses at most the one under way.
    """
    tasks = load_tasks()
    kept = output / RUNS
    runs = ShiftedRuns(read_runs(kept), kept) if is_anew else ShiftedRuns(read_runs())
    limits = detection_limits(
        tasks,
        runs=runs,
        compute=is_anew,
        workers=workers,
        on_done=lambda done, n: progress("detection limits", done, n),
    )
    stress = evaluator_stress(
        tasks, seed=seed, workers=workers, on_done=lambda done, n: progress("stress test", done, n)
    )
    alarms, detections = posterior_rates(
        seed=seed, workers=workers, on_done=lambda done, n: progress("posterior checks", done, n)
    )
    if is_anew:
        write_runs(kept, runs.all())
    edits, orders = edit_rows(stress.effects), order_rows(stress.pairs)
    write_table(output / "limits.csv", LIMIT_COLUMNS, limit_rows(limits))
    write_table(output / "edits.csv", EDIT_COLUMNS, edits)
    write_table(output / "orders.csv", ORDER_COLUMNS, orders)
    write_table(output / "posterior_alarms.csv", ALARM_COLUMNS, alarms)
    write_table(output / "posterior_detections.csv", DETECTION_COLUMNS, detections)
    return Sensitivity(limits, edits, orders, alarms, detections)
