"""From the attempts at a trial to its verdict, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from reliability.camb_environments import camb_line
from reliability.diagnosis import diagnose
from reliability.metrics import numerical_accuracy_score
from reliability.records import Curve
from reliability.reexecution.files import base_name
from reliability.reexecution.settings_of_lines import changed_settings

if TYPE_CHECKING:
    from reliability.records import Task
    from reliability.reexecution.genuine import Origin
    from reliability.reexecution.records import Attempt, Expected, Handed, Verdict

TABLES = frozenset({
    ".csv", ".tsv", ".txt", ".dat", ".npy", ".npz", ".json", ".yaml", ".yml", ".toml", ".ini", ".fits", ".h5", ".hdf5",
    ".ecsv", ".parquet", ".pkl", ".pickle", ".py",
})  # fmt: skip
"""Files from which a script may read what it needs."""
ALIKE = 0.5
"""NAS from which on another version of CAMB can be what makes two curves differ; it moves them by up to a half."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict and the attempt it is about."""

    verdict: Verdict
    how: str
    attempt: Attempt | None = None


def judge_same(attempt: Attempt, origin: Origin | None, *, not_with: Sequence[str] = ()) -> Judged:
    """Return the verdict on an attempt that wrote what was handed in; `not_with`: versions of CAMB that did not."""
    if origin is not None and origin.lent:
        files = ", ".join(origin.lent)
        return Judged("depends on missing input", f"the numbers come from {files}, which no script makes", attempt)
    if origin is not None and not origin.is_computed:
        return Judged("fabricated", origin.words, attempt)
    parts = [f"not with CAMB {', '.join(not_with)}"] if not_with else []
    if attempt.made:
        parts.append(f"after other scripts made {', '.join(attempt.made)}")
    if attempt.lent:
        parts.append(f"with {', '.join(attempt.lent)}, as handed in")
    if origin is not None and origin.words:
        parts.append(origin.words)
    if failure := how_it_failed(attempt):
        parts.append(f"then {failure}")
    return Judged("reproduced", "; ".join(parts), attempt)


def judge_without_output(attempts: Sequence[Attempt]) -> Judged:
    """Return the verdict on a trial that handed in no output."""
    if not attempts:
        return Judged("no output", "no output and no code were handed in")
    attempt = attempts[-1] if attempts[-1].script == attempts[0].script else attempts[0]
    missing = missing_input(attempt)
    if missing and not attempt.file:
        return Judged("depends on missing input", missing, attempt)
    if failure := how_it_failed(attempt):
        return Judged("fails", failure, attempt)
    now = f"; run again it writes {attempt.file}" if attempt.file else ", and writes none when it is run again"
    return Judged("no output", f"none was handed in{now}", attempt)


def judge_other(attempts: Sequence[Attempt], handed: Handed, expected: Expected, origin: Origin | None) -> Judged:
    """Return the verdict on a trial of which no attempt wrote what was handed in.

    `origin`: of what the likeliest attempt wrote, where CAMB computed nothing for it.
    """
    if not attempts:
        return Judged("depends on missing input", "the code: none was handed in")
    attempt = likeliest(attempts)
    if missing := missing_input(attempt):
        return Judged("depends on missing input", missing, attempt)
    is_compared = attempt.comparison is not None and attempt.comparison.max_relative is not None
    is_whole = attempt.curve is not None and is_compared
    if not is_whole and (failure := how_it_failed(attempt)):
        return Judged("fails", failure, attempt)
    if not attempt.file:
        return Judged("fabricated", f"ends normally but writes no {handed.name}, nor its numbers elsewhere", attempt)
    if origin is not None and not origin.is_computed:
        return Judged("fabricated", origin.words or "reads its numbers from what no script makes", attempt)
    setting = _other_version(attempts, attempt, handed, expected.task)
    how = setting or _difference(attempt, handed, expected)
    return Judged("version-dependent" if setting else "differs", how, attempt)


def likeliest(attempts: Sequence[Attempt]) -> Attempt:
    """Return the attempt that comes nearest to the output: one that wrote it, with the smallest difference; else the
    last one of the likeliest script."""
    wrote = [attempt for attempt in attempts if attempt.file]
    if wrote:
        return min(wrote, key=lambda a: (a.comparison is None or a.comparison.max_relative is None, _size(a)))
    return [attempt for attempt in attempts if attempt.script == attempts[0].script][-1]


