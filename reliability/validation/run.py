"""The whole validation: seeded trials made, scored by the suite as a user would, and held against the truth."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reliability.errors import OutputError, ReliabilityError
from reliability.faults import OUTPUT, RIGHT, faulty_recipe
from reliability.references import load_reference
from reliability.runs import score_run
from reliability.tables import clean_text, read_scores, strict_json, write_table, write_text
from reliability.tasks import load_tasks
from reliability.validation import summary
from reliability.validation.cases import Case, all_cases
from reliability.validation.making import Place, make_trials
from reliability.validation.truth import true_of
from reliability.validation.verdicts import COLUMNS, Verdict, rows, verdict_on

if TYPE_CHECKING:
    from reliability.records import Task
    from reliability.sandbox import Backend

Progress = Callable[[str, int, int], object]
"""Called with the name of a step, what of it is done, and its size."""
MANIFEST: Final = "manifest.json"
WORK, SCORES = "work", "scores"
"""Folders of the trials, and of the run that scores them."""


@dataclass(frozen=True, slots=True)
class Validation:
    """What came out, as rows of its tables."""

    verdicts: tuple[Verdict, ...]
    faults: list[summary.Row]
    kinds: list[summary.Row]
    modes: list[summary.Row]
    diagnoses: list[summary.Row]
    disagreements: list[summary.Row]


def validate(
    output: Path,
    *,
    seed: int = 0,
    n_styles: int = 3,
    is_quick: bool = False,
    workers: int = 1,
    backend: Backend | None = None,
    progress: Progress = lambda _step, _done, _n: None,
) -> Validation:
    """Run the seeded faults through the suite and write the tables to `output`; return them.

    An interrupted validation goes on where it stopped, and the same seed gives the same tables. Raises
    :class:`OutputError` if the folder holds something else, :class:`~reliability.errors.SandboxError` if scripts
    cannot be run safely here.
    """
    tasks = load_tasks()
    cases = all_cases(tasks, seed=seed, n_styles=n_styles, is_quick=is_quick)
    _claim(output, {"seed": seed, "styles": n_styles, "quick": is_quick})
    place = Place(output / WORK)
    make_trials(
        cases, tasks, place, workers=workers, backend=backend, progress=lambda i, n: progress("making trials", i, n)
    )
    score_run(
        [place.trials],
        output / SCORES,
        seed=seed,
        workers=workers,
        progress=lambda i, n: progress("scoring", i, n),
    )
    found = judge_cases(cases, tasks, place, output / SCORES / "scores.csv")
    _write(output, found)
    return found


def _claim(output: Path, content: Mapping[str, object]) -> None:
    """Take a folder that is new, or holds this very validation; raises :class:`OutputError` for any other."""
    versions = {
        "python": platform.python_version(),
        "camb": metadata.version("camb"),
        "numpy": metadata.version("numpy"),
    }
    text = strict_json({"validation": content, "versions": versions})
    path = output / MANIFEST
    try:
        if path.is_file():
            if path.read_bytes() != text.encode():
                raise OutputError(
                    f"{output}: holds another validation (seed, styles, or versions); choose another folder"
                )
            return
        if output.exists() and (not output.is_dir() or any(output.iterdir())):
            raise OutputError(f"{output}: is not empty and holds no validation; choose another folder")
        output.mkdir(parents=True, exist_ok=True)
        write_text(path, text)
    except OSError as error:
        raise OutputError(f"{output}: results cannot be written there: {error.strerror or error}") from None


def judge_cases(cases: Sequence[Case], tasks: Mapping[str, Task], place: Place, scores: Path) -> Validation:
    """Return what the suite said of every trial beside what is true of it.

    Raises :class:`ReliabilityError` if a seeded trial is not what its fault says, or not there.
    """
    by_address = {score.address: score for score in read_scores(scores)}
    limits = {task_id: load_reference(tasks[task_id]).tolerance for task_id in {c.task for c in cases}}
    right = {c.task: _output(place, c) for c in cases if c.fault.id == RIGHT and c.number == 0}
    found = []
    for case in cases:
        task = tasks[case.task]
        recipe = faulty_recipe(case.fault, task)
        note = place.read_note(case)
        right_output = right[case.task]
        if recipe is None or note is None or right_output is None:
            raise OutputError(f"{place.trial(case)}: the trial is not complete; remove {place.folder} and run again")
        if note["is_as_told"] is False:
            raise ReliabilityError(f"{place.trial(case)}: CAMB did not receive what the fault {case.fault.id} tells it")
        output = None if case.fault.is_stale else _output(place, case)
        truth = true_of(case.fault, task, recipe, output=output, right=right_output, limit=limits[case.task])
        score = by_address[clean_text(case.fault.id), case.task, "", case.number]
        found.append(verdict_on(case, str(note["how"]), truth, score))
    return Validation(
        tuple(found),
        summary.fault_rows(found),
        summary.kind_rows(found),
        summary.mode_rows(found),
        summary.diagnosis_rows(found),
        summary.disagreement_rows(found),
    )


def _output(place: Place, case: Case) -> bytes | None:
    with suppress(FileNotFoundError):
        return (place.trial(case) / OUTPUT).read_bytes()
    return None


def _write(output: Path, found: Validation) -> None:
    write_table(output / "trials.csv", COLUMNS, rows(list(found.verdicts)))
    write_table(output / "faults.csv", summary.FAULT_COLUMNS, found.faults)
    write_table(output / "kinds.csv", summary.KIND_COLUMNS, found.kinds)
    write_table(output / "modes.csv", summary.MODE_COLUMNS, found.modes)
    write_table(output / "diagnoses.csv", summary.DIAGNOSIS_COLUMNS, found.diagnoses)
    write_table(output / "disagreements.csv", summary.DISAGREEMENT_COLUMNS, found.disagreements)
