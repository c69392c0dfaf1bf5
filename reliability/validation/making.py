"""Makes the seeded trials: the scripts are run, and what they write is laid out as agents would have left it.

A trial whose run is noted, with the script and the report that its case has now, is not made again: an interrupted
validation goes on where it stopped, and a changed fault is made anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from reliability.errors import OutputError
from reliability.faults import CODE, OUTPUT, REPORT, SeededScript, write_fault, write_trial
from reliability.reading_agreement import is_same
from reliability.recorder import Job, Recording, record
from reliability.tables import strict_json, write_text

if TYPE_CHECKING:
    from reliability.records import CambModel, Task
    from reliability.sandbox import Backend
    from reliability.validation.cases import Case

FULL_BATCH: Final = 6
"""Scripts that one recorder runs in full: what it did is lost if it is interrupted."""
FIRST_BATCH: Final = 100
MAX_OUTPUT: Final = 2**26
FULL, REUSED = "full", "curve of number 0"
TRIALS, RUNS = "trials", "runs"
NOTED: Final = frozenset({"how", "ended", "error", "n_models", "is_as_told", "first", "camb"})
"""What is noted of a run."""
Progress = Callable[[int, int], object]
"""Called with the trials made so far and their number."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a validation keeps its trials, and beside them what is known of each run."""

    folder: Path

    @property
    def trials(self) -> Path:
        """The folder of all trials."""
        return self.folder / TRIALS

    def trial(self, case: Case) -> Path:
        """The folder of a trial, as an agent would have left it."""
        return self.trials / case.place

    def note(self, case: Case) -> Path:
        """The file with what was recorded while its script ran."""
        return self.folder / RUNS / case.place.with_suffix(".json")

    def read_note(self, case: Case) -> dict[str, Any] | None:
        """What was recorded; ``None`` if the trial is not made yet, or the note was cut short."""
        with suppress(OSError, ValueError):
            note = json.loads(self.note(case).read_text(encoding="utf-8"))
            return note if isinstance(note, dict) and note.keys() >= NOTED else None
        return None


def make_trials(
    cases: Sequence[Case],
    tasks: Mapping[str, Task],
    place: Place,
    *,
    workers: int = 1,
    backend: Backend | None = None,
    progress: Progress = lambda _done, _n: None,
) -> None:
    """Make every trial that is not there yet.

    A case that is not to be run in full is run up to its first computation; if CAMB then has the model that number 0
    of the same fault and task had, its curve is that one's, else it is run in full after all. Raises
    :class:`~reliability.errors.SandboxError` if scripts cannot be run here, :class:`OutputError` if nothing can be
    written.
    """
    maker = _Maker(tasks, place, backend)
    waiting = [case for case in cases if not maker.is_made(case)]
    n_done = len(cases) - len(waiting)
    progress(n_done, len(cases))

    def run(batches: Sequence[Sequence[Case]], make: Callable[[Sequence[Case]], list[Case]]) -> list[Case]:
        nonlocal n_done
        left: list[Case] = []
        with ThreadPoolExecutor(workers) as pool:
            futures = {pool.submit(make, batch): len(batch) for batch in batches}
            try:
                for future in as_completed(futures):
                    postponed = future.result()
                    left += postponed
                    n_done += futures[future] - len(postponed)
                    progress(n_done, len(cases))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return left

    run(_batches([c for c in waiting if c.number == 0], FULL_BATCH), maker.in_full)
    others = [c for c in waiting if c.number != 0]
    left = run(_batches([c for c in others if not c.is_full], FIRST_BATCH), maker.to_the_first)
    run(_batches([*left, *(c for c in others if c.is_full)], FULL_BATCH), maker.in_full)


def _batches(cases: Sequence[Case], size: int) -> list[Sequence[Case]]:
    """Return the cases in groups that get the same time."""
    groups: dict[float, list[Case]] = {}
    for case in cases:
        groups.setdefault(case.fault.seconds, []).append(case)
    return [group[i : i + size] for group in groups.values() for i in range(0, len(group), size)]


