"""What it costs to run a script again, against the script's own time.

    python benchmarks/bench_reexecution.py [--runs N]

A script of an example trial is run in turns as ``python script.py``, without a sandbox, and by re-execution: sandbox,
recorder, the search for the output, the comparison, and where its numbers come from. The ratio is taken within each
turn, so that a machine that is busy in one is busy in both; the first turn, which fills caches, is left out. The target
is 1.05.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from reliability.reexecution.attempts import Settings
from reliability.reexecution.one_trial import reexecute_trial
from reliability.reexecution.records import Expected
from reliability.references import load_reference
from reliability.sandbox import choose_backend
from reliability.tasks import load_tasks
from reliability.trials import find_trials
from reliability.variants import load_alternatives

TRIALS = Path(__file__).resolve().parents[1] / "examples" / "trials" / "careful-agent"
TASKS = ("t08", "t12", "t01", "t13")
TARGET = 1.05


def plain(trial):
    """Seconds of the trial's script as its author would run it."""
    with tempfile.TemporaryDirectory() as work:
        shutil.copytree(trial.folder / "code", Path(work) / "code")
        command = [sys.executable, f"code/{trial.code_files[0].name}"]
        started = time.perf_counter()
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        # in a session of its own, as the sandbox is: the scheduler shares a busy machine out among sessions
        subprocess.run(command, cwd=work, env=environment, check=True, capture_output=True, start_new_session=True)
        return time.perf_counter() - started


def again(trial, expected, settings):
    """Seconds of its re-execution."""
    started = time.perf_counter()
    row = reexecute_trial(trial, expected, {"installed": Path(sys.executable)}, settings)
    assert row.verdict == "reproduced", row
    return time.perf_counter() - started


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=5, help="turns of each script (default: 5)")
    runs = parser.parse_args().runs
    tasks, settings = load_tasks(), Settings(choose_backend())
    print("task  script s  re-execution s  ratio (median, least, most)")
    for task_id in TASKS:
        (trial,) = find_trials([TRIALS / task_id / "0"], known_tasks=tasks)
        task = tasks[task_id]
        expected = Expected(task, load_reference(task), load_alternatives(task))
        turns = [(plain(trial), again(trial, expected, settings)) for _ in range(runs + 1)][1:]
        ratios = [b / a for a, b in turns]
        own, other = (statistics.median(column) for column in zip(*turns, strict=True))
        ratio = statistics.median(ratios)
        print(f"{task_id}   {own:8.2f}  {other:14.2f}  {ratio:5.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
              f"{'' if ratio <= TARGET else '  above the target of 1.05'}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
