"""How well and how fast code is read: a corpus of agent-like scripts, read and run.

Every script is read without running it, and run in the sandbox up to its first computation; a seeded share is run to
its end too. Counted are (script, parameter) pairs, by how the reading compares with what CAMB received. Scripts whose
values only running can tell are counted apart: there "unresolved" is the right reading.

Speed is the time to read over the time of ``ast.parse`` of the same text, the better of two each, in turn.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence

from tqdm import tqdm

from reliability.camb_code import read_camb_code
from reliability.camb_code.reader import analyse
from reliability.corpus import AgentScript, write_corpus
from reliability.reading_agreement import VERDICTS, Comparison, compare_readings
from reliability.recorder import Job, Recording, record
from reliability.recorder.recording import Mode

MEGABYTE = 1_000_000
AT_ONCE = 100
"""Scripts that share a sandbox."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scripts", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--full-share", type=float, default=0.1)
    arguments = parser.parse_args()
    scripts = list(write_corpus(arguments.scripts, arguments.seed))
    rng = random.Random(arguments.seed)
    n_full = round(arguments.full_share * len(scripts))
    report("up to the first computation", scripts, run(scripts, "first"), "first")
    some = [scripts[i] for i in sorted(rng.sample(range(len(scripts)), n_full))]
    if some:
        report("to the end", some, run(some, "full"), "full")
    print_speed(scripts)


def run(scripts: Sequence[AgentScript], mode: Mode) -> list[Recording]:
    recordings: list[Recording] = []
    with tqdm(total=len(scripts), desc=f"running ({mode})", unit=" scripts", disable=None) as bar:
        for start in range(0, len(scripts), AT_ONCE):
            jobs = [Job(s.text, s.files) for s in scripts[start : start + AT_ONCE]]
            recordings += record(jobs, mode=mode, seconds=120.0, on_done=bar.update)
    return recordings


def report(title: str, scripts: Sequence[AgentScript], recordings: Sequence[Recording], mode: Mode) -> None:
    """Print how readings compare with recordings."""
    told, hidden = Counter[str](), Counter[str]()
    reasons, ends, wrong = Counter[str](), Counter[str](), list[tuple[int, Comparison]]()
    n_miscounted = 0
    for i, (script, recording) in enumerate(zip(scripts, recordings, strict=True)):
        ends[recording.ended] += 1
        agreement = compare_readings(read_camb_code(script.text), recording.reading, is_first_only=mode == "first")
        n_miscounted += mode == "full" and agreement.n_read != agreement.n_recorded
        for c in agreement.comparisons:
            (hidden if script.style.needs_running else told)[c.verdict] += 1
            if c.verdict == "unresolved" and not script.style.needs_running:
                reasons[c.read.reason] += 1
            if c.verdict == "wrong":
                wrong.append((i, c))
    n = sum(told.values()) - told["later"]
    print(f"\n{title}: {len(scripts)} scripts ({', '.join(f'{k} {v}' for k, v in ends.most_common())})")
    print(f"  pairs compared {n}, agreement {told['agree'] / n:.3%}")
    print("  " + ", ".join(f"{verdict} {told[verdict]}" for verdict in VERDICTS))
    print("  needs running: " + ", ".join(f"{verdict} {hidden[verdict]}" for verdict in VERDICTS))
    if mode == "full":
        print(f"  scripts with another number of models read than computed: {n_miscounted}")
    for reason, count in reasons.most_common(8):
        print(f"  unresolved {count} times: {reason}")
    for i, c in wrong[:20]:
        print(f"  WRONG script {i}: {c.parameter} read {c.read.value} {c.read.state}, "
              f"CAMB had {c.recorded.value} {c.recorded.state}")  # fmt: skip


def print_speed(scripts: Sequence[AgentScript]) -> None:
    ratios = [ratio(script.text) for script in scripts[:500]]
    deciles = statistics.quantiles(ratios, n=20)
    print(f"\nread / ast.parse: median {statistics.median(ratios):.2f}, 95 % below {deciles[-1]:.2f}")
    whole = [s.text for s in scripts if "exit" not in s.text and not read_camb_code(s.text).findings]
    large = "\n".join(itertools.islice(itertools.cycle(whole), 2 * MEGABYTE // min(map(len, whole))))
    large = large[: large.rfind("\n\n", 0, MEGABYTE)]
    while not parses(large):  # end at the end of a statement
        large = large[: large.rfind("\n\n")]
    reading = read_camb_code(large)
    said = "; ".join(f.message for f in reading.findings if f.check == "not_followed")
    print(
        f"read / ast.parse of {len(large) / MEGABYTE:.2f} MB: {ratio(large):.2f}, {len(reading.models)} models, {said}"
    )


def parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def ratio(text: str) -> float:
    def read() -> None:
        analyse.cache_clear()
        read_camb_code(text)

    return best_of_two(read) / best_of_two(lambda: ast.parse(text))


def best_of_two(work: Callable[[], object]) -> float:
    times = []
    for _ in range(2):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    main()
