"""The sections of the first page, each made by one function from the same data. A new one is a function and a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from reliability.agent_files import natural
from reliability.records import TrialScore
from reliability.report import overview
from reliability.report.bars import interval_bar, verdict_bars
from reliability.report.details import TrialDetail
from reliability.report.inputs import ReportInput
from reliability.report.links import Links, Part
from reliability.report.names import anchor, cell_name, trial_name
from reliability.report.overview import CellKey, MatrixCell
from reliability.report.page import OPTIONAL, optional_values, render
from reliability.report.verdicts import VERDICTS, verdict
from reliability.summaries import MODES, Summary

MEASURES = {
    "accurate": "share of accurate trials",
    "score": "mean Score",
    "silent": "share of silent failures",
    "pas": "mean PAS",
    "nas": "mean NAS",
    "esr": "share of valid outputs (ESR)",
}
"""What the heat map can show, the first at once."""
_COLUMN = {"silent": "silent_failure"}
MAX_NAMED = 5


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the first page."""

    id: str
    title: str
    html: Markup


@dataclass(frozen=True, slots=True)
class ReportData:
    """What sections are made from."""

    source: ReportInput
    cells: Mapping[CellKey, Sequence[TrialScore]]
    summary: Summary
    links: Links
    listed: Sequence[Part]
    """The trials that are listed: all, unless there are too many for one page."""
    views: Mapping[str, Sequence[TrialDetail]]
    """Views that stand in the page itself, by the stem of their part; none where they are in files of their own."""

    @property
    def has_cost(self) -> bool:
        """Whether any cost was recorded."""
        return any(s.cost_usd is not None for s in self.source.scores)

    @property
    def has_time(self) -> bool:
        """Whether any duration was recorded."""
        return any(s.duration_s is not None for s in self.source.scores)


def _systems(data: ReportData) -> Section:
    rows = []
    for row in overview.systems(data.cells, data.summary):
        bar = interval_bar(*(row.means[f"accurate{end}"] for end in ("", "_low", "_high")))
        rows.append(_with(row, bar=bar))
    html = render("systems.html", rows=rows, has_cost=data.has_cost, has_time=data.has_time)
    return Section("systems", "Which system can be trusted", html)


def _with(record: Any, **more: object) -> dict[str, object]:
    return {name: getattr(record, name) for name in record.__dataclass_fields__} | more


def _matrix(data: ReportData) -> Section:
    cells = overview.matrix(data.cells, data.summary)
    columns = sorted({(k[0], k[2]) for k in cells}, key=lambda c: tuple(map(natural, c)))
    tasks = sorted({k[1] for k in cells}, key=natural)
    rows = [
        {
            "task": task,
            "title": data.source.title(task),
            "cells": [_matrix_cell(cells.get((s, task, c)), data.links) for s, c in columns],
        }
        for task in tasks
    ]
    names = [overview.system_name(*column) for column in columns]
    html = render("matrix.html", rows=rows, columns=names, measures=MEASURES.items())
    return Section("matrix", "On which tasks", html)


def _matrix_cell(cell: MatrixCell | None, links: Links) -> dict[str, object] | None:
    if cell is None:
        return None
    means = {name: cell.means[_COLUMN.get(name, name)] for name in MEASURES}
    first = means["accurate"]
    return {
        "href": links.cell(cell.key) or "#trials",
        "numbers": [(name, f"{value:.4g}") for name, value in means.items() if value is not None],
        "shown": "–" if first is None else f"{first:.2f}",
        "look": "nodata" if first is None else f"h{round(10 * first)}",
        "accurate": f"{cell.n_accurate} of {cell.n_judged}",
    }


def _modes(data: ReportData) -> Section:
    rows = overview.systems(data.cells, data.summary)
    seen = [v for v in VERDICTS if any(v == found for row in rows for found, _ in row.verdicts)]
    counted = [_with(row, counts=[(v, dict(row.verdicts).get(v, 0)) for v in seen]) for row in rows]
    html = render("modes.html", svg=verdict_bars(rows), rows=counted, verdicts=seen, modes=MODES)
    return Section("modes", "How trials fail", html)


