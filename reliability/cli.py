"""The command line: the only module that prints or exits.

Results go to stdout (with ``--json`` strict JSON and nothing else), messages and progress bars to stderr.
Exit code 0: done; 1: a comparison failed (``references --check``) or an attack was not contained (``doctor``); 2: the
input cannot be used, said in one line; 130: interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from reliability import __version__
from reliability.errors import InputError, ReliabilityError
from reliability.tables import clean_text

if TYPE_CHECKING:
    from reliability.reference_runs import ReferenceRun


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = _parser().parse_args(argv)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except ReliabilityError as error:
        _say(f"reliability: error: {' '.join(str(error).split())}")
        return 2
    except KeyboardInterrupt:
        _say("reliability: interrupted; nothing is lost, the same command goes on where this one stopped")
        return 130
    except BrokenPipeError:  # the reader of our output has gone, e.g. `| head`
        _drop_stdout()
        return 0
    except OSError as error:  # a full disk, a file where a folder should be: the user's to mend
        _say(f"reliability: error: {error.filename or 'the output'}: {error.strerror or error}")
        if error.filename is None:
            _drop_stdout()
        return 2
    return code


def _drop_stdout() -> None:
    """Send what is still to be flushed nowhere, so that the interpreter does not complain at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="reliability", description="Can an AI agent's numbers be trusted, and if not, why?", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"reliability {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: object, summary: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=summary, description=summary, allow_abbrev=False)
        sub.set_defaults(run=run)
        sub.add_argument("--json", action="store_true", help="strict JSON on stdout")
        return sub

    def with_tasks(sub: argparse.ArgumentParser) -> None:
        sub.add_argument("--tasks", type=Path, metavar="DIR", help="folder of task folders (default: the fourteen)")

    sub = command(
        "score", _score, "Score agents' trials: ESR, PAS, NAS, Score, failure mode, accurate, silent failure."
    )
    sub.add_argument("trials", nargs="+", type=Path, metavar="TRIALS", help="folder with trials, any known layout")
    sub.add_argument("-o", "--output", type=Path, required=True, metavar="RUN", help="folder for the results")
    with_tasks(sub)
    sub.add_argument("--system", help="name of the system, where the folders do not say it")
    sub.add_argument("--task", help="task id, where the folders do not say it")
    sub.add_argument("--workers", type=_positive, metavar="N", help="processes (default: all cores)")
    sub.add_argument("--max-mib", type=_positive, default=64, metavar="N", help="do not read larger output files")
    sub.add_argument("--seed", type=int, default=0, help="seed of the bootstrap intervals")
    sub.add_argument("--no-figures", action="store_true", help="tables only")

    sub = command("tasks", _tasks, "List the tasks.")
    with_tasks(sub)

    sub = command("prompt", _prompt, "Print the prompt of one task, as an agent gets it.")
    sub.add_argument("task", metavar="TASK")
    sub.add_argument("--output", metavar="PATH", help="where the agent shall write its result; appended to the prompt")
    with_tasks(sub)

    sub = command("params", _params, "Print what a script tells CAMB, read without running it.")
    sub.add_argument("script", type=Path, metavar="FILE.py")
    sub.add_argument("--camb-line", choices=("2.0", "1.6"), default="2.0", help="whose signatures and defaults apply")

    sub = command("references", _references, "Run reference solutions and compare them with the committed ones.")
    sub.add_argument("task_ids", nargs="*", metavar="TASK", help="task ids (default: all)")
    sub.add_argument("--check", action="store_true", help="exit code 1 if a curve is outside its tolerance")
    sub.add_argument("--out", type=Path, metavar="DIR", help="write curves and provenance here")
    sub.add_argument(
        "--script", metavar="TASK", help="print a plain stand-alone script of this task and do nothing else"
    )
    sub.add_argument("--workers", type=_positive, metavar="N", help="processes (default: all cores)")
    with_tasks(sub)

    sub = command("doctor", _doctor, "Attack the sandbox of this machine, and show what else the suite finds here.")
    sub.add_argument(
        "--sandbox",
        choices=("full", "partial", "none"),
        help="attack this one (default: the best that works; none: no sandbox, to see what the attacks can do)",
    )

    sub = command("figures", _figures, "Draw the figures of a run, or one trial's curve.")
    sub.add_argument("run_folder", type=Path, metavar="RUN")
    sub.add_argument(
        "--curve",
        action="append",
        default=[],
        metavar="SYSTEM/TASK/TRIAL",
        help="also draw this trial against the reference",
    )
    with_tasks(sub)
    return parser


