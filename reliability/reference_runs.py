"""Runs reference scripts in child processes and compares them with the committed curves.

CAMB computes with all cores through OpenMP; several at once would fight for them. So the cores are shared out:
processes times threads never exceed what the machine has.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from reliability.errors import OutputError, ReferenceSolutionError
from reliability.metrics import numerical_accuracy_score
from reliability.records import Reference, Setting, Task, Tolerance
from reliability.reference_scripts import find_script, script_arguments
from reliability.references import SCHEMA, curve_text, load_reference, numbers_sha256, sha256
from reliability.right_answers import FLOOR, is_right_answer
from reliability.tasks import grid_values

if TYPE_CHECKING:
    from reliability.records import FloatArray

TIMEOUT_S = 1800.0
REPRODUCED = 1e-9
"""A run reproduces the committed curve if its NAS is at least 1 minus this (threads add in another order)."""


@dataclass(frozen=True, slots=True)
class Computation:
    """One finished run of a reference script."""

    x: FloatArray
    y: FloatArray
    seconds: float
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ReferenceRun:
    """A reference computed now, beside the committed one."""

    task: str
    computation: Computation | None
    """``None`` if the script failed; then ``reason`` says why."""
    max_abs_diff: float | None = None
    """Largest difference from the committed curve; ``None`` without one (``reason``)."""
    nas: float | None = None
    accurate: bool | None = None
    """Whether it is a right answer by the committed curve (:mod:`reliability.right_answers`)."""
    reason: str = ""
    csv: Path | None = None
    """Where the curve was written, if it was."""
    checks: Sequence[Mapping[str, object]] = field(default=())

    @property
    def is_reproduced(self) -> bool | None:
        """Whether NAS is 1 to within 1e-9; ``None`` if there was nothing to compare."""
        return None if self.nas is None else self.nas >= 1 - REPRODUCED


def n_cores() -> int:
    """The cores this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_references(
    tasks: Iterable[Task],
    *,
    out: Path | None = None,
    workers: int | None = None,
    progress: Callable[[ReferenceRun], object] | None = None,
) -> list[ReferenceRun]:
    """Compute the references of `tasks` with the installed CAMB and compare each with the committed one.

    `out`: folder for the curves and their provenance. `progress` is called after each task. The list has the order of
    `tasks`. A script that fails is a :class:`ReferenceRun` with a reason; a task without script raises
    :class:`ReferenceSolutionError`.
    """
    tasks = list(tasks)
    requests = {task.id: (find_script(task), script_arguments(task, find_script(task))) for task in tasks}
    if out is not None:
        _make_folder(out)
    cores = n_cores()
    workers = max(1, min(workers or cores, cores, len(tasks)))
    runs: dict[str, ReferenceRun] = {}
    with ThreadPoolExecutor(workers) as pool:
        jobs = {pool.submit(_run_one, task, *requests[task.id], cores // workers, out): task for task in tasks}
        try:
            for job in as_completed(jobs):
                run = job.result()
                runs[run.task] = run
                if progress is not None:
                    progress(run)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [runs[task.id] for task in tasks]


def compute_reference(
    script: Path,
    arguments: Mapping[str, Setting],
    *,
    threads: int = 1,
    python: str = sys.executable,
    accuracy_boost: float | None = None,
    unlensed: bool = False,
) -> Computation:
    """Run ``compute(**arguments)`` of `script` in a child process, with the CAMB that `python` has.

    `accuracy_boost` and `unlensed` change CAMB from outside (see :mod:`reliability._reference_worker`). Raises
    :class:`ReferenceSolutionError` with the last line of the child's error.
    """
    import numpy as np

    with tempfile.TemporaryDirectory(prefix="reliability-") as folder:
        place = Path(folder)
        request = {
            "script": str(script.resolve()),
            "arguments": dict(arguments),
            "accuracy_boost": accuracy_boost,
            "unlensed": unlensed,
            "curve": str(place / "curve.npy"),
            "report": str(place / "report.json"),
        }
        (place / "request.json").write_text(json.dumps(request), encoding="utf-8")
        worker = Path(__file__).with_name("_reference_worker.py")
        # -P: the worker's own folder holds modules named like the standard library's (statistics)
        command = [python, "-P", str(worker), str(place / "request.json")]
        environment = {**os.environ, "OMP_NUM_THREADS": str(max(1, threads))}
        try:
            done = subprocess.run(
                command, cwd=place, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ReferenceSolutionError(f"{script}: could not be run: {error}") from error
        if done.returncode != 0:
            lines = (done.stderr or done.stdout).strip().splitlines() or [f"exit code {done.returncode}"]
            raise ReferenceSolutionError(f"{script}: failed: {lines[-1].strip()}")
        report = json.loads((place / "report.json").read_text(encoding="utf-8"))
        x, y = np.load(place / "curve.npy", allow_pickle=False)
    return Computation(x=x, y=y, seconds=float(report["seconds"]), versions=report["versions"])


def check_curve(task: Task, x: FloatArray, y: FloatArray) -> list[dict[str, object]]:
    """The checks that hold for every reference: finite, on the grid, not constant. Each is a dict(name, passed)."""
    import numpy as np

    grid = grid_values(task.grid)
    on_grid = x.shape == grid.shape and bool(np.allclose(x, grid, rtol=1e-12, atol=0))
    return [
        {"name": "finite", "passed": bool(np.isfinite(x).all() and np.isfinite(y).all())},
        {"name": "on the task's grid", "passed": on_grid},
        {"name": "not constant", "passed": bool(np.ptp(y) > 0)},
    ]


def provenance(
    task: Task, script: Path, computation: Computation, tolerance: Tolerance, checks: Sequence[Mapping[str, object]]
) -> dict[str, object]:
    """The provenance of a reference without its curve's hash, which :func:`write_reference` adds."""
    return {
        "schema": SCHEMA,
        "task": task.id,
        "script": script.name,
        "script_sha256": sha256(script),
        "numbers_sha256": numbers_sha256(task),
        "versions": dict(computation.versions),
        "settings": dict(task.settings),
        "seconds": round(computation.seconds, 2),
        "checks": [dict(check) for check in checks],
        "tolerance": {"nrmse": tolerance.nrmse, "smape": tolerance.smape, "ccc": tolerance.ccc},
    }


def write_reference(task: Task, x: FloatArray, y: FloatArray, record: Mapping[str, object], folder: Path) -> Path:
    """Write ``NAME.csv`` and ``NAME.json``; returns the path of the curve."""
    path = folder / f"{task.name}.csv"
    try:
        path.write_text(curve_text(task, x, y), encoding="utf-8", newline="\n")
        text = json.dumps({**record, "curve_sha256": sha256(path)}, indent=2, allow_nan=False) + "\n"
        path.with_suffix(".json").write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from error
    return path


def _run_one(
    task: Task, script: Path, arguments: Mapping[str, Setting], threads: int, out: Path | None
) -> ReferenceRun:
    try:
        computation = compute_reference(script, arguments, threads=threads)
    except ReferenceSolutionError as error:
        return ReferenceRun(task.id, None, reason=str(error))
    checks = check_curve(task, computation.x, computation.y)
    failed = [str(check["name"]) for check in checks if not check["passed"]]
    if failed:
        return ReferenceRun(task.id, None, reason=f"{script}: the curve is not: {', '.join(failed)}", checks=checks)
    committed, reason = _committed(task)
    csv = None
    if out is not None:
        record = provenance(task, script, computation, committed.tolerance if committed else FLOOR, checks)
        if committed:  # same script, same numbers: what was found out about them still holds
            kept = ("checks", "camb_lines", "tolerance_from", "tolerance_margin")
            record |= {key: committed.provenance[key] for key in kept if key in committed.provenance}
        csv = write_reference(task, computation.x, computation.y, record, out)
    if committed is None:
        why = "nothing to compare with yet" if csv is not None else reason
        return ReferenceRun(task.id, computation, reason=why, csv=csv, checks=checks)
    scores = numerical_accuracy_score(computation.x, computation.y, committed.x, committed.y)
    return ReferenceRun(
        task.id,
        computation,
        max_abs_diff=float(abs(computation.y - committed.y).max()),
        nas=scores.nas,
        accurate=is_right_answer(scores, computation.y, committed),
        csv=csv,
        checks=checks,
    )


def _committed(task: Task) -> tuple[Reference | None, str]:
    try:
        return load_reference(task), ""
    except ReferenceSolutionError as error:
        return None, str(error)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be made ({error.strerror})") from error
