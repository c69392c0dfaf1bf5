"""Milliseconds a trial, next to the floor and to a naive scorer, and the peak memory of many trials.

Three scorers see the same trials, in turn, in one run on one core:

* ours: code read, curve read, every metric, mode, disclosure (``scoring.score_trial``);
* floor: ``ast.parse`` of the code and ``pandas.read_csv(engine="c")`` of the output, nothing else;
* naive: ``numpy.loadtxt``, ``ast.parse`` and the three formulas, as a script of twenty lines would do it.

The trials are the rendered reference scripts with their committed curves. Machines are noisy: read the ratios.
"""

from __future__ import annotations

import argparse
import ast
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from reliability.camb_code import read_camb_code
from reliability.curves import read_curve
from reliability.metrics import numerical_accuracy_score
from reliability.parameter_accuracy import parameter_accuracy
from reliability.records import Trial
from reliability.references import load_reference, render_script
from reliability.scoring import Judge, score_trial
from reliability.tasks import data_folder, load_tasks
from reliability.trials import find_trials

REPORT = "The spectrum was computed with CAMB as requested and saved to result.csv.\n"


def write_trials(root: Path, n_systems: int, n_trials: int) -> None:
    """Write right trials of all tasks; outputs are hard links of one file, every script is a text of its own."""
    for task in load_tasks().values():
        script = render_script(task)
        curve = root / f"{task.id}.csv"
        shutil.copyfile(data_folder("reference_solutions") / f"{task.name}.csv", curve)
        for i in range(n_systems):
            for j in range(n_trials):
                folder = root / "trials" / f"system{i:02d}" / task.id / str(j)
                (folder / "code").mkdir(parents=True)
                (folder / "code" / "solve.py").write_text(f"{script}\n# system {i}, trial {j}\n")
                (folder / "report.md").write_text(REPORT)
                os.link(curve, folder / "result.csv")


def naive(code: Path, output: Path, reference: tuple[np.ndarray, np.ndarray]) -> float:
    ast.parse(code.read_bytes())
    x, y = np.loadtxt(output, delimiter=",", skiprows=1, unpack=True)
    x_ref, y_ref = reference
    y = np.interp(x_ref, x, y)
    nrmse = max(0, 1 - np.sqrt(np.mean((y - y_ref) ** 2)) / np.ptp(y_ref))
    with np.errstate(invalid="ignore"):
        smape = max(0, 1 - np.mean(np.nan_to_num(np.abs(y - y_ref) / ((np.abs(y) + np.abs(y_ref)) / 2))))
    cov = np.mean((y - y.mean()) * (y_ref - y_ref.mean()))
    ccc = max(0, 2 * cov / (y.var() + y_ref.var() + (y.mean() - y_ref.mean()) ** 2))
    return float(0.2 * nrmse + 0.3 * smape + 0.5 * ccc)


def milliseconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return 1e3 * (time.perf_counter() - start)


def compare(root: Path, rounds: int) -> None:
    tasks = load_tasks()
    references = {task.id: load_reference(task) for task in tasks.values()}
    judge = Judge(tasks, references)
    by_round = [[t for t in find_trials([root], known_tasks=tasks) if t.trial == i] for i in range(rounds)]
    names = ("ours", "floor", "naive", "code", "curve", "metrics")
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for trials in by_round:  # every round sees scripts it has not seen before
        total = dict.fromkeys(names, 0.0)
        for trial in trials:
            add_times(total, trial, judge)
        for name in names:
            seconds[name].append(total[name] / len(trials))
    ms = {name: statistics.median(values) for name, values in seconds.items()}
    ratio = statistics.median(a / b for a, b in zip(seconds["ours"], seconds["floor"], strict=True))
    rest = ms["ours"] - ms["code"] - ms["curve"] - ms["metrics"]
    print(f"{len(tasks)} trials, {rounds} rounds, one core; median milliseconds a trial")
    print(f"  floor  {ms['floor']:.3f}   ast.parse + pandas.read_csv(engine='c')")
    print(
        f"  naive  {ms['naive']:.3f}   numpy.loadtxt + ast.parse + formulas ({ms['naive'] / ms['floor']:.2f} x floor)"
    )
    print(f"  ours   {ms['ours']:.3f}   {ratio:.2f} x floor (median of the rounds)")
    print(f"    of which code {ms['code']:.3f}, curve {ms['curve']:.3f}, metrics {ms['metrics']:.3f}, rest {rest:.3f}")


def add_times(total: dict[str, float], trial: Trial, judge: Judge) -> None:
    code, output = trial.code_files[0], trial.output_file
    assert output is not None
    task, reference = judge.tasks[trial.task], judge.references[trial.task]
    source = code.read_bytes()
    curve = read_curve(output, columns=task.columns)
    total["floor"] += milliseconds(lambda: (ast.parse(code.read_bytes()), pd.read_csv(output, engine="c")))
    total["naive"] += milliseconds(lambda: naive(code, output, (reference.x, reference.y)))
    total["ours"] += milliseconds(lambda: score_trial(trial, judge))
    # another text again, so that what was kept of the same script does not help
    total["code"] += milliseconds(lambda: parameter_accuracy(read_camb_code(source + b"#"), task))
    total["curve"] += milliseconds(lambda: read_curve(output, columns=task.columns))
    total["metrics"] += milliseconds(lambda: numerical_accuracy_score(curve.x, curve.y, reference.x, reference.y))


def many(n_trials: int, workers: int) -> None:
    """Score `n_trials` trials with the command itself; print cost a trial and the peak memory of one process."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        n_each = max(1, round(n_trials / 140))
        write_trials(root, 10, n_each)
        command = [sys.executable, "-m", "reliability", "score", str(root / "trials"), "-o", str(root / "run")]
        start = time.perf_counter()
        subprocess.run(
            [*command, "--workers", str(workers), "--no-figures", "--no-report"], check=True, stdout=subprocess.DEVNULL
        )
        seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    n = 140 * n_each
    print(f"  {n:>7} trials: {1e3 * seconds / n:.2f} ms a trial in all with {workers} workers; ", end="")
    print(f"largest process so far {peak:.0f} MiB", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--trials", type=int, default=100_000, help="size of the large run (0: none)")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        write_trials(Path(scratch), 1, arguments.rounds)
        compare(Path(scratch) / "trials", arguments.rounds)
    if arguments.trials:
        print("whole command: discovery, scoring, intervals, tables")
        for n in (1_000, arguments.trials // 10, arguments.trials):
            many(n, arguments.workers)


if __name__ == "__main__":
    main()
