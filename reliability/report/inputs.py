"""What a report is made from: the tables of a run, and, where they are still there, the trials they were made from."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reliability.errors import InputError, ReliabilityError
from reliability.records import ParameterScore, Reference, Task, Trial, TrialScore
from reliability.references import load_reference
from reliability.report.names import Address
from reliability.results import INPUT_COLUMNS, INPUTS, read_run
from reliability.runs import fingerprint
from reliability.tables import PARAMETER_COLUMNS, clean_text, text_from_cell
from reliability.tasks import load_tasks
from reliability.trials import find_trials

Parameters = Mapping[Address, Sequence[ParameterScore]]


@dataclass(frozen=True, slots=True)
class ReportInput:
    """All that a report needs; `missing` says, a sentence each, what could not be had."""

    folder: Path
    manifest: Mapping[str, Any]
    scores: Sequence[TrialScore]
    parameters: Parameters
    tasks: Mapping[str, Task] = field(default_factory=dict)
    references: Mapping[str, Reference] = field(default_factory=dict)
    trials: Mapping[Address, Trial] = field(default_factory=dict)
    fingerprints: Mapping[Address, str] = field(default_factory=dict)
    """Hashes of the trials' files when they were scored; none if the run is from before they were kept."""
    missing: Sequence[str] = ()

    def has_changed(self, trial: Trial, score: TrialScore) -> bool:
        """Tell whether a trial's files are not those that were scored, as far as that was recorded."""
        before = self.fingerprints.get(score.address)
        return before is not None and before != fingerprint(trial, int(self.manifest["options"]["max_bytes"]))

    def title(self, task: str) -> str:
        """Return the title of a task, empty if it is not known."""
        return clean_text(self.tasks[task].title) if task in self.tasks else ""


def read_input(folder: Path, *, roots: Sequence[Path] | None = None, tasks_folder: Path | None = None) -> ReportInput:
    """Return what a run's report is made from.

    Parameters
    ----------
    roots
        Where the trials are now; by default where they were scored, as the manifest says.

    Raises
    ------
    InputError
        If the folder is no finished run or one of its tables is damaged, or if `roots` were given and cannot be used.
        That the trials of the manifest are gone is no error, but said in ``missing``.
    """
    manifest, rows = read_run(folder)
    scores = list(rows)
    missing: list[str] = []
    tasks = _known_tasks(tasks_folder, {s.task for s in scores}, missing)
    references = dict(_references(tasks, manifest, missing))
    parameters = read_parameters(folder / "parameters.csv")
    trials = _trials(manifest, roots, tasks, missing)
    if trials and (lost := sum(s.address not in trials for s in scores)):
        missing.append(f"{lost} of the {len(scores)} scored trials are not in these folders: no curve, no code.")
    fingerprints = read_fingerprints(folder)
    return ReportInput(folder, manifest, scores, parameters, tasks, references, trials, fingerprints, missing)


def _known_tasks(folder: Path | None, wanted: set[str], missing: list[str]) -> dict[str, Task]:
    tasks = load_tasks(folder)
    if unknown := sorted(wanted - tasks.keys()):
        missing.append(f"No folder of tasks was given for {', '.join(unknown)}: no titles and no curves (--tasks).")
    return {task_id: task for task_id, task in tasks.items() if task_id in wanted}


def _references(
    tasks: Mapping[str, Task], manifest: Mapping[str, Any], missing: list[str]
) -> Iterator[tuple[str, Reference]]:
    for task_id, task in tasks.items():
        try:
            reference = load_reference(task)
        except ReliabilityError as error:
            missing.append(f"No reference curve of {task_id}: {error}.")
            continue
        if manifest["references"].get(task_id) not in (None, reference.provenance.get("curve_sha256")):
            missing.append(f"The reference curve of {task_id} is not the one that the trials were scored against.")
        yield task_id, reference


def _trials(
    manifest: Mapping[str, Any], roots: Sequence[Path] | None, tasks: Mapping[str, Task], missing: list[str]
) -> dict[Address, Trial]:
    inputs = manifest["inputs"]
    given = roots is not None
    folders = roots if roots is not None else [Path(folder) for folder in inputs["folders"]]
    known = {*load_tasks(), *tasks, *manifest["tasks"]}
    try:
        found = find_trials(folders, known_tasks=known, system=inputs.get("system"), task=inputs.get("task"))
    except InputError as error:
        if given:
            raise
        missing.append(f"No curves, code and reports of the agents: {error} (name their folders with --trials).")
        return {}
    return {(clean_text(t.system), t.task, clean_text(t.condition), t.trial): t for t in found}


def read_parameters(path: Path) -> dict[Address, list[ParameterScore]]:
    """Return the rows of a ``parameters.csv`` by trial; values are texts.

    Raises
    ------
    InputError
        If the file is not exactly such a table; names the line.
    """
    result: dict[Address, list[ParameterScore]] = {}
    place = str(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file, strict=True)
            if tuple(rows.fieldnames or ()) != PARAMETER_COLUMNS:
                raise InputError(f"{path}, line 1: not the columns of parameters.csv")
            for row in rows:
                place = f"{path}, line {rows.line_num}"
                address = (text_from_cell(row["system"]), row["task"], row["condition"], int(row["trial"]))
                result.setdefault(address, []).append(_parameter(row))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (csv.Error, ValueError, TypeError) as error:
        raise InputError(f"{place}: not a row of parameters.csv: {error}") from None
    return result


def read_fingerprints(folder: Path) -> dict[Address, str]:
    """Return the hashes in a run's ``inputs.csv`` by trial; none if it has no such file.

    Raises
    ------
    InputError
        If the file is not exactly such a table.
    """
    path = folder / INPUTS
    if not path.is_file():
        return {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file, strict=True)
            if tuple(rows.fieldnames or ()) != INPUT_COLUMNS:
                raise InputError(f"{path}, line 1: not the columns of {INPUTS}")
            return {
                (text_from_cell(r["system"]), r["task"], r["condition"], int(r["trial"])): r["sha256"] for r in rows
            }
    except (OSError, csv.Error, ValueError, TypeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None


def _parameter(row: Mapping[str, str]) -> ParameterScore:
    if row["state"] not in ("set", "default", "unresolved"):
        raise ValueError(f"state {row['state'][:20]!r}")
    return ParameterScore(
        text_from_cell(row["parameter"]),
        text_from_cell(row["value"]) or None,
        text_from_cell(row["reference"]),
        float(row["eps"]),
        float(row["weight"]),
        row["state"],  # type: ignore[arg-type]  # one of the three, checked above
        int(row["line"]) if row["line"] else None,
        text_from_cell(row["reason"]),
        row["is_extended"] == "1",
    )


def find_file(trial: Trial, shown: str) -> Path | None:
    """Return the trial's file that ``scores.csv`` calls `shown`, if there is one."""
    for path in (*trial.code_files, *([trial.output_file] if trial.output_file else [])):
        with suppress(ValueError):
            if clean_text(path.relative_to(trial.folder).as_posix()) == shown:
                return path
    return None
