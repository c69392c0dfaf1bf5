"""Runs the scripts of a trial until one of them writes what was handed in.

First every script alone, the likeliest first, in a folder with the task's files and the trial's code. Then those that
looked for a file in vain again, with that file: as another script of the trial has written it, else as it lies in the
trial's folder.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from reliability.curves import read_curve
from reliability.recorder import Job, record
from reliability.records import Curve, Task, Trial
from reliability.reexecution.comparison import compare_curves
from reliability.reexecution.files import base_name, by_base_name, first_files, lend, lendable_files
from reliability.reexecution.records import Attempt, Comparison, Handed
from reliability.sandbox import Backend
from reliability.trial_code import choose_code

MAX_SCRIPTS = 8
MAX_ROUNDS = 3
"""How often a script is run again because it looked for files in vain."""
KEEP_BYTES = 64 * 2**20
OUTPUT = "result.csv"
"""Name of the output where none was handed in."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How scripts are run."""

    backend: Backend
    seconds: float = 600.0
    """Wall time of one script."""
    threads: int = 1
    """Cores that CAMB computes with."""


@dataclass(slots=True)
class Runs:
    """The runs of one trial's scripts with one CAMB."""

    trial: Trial
    task: Task
    handed: Handed | None
    python: Path
    settings: Settings
    seconds: float = 0.0
    """Time of all runs so far."""
    made: dict[str, bytes] = field(default_factory=dict)
    """What the scripts have written so far, for those that look for it."""
    n_models: dict[str, int] = field(default_factory=dict)
    """How many models CAMB had computed for each of these files."""

    def attempts(self) -> Iterator[Attempt]:
        """Yield one attempt after the other; the caller stops when one is what was handed in."""
        again: list[Attempt] = []
        files = first_files(self.trial, self.task)
        for script in scripts(self.trial, self.task, self.handed):
            attempt = self.run(script, files)
            yield attempt
            again.append(attempt)
        lendable = None
        for _ in range(MAX_ROUNDS):
            waiting, again = again, []
            for attempt in waiting:
                wanted = {name for name in attempt.recording.missed if not by_base_name(attempt.recording.files, name)}
                if not wanted:
                    continue
                if lendable is None:
                    lendable = lendable_files(self.trial, self.task, self.handed)
                made, lent = self._asked_for(wanted, lendable)
                new = set(made) - set(attempt.made) or set(lent) - set(attempt.lent)
                if new:
                    given = {**files, **lent, **made}
                    again.append(self.run(attempt.script, given, made=tuple(made), lent=tuple(lent)))
                    yield again[-1]

    def _asked_for(self, wanted: set[str], lendable: Mapping[str, Path]) -> tuple[dict[str, bytes], dict[str, bytes]]:
        """Return the files that a script looked for: those that scripts have made, and those that must be lent."""
        made, lent = {}, {}
        for name in sorted(wanted):
            if found := by_base_name(self.made, name):
                made[base_name(name)] = self.made[found[0]]
            else:
                for place in by_base_name(lendable, name):
                    content = lend(lendable[place])
                    if content is not None:
                        lent[place] = content
        return made, lent

    def run(
        self,
        script: str,
        files: Mapping[str, bytes],
        *,
        made: tuple[str, ...] = (),
        lent: tuple[str, ...] = (),
        is_altered: bool = False,
    ) -> Attempt:
        """Run one script and look for the output among what it wrote."""
        job = Job(files[script], {name: data for name, data in files.items() if name != script}, script, is_altered)
        [recording] = record(
            [job],
            seconds=self.settings.seconds,
            python=self.python,
            backend=self.settings.backend,
            keep_bytes=KEEP_BYTES,
            is_moved=True,
            threads=self.settings.threads,
        )
        self.seconds += recording.seconds
        n_models = len(recording.reading.models) + sum(self.n_models.get(name, 0) for name in made)
        if not is_altered:
            new = {base_name(name): data for name, data in recording.files.items()}
            self.made |= {name: data for name, data in new.items() if not self.handed or name != self.handed.name}
            self.n_models |= dict.fromkeys(new, n_models)
        attempt = Attempt(script, files[script], recording, made=made, lent=lent, n_models=n_models)
        return find_output(attempt, self.handed, self.task)

    def run_again(self, attempt: Attempt, *, is_altered: bool = False) -> Attempt:
        """Run a script once more, with what it was lent; CAMB can be made to compute something else than asked."""
        files = first_files(self.trial, self.task)
        lendable = lendable_files(self.trial, self.task, self.handed)
        files |= {name: content for name in attempt.lent if (content := lend(lendable[name])) is not None}
        return self.run(attempt.script, files, lent=attempt.lent, is_altered=is_altered)


def scripts(trial: Trial, task: Task, handed: Handed | None) -> list[str]:
    """Return the paths of the scripts that may have made the output, the likeliest first."""
    name = handed.name if handed else OUTPUT
    chosen = choose_code(trial, output_name=name, columns=task.columns).path
    others = [path for path in reversed(trial.code_files) if path != chosen]
    if chosen is not None and handed is None:
        others = []
    paths = ([chosen] if chosen else []) + others
    names = [path.relative_to(trial.folder).as_posix() for path in paths]
    readable = first_files(trial, task)
    return [name for name in names if name in readable][:MAX_SCRIPTS]


def find_output(attempt: Attempt, handed: Handed | None, task: Task) -> Attempt:
    """Return the attempt with the file among what it wrote that is the output, if one is.

    A file under any name that holds what was handed in is; else the one of the same name; else a curve over the same
    x, since an agent may have moved its file to where it was asked for.
    """
    name = handed.name if handed else OUTPUT
    found = sorted(attempt.recording.files, key=lambda file: (base_name(file) != name, file.count("/"), file))
    best = attempt
    for file in found:
        content = attempt.recording.files[file]
        curve = _curve_in(file, content, task)
        comparison = _compare(handed, content, curve)
        candidate = replace(attempt, file=file, curve=curve, comparison=comparison)
        if comparison is not None and comparison.is_same:
            return candidate
        is_over_same_x = comparison is not None and comparison.max_relative is not None
        if not best.file and (base_name(file) == name or is_over_same_x):
            best = candidate
    return best


def _curve_in(file: str, content: bytes, task: Task) -> Curve | None:
    with tempfile.TemporaryDirectory(prefix="reliability-") as folder:
        path = Path(folder, f"output{Path(base_name(file)).suffix}")
        path.write_bytes(content)
        curve = read_curve(path, columns=task.columns)
    return curve if isinstance(curve, Curve) else None


def _compare(handed: Handed | None, content: bytes, curve: Curve | None) -> Comparison | None:
    if handed is None:
        return None
    if isinstance(handed.curve, Curve) and curve is not None:
        return compare_curves(handed.curve, curve)
    return Comparison(content == handed.content, 0.0 if content == handed.content else None)
