"""Rerun the scripts of the example trials and check that the committed results are what they write.

    python examples/make_trials.py --python PATH [--check] [SYSTEM...]

``PATH`` is a Python interpreter with CAMB 2.0.5 and numpy. Every trial with code is run in a fresh directory that holds
a copy of its ``code/`` (and, for t14, ``noise.csv`` of the task), its scripts in alphabetical order, two trials at a
time, each with one OpenMP thread. Without ``--check`` the ``result.csv`` found after the run replaces the committed one
(or removes it, when the scripts leave none). With ``--check`` nothing is written: the exit code must be that of
``trial.json`` and the result must be the committed one, byte for byte or, on another machine, number by number within
``RELATIVE_TOLERANCE`` of the largest number of its column. Exit status 1 when a trial differs.

The scripts are known (they were written for this folder), so no sandbox is used. A trial without ``code/`` is skipped.
"""

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
TRIALS = HERE / "trials"
TASKS = HERE.parent / "tasks_oneshot"
TIME_LIMIT_S = 300
RELATIVE_TOLERANCE = 1e-6


def find_trials(systems):
    """Trial folders, sorted; of the named systems only, if any are named."""
    folders = sorted(path.parent for path in TRIALS.glob("*/*/*/trial.json"))
    return [folder for folder in folders if not systems or folder.parts[-3] in systems]


def run_trial(folder, python):
    """Run the scripts of one trial; return (exit code of the first that fails, else 0; bytes of result.csv or None)."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    with tempfile.TemporaryDirectory() as work:
        shutil.copytree(folder / "code", Path(work) / "code")
        for task in TASKS.glob(folder.parts[-2] + "_*"):
            if (task / "noise.csv").is_file():
                shutil.copy(task / "noise.csv", work)
        exit_code = 0
        for script in sorted(Path(work, "code").glob("*.py")):
            try:
                done = subprocess.run(
                    [python, f"code/{script.name}"], cwd=work, env=environment, timeout=TIME_LIMIT_S, capture_output=True, check=False
                )
                exit_code = exit_code or done.returncode
            except subprocess.TimeoutExpired:
                exit_code = exit_code or 124
        output = Path(work) / "result.csv"
        return exit_code, output.read_bytes() if output.is_file() else None


def read_numbers(data):
    """The cells of a result: (text cells, columns of numbers). Any of the separators that the examples use."""
    words, columns = [], {}
    for line in data.decode().splitlines():
        for i, cell in enumerate(line.replace("|", ",").split(",")):
            try:
                columns.setdefault(i, []).append(float(cell))
            except ValueError:
                words.append(cell)
    return words, columns


def same_result(new, old):
    """'identical', 'equal' (within the tolerance) or None."""
    if new == old:
        return "identical"
    if new is None or old is None:
        return None
    (words_a, a), (words_b, b) = read_numbers(new), read_numbers(old)
    if words_a != words_b or {i: len(c) for i, c in a.items()} != {i: len(c) for i, c in b.items()}:
        return None
    for i in a:
        scale = max((abs(y) for y in b[i] if math.isfinite(y)), default=0.0)
        for x, y in zip(a[i], b[i], strict=True):
            if not (abs(x - y) <= RELATIVE_TOLERANCE * scale or (math.isnan(x) and math.isnan(y))):
                return None
    return "equal"


def handle(folder, python, check):
    """Run one trial and compare or write; return (name, message, fine)."""
    name = "/".join(folder.parts[-3:])
    if not (folder / "code").is_dir():
        return name, "no code: skipped", True
    expected_exit = json.loads((folder / "trial.json").read_text())["exit_code"]
    exit_code, new = run_trial(folder, python)
    result = folder / "result.csv"
    if exit_code != expected_exit:
        return name, f"exit code {exit_code}, trial.json says {expected_exit}", False
    if not check:
        result.unlink(missing_ok=True)
        if new is not None:
            result.write_bytes(new)
        return name, f"exit code {exit_code}, " + ("no result" if new is None else f"{len(new)} bytes"), True
    verdict = same_result(new, result.read_bytes() if result.is_file() else None)
    return name, verdict or "DIFFERENT", verdict is not None


def main():
    """Run or check the trials named on the command line."""
    parser = argparse.ArgumentParser(description="Rerun the example trials.")
    parser.add_argument("--python", required=True, help="interpreter with CAMB 2.0.5")
    parser.add_argument("--check", action="store_true", help="compare with the committed results, write nothing")
    parser.add_argument("system", nargs="*", help="systems to run (default: all)")
    options = parser.parse_args()
    python = shutil.which(options.python)
    if python is None:
        parser.error(f"no such interpreter: {options.python}")
    failures = 0
    with ThreadPoolExecutor(2) as pool:
        jobs = pool.map(lambda folder: handle(folder, str(Path(python).absolute()), options.check), find_trials(options.system))
        for name, message, fine in jobs:
            failures += not fine
            print(f"{name}: {message}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
