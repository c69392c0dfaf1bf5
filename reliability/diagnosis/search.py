"""The search, from the simplest explanation to the most complex."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from reliability.diagnosis.candidates import Candidate, Suspects, candidates, suspects
from reliability.diagnosis.exact import Fit, examine
from reliability.diagnosis.fits import describe
from reliability.diagnosis.naming import explanation, rank_of
from reliability.diagnosis.records import Alternatives, Diagnosis, Explanation, ParameterStep
from reliability.diagnosis.views import MIN_POINTS, SIX_DIGITS, View, views
from reliability.metrics import execution_success, numerical_accuracy_score, resample
from reliability.records import NumericalAccuracy
from reliability.right_answers import is_right_answer

if TYPE_CHECKING:
    from reliability.records import Curve, Reference, Task

MAX_EXPLANATIONS = 3
MAX_EXAMINED = 60
"""Candidates of one level of complexity that are looked at exactly, those that fit best first."""
ALIKE = 3.0
"""Two explanations whose residuals are within this factor cannot be told apart."""
PRINTED = 1e-9
"""Residuals below this are all nothing."""

CodeParameters = Mapping[str, tuple[float, float]]
"""Parameter -> (what the agent's code sets, what the task asks for), where they differ."""


def diagnose(
    agent: Curve,
    task: Task,
    reference: Reference,
    alternatives: Alternatives | None = None,
    *,
    code: CodeParameters | None = None,
) -> Diagnosis:
    """Return why a curve is wrong, as far as the catalogue knows.

    `code` holds the parameters that the agent's code sets wrongly, where it was read. An accurate curve is never
    explained. Explanations with one fault are tried before those with two, these before fitted descriptions; at most
    three of the simplest kind that explains the curve are given. With fewer than 8 points only a collapsed curve is.
    """
    if agent.x.size == 0:
        return Diagnosis("unknown")
    if not agent.is_ambiguous and is_accurate_curve(agent, reference):
        return Diagnosis("accurate")
    found = _simple_shapes(agent, task, reference)
    if found:
        return Diagnosis("explained", (found,))
    if agent.x.size < MIN_POINTS or reference.x.size < MIN_POINTS:
        return Diagnosis("unknown")
    known = suspects(task, reference, alternatives or Alternatives())
    steps = (alternatives or Alternatives()).steps
    with np.errstate(all="ignore"):
        ways = list(views(agent, task, reference))
        explanations = _catalogued(ways, known)
        if all(e.confidence != "high" for e, _, _ in explanations):
            explanations = _better(explanations, _described(ways, known, steps, code or {}))
    if not explanations:
        return Diagnosis("unknown")
    return _ordered(explanations)


def is_accurate_curve(agent: Curve, reference: Reference) -> bool:
    """Return whether a curve is a right answer as it stands, over the range and with the points that ESR asks for."""
    y = resample(agent.x, agent.y, reference.x)
    scores = numerical_accuracy_score(agent.x, agent.y, reference.x, reference.y)
    is_whole = execution_success(agent.x, reference.x, n_columns=2).esr == 1
    return bool(is_right_answer(scores, y, reference)) and is_whole


def _simple_shapes(agent: Curve, task: Task, reference: Reference) -> Explanation | None:
    """Return the explanation of a curve without shape."""
    nothing = Fit(NumericalAccuracy(None, None, None, None), None, agent.x, agent.y)
    if agent.is_ambiguous:
        return explanation(("duplicate_x",), nothing, task, {})
    value = float(np.median(agent.y))
    with np.errstate(over="ignore"):
        is_constant = bool(np.ptp(agent.y / 2) <= 1e-9 * abs(value) / 2)
    if is_constant and agent.x.size > 1 and np.ptp(reference.y) > 0:
        words = {"value": value, "which": _which(value, reference)}
        return explanation(("constant" if value else "all_zero",), nothing, task, words)
    if agent.x.size >= MIN_POINTS and np.allclose(agent.x, agent.y, rtol=SIX_DIGITS, atol=0):
        return explanation(("y_is_x",), nothing, task, {})
    return None


def _which(value: float, reference: Reference) -> str:
    """Return what of the right curve a constant is, in words; empty if nothing."""
    y = reference.y
    known = {
        "mean": y.mean(),
        "first value": y[0],
        "last value": y[-1],
        "largest value": y.max(),
        "median": np.median(y),
    }
    return next((f" (the {n} of the right curve)" for n, v in known.items() if abs(value - v) <= 0.01 * abs(v)), "")


Found = tuple[Explanation, float, int]
"""An explanation, its shortfall in NAS, and its rank in the catalogue."""


def _catalogued(ways: list[View], known: Suspects) -> list[Found]:
    """Return the explanations by the catalogue with the fewest faults."""
    suspected = sorted((c for view in ways for c in candidates(view, known)), key=lambda c: (c.n_faults, c.spread))
    for _, level in groupby(suspected, key=lambda c: c.n_faults):
        found: list[Found] = []
        for candidate in list(level)[:MAX_EXAMINED]:
            fit = examine(candidate, known)
            if fit is not None:
                ids = _ids(candidate, known)
                text = explanation(ids, fit, known.task, candidate.view.words)
                found.append((text, fit.shortfall, rank_of(ids)))
        if found:
            return found
    return []


def _better(catalogued: list[Found], described: list[Found]) -> list[Found]:
    """Return what the catalogue says, unless fitted numbers leave much less: in wide tolerances mistakes look alike."""
    if not catalogued or not described:
        return catalogued or described
    least = [max(min(shortfall for _, shortfall, _ in found), PRINTED) for found in (catalogued, described)]
    return described if ALIKE * least[1] < least[0] else catalogued


def _ids(candidate: Candidate, known: Suspects) -> tuple[str, ...]:
    ids = (known.names[candidate.base], candidate.function, candidate.constant, candidate.view.id)
    return tuple(name for name in ids if name)


def _described(
    ways: list[View], known: Suspects, steps: tuple[ParameterStep, ...], code: CodeParameters
) -> list[Found]:
    """Return descriptions by fitted numbers; without any, what the code sets wrongly."""
    found: list[Found] = []
    plain = next((view for view in ways if not view.id), None)
    if plain is not None:
        for described in describe(plain, known, steps):
            words = {**described.words, "code": _code_words(described.words, code)}
            text = explanation((described.id,), described.fit, known.task, words)
            if words["code"]:
                text = replace(text, confidence="medium")
            found.append((text, described.fit.shortfall, rank_of((described.id,))))
    if not found and code:
        settings = ", ".join(f"{n} = {given:.5g} ({asked:.5g} was asked for)" for n, (given, asked) in code.items())
        nothing = Fit(NumericalAccuracy(None, None, None, None), None, known.reference.x, known.reference.y)
        found.append((explanation(("parameters_in_code",), nothing, known.task, {"code": settings}), 1.0, 0))
    return found


def _code_words(words: Mapping[str, object], code: CodeParameters) -> str:
    """Return words for code that sets what was fitted; empty if it does not."""
    given, asked = code.get(str(words.get("name")), (None, 0.0))
    fitted = words.get("fitted")
    if given is None or not isinstance(fitted, float) or abs(given - fitted) > 0.15 * abs(given - asked):
        return ""
    return f", and the code sets {words['name']} = {given:.5g}"


def _ordered(found: list[Found]) -> Diagnosis:
    """Return the diagnosis: smaller residual first, and of those that are alike the more common mistake."""
    best = max(min(shortfall for _, shortfall, _ in found), PRINTED)

    def key(item: Found) -> tuple[bool, float]:
        _, shortfall, rank = item
        is_alike = shortfall <= ALIKE * best
        return not is_alike, rank if is_alike else shortfall

    distinct: dict[tuple[str, str], tuple[Explanation, float]] = {}
    for text, shortfall, _ in sorted(found, key=key):
        distinct.setdefault((text.id, text.formula), (text, shortfall))
    ordered = list(distinct.values())
    is_ambiguous = sum(shortfall <= ALIKE * best for _, shortfall in ordered) > 1
    explanations = [e for e, _ in ordered][:MAX_EXPLANATIONS]
    if is_ambiguous:
        explanations = [replace(e, confidence="medium") if e.confidence == "high" else e for e in explanations]
    return Diagnosis("explained", tuple(explanations), is_ambiguous)
