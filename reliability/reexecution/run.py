"""Trials in, ``reexecution.csv`` out: several at a time, interruptible, resumable."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from reliability import __version__
from reliability.camb_environments import camb_python, check_version, installed_camb
from reliability.curves import MAX_BYTES
from reliability.errors import InputError, OutputError, ReliabilityError, SandboxError
from reliability.journal import Journal, sort_keys, trial_key
from reliability.records import Task, Trial
from reliability.reexecution.attempts import Settings
from reliability.reexecution.one_trial import recorded_version, reexecute_trial
from reliability.reexecution.records import Expected, Reexecution
from reliability.reexecution.table import TABLE, decode, encode, read_verdicts, write_reexecutions
from reliability.references import load_reference
from reliability.runs import fingerprint
from reliability.tables import clean_text
from reliability.tasks import load_tasks
from reliability.threads import in_threads
from reliability.trials import find_trials
from reliability.variants import load_alternatives

JOURNAL = "reexecution.jsonl"
Progress = Callable[[int, int], object]
"""Called with the trials finished so far and their number."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What all trials of one call share."""

    expected: Mapping[str, Expected]
    settings: Settings
    environments: Mapping[str, Path]
    """Version -> Python, for every trial; empty: the version that the trial names, then the installed one."""
    say: Callable[[str], object] = lambda _: None

    def reexecute(self, trial: Trial, sha256: str) -> Reexecution:
        """Return the row of one trial; one that we cannot judge must not cost the others."""
        note = ""
        try:
            environments, note = self._environments(trial)
            row = reexecute_trial(trial, self.expected[trial.task], environments, self.settings, sha256=sha256)
        except SandboxError:
            raise  # nothing else could be run either
        except ReliabilityError as error:
            return not_judged(trial, str(error), sha256)
        except Exception as error:
            return not_judged(trial, f"internal error, please report: {type(error).__name__}: {error}", sha256)
        return replace(row, how="; ".join(words for words in (row.how, note) if words))

    def _environments(self, trial: Trial) -> tuple[Mapping[str, Path], str]:
        if self.environments:
            return self.environments, ""
        installed, named = installed_camb(), recorded_version(trial)
        last = {installed: camb_python(installed)}
        if not named or named == installed:
            return last, ""
        try:
            return {named: camb_python(named, say=self.say), **last}, ""
        except InputError as error:
            return last, f"made with CAMB {named}, which could not be used here ({error})"


def not_judged(trial: Trial, reason: str, sha256: str) -> Reexecution:
    """Return the row of a trial on which there is no verdict."""
    return Reexecution(*trial.address, "", "", "", "", reason, None, None, "", sha256)


def reexecute(
    roots: Sequence[Path],
    output: Path,
    settings: Settings,
    *,
    versions: Sequence[str] = (),
    tasks_folder: Path | None = None,
    only_tasks: Collection[str] = (),
    only_systems: Collection[str] = (),
    workers: int = 1,
    progress: Progress = lambda _done, _n: None,
    say: Callable[[str], object] = lambda _: None,
) -> list[Reexecution]:
    """Run the scripts of all trials in and below `roots`, write ``reexecution.csv`` to `output`, return its rows.

    `versions`: of CAMB, tried in this order; by default the one that a trial names, then the installed one.
    `only_tasks`, `only_systems`: the others are left out; a single one also names the trials of work directories whose
    folders do not say it. Raises :class:`~reliability.errors.InputError` if the input cannot be used or `output` holds
    verdicts on other trials; nothing has been written or replaced then.
    """
    tasks = load_tasks(tasks_folder)
    system, task = (next(iter(only)) if len(only) == 1 else None for only in (only_systems, only_tasks))
    found = find_trials(roots, known_tasks=tasks, system=system, task=task)
    trials = [
        trial
        for trial in found
        if (not only_tasks or trial.task in only_tasks) and (not only_systems or trial.system in only_systems)
    ]
    if not trials:
        raise InputError(f"no trial of {', '.join((*only_systems, *only_tasks))} in {', '.join(map(str, roots))}")
    _check_nothing_is_lost(output / TABLE, trials)
    environments = {version: camb_python(version, say=say) for version in dict.fromkeys(map(check_version, versions))}
    expected = {task_id: _expected(tasks[task_id]) for task_id in sorted({trial.task for trial in trials})}
    plan = Plan(expected, settings, environments, say)
    with _folder(output), _journal(output, plan) as journal:
        keys = {trial_key(trial, sha := fingerprint(trial, MAX_BYTES)): (trial, sha) for trial in trials}
        waiting = [key for key in keys if key not in journal]
        progress(len(keys) - len(waiting), len(keys))
        rows = in_threads(lambda key: (key, plan.reexecute(*keys[key])), waiting, workers)
        for n, (key, row) in enumerate(rows, len(keys) - len(waiting) + 1):
            journal.append(key, row)
            progress(n, len(keys))
        done = [journal.read(key) for key in sort_keys(keys)]
        write_reexecutions(output / TABLE, done)
        journal.path.unlink()
    return done


def _expected(task: Task) -> Expected:
    return Expected(task, load_reference(task), load_alternatives(task))


def _check_nothing_is_lost(path: Path, trials: Sequence[Trial]) -> None:
    """Refuse to replace verdicts on trials that are not among these."""
    if not path.is_file():
        return
    known = {(clean_text(trial.system), *trial.address[1:]) for trial in trials}
    lost = set(read_verdicts(path)) - known
    if lost:
        name = "/".join(str(part) for part in min(lost) if part != "")
        raise OutputError(f"{path}: has verdicts on {len(lost)} other trials (e.g. {name}); choose another folder")


@contextmanager
def _folder(output: Path) -> Iterator[None]:
    """Hold the folder, so that two calls do not write there at once."""
    try:
        output.mkdir(parents=True, exist_ok=True)
        handle = os.open(output, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise OutputError(f"{output}: results cannot be written there: {error.strerror}") from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise OutputError(f"{output}: another re-execution is writing there") from None
    finally:
        os.close(handle)


@contextmanager
def _journal(output: Path, plan: Plan) -> Iterator[Journal[Reexecution]]:
    """The journal of the same call, begun anew if anything that verdicts depend on has changed."""
    depends_on = {
        "reliability": __version__,
        "camb": list(plan.environments) or ["named by the trial", installed_camb()],
        "seconds": plan.settings.seconds,
        "sandbox": str(plan.settings.backend.mode),
        "references": {name: str(e.reference.provenance.get("curve_sha256")) for name, e in plan.expected.items()},
    }
    digest = hashlib.sha256(json.dumps(depends_on, sort_keys=True).encode()).hexdigest()
    try:
        journal = Journal(output / JOURNAL, digest, encode, decode)
    except OSError as error:
        raise OutputError(f"{output}: results cannot be written there: {error.strerror}") from None
    try:
        yield journal
    finally:
        journal.close()
