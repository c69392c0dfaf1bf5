"""A comparison of two runs as text, CSV and page."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from reliability.agent_files import load_json, natural
from reliability.errors import OutputError
from reliability.report.comparison import ALL, Change, Comparison, Difference, Pair
from reliability.report.names import trial_name
from reliability.report.overview import system_name
from reliability.report.page import render_page
from reliability.report.verdicts import VERDICTS
from reliability.tables import strict_json, write_table, write_text
from reliability.text_tables import text_table

SCHEMA = "comparison 1"
SHOWN = {"accurate": "accurate", "silent_failure": "silent failures", "score": "Score"}
"""Measures of the page and the text; ``differences.csv`` has all."""
MAX_CHANGES = 5000
"""Changed trials on the page."""
CHANGE_COLUMNS = (
    *("first", "second", "task", "condition", "trial", "verdict_first", "verdict_second", "mode_first", "mode_second"),
    *("score_first", "score_second", "diagnosis_first", "diagnosis_second", "differs"),
)


def write_comparison(found: Comparison, folder: Path) -> Path:
    """Write ``compare.txt``, ``differences.csv``, ``changes.csv`` and ``compare.html``; return the page's path.

    Raises
    ------
    OutputError
        If the folder holds something that is no comparison, or cannot be written.
    """
    _check_folder(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_text(folder / "manifest.json", strict_json(_manifest(found)))
        write_table(folder / "differences.csv", Difference._fields, (d._asdict() for d in found.differences))
        write_table(folder / "changes.csv", CHANGE_COLUMNS, map(_change_row, found.changes))
        write_text(folder / "compare.txt", "\n".join(comparison_text(found)) + "\n")
        write_text(folder / "compare.html", _page(found))
    except OSError as error:
        raise OutputError(f"{folder}: the comparison cannot be written there: {error.strerror or error}") from None
    return folder / "compare.html"


def _check_folder(folder: Path) -> None:
    if not os.path.lexists(folder):
        return
    if not folder.is_dir():
        raise OutputError(f"{folder}: is not a folder; the comparison needs one of its own")
    try:
        held = load_json(folder / "manifest.json")
    except ValueError:
        held = None
    is_ours = isinstance(held, dict) and held.get("schema") == SCHEMA
    if not is_ours and any(folder.iterdir()):
        raise OutputError(f"{folder}: holds something that is no comparison; choose another folder")


def _manifest(found: Comparison) -> dict[str, object]:
    names = ("versions", "options", "seed", "content", "inputs")
    runs = [{name: side.manifest.get(name) for name in names} | {"run": str(side.folder)} for side in found.sides]
    return {"schema": SCHEMA, "runs": runs, "pairs": found.pairs}


def _change_row(c: Change) -> dict[str, object]:
    one, two = c.before, c.after
    values = (
        *(one.system, two.system, one.task, one.condition, one.trial, c.verdicts[0].words, c.verdicts[1].words),
        *(one.mode, two.mode, one.score, two.score, one.diagnosis, two.diagnosis, "; ".join(c.reasons)),
    )
    return dict(zip(CHANGE_COLUMNS, values, strict=True))


def pair_name(pair: Pair, condition: str = "") -> str:
    """Return what a person calls two systems that are compared."""
    name = pair[0] if pair[0] == pair[1] else f"{pair[0]} → {pair[1]}"
    return system_name(name, condition)


def comparison_text(found: Comparison) -> Iterator[str]:
    """Yield the lines of ``compare.txt``: differences over all tasks, then the trials that changed."""
    yield f"second run ({found.sides[1].folder}) minus first ({found.sides[0].folder});"
    yield "95 % intervals over tasks, then trials"
    yield ""
    header = ("system", "tasks", "metric", "first", "second", "difference", "low", "high")
    rows = [
        (pair_name((d.first, d.second), d.condition), d.n_tasks, d.metric, *d[5:10])
        for d in found.differences
        if d.task == ALL and d.metric in SHOWN
    ]
    yield from text_table(header, rows)
    yield ""
    yield f"{len(found.changes)} of {found.n_common} trials that both runs have came to something else"
    if found.changes:
        changes = [
            (trial_name(c.after.address), c.verdicts[0].words, c.verdicts[1].words, "; ".join(c.reasons) or NOTHING)
            for c in found.changes
        ]
        yield from text_table(("trial", "first", "second", "what differs"), changes)
    yield from _alone(found)
    for name, a, b in found.settings:
        yield f"{name}: {a} → {b}"


NOTHING = "nothing that was recorded"


def _alone(found: Comparison) -> list[str]:
    where = ("first", "second")
    return [f"{n} trials are in the {name} run only." for n, name in zip(found.n_alone, where, strict=True) if n]


def _page(found: Comparison) -> str:
    shown = [
        {
            "change": c,
            "name": trial_name(c.after.address),
            "why": c.after.diagnosis_text or c.after.esr_reason or c.after.unscored_reason,
            "reasons": "; ".join(c.reasons) or NOTHING,
        }
        for c in found.changes[:MAX_CHANGES]
    ]
    return render_page(
        "compare.html",
        "What changed between two runs?",
        lead=_lead(found),
        measures=SHOWN.values(),
        rows=_difference_rows(found.differences),
        changes=found.changes,
        shown=shown,
        n_left_out=len(found.changes) - len(shown),
        n_common=found.n_common,
        settings=found.settings,
        alone=_alone(found),
    )


def _lead(found: Comparison) -> str:
    steps = [VERDICTS.index(c.verdicts[1]) - VERDICTS.index(c.verdicts[0]) for c in found.changes]
    names = ", ".join(pair_name(pair) for pair in found.pairs[:6]) + (", …" if len(found.pairs) > 6 else "")
    return (
        f"{names}: of {found.n_common} common trials {sum(step < 0 for step in steps)} came to something better,"
        f" {sum(step > 0 for step in steps)} to something worse."
    )


def _difference_rows(differences: Sequence[Difference]) -> list[dict[str, object]]:
    """Return a row for each system and task, with the shown measures in order; first those over all tasks."""
    groups: dict[tuple[str, str, str, str], dict[str, Difference]] = {}
    for d in differences:
        groups.setdefault((d.first, d.second, d.condition, d.task), {})[d.metric] = d
    tasks = [ALL, *sorted({d.task for d in differences} - {ALL}, key=natural)]
    return [
        {
            "system": pair_name((first, second), condition),
            "task": task,
            "order": tasks.index(task),
            "is_all": task == ALL,
            "cells": [found[metric] for metric in SHOWN],
        }
        for (first, second, condition, task), found in sorted(groups.items(), key=lambda item: item[0][3] != ALL)
    ]
