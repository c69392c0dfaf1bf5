"""One seeded trial: the script and the report of a fault on a task, and the folder that an agent would have left."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reliability.corpus import Recipe, Style, write_script
from reliability.errors import InputError
from reliability.faults.catalogue import faulty_recipe
from reliability.faults.reports import report_text
from reliability.records import CambModel

if TYPE_CHECKING:
    from pathlib import Path

    from reliability.faults.records import Fault
    from reliability.records import Task

OUTPUT: Final = "result.csv"
CODE: Final = "code/solution.py"
REPORT: Final = "report.md"
STARTED: Final = 1767225600.0
"""Unix time at which every seeded trial is said to have begun: the first of January 2026."""
OLDER_S: Final = 86400.0
"""By how much the left-over file of an earlier run is older."""


@dataclass(frozen=True, slots=True)
class SeededScript:
    """What a seeded agent wrote for a task."""

    fault: Fault
    task: Task
    recipe: Recipe
    style: Style
    source: str
    models: tuple[CambModel, ...]
    """What CAMB receives if the script runs to its end."""
    files: Mapping[str, bytes]
    """What lies beside it when it runs."""
    report: str | None


def write_fault(fault: Fault, task: Task, style: Style, seed: str) -> SeededScript:
    """Return a fault on a task in a style; what the style leaves open follows from the text of the seed.

    Raises :class:`InputError` if the fault does not apply to the task.
    """
    recipe = faulty_recipe(fault, task)
    if recipe is None:
        raise InputError(f"the fault {fault.id} does not apply to {task.id}")
    rng = random.Random(seed)
    stale = {OUTPUT: _stale(task)} if fault.is_stale else {}
    if fault.without_camb is not None:
        source = "\n".join(fault.without_camb(task)) + "\n"
        return SeededScript(fault, task, recipe, style, source, (), stale, report_text(fault, task, rng))
    script = write_script(recipe, style, rng)
    source = fault.edit(script.text)
    files = {**script.files, **stale}
    return SeededScript(fault, task, recipe, style, source, script.models, files, report_text(fault, task, rng))


def _stale(task: Task) -> bytes:
    """A complete and wrong result, as of an earlier run."""
    x, y = task.columns
    start, stop, n = task.grid.start, task.grid.stop, task.grid.n
    rows = (f"{start + (stop - start) * i / (n - 1):.8g},{i + 1}\n" for i in range(n))
    return f"{x},{y}\n{''.join(rows)}".encode()


def write_trial(folder: Path, script: SeededScript, output: bytes | None, *, ended: str) -> None:
    """Write the trial's folder in the native layout; ``trial.json`` comes last, so a folder that has it is complete.

    `output`: what the script wrote; `ended`: as the recorder says. A left-over file keeps its age.
    """
    (folder / CODE).parent.mkdir(parents=True, exist_ok=True)
    (folder / CODE).write_text(script.source, encoding="utf-8")
    if output is not None:
        (folder / OUTPUT).write_bytes(output)
    elif script.fault.is_stale:
        (folder / OUTPUT).write_bytes(script.files[OUTPUT])
        os.utime(folder / OUTPUT, (STARTED - OLDER_S, STARTED - OLDER_S))
    if script.report is not None:
        (folder / REPORT).write_text(script.report, encoding="utf-8")
    is_done = ended in ("finished", "exited")
    status = "completed" if is_done else "timeout" if ended == "timeout" else "failed"
    record = {"status": status, "started": STARTED, "exit_code": 0 if is_done else 1}
    (folder / "trial.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
