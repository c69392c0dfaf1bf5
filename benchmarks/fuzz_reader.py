"""Feed the reader of agents' code with broken scripts and look for crashes, hangs and wrong kinds of answer.

    python benchmarks/fuzz_reader.py --minutes 10 [--seed 0] [--workers 2] [--keep FOLDER]

Inputs are made from the scripts in ``tests/agent_code`` and ``examples/trials``: their text is cut, spliced and
garbled, and their syntax trees exchange expressions and statements, or get wrapped in
branches, loops, ``try`` and functions.
A crash is any exception that leaves :func:`read_camb_code` or :func:`output_role`; a hang is an input that takes more
than ``HANG_S`` seconds of processor time. Every answer must also be well formed: an unresolved value has a reason, a
set one a line. Prints the counts, and one input of every kind of failure; exit status 1 if there is any.
"""

from __future__ import annotations

import argparse
import ast
import copy
import multiprocessing
import random
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

from reliability.camb_code import output_role, read_camb_code
from reliability.camb_code.reader import analyse

ROOT = Path(__file__).resolve().parent.parent
SEEDS = [*ROOT.glob("tests/agent_code/**/*.py"), *ROOT.glob("examples/trials/*/*/*/code/*.py")]
HANG_S = 20.0
NUMBERS = [
    "0",
    "-1",
    "1e400",
    "-0.0",
    "9**9**9",
    "10**30",
    "True",
    "None",
    "0.1j",
    "'67.5'",
    "float('nan')",
    "1 / 0",
    "[]",
    "()",
]
GARBAGE = [
    "\0",
    "\ud800",
    "\x0c",
    "\t",
    "(",
    ")" * 50,
    "[" * 90,
    "'''",
    "\\",
    "é",
    "\u200b",
    ":=",
    "*",
    "**",
    "await ",
    "lambda: ",
    "@",
    "...",
]
WRAPS = [
    "if unknown():\n    HERE",
    "try:\n    HERE\nexcept Exception:\n    HERE",
    "for _ in range(3):\n    HERE",
    "while maybe():\n    HERE\n    break",
    "def wrapped(a=1, *b, **c):\n    HERE\nwrapped()",
    "with open('f') as f:\n    HERE",
    "class Wrapped:\n    HERE",
    "match unknown():\n    case 1:\n        HERE\n    case _:\n        HERE",
    "try:\n    HERE\nfinally:\n    HERE",
    "def generated():\n    HERE\n    yield 1\nfor _ in generated():\n    HERE",
]


class HangError(Exception):
    """The input took too long."""


def statement_lists(tree: ast.AST) -> list[list[ast.stmt]]:
    """Every block of statements in a tree."""
    found = []
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                found.append(block)
    return found


def tree_of(text: str) -> ast.Module | None:
    """Syntax tree of a script, if it has one: some examples do not parse on purpose."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def is_value(node: ast.AST) -> bool:
    """Whether a node is an expression that is read, not assigned to."""
    return isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


class Exchange(ast.NodeTransformer):
    """Replaces some expressions of a tree by others."""

    def __init__(self, rng: random.Random, pool: list[ast.expr], rate: float) -> None:
        self.rng, self.pool, self.rate = rng, pool, rate

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Visit the children, then perhaps exchange the node."""
        super().generic_visit(node)
        if is_value(node) and self.rng.random() < self.rate:
            return copy.deepcopy(self.rng.choice(self.pool))
        return node


