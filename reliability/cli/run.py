"""``run``: an agent, or a bare language model, on tasks."""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reliability.cli.options import (
    Commands,
    accepted_sandbox,
    add_command,
    add_sandbox_options,
    add_tasks_option,
    positive,
)
from reliability.cli.printing import print_json, print_table, say
from reliability.errors import InputError
from reliability.tables import clean_text

if TYPE_CHECKING:
    from reliability.records import Task
    from reliability.runner import State, Surroundings, System


def add_run(commands: Commands) -> None:
    """Add the command ``run``."""
    sub = add_command(commands, "run", _run, "Run an agent on the tasks, in a sandbox, and keep what it leaves.")
    sub.add_argument("--system", required=True, metavar="NAME", help="name of the agent, the folder of its trials")
    what = sub.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--command",
        metavar="TEXT",
        help="the agent's command, with {prompt} or {prompt_file}, and {workdir} {task} {seed} if wanted; no shell",
    )
    what.add_argument(
        "--base-llm",
        metavar="MODEL",
        help="ask a model once, without tools, and run the code of its answer; RELIABILITY_LLM_URL and"
        " RELIABILITY_LLM_KEY say where",
    )
    sub.add_argument("-o", "--output", type=Path, required=True, metavar="TRIALS", help="folder for the trials")
    add_tasks_option(sub)
    sub.add_argument("--task", action="append", default=[], metavar="TASK", help="only this task; may be repeated")
    sub.add_argument("--trials", type=positive, default=10, metavar="N", help="trials of each task (default: 10)")
    sub.add_argument("--workers", type=positive, default=1, metavar="N", help="trials at a time (default: 1)")
    sub.add_argument(
        "--timeout", type=_seconds, default=1800.0, metavar="S", help="seconds of one trial (default: 1800)"
    )
    sub.add_argument(
        "--retries",
        type=_count,
        default=3,
        metavar="N",
        help="further attempts where the fault was not the agent's (default: 3)",
    )
    sub.add_argument("--seed", type=int, default=0, help="seed from which each trial's own is made (default: 0)")
    sub.add_argument("--python", type=Path, metavar="PATH", help="what agents find as `python` (default: this one)")
    sub.add_argument(
        "--readable",
        type=Path,
        action="append",
        default=[],
        metavar="PATH",
        help="a file or folder that the agent needs to read; may be repeated",
    )
    sub.add_argument(
        "--env",
        action="append",
        default=[],
        metavar="NAME",
        help="pass on this environment variable, e.g. the key of the agent's model; its value is not written down",
    )
    sub.add_argument("--network", action="store_true", help="let the agent's command use the network")
    add_sandbox_options(sub)


def _run(arguments: argparse.Namespace) -> int:
    from tqdm import tqdm

    from reliability.runner import run_system
    from reliability.tasks import find_task, load_tasks

    tasks = load_tasks(arguments.tasks)
    wanted = [find_task(task_id, tasks) for task_id in dict.fromkeys(arguments.task)] or list(tasks.values())
    system = _system(arguments, _surroundings(arguments, wanted))
    bar = tqdm(desc=arguments.system, unit=" trials", disable=None)

    def progress(state: State) -> None:
        if bar.total is None:  # trials that are there already tell nothing about the speed
            bar.total, bar.initial, bar.n = state.n, state.n_done, state.n_done
            bar.start_t = bar.last_print_t = time.time()
        bar.set_postfix_str("" if state.mean_score is None else f"Score {state.mean_score:.3f}", refresh=False)
        bar.update(state.n_done + len(state.unmade) - bar.n)

    with bar:
        state = run_system(
            arguments.system,
            system,
            arguments.output,
            tasks=wanted,
            n_trials=arguments.trials,
            seed=arguments.seed,
            workers=arguments.workers,
            retries=arguments.retries,
            settings={
                "timeout": arguments.timeout,
                "python": str(arguments.python) if arguments.python else None,
                "readable": sorted(map(str, arguments.readable)),
            },
            progress=progress,
        )
    return _tell(arguments, state)


def _tell(arguments: argparse.Namespace, state: State) -> int:
    row = {
        "system": arguments.system,
        "trials": state.n_done,
        "made_now": state.n_made,
        "not_made": len(state.unmade),
        "mean_score": state.mean_score,
    }
    unmade = [{"trial": made.ask.place.as_posix(), "faults": list(made.faults)} for made in state.unmade]
    if arguments.json:
        print_json(row | {"output": str(arguments.output), "unmade": unmade})
    else:
        print_table(tuple(row), [tuple(row.values())])
        for made in state.unmade:
            say(clean_text(f"not made: {made.ask.place.as_posix()}: {made.faults[-1]}"))
        if state.unmade:
            say("reliability: these say nothing about the agent; the same command tries them again")
        else:
            say(f"trials: {arguments.output}; next: reliability score {arguments.output} -o RUN")
    return 1 if state.unmade else 0


def _surroundings(arguments: argparse.Namespace, tasks: Sequence[Task]) -> Surroundings:
    from reliability.literature import FOLDER as LITERATURE
    from reliability.reference_scripts import FOLDER, reference_folders
    from reliability.runner import Surroundings
    from reliability.sandbox import Limits
    from reliability.tasks import data_folder

    backend = accepted_sandbox(arguments)
    python = Path(os.path.abspath(arguments.python or sys.executable))  # noqa: PTH100 - keeps a link of an environment
    for option, path in (("--python", python), *(("--readable", path) for path in arguments.readable)):
        if not path.exists():
            raise InputError(f"{option} {path}: no such file or folder")
    right_answers = {
        data_folder(FOLDER),
        data_folder(LITERATURE),
        *(folder for task in tasks for folder in reference_folders(task)),
    }
    return Surroundings(
        backend=backend,
        limits=Limits(seconds=arguments.timeout, cpu_seconds=max(1800.0, 4 * arguments.timeout)),
        python=python,
        readable=tuple(Path(os.path.abspath(path)) for path in arguments.readable),  # noqa: PTH100 - the same
        hidden=(*sorted(right_answers), arguments.output),
    )


def _system(arguments: argparse.Namespace, surroundings: Surroundings) -> System:
    if arguments.base_llm is not None:
        from reliability.base_llm import base_llm

        if arguments.network or arguments.env:
            raise InputError("--network and --env are for agents; the code that a bare model wrote gets neither")
        return base_llm(arguments.base_llm, surroundings, os.environ)
    from reliability.runner import command_system

    missing = [name for name in arguments.env if name not in os.environ]
    if missing:
        raise InputError(f"--env {missing[0]}: not set here")
    passed = {name: os.environ[name] for name in arguments.env}
    return command_system(arguments.command, surroundings, network=arguments.network, passed=passed)


def _seconds(text: str) -> float:
    value = float(text)
    if not (0 < value < math.inf):
        raise argparse.ArgumentTypeError(f"{text} is not a positive number of seconds")
    return value


def _count(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is below 0")
    return value