def _size(attempt: Attempt) -> float:
    known = attempt.comparison is not None and attempt.comparison.max_relative is not None
    return attempt.comparison.max_relative if known else 0.0  # type: ignore[union-attr, return-value]


def how_it_failed(attempt: Attempt) -> str:
    """Return how a script failed, with the error and its line; empty if it ended normally."""
    run = attempt.recording
    line = f" in line {run.line}" if run.line else ""
    if run.ended == "timeout":
        return f"does not end within {run.seconds:.0f} s"
    if run.ended in ("stopped", "killed"):
        return f"{'stops with' if run.ended == 'stopped' else 'was killed:'} {run.error or 'an unknown error'}{line}"
    return f"ends with {run.error}{line}" if run.error else ""


def missing_input(attempt: Attempt) -> str:
    """Return which file, or module, a script lacked that kept it from its output; empty if none did."""
    run = attempt.recording
    module = re.match(r"ModuleNotFoundError: No module named '([\w.]+)'", run.error)
    if module and not attempt.file:
        return f"the module {module[1]}, which neither the trial nor the environment has"
    is_error = run.error.startswith("FileNotFoundError") or "not found" in run.error
    own = {base_name(file) for file in (*run.files, *run.writes, *attempt.made, *attempt.lent)}
    for name in run.missed:
        path = PurePosixPath(name.replace("\\", "/"))
        is_system = path.parts[:2] in (("/", "usr"), ("/", "etc"), ("/", "proc"), ("/", "sys"))
        if path.name in own or is_system or any(part.startswith(".") and part != ".." for part in path.parts):
            continue
        if (is_error and path.name in run.error) or (path.suffix.lower() in TABLES and path.suffix != ".py"):
            return f"{name}, which is not among what was handed in"
    return ""


def _other_version(attempts: Sequence[Attempt], attempt: Attempt, handed: Handed, task: Task) -> str:
    """Return why another version of CAMB may be the cause of a difference; empty if it is not."""
    lines = {camb_line(a.recording.camb) for a in attempts if a.recording.camb}
    models = attempt.recording.reading.models
    if task.grid.kind != "multipoles" or not models or not isinstance(handed.curve, Curve) or attempt.curve is None:
        return ""
    left = [
        (name, lines_)
        for name, lines_ in changed_settings().items()
        if any((told := model.parameters.get(name)) is not None and told.state == "default" for model in models)
        and not set(lines_) <= lines
    ]
    if not left:
        return ""
    alike = numerical_accuracy_score(handed.curve.x, handed.curve.y, attempt.curve.x, attempt.curve.y)
    if alike.nas is None or alike.nas < ALIKE:
        return ""
    name, all_lines = left[0]
    missing = ", ".join(line for line in all_lines if line not in lines)
    was = ", ".join(dict.fromkeys(a.recording.camb for a in attempts))
    return (
        f"{name} is left to CAMB, whose default changed between {' and '.join(all_lines)}; not the same with {was}"
        f"{_largest(attempt)}; --camb with a {missing} version can tell"
    )


def _difference(attempt: Attempt, handed: Handed, expected: Expected) -> str:
    """Return how the handed-in curve differs from the one that its script writes."""
    if not isinstance(handed.curve, Curve):
        return f"what was handed in holds no curve ({handed.curve.reason}); {attempt.file} is another file"
    if attempt.curve is None:
        return f"{attempt.file} holds no curve, what was handed in does"
    if attempt.comparison is None or attempt.comparison.max_relative is None:
        now, was = attempt.curve.x, handed.curve.x
        return (
            f"handed in: {was.size} points from {was[0]:.6g} to {was[-1]:.6g}; run again: {now.size} points from"
            f" {now[0]:.6g} to {now[-1]:.6g}"
        )
    own = replace(expected.reference, x=attempt.curve.x, y=attempt.curve.y, variations=None)
    found = diagnose(handed.curve, expected.task, own)
    size = _largest(attempt).removeprefix(", ")
    if found.status == "accurate":
        return f"{size}; within what right answers to this task differ among themselves, as by versions of CAMB"
    named = [e for e in found.explanations if e.confidence != "low"]
    return f"{size}; beside the curve of the script: {named[0].sentence}" if named else size


def _largest(attempt: Attempt) -> str:
    comparison = attempt.comparison
    if comparison is None or comparison.max_relative is None:
        return ""
    return f", largest relative difference {comparison.max_relative:.2g} at x = {comparison.x:.6g}"
