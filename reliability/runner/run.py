"""All trials of one system: planned, made by workers, scored as they finish; resumable at any point."""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reliability import __version__
from reliability.errors import ReliabilityError
from reliability.layouts import NATIVE, Address
from reliability.records import Task
from reliability.references import load_reference
from reliability.results import content_hash
from reliability.runner.one_trial import Made, Retries, make_trial
from reliability.runner.place import check_system_name, open_trials
from reliability.runner.records import OUTPUT, Ask, System, seed_of
from reliability.scoring import Judge, score_safely
from reliability.tasks import render_prompt
from reliability.threads import in_threads
from reliability.trial_files import open_trial


@dataclass(slots=True)
class State:
    """How far a run has come."""

    n: int
    """Trials that the run shall have."""
    n_done: int = 0
    """Trials that are there, those of an earlier run included."""
    n_made: int = 0
    """Trials that this call made."""
    scores: list[float] = field(default_factory=list)
    unmade: list[Made] = field(default_factory=list)
    """Trials that could not be made for a reason that is not the agent's."""

    @property
    def mean_score(self) -> float | None:
        """Mean Score of the trials that could be scored; ``None`` before the first."""
        return sum(self.scores) / len(self.scores) if self.scores else None


def run_system(
    name: str,
    system: System,
    output: Path,
    *,
    tasks: Sequence[Task],
    n_trials: int = 10,
    seed: int = 0,
    workers: int = 1,
    retries: int = 3,
    settings: Mapping[str, object] | None = None,
    progress: Callable[[State], object] | None = None,
    sleep: Callable[[float], object] = time.sleep,
) -> State:
    """Make all trials that are not there yet, in the native layout below `output`; return how it went.

    `settings`: what else the trials depend on, e.g. the time limit; kept in the manifest with the rest. Raises
    :class:`~reliability.errors.OutputError` if `output` cannot be used or holds trials made with other settings, and
    whatever error says that the system cannot be asked at all.
    """
    asks = plan(check_system_name(name), tasks, n_trials, seed)
    manifest = _manifest(system, tasks, asks, {**(settings or {}), "trials": n_trials, "seed": seed})
    with open_trials(output, name, manifest) as folder:
        state = State(len(asks))
        judge = _Running({task.id: task for task in tasks})
        waiting = []
        for ask in asks:
            if folder.is_finished(ask):
                _count(state, judge, Made(ask, folder.root / ask.place))
            else:
                waiting.append(ask)
        if progress is not None:
            progress(state)
        tries = Retries(retries, sleep)

        def make(ask: Ask) -> Made:
            return make_trial(ask, system, folder, tries, random.Random(ask.seed))

        for made in in_threads(make, waiting, workers):
            _count(state, judge, made)
            state.n_made += made.folder is not None
            if progress is not None:
                progress(state)
    return state


def plan(system: str, tasks: Sequence[Task], n_trials: int, seed: int) -> list[Ask]:
    """All trials of a run, in the order in which they are made: every task once, then every task again."""
    prompts = {task.id: render_prompt(task, OUTPUT) for task in tasks}
    return [
        Ask(
            system=system,
            task=task.id,
            trial=trial,
            seed=seed_of(seed, system, task.id, trial),
            prompt=prompts[task.id],
            files=tuple(task.folder / name for name in task.files),
        )
        for trial in range(n_trials)
        for task in tasks
    ]


def _manifest(
    system: System, tasks: Sequence[Task], asks: Sequence[Ask], settings: Mapping[str, object]
) -> dict[str, object]:
    prompts = {ask.task: hashlib.sha256(ask.prompt.encode()).hexdigest() for ask in asks}
    files = {task.id: content_hash([task.folder / name for name in task.files], task.folder) for task in tasks}
    return {
        "system": system.settings(),
        "tasks": {task: {"prompt_sha256": prompts[task], "files_sha256": files[task]} for task in prompts},
        "settings": {**settings, "sandbox": str(system.backend.mode)},
        "versions": {"reliability": __version__},
    }


class _Running:
    """The running score; a task without a right answer has none."""

    def __init__(self, tasks: Mapping[str, Task]) -> None:
        references = {}
        for task in tasks.values():
            try:
                references[task.id] = load_reference(task)
            except ReliabilityError:
                continue  # `reliability score` says what is wrong with it
        self.judge = Judge(tasks, references)

    def score(self, ask: Ask, folder: Path) -> float | None:
        if ask.task not in self.judge.references:
            return None
        address = Address(ask.system, ask.task, "", ask.trial)
        return score_safely(open_trial(folder, address, NATIVE), self.judge).score


def _count(state: State, judge: _Running, made: Made) -> None:
    if made.folder is None:
        state.unmade.append(made)
        return
    state.n_done += 1
    score = judge.score(made.ask, made.folder)
    if score is not None:
        state.scores.append(score)