def _causes(data: ReportData) -> Section:
    causes = [{"cause": c, "href": data.links.trial(c.first)} for c in overview.causes(data.source.scores)]
    parameters = overview.parameter_rows(data.source.parameters)
    return Section("causes", "Why, and what it costs", render("causes.html", causes=causes, parameters=parameters))


def _unscored(data: ReportData) -> Section:
    reasons = [
        {"reason": reason, "n": len(found), "first": [_name_and_link(s, data.links) for s in found[:MAX_NAMED]]}
        for reason, found in overview.unscored(data.source.scores)
    ]
    n = sum(len(found) for _, found in overview.unscored(data.source.scores))
    html = render("unscored.html", reasons=reasons, n=n, n_all=len(data.source.scores))
    return Section("unscored", "Trials without a Score", html)


def _name_and_link(score: TrialScore, links: Links) -> tuple[str, str]:
    return trial_name(score.address), links.trial(score.address) or "#trials"


def _limits(data: ReportData) -> Section:
    manifest = data.source.manifest
    values = {"policy": manifest["missing_data"], "versions": manifest["versions"].items(), "seed": manifest["seed"]}
    return Section("limits", "What a score does not say", render("limits.html", **values))


def _trials(data: ReportData) -> Section:
    scores = [s for part in data.listed for s in part.scores]
    order = {task: i for i, task in enumerate(sorted({s.task for s in scores}, key=natural))}
    extra = {name: label for name, label in OPTIONAL.items() if any(getattr(s, name, "") for s in scores)}
    n_all = len(data.source.scores)
    left_out = f"{len(scores)} of {n_all} trials are listed, the first of each system and task."
    html = render(
        "trials.html",
        trials=[_trial_row(s, data.links, order, extra) for s in scores],
        verdicts=[v for v in VERDICTS if any(verdict(s) is v for s in scores)],
        systems=sorted({overview.system_name(s.system, s.condition)[:60] for s in scores}, key=natural),
        tasks=list(order),
        extra=extra.values(),
        details=data.links.files and not data.links.is_inline,
        groups=_groups(data),
        left_out=left_out if len(scores) < n_all else "",
        has_cost=data.has_cost,
        has_time=data.has_time,
    )
    return Section("trials", "All trials", html)


def _trial_row(
    score: TrialScore, links: Links, order: Mapping[str, int], extra: Mapping[str, str]
) -> dict[str, object]:
    found, name = verdict(score), trial_name(score.address)
    values = dict(optional_values(score))
    return {
        "score": score,
        "verdict": found,
        "name": name,
        "row_id": "" if links.is_inline else anchor(name),
        "system": overview.system_name(score.system, score.condition),
        "order": order[score.task],
        "rank": VERDICTS.index(found),
        "href": links.trial(score.address) or f"#{anchor(name)}",
        "why": "" if found.id == "accurate" else score.diagnosis or score.esr_reason or score.unscored_reason,
        "extra": [values.get(label, "") for label in extra.values()],
    }


def _groups(data: ReportData) -> list[dict[str, object]]:
    return [
        {
            "id": anchor(part.name),
            "name": cell_name(*part.key),
            "title": data.source.title(part.key[1]),
            "details": data.views[part.stem],
            "href_data": part.csv,
        }
        for part in data.listed
        if part.stem in data.views
    ]


SECTIONS: tuple[Callable[[ReportData], Section | None], ...] = (
    _systems,
    _matrix,
    _modes,
    _causes,
    _unscored,
    _limits,
    _trials,
)
"""In the order of the page; ``None`` is left out."""


def make_sections(data: ReportData) -> list[Section]:
    """Return the sections of the page."""
    made = (make(data) for make in SECTIONS)
    return [section for section in made if section is not None]
