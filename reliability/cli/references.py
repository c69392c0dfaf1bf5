"""``references``: the right answers, computed again."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from reliability.cli.options import Commands, add_command, add_tasks_option, positive
from reliability.cli.printing import print_json, print_table, say

if TYPE_CHECKING:
    from reliability.inference_runs import InferenceRun
    from reliability.reference_runs import ReferenceRun


def add_references(commands: Commands) -> None:
    """Add the command ``references``."""
    sub = add_command(
        commands, "references", _references, "Run reference solutions and compare them with the committed ones."
    )
    sub.add_argument("task_ids", nargs="*", metavar="TASK", help="task ids (default: t01 to t14)")
    sub.add_argument("--deep", action="store_true", help="the inference problems T1 to T4; minutes each")
    sub.add_argument(
        "--audit",
        action="store_true",
        help="print what the literature values of T1 to T4 can mean, and do nothing else",
    )
    sub.add_argument("--check", action="store_true", help="exit code 1 if one is not reproduced")
    sub.add_argument("--out", type=Path, metavar="DIR", help="write curves and provenance here")
    sub.add_argument(
        "--script", metavar="TASK", help="print a plain stand-alone script of this task and do nothing else"
    )
    sub.add_argument("--workers", type=positive, metavar="N", help="processes (default: all cores)")
    add_tasks_option(sub)


def _references(arguments: argparse.Namespace) -> int:
    from tqdm import tqdm

    from reliability.reference_runs import run_references
    from reliability.references import render_script
    from reliability.tasks import DEEP_RESEARCH_IDS, find_task, load_tasks

    if arguments.audit:
        return _audit(arguments)
    if arguments.deep or any(task_id in DEEP_RESEARCH_IDS for task_id in arguments.task_ids):
        return _inference_references(arguments)
    tasks = load_tasks(arguments.tasks)
    if arguments.script:
        text = render_script(find_task(arguments.script, tasks))
        if arguments.json:
            print_json({"task": arguments.script, "script": text})
        else:
            print(text, end="")
        return 0
    wanted = [find_task(task_id, tasks) for task_id in dict.fromkeys(arguments.task_ids)] or list(tasks.values())
    with tqdm(total=len(wanted), desc="references", unit=" tasks", disable=None) as bar:
        runs = run_references(wanted, out=arguments.out, workers=arguments.workers, progress=lambda _: bar.update())
    if arguments.json:
        print_json([_reference_row(run) for run in runs])
    else:
        rows = [tuple(_reference_row(run).values()) for run in runs]
        print_table(tuple(_reference_row(runs[0])), rows)
    failed = [run.task for run in runs if run.computation is None]
    if failed:
        say(f"reliability: could not be computed: {', '.join(failed)}")
    return 1 if failed or (arguments.check and not all(run.accurate for run in runs)) else 0


def _reference_row(run: ReferenceRun) -> dict[str, object]:
    verdict = {True: "within tolerance", False: "OUTSIDE TOLERANCE", None: "not compared"}[run.accurate]
    if run.is_reproduced:
        verdict = "reproduced"
    return {
        "task": run.task,
        "camb": run.computation.versions["camb"] if run.computation else None,
        "seconds": round(run.computation.seconds, 1) if run.computation else None,
        "nas_shortfall": None if run.nas is None else 1 - run.nas,
        "max_abs_diff": run.max_abs_diff,
        "verdict": verdict,
        "written": str(run.csv) if run.csv else None,
        "reason": run.reason or None,
    }


def _inference_references(arguments: argparse.Namespace) -> int:
    from tqdm import tqdm

    from reliability.errors import InputError
    from reliability.inference_references import problems_of
    from reliability.inference_runs import run_inference_references
    from reliability.inference_tasks import load_inference_tasks

    tasks = load_inference_tasks()
    strange = [task_id for task_id in arguments.task_ids if task_id not in tasks]
    if strange or arguments.script or arguments.tasks:
        what = ", ".join(strange) or ("--script" if arguments.script else "--tasks")
        raise InputError(f"{what} does not go with inference problems; those are {', '.join(tasks)}")
    wanted = [tasks[task_id] for task_id in dict.fromkeys(arguments.task_ids)] or list(tasks.values())
    with tqdm(total=sum(len(problems_of(t)) for t in wanted), desc="posteriors", unit=" problems", disable=None) as bar:
        runs = run_inference_references(
            wanted, out=arguments.out, workers=arguments.workers, progress=lambda _: bar.update()
        )
    rows = [_inference_row(run) for run in runs]
    if arguments.json:
        print_json(rows)
    else:
        print_table(tuple(rows[0]), [tuple(row.values()) for row in rows])
    return 1 if arguments.check and not all(run.is_reproduced for run in runs) else 0


def _audit(arguments: argparse.Namespace) -> int:
    from reliability.inference_audit import render_audit

    text = render_audit()
    if arguments.json:
        print_json({"audit": text})
    else:
        print(text, end="")
    return 0


def _inference_row(run: InferenceRun) -> dict[str, object]:
    verdict = {True: "reproduced", False: "NOT REPRODUCED", None: "not compared"}[run.is_reproduced]
    return {
        "task": run.task,
        "problem": run.problem,
        "seconds": round(run.seconds, 1),
        "taus": round(run.n_taus),
        "r_hat": run.r_hat,
        "shift": run.shift,
        "verdict": verdict,
        "reason": run.reason or None,
    }
