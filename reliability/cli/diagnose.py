"""``diagnose``: why is one curve wrong?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from reliability.cli.options import Commands, add_command, add_tasks_option
from reliability.cli.printing import print_json, print_table, say
from reliability.errors import InputError
from reliability.tables import clean_text

if TYPE_CHECKING:
    from reliability.diagnosis import Diagnosis, Explanation
    from reliability.records import Curve, Reference, Task
    from reliability.reruns import Rerun


def add_diagnose(commands: Commands) -> None:
    """Add the command ``diagnose``."""
    sub = add_command(
        commands, "diagnose", _diagnose, "Say why one curve is wrong, by the catalogue of known mistakes."
    )
    sub.add_argument("result", type=Path, metavar="RESULT.csv")
    sub.add_argument("--task", required=True, help="task id, e.g. t10")
    add_tasks_option(sub)
    sub.add_argument("--figure", type=Path, metavar="OUT.svg", help="draw the curve and its explanation (SVG and PNG)")
    sub.add_argument(
        "--rerun",
        type=Path,
        metavar="CODE.py",
        help="read the agent's parameters from this script, compute the reference with them, and say whether they or"
        " the pipeline are wrong (runs CAMB; never runs the script)",
    )


def _diagnose(arguments: argparse.Namespace) -> int:
    from reliability.curves import read_curve
    from reliability.diagnosis import diagnose
    from reliability.records import UnreadableCurve
    from reliability.references import load_reference
    from reliability.tasks import find_task, load_tasks
    from reliability.variants import load_alternatives

    task = find_task(arguments.task, load_tasks(arguments.tasks))
    reference = load_reference(task)
    curve = read_curve(arguments.result, columns=task.columns)
    if isinstance(curve, UnreadableCurve):
        raise InputError(f"{arguments.result}: holds no curve: {curve.reason}")
    found = diagnose(curve, task, reference, load_alternatives(task))
    again = _rerun(arguments.rerun, curve, task, reference) if arguments.rerun else None
    figures = _draw(arguments.figure, curve, task, reference, found) if arguments.figure else []
    if arguments.json:
        content = {"task": task.id, "status": found.status, "is_ambiguous": found.is_ambiguous, "figures": figures}
        content["findings"] = [_row(e) for e in found.explanations]
        content["rerun"] = _rerun_row(again) if again else None
        print_json(content)
        return 0
    _print(found)
    if again:
        print(f"\nrerun: {_rerun_text(again)}")
    for path in figures:
        say(f"figure: {path}")
    return 0


def _print(found: Diagnosis) -> None:
    if not found.explanations:
        print("The curve is accurate." if found.status == "accurate" else found.sentence)
        return
    for explanation in found.explanations:
        print(clean_text(explanation.sentence))
    if found.is_ambiguous:
        print("The first two leave the same residual: this curve cannot tell them apart.")
    print()
    header = ("id", "formula", "severity", "confidence", "nrmse left", "largest relative left")
    rows = [(e.id, e.formula, e.severity, e.confidence, e.nrmse, e.max_relative) for e in found.explanations]
    print_table(header, rows)


def _row(e: Explanation) -> dict[str, object]:
    names = ("id", "formula", "sentence", "severity", "confidence", "nrmse", "max_relative", "complexity")
    return {name: getattr(e, name) for name in names}


def _rerun(path: Path, curve: Curve, task: Task, reference: Reference) -> Rerun:
    from reliability.agent_files import read_bytes
    from reliability.camb_code.reader import MAX_SOURCE_BYTES
    from reliability.reruns import rerun

    try:
        source = read_bytes(path, MAX_SOURCE_BYTES)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    return rerun(source, curve, task, reference)


def _rerun_row(again: Rerun) -> dict[str, object]:
    parameters = {name: {"code": given, "asked": asked} for name, (given, asked) in again.parameters.items()}
    row: dict[str, object] = {"verdict": again.verdict, "parameters": parameters, "unresolved": again.unresolved}
    findings = [_row(e) for e in again.diagnosis.explanations] if again.diagnosis else []
    return row | {"camb": again.camb or None, "reason": again.reason or None, "findings": findings}


def _rerun_text(again: Rerun) -> str:
    parts = [again.verdict if not again.reason else f"{again.verdict} ({again.reason})"]
    parts += [
        f"{name} is {given} in the code, {asked} was asked for" for name, (given, asked) in again.parameters.items()
    ]
    if again.unresolved:
        parts.append(f"not read, and taken as asked: {', '.join(again.unresolved)}")
    if again.camb and again.diagnosis and again.diagnosis.explanations:
        parts.append(f"with the code's numbers: {again.diagnosis.sentence}")
    return clean_text("; ".join(parts))


def _draw(path: Path, curve: Curve, task: Task, reference: Reference, found: Diagnosis) -> list[str]:
    from reliability.diagnosis_figures import figure_diagnosis
    from reliability.figure_style import save_figure

    figure = figure_diagnosis(task, curve, reference, found)
    return [str(p) for p in save_figure(figure, path.with_suffix(""))]