class Mutator:
    """Makes inputs from the seeds; the same ``rng`` gives the same inputs."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.texts = [path.read_text(encoding="utf-8") for path in sorted(SEEDS)]
        self.trees = [tree for tree in map(tree_of, self.texts) if tree is not None]
        self.expressions = [node for tree in self.trees for node in ast.walk(tree) if is_value(node)]
        self.statements = [s for t in self.trees for block in statement_lists(t) for s in block]
        self.numbers = [ast.parse(n, mode="eval").body for n in NUMBERS]

    def make(self) -> str:
        """One input."""
        return self.of_tree() if self.rng.random() < 0.7 else self.of_text()

    def of_text(self) -> str:
        """A script with lines and characters moved, lost, doubled or garbled."""
        rng = self.rng
        lines = rng.choice(self.texts).splitlines(keepends=True)
        for _ in range(rng.randint(1, 6)):
            i, j = sorted(rng.choices(range(len(lines) + 1), k=2))
            kind = rng.randrange(6)
            if kind == 0:
                del lines[i : min(j, i + 4)]
            elif kind == 1:
                lines[i:i] = lines[i : min(j, i + 8)]
            elif kind == 2:
                other = rng.choice(self.texts).splitlines(keepends=True)
                k = rng.randrange(len(other) + 1)
                lines[i:j] = other[k : k + rng.randint(1, 20)]
            elif kind == 3 and lines:
                k = rng.randrange(len(lines))
                at = rng.randrange(len(lines[k]) + 1)
                lines[k] = lines[k][:at] + rng.choice(GARBAGE) + lines[k][at:]
            elif kind == 4 and lines:
                k = rng.randrange(len(lines))
                lines[k] = "    " * rng.randint(0, 3) + lines[k].lstrip(" ")
            elif lines:
                k = rng.randrange(len(lines))
                at = rng.randrange(len(lines[k]) + 1)
                lines[k] = lines[k][:at] + lines[k][at + rng.randint(1, 9) :]
        return "".join(lines)

    def of_tree(self) -> str:
        """A script that parses, with its parts exchanged, lost, wrapped or taken from other scripts."""
        rng = self.rng
        tree = copy.deepcopy(rng.choice(self.trees))
        for _ in range(rng.randint(1, 5)):
            blocks = statement_lists(tree)
            block = rng.choice(blocks)
            i = rng.randrange(len(block))
            kind = rng.randrange(5)
            if kind == 0 and len(block) > 1:
                del block[i]
            elif kind == 1:
                block.insert(i, copy.deepcopy(rng.choice(self.statements)))
            elif kind == 2:
                block[i : i + 1] = self.wrapped(block[i])
            elif kind == 3:
                block.insert(rng.randrange(len(block) + 1), copy.deepcopy(block[i]))
            else:
                pool = self.numbers if rng.random() < 0.3 else self.expressions
                tree = Exchange(rng, pool, rng.choice([0.005, 0.02, 0.1])).visit(tree)
        try:
            return ast.unparse(ast.fix_missing_locations(tree))
        except (ValueError, RecursionError):  # an exchange that has no text, e.g. a string inside an f-string
            return self.of_text()

    def wrapped(self, statement: ast.stmt) -> list[ast.stmt]:
        """A statement inside a branch, loop, function or the like."""
        made = ast.parse(self.rng.choice(WRAPS)).body
        for each in made:
            for block in statement_lists(each):
                for i, inner in enumerate(block):
                    if isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Name) and inner.value.id == "HERE":
                        block[i] = copy.deepcopy(statement)
        return made


def judge(source: str) -> bool:
    """Read one input; whether it parses. Raises what is wrong with the reader's answer."""
    analyse.cache_clear()
    reading = read_camb_code(source)
    output_role(source, "result.csv")
    for model in reading.models:
        for parameter in model.parameters.values():
            if parameter.state == "unresolved":
                assert parameter.value is None, "unresolved with a value"
                assert parameter.reason, "unresolved without a reason"
            elif parameter.state == "set":
                assert parameter.value is not None, "set without a value"
                assert parameter.line, "set without a line"
    return reading.syntax_error is None


def work(seed: int, minutes: float) -> tuple[Counter[str], dict[str, str]]:
    """Fuzz in one process; counts, and the first input of each kind of failure."""

    def on_alarm(*_: object) -> None:
        raise HangError

    signal.signal(signal.SIGVTALRM, on_alarm)
    mutator = Mutator(random.Random(seed))
    counts: Counter[str] = Counter()
    failures: dict[str, str] = {}
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        source = mutator.make()
        counts["inputs"] += 1
        signal.setitimer(signal.ITIMER_VIRTUAL, HANG_S)
        try:
            counts["parsed"] += judge(source)
        except HangError:
            counts["hangs"] += 1
            failures.setdefault("hang", source)
        except Exception as error:
            counts["crashes"] += 1
            place = traceback.extract_tb(error.__traceback__)[-1]
            kind = f"{type(error).__name__} in {Path(place.filename).name}:{place.name}: {error}"
            failures.setdefault(kind[:200], source)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return counts, failures


def main() -> int:
    """Fuzz with all workers and print what they found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="folder for one input of each kind of failure")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    with multiprocessing.Pool(arguments.workers) as pool:
        seeds = range(arguments.seed, arguments.seed + arguments.workers)
        results = pool.starmap(work, [(seed, arguments.minutes) for seed in seeds])
    counts: Counter[str] = sum((c for c, _ in results), Counter())
    failures = {kind: source for _, found in results for kind, source in found.items()}
    print(", ".join(f"{counts[name]} {name}" for name in ("inputs", "parsed", "crashes", "hangs")))
    for number, (kind, source) in enumerate(failures.items()):
        print(f"  {kind}")
        if arguments.keep:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            text = f"# {kind!r}\n{source}"
            (arguments.keep / f"{number:03}.py").write_text(text, encoding="utf-8", errors="surrogatepass")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
