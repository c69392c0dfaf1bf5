"""Milliseconds to start a sandbox, and to name the cause of one wrong curve with the alternatives in memory.

    python benchmarks/bench_diagnosis.py [--runs N]

The curves of each task: another scale, one multipole too early (another x elsewhere), every alternative spectrum that
the catalogue knows, one of them on another scale, and noise of 5 %, which nothing explains and so costs the whole
search. The targets: 30 ms and 20 ms in the median.
"""

import argparse
import statistics
import tempfile
import time

import numpy as np

from reliability.diagnosis import diagnose
from reliability.diagnosis.candidates import suspects
from reliability.records import Curve
from reliability.references import load_reference
from reliability.sandbox import Limits, Sandbox, choose_backend
from reliability.tasks import load_tasks
from reliability.variants import load_alternatives


def start_up(runs):
    """Milliseconds of ``true`` in the sandbox, as often as asked; the first one, which fills caches, is left out."""
    backend, taken = choose_backend(), []
    with tempfile.TemporaryDirectory() as folder:
        sandbox = Sandbox(folder, Limits(seconds=10), backend=backend)
        for _ in range(runs + 1):
            started = time.perf_counter()
            result = sandbox.run(["/bin/true"])
            taken.append(1e3 * (time.perf_counter() - started))
            assert result.exit_code == 0, result
    return taken[1:]


def wrong_curves(task, reference, alternatives, rng):
    """Pairs (what is wrong, y) for one task."""
    y = reference.y
    known = suspects(task, reference, alternatives)
    yield "scale", 2.5 * y
    yield "shift", np.append(y[1:], y[-1])
    for name, base in zip(known.names, known.bases, strict=True):
        if name:
            yield "alternative", base
            yield "alternative and scale", 1e12 * base
    yield "noise", y * (1 + 0.05 * rng.standard_normal(y.size))


def diagnosis(runs):
    """Milliseconds of each diagnosis, by what is wrong."""
    rng, taken = np.random.default_rng(0), {}
    for task in load_tasks().values():
        reference, alternatives = load_reference(task), load_alternatives(task)
        for what, y in wrong_curves(task, reference, alternatives, rng):
            curve = Curve(reference.x, np.asarray(y), "x", "y", "bench", 2)
            for i in range(runs + 1):
                started = time.perf_counter()
                diagnose(curve, task, reference, alternatives)
                if i:
                    taken.setdefault(what, []).append(1e3 * (time.perf_counter() - started))
    return taken


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=5, help="runs of each curve (default: 5)")
    runs = parser.parse_args().runs
    print("what                           n  median ms   95 % ms")
    taken = diagnosis(runs)
    every = [ms for some in taken.values() for ms in some]
    for what, ms in {"sandbox start": start_up(20 * runs), **taken, "all curves": every}.items():
        print(f"{what:25s} {len(ms):6d}  {statistics.median(ms):9.1f}  {np.percentile(ms, 95):8.1f}")


if __name__ == "__main__":
    main()