# ------------------------------------------------------------------------------------------------- commands


def _tasks(arguments: argparse.Namespace) -> int:
    from reliability.tasks import load_tasks

    tasks = load_tasks(arguments.tasks).values()
    if arguments.json:
        rows = [{"id": t.id, "title": t.title, "group": t.group, "quantity": t.quantity, "unit": t.unit} for t in tasks]
        _print_json([row | {"columns": t.columns, "n_points": t.grid.n} for row, t in zip(rows, tasks, strict=True)])
    else:
        header = ("task", "title", "group", "columns", "points")
        _print_table(header, [(t.id, t.title, t.group, ", ".join(t.columns), t.grid.n) for t in tasks])
    return 0


def _prompt(arguments: argparse.Namespace) -> int:
    from reliability.tasks import find_task, load_tasks, render_prompt

    task = find_task(arguments.task, load_tasks(arguments.tasks))
    text = render_prompt(task, arguments.output)
    if arguments.json:
        _print_json({"task": task.id, "prompt": text, "files": [str(task.folder / name) for name in task.files]})
    else:
        print(text, end="")
        for name in task.files:
            _say(f"the agent also needs {task.folder / name} as {name} in its working directory")
    return 0


def _score(arguments: argparse.Namespace) -> int:
    from tqdm import tqdm

    from reliability.reference_runs import n_cores
    from reliability.runs import score_run

    bar = tqdm(desc="scoring", unit=" trials", disable=None)

    def progress(done: int, total: int) -> None:
        bar.total = total
        bar.update(done - bar.n)

    with bar:
        summary = score_run(
            arguments.trials,
            arguments.output,
            tasks_folder=arguments.tasks,
            system=arguments.system,
            task=arguments.task,
            seed=arguments.seed,
            max_bytes=arguments.max_mib * 2**20,
            workers=arguments.workers or n_cores(),
            progress=progress,
        )
    figures = [] if arguments.no_figures else _draw_run(arguments.output)
    if arguments.json:
        _print_json({"run": str(arguments.output), "systems": summary.systems.rows, "figures": figures})
    else:
        _print_systems(summary.systems.rows)
        _say(f"tables and figures: {arguments.output}")
    return 0


def _params(arguments: argparse.Namespace) -> int:
    from reliability.agent_files import read_bytes
    from reliability.camb_code import read_camb_code
    from reliability.camb_code.reader import MAX_SOURCE_BYTES

    try:
        source = read_bytes(arguments.script, MAX_SOURCE_BYTES)
    except OSError as error:
        raise InputError(f"{arguments.script}: cannot be read: {error.strerror}") from None
    reading = read_camb_code(source, camb_line=arguments.camb_line)
    if arguments.json:
        models = [{"line": m.line, "parameters": [asdict(p) for p in m.parameters.values()]} for m in reading.models]
        findings = [asdict(finding) for finding in reading.findings]
        _print_json({"models": models, "findings": findings, "syntax_error": reading.syntax_error})
        return 0
    for number, model in enumerate(reading.models, 1):
        where = f"computed in line {model.line}" if model.line else "never computed"
        print(f"model {number} of {len(reading.models)}, {where}")
        rows = [(p.name, str(p.value), p.state, p.line, p.reason) for p in model.parameters.values()]
        _print_table(("parameter", "value", "state", "line", "reason"), rows)
    for finding in reading.findings:
        print(clean_text(f"line {finding.line}: {finding.message}" if finding.line else finding.message))
    if reading.syntax_error:
        print(clean_text(f"does not parse: {reading.syntax_error}"))
    return 0


def _references(arguments: argparse.Namespace) -> int:
    from tqdm import tqdm

    from reliability.reference_runs import run_references
    from reliability.references import render_script
    from reliability.tasks import find_task, load_tasks

    tasks = load_tasks(arguments.tasks)
    if arguments.script:
        text = render_script(find_task(arguments.script, tasks))
        if arguments.json:
            _print_json({"task": arguments.script, "script": text})
        else:
            print(text, end="")
        return 0
    wanted = [find_task(task_id, tasks) for task_id in dict.fromkeys(arguments.task_ids)] or list(tasks.values())
    with tqdm(total=len(wanted), desc="references", unit=" tasks", disable=None) as bar:
        runs = run_references(wanted, out=arguments.out, workers=arguments.workers, progress=lambda _: bar.update())
    if arguments.json:
        _print_json([_reference_row(run) for run in runs])
    else:
        rows = [tuple(_reference_row(run).values()) for run in runs]
        _print_table(tuple(_reference_row(runs[0])), rows)
    failed = [run.task for run in runs if run.computation is None]
    if failed:
        _say(f"reliability: could not be computed: {', '.join(failed)}")
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


