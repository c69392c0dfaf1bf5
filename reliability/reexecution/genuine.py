"""Do the numbers that a script writes come from a computation?

The recorder sees what CAMB computes, not where a written number comes from. So, in this order:

1. CAMB computed nothing, and the curve is neither right nor a known mistake: the numbers were made up. If the script
   started other programs, these may have computed them, and the verdict says so instead.
2. The curve is right, or a known mistake or a wrong parameter explains it: nobody writes such numbers down from
   nowhere. Another code may have computed them (a distance needs no CAMB). This does not count where the script itself
   holds half as many numbers as the curve has points.
3. CAMB computed, but nothing explains the curve: the script is run once more while CAMB computes with other parameters.
   If it writes the same numbers, they do not depend on CAMB.
"""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import numpy as np

from reliability.diagnosis import diagnose
from reliability.reexecution.comparison import compare_curves
from reliability.reexecution.files import base_name
from reliability.right_answers import FLOOR

if TYPE_CHECKING:
    from collections.abc import Callable

    from reliability.records import Curve
    from reliability.reexecution.records import Attempt, Expected

HELD = 0.5
"""Numbers in a script per point of its curve from which on it may hold the curve itself."""
HARMLESS = frozenset({"fc-list", "uname", "lsb_release", "ldconfig", "git", "nproc", "lscpu"})
"""Programs that libraries start, and that compute nothing."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where written numbers come from."""

    is_computed: bool
    words: str = ""
    """What is to be said about it."""
    lent: tuple[str, ...] = ()
    """Files without a known origin that hold them."""


def origin(
    attempt: Attempt,
    curve: Curve,
    expected: Expected,
    run_altered: Callable[[Attempt], Attempt],
) -> Origin:
    """Return whether the curve that a script wrote was computed; `run_altered` is called only if nothing else tells."""
    is_explained = not holds_curve(attempt.source, curve) and is_known(curve, expected)
    if attempt.n_models == 0:
        return _without_camb(attempt, is_explained=is_explained)
    if is_explained or attempt.made:
        return Origin(True)
    if np.ptp(curve.y) == 0:
        return Origin(True, "a constant column does not tell whether it was computed")
    again = run_altered(attempt)
    is_written = again.curve is not None and base_name(again.file) == base_name(attempt.file)
    if is_written and compare_curves(curve, again.curve).is_same:  # type: ignore[arg-type]
        return Origin(
            False, f"writes numbers on which CAMB, though it computes {_models(attempt.n_models)}, has no effect"
        )
    return Origin(True)


def _without_camb(attempt: Attempt, *, is_explained: bool) -> Origin:
    unseen = sorted({program for program in attempt.recording.programs if not _is_seen(program)})
    if attempt.lent:
        return Origin(False, lent=attempt.lent)
    if unseen:
        return Origin(True, f"no CAMB computation was seen, but it started {unseen[0]!r}, in which nothing is seen")
    if is_explained:
        return Origin(True, "computed without CAMB")
    return Origin(False, "writes numbers with no CAMB computation recorded")


def _models(n: int) -> str:
    return "one model" if n == 1 else f"{n} models"


def _is_seen(program: str) -> bool:
    """Whether a program is a Python that records, or computes nothing."""
    words = program.split()
    name = PurePosixPath(words[0]).name if words else ""
    is_blind = any(word.startswith("-") and set("IES") & set(word) for word in words[1:3])  # nothing of ours is loaded
    return name in HARMLESS or (name.startswith("python") and not is_blind)


def is_known(curve: Curve, expected: Expected) -> bool:
    """Return whether a curve is right, or what a known mistake or a wrong parameter gives, and not loosely."""
    found = diagnose(curve, expected.task, expected.reference, expected.alternatives)
    if found.status == "accurate":
        return True
    best = found.explanations[0] if found.explanations else None
    return best is not None and best.nrmse is not None and (best.confidence != "low" or best.nrmse <= FLOOR.nrmse)


def holds_curve(source: bytes, curve: Curve) -> bool:
    """Return whether a script holds so many numbers that the curve may be among them, in lists or in texts."""
    return count_numbers(source) >= HELD * curve.x.size


def count_numbers(source: bytes) -> int:
    """Return how many numbers a script holds, those in its texts included; comments do not count.

    >>> count_numbers(b"x = [1, 2.5] # 3\\ny = '4 5,6'")
    5
    """
    n = 0
    try:
        for token in tokenize.tokenize(io.BytesIO(source).readline):
            if token.type == tokenize.NUMBER:
                n += 1
            elif token.type == tokenize.STRING:
                n += len(re.findall(r"\d+(?:\.\d*)?(?:[eE][-+]?\d+)?", token.string))
    except (tokenize.TokenError, SyntaxError, UnicodeDecodeError, IndentationError):
        pass  # what was counted so far
    return n
