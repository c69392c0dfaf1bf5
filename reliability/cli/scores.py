"""``score`` and ``figures``: trials in, tables and pictures out."""

from __future__ import annotations

import argparse
from pathlib import Path

from reliability.cli.options import Commands, add_command, add_tasks_option, positive
from reliability.cli.printing import print_json, print_systems, say
from reliability.cli.report import make_report, say_report


def add_score(commands: Commands) -> None:
    """Add the command ``score``."""
    sub = add_command(
        commands, "score", _score, "Score agents' trials: ESR, PAS, NAS, Score, failure mode, accurate, silent failure."
    )
    sub.add_argument("trials", nargs="+", type=Path, metavar="TRIALS", help="folder with trials, any known layout")
    sub.add_argument("-o", "--output", type=Path, required=True, metavar="RUN", help="folder for the results")
    add_tasks_option(sub)
    sub.add_argument("--system", help="name of the system, where the folders do not say it")
    sub.add_argument("--task", help="task id, where the folders do not say it")
    sub.add_argument("--workers", type=positive, metavar="N", help="processes (default: all cores)")
    sub.add_argument("--max-mib", type=positive, default=64, metavar="N", help="do not read larger output files")
    sub.add_argument("--seed", type=int, default=0, help="seed of the bootstrap intervals")
    sub.add_argument(
        "--reexecution", type=Path, metavar="FILE", help="reexecution.csv of these trials, for the column of that name"
    )
    sub.add_argument("--no-figures", action="store_true", help="no figures")
    sub.add_argument("--no-report", action="store_true", help="no report.html")


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
            reexecution=arguments.reexecution,
            progress=progress,
        )
    figures = [] if arguments.no_figures else _draw_run(arguments.output)
    report = None if arguments.no_report else make_report(arguments.output, None, arguments.tasks)
    if arguments.json:
        content = {"run": str(arguments.output), "systems": summary.systems.rows, "figures": figures}
        print_json(content | {"report": str(report.page) if report else None})
    else:
        print_systems(summary.systems.rows)
        say(f"tables and figures: {arguments.output}")
        if report:
            say_report(report)
    return 0


def add_figures(commands: Commands) -> None:
    """Add the command ``figures``."""
    sub = add_command(commands, "figures", _figures, "Draw the figures of a run, or one trial's curve.")
    sub.add_argument("run_folder", type=Path, metavar="RUN")
    sub.add_argument(
        "--curve",
        action="append",
        default=[],
        metavar="SYSTEM/TASK/TRIAL",
        help="also draw this trial against the reference",
    )
    add_tasks_option(sub)


def _figures(arguments: argparse.Namespace) -> int:
    paths = _draw_run(arguments.run_folder)
    for address in arguments.curve:
        paths += _draw_curve(arguments.run_folder, address, arguments.tasks)
    if arguments.json:
        print_json({"figures": paths})
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