def _doctor(arguments: argparse.Namespace) -> int:
    from reliability.doctor import examine
    from reliability.sandbox import Mode

    found = examine(Mode(arguments.sandbox) if arguments.sandbox else None)
    if arguments.json:
        _print_json(asdict(found) | {"contained": found.is_contained})
        return 0 if found.is_contained else 1
    backend = found.backend
    _print_table(("attack", "verdict", "evidence"), [(f.attack, f.verdict, f.evidence) for f in found.findings])
    print(f"\nsandbox  {backend.name} ({backend.mode})")
    for name, reason in (backend.refused or {}).items():
        print(clean_text(f"refused  {name}: {reason}"))
    for gap in backend.gaps:
        print(f"open     {gap}")
    print(f"camb     {found.camb or 'absent'}")
    print(f"fonts    {f'{found.fonts} families' if found.fonts else 'absent'}")
    print(clean_text(f"browser  {found.browser or 'absent'}"))
    return 0 if found.is_contained else 1


def _figures(arguments: argparse.Namespace) -> int:
    paths = _draw_run(arguments.run_folder)
    for address in arguments.curve:
        paths += _draw_curve(arguments.run_folder, address, arguments.tasks)
    if arguments.json:
        _print_json({"figures": paths})
    else:
        print("\n".join(paths))
    return 0


def _draw_run(folder: Path) -> list[str]:
    """Draw the paper's three figures of a finished run; return the paths."""
    from reliability.figures import figure_failure_modes, figure_mean_metrics, figure_task_scores, save_figure
    from reliability.results import read_run
    from reliability.summaries import ScoreColumns, summarise

    manifest, scores = read_run(folder)
    summary = summarise(ScoreColumns(scores), {}, int(manifest["seed"]))
    figures = {
        "mean_metrics": figure_mean_metrics(summary.systems.rows),
        "task_scores": figure_task_scores(summary.tasks.rows),
        "failure_modes": figure_failure_modes(summary.systems.rows),
    }
    return [str(path) for name, figure in figures.items() for path in save_figure(figure, folder / "figures" / name)]


def _draw_curve(folder: Path, address: str, tasks_folder: Path | None) -> list[str]:
    """Draw one trial of a run, given as ``SYSTEM/TASK[@CONDITION]/TRIAL``, against its reference; return the paths."""
    from reliability.curves import read_curve
    from reliability.figures import figure_curve, save_figure
    from reliability.references import load_reference
    from reliability.results import read_run
    from reliability.runs import find_trial
    from reliability.tasks import load_tasks

    manifest, scores = read_run(folder)
    tasks = load_tasks(tasks_folder)
    trial = find_trial(manifest, address, tasks)
    score = next((s for s in scores if s.address == trial.address), None)
    task = tasks[trial.task]
    curve = read_curve(trial.output_file, columns=task.columns) if trial.output_file else None
    figure = figure_curve(task, curve, load_reference(task), score)
    name = "curve_" + "".join(c if c.isalnum() or c in "-_.@" else "_" for c in address)
    return [str(path) for path in save_figure(figure, folder / "figures" / name)]


_COLUMNS = {
    "system": "system", "attempted": "trials", "completed": "output", "esr": "ESR", "pas": "PAS", "nas": "NAS",
    "score": "Score", "n_A": "A", "n_B": "B", "n_C": "C", "n_D": "D", "n_unknown": "?", "accurate": "accurate",
    "wrong": "wrong", "silent_failure": "silent", "unscored": "unscored",
}  # fmt: skip
"""Columns of ``systems.csv`` that go to the terminal, and their headings there."""


def _print_systems(rows: Iterable[Mapping[str, object]]) -> None:
    _print_table(tuple(_COLUMNS.values()), [[row[name] for name in _COLUMNS] for row in rows])


# ------------------------------------------------------------------------------------------------- printing


def _print_json(value: object) -> None:
    print(json.dumps(value, indent=2, allow_nan=False, ensure_ascii=False))


def _print_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    table = [tuple(header), *[tuple(_cell(value) for value in row) for row in rows]]
    widths = [max(len(row[i]) for row in table) for i in range(len(header))]
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3f}" if value == 0 or abs(value) >= 1e-3 else f"{value:.1e}"
    return clean_text(str(value))  # an agent's text must not steer the terminal


def _say(message: str) -> None:
    print(message, file=sys.stderr)


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


if __name__ == "__main__":
    sys.exit(main())
