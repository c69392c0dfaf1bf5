"""Turns what was found into explanations: the rows' formulas and sentences, with their numbers filled in."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from reliability.diagnosis.catalogue import CATALOGUE
from reliability.diagnosis.records import Confidence, Explanation, Severity

if TYPE_CHECKING:
    from reliability.diagnosis.exact import Fit
    from reliability.records import Task

SEVERITIES: tuple[Severity, ...] = ("wrong quantity", "biased", "convertible")
"""The worst first."""


def explanation(ids: Sequence[str], fit: Fit, task: Task, words: Mapping[str, object]) -> Explanation:
    """Return the explanation by one row or two."""
    rows = [CATALOGUE[name] for name in ids]
    numbers = {**_task_words(task), **words}
    sentences = [row.sentence.format(**numbers) for row in rows]
    confidence: Confidence = "high" if fit.is_exact or fit.scores.nas is None else "medium"
    if any(row.rule == "fit" for row in rows):
        confidence = "low"
    return Explanation(
        id="+".join(ids),
        formula="; ".join(row.formula.format(**numbers) for row in rows),
        sentence=" ".join(sentences) if len(rows) == 1 else "Two faults at once. " + " ".join(sentences),
        nrmse=None if fit.scores.s_nrmse is None else 1.0 - fit.scores.s_nrmse,
        max_relative=fit.max_relative,
        severity=min((row.severity for row in rows), key=SEVERITIES.index),
        confidence=confidence,
        complexity=len(rows) + (2 if confidence == "low" else 0),
        x=fit.x,
        y=fit.explained,
    )


def rank_of(ids: Sequence[str]) -> int:
    """Return how the catalogue orders one row, or two."""
    return sum(CATALOGUE[name].rank for name in ids)


def _task_words(task: Task) -> dict[str, object]:
    words: dict[str, object] = {**task.truth, **task.settings, "x": task.columns[0], "y": task.columns[1]}
    if "H0" in task.truth:
        h = task.truth["H0"] / 100
        words |= {"h": h, "h2": h**2, "h3": h**3, "over_h3": h**-3}
    if "Alens" in task.truth:
        words["efficiency"] = 1 - task.truth["Alens"]
    if "tau" in task.truth:
        words["exp_2tau"] = math.exp(2 * task.truth["tau"])
    return words