@dataclass(frozen=True, slots=True)
class _Maker:
    tasks: Mapping[str, Task]
    place: Place
    backend: Backend | None

    def is_made(self, case: Case) -> bool:
        """Whether the trial is there as its case describes it."""
        if self.place.read_note(case) is None:
            return False
        script, folder = self._script(case), self.place.trial(case)
        wanted = {CODE: script.source, REPORT: script.report}
        return all(_text(folder / name) == text for name, text in wanted.items())

    def in_full(self, cases: Sequence[Case]) -> list[Case]:
        """Run scripts to their end and write their trials."""
        scripts = [self._script(case) for case in cases]
        recordings = record(
            [Job(s.source, s.files) for s in scripts],
            seconds=cases[0].fault.seconds,
            backend=self.backend,
            keep_bytes=MAX_OUTPUT,
        )
        for case, script, recording in zip(cases, scripts, recordings, strict=True):
            models = recording.reading.models
            note = {
                "how": FULL,
                "ended": recording.ended,
                "error": recording.error,
                "n_models": len(models),
                "is_as_told": _is_as_told(script, recording),
                "first": _values(models[0]) if models else {},
                "camb": recording.camb,
            }
            self._write(case, script, recording.files.get(OUTPUT), note)
        return []

    def to_the_first(self, cases: Sequence[Case]) -> list[Case]:
        """Run scripts to their first computation and write the trials that have their curve; return the others."""
        scripts = [self._script(case) for case in cases]
        jobs = [Job(s.source, s.files) for s in scripts]
        recordings = record(jobs, mode="first", seconds=120.0, backend=self.backend)
        left = []
        for case, script, recording in zip(cases, scripts, recordings, strict=True):
            origin = _numbered(case, 0)
            note = self.place.read_note(origin)
            models = recording.reading.models
            if note is None or not models or not _is_same_model(models[0], note["first"], script):
                left.append(case)
                continue
            output = None
            with suppress(FileNotFoundError):
                output = (self.place.trial(origin) / OUTPUT).read_bytes()
            self._write(case, script, None if case.fault.is_stale else output, {**note, "how": REUSED})
        return left

    def _script(self, case: Case) -> SeededScript:
        return write_fault(case.fault, self.tasks[case.task], case.style, case.seed)

    def _write(self, case: Case, script: SeededScript, output: bytes | None, note: Mapping[str, object]) -> None:
        try:
            write_trial(self.place.trial(case), script, output, ended=str(note["ended"]))
            path = self.place.note(case)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, strict_json(note))
        except OSError as error:
            raise OutputError(f"{error.filename or self.place.folder}: cannot be written: {error.strerror}") from None


def _text(path: Path) -> str | None:
    with suppress(OSError, ValueError):
        return path.read_text(encoding="utf-8")
    return None


def _numbered(case: Case, number: int) -> Case:
    from dataclasses import replace

    return replace(case, number=number)


def _values(model: CambModel) -> dict[str, object]:
    return {name: reading.value for name, reading in model.parameters.items()}


def _is_same_model(model: CambModel, first: Mapping[str, Any], script: SeededScript) -> bool:
    """Whether CAMB had the same values; what is told when results are read comes later, and is in the same recipe."""
    values = _values(model)
    late = script.recipe.told_late
    return values.keys() == first.keys() and all(is_same(v, first[n]) for n, v in values.items() if n not in late)  # type: ignore[arg-type]


def _is_as_told(script: SeededScript, recording: Recording) -> bool | None:
    """Whether CAMB received what the fault says it is told; ``None`` if nothing was computed."""
    pairs = list(_expected(script, recording))
    return all(is_same(said, had) for said, had in pairs) if pairs else None  # type: ignore[arg-type]


def _expected(script: SeededScript, recording: Recording) -> Iterator[tuple[object, object]]:
    """Pairs of what the last models were told and what they had, where the fault's recipe tells it."""
    told = list(script.models[-len(recording.reading.models) :]) if recording.reading.models else []
    for expected, model in zip(told, recording.reading.models[-len(told) :] if told else [], strict=False):
        for name, reading in expected.parameters.items():
            if reading.state == "set" and reading.value is not None and name in model.parameters:
                had = model.parameters[name].value
                if had is not None:
                    yield reading.value, had
