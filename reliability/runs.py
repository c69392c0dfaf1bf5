"""A folder of trials in, a run folder of tables out: interruptible, resumable, the same bytes every time."""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from reliability.agent_files import read_bytes
from reliability.diagnosis import Alternatives
from reliability.errors import InputError, OutputError
from reliability.journal import trial_key
from reliability.records import Reference, Task, Trial, TrialScore
from reliability.reexecution.table import Address, Known, read_verdicts
from reliability.references import load_reference
from reliability.results import Run, build_manifest, content_hash, open_run
from reliability.scoring import Judge, score_trials
from reliability.summaries import Summary
from reliability.tables import clean_text, read_scores
from reliability.tasks import load_tasks
from reliability.trials import FoundTrials, find_trials
from reliability.variants import load_all_alternatives

Progress = Callable[[int, int], object]
"""Called with the trials finished so far and their number."""


def score_run(
    roots: Sequence[Path],
    output: Path,
    *,
    tasks_folder: Path | None = None,
    system: str | None = None,
    task: str | None = None,
    seed: int = 0,
    max_bytes: int = Judge.max_bytes,
    workers: int = 1,
    reexecution: Path | None = None,
    progress: Progress | None = None,
) -> Summary:
    """Score all trials in and below `roots` and write the tables of the run to `output`; return the summary tables.

    `reexecution`: the table that ``reliability reexecute`` wrote on these trials, for the column of that name.
    A run that was interrupted goes on where it stopped. Raises :class:`~reliability.errors.InputError` if the input
    cannot be used or `output` holds another run; nothing has been written or replaced then.
    """
    tasks = load_tasks(tasks_folder)
    found = find_trials(roots, known_tasks=tasks, system=system, task=task)
    used = {task_id: tasks[task_id] for task_id in sorted(found.tasks)}
    references = {task_id: load_reference(task) for task_id, task in used.items()}
    alternatives = load_all_alternatives(used)
    judge = Judge(used, references, alternatives, max_bytes=max_bytes)
    _check_nothing_is_lost(output, found)
    verdicts = None if reexecution is None else read_verdicts(reexecution)
    inputs: dict[str, object] = {"folders": [str(root) for root in roots], "system": system, "task": task}
    if reexecution is not None:
        inputs["reexecution"] = content_hash([reexecution], reexecution.parent)
    manifest = build_manifest(
        inputs=inputs,
        options={"max_bytes": max_bytes, "camb_line": judge.camb_line},
        tasks={task_id: _task_hash(task) for task_id, task in used.items()},
        references=_reference_hashes(references, alternatives),
        seed=seed,
    )
    with open_run(output, manifest) as run:
        keys = _score_into(run, found, judge, workers=workers, verdicts=verdicts, progress=progress)
        run.manifest["content"] = {
            "trials": len(keys),
            "sha256": hashlib.sha256("\n".join(sorted(keys)).encode()).hexdigest(),
        }
        return run.finish(keys, {task_id: task.group for task_id, task in used.items()})


def _score_into(
    run: Run,
    found: FoundTrials,
    judge: Judge,
    *,
    workers: int,
    verdicts: Mapping[Address, Known] | None,
    progress: Progress | None,
) -> list[str]:
    """Score what the journal does not have yet; return the keys of all trials."""
    keys: list[str] = []
    waiting: deque[str] = deque()
    n_done = 0

    def to_score() -> Iterator[Trial]:
        nonlocal n_done
        for trial in found:
            key = trial_key(trial, fingerprint(trial, judge.max_bytes))
            keys.append(key)
            if run.is_finished(key):
                n_done += 1
            else:
                waiting.append(key)
                yield trial

    for score in score_trials(to_score(), judge, workers=workers):
        key = waiting.popleft()
        run.record(key, score if verdicts is None else _with_verdict(score, json.loads(key)[-1], verdicts))
        n_done += 1
        if progress is not None:
            progress(n_done, len(found))
    return keys


def _with_verdict(score: TrialScore, sha256: str, verdicts: Mapping[Address, Known]) -> TrialScore:
    """Return the score with the verdict on its trial, or a note why there is none."""
    known = verdicts.get((clean_text(score.system), *score.address[1:]))
    if known is None:
        reason = "not re-executed"
    elif known.sha256 != sha256:
        reason = "changed since it was re-executed"
    elif not known.verdict:
        reason = "re-execution reached no verdict"
    else:
        return replace(score, reexecution=known.verdict)
    return replace(score, notes="; ".join(words for words in (score.notes, reason) if words))


def find_trial(manifest: Mapping[str, Any], address: str, tasks: Mapping[str, Task]) -> Trial:
    """Return one trial of a run, given as ``SYSTEM/TASK[@CONDITION]/TRIAL``.

    Raises :class:`InputError` if the folders that were scored are gone or hold no such trial.
    """
    inputs = manifest["inputs"]
    roots = [Path(folder) for folder in inputs["folders"]]
    for root in roots:
        if not root.is_dir():
            raise InputError(
                f"{root}: the trials were scored from there, but it is no folder; call from where you scored"
            )
    found = find_trials(roots, known_tasks=tasks, system=inputs["system"], task=inputs["task"])
    for trial in found:
        condition = f"@{trial.condition}" if trial.condition else ""
        if f"{trial.system}/{trial.task}{condition}/{trial.trial}" == address:
            return trial
    raise InputError(f"no trial {address!r} in {', '.join(map(str, roots))}; give SYSTEM/TASK/TRIAL, e.g. agent/t10/0")


def fingerprint(trial: Trial, max_bytes: int) -> str:
    """Return a SHA-256 over what a trial's score depends on: its files (`max_bytes` of each) and what was recorded."""
    total = hashlib.sha256()
    record = (trial.layout, trial.cost_usd, trial.duration_s, trial.exit_code, trial.status, trial.started, trial.notes)
    total.update(repr(record).encode())
    output = [trial.output_file] if trial.output_file else []
    for path in (*trial.code_files, *output, *trial.text_files):
        total.update(path.relative_to(trial.folder).as_posix().encode("utf-8", "surrogateescape") + b"\0")
        try:
            total.update(hashlib.sha256(read_bytes(path, max_bytes)).digest())
        except OSError as error:
            total.update(str(error.errno).encode())
    return total.hexdigest()


def _task_hash(task: Task) -> str:
    return content_hash([task.folder / name for name in ("task.toml", "prompt.md", *task.files)], task.folder)


def _reference_hashes(references: Mapping[str, Reference], alternatives: Mapping[str, Alternatives]) -> dict[str, str]:
    """Return hashes of all that a curve is compared with: the references, and the alternatives where there are any."""
    hashes = {task_id: str(reference.provenance.get("curve_sha256")) for task_id, reference in references.items()}
    return hashes | {f"{task_id}, alternatives": a.sha256 for task_id, a in alternatives.items() if a.sha256}


def _check_nothing_is_lost(output: Path, found: FoundTrials) -> None:
    """Refuse to replace the scores of trials that are not among these."""
    path = output / "scores.csv"
    if not path.is_file():
        return
    known = {(clean_text(system), *rest) for system, *rest in found.addresses}
    lost = {s.address for s in read_scores(path)} - known
    if lost:
        name = "/".join(str(part) for part in min(lost) if part != "")
        raise OutputError(
            f"{output}: holds another run, with {len(lost)} trials that are not in this input (e.g. {name});"
            " choose another folder"
        )
