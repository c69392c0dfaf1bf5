"""From what the code tells CAMB and what the task asks, to PAS and its brackets.

PAS itself is Eqs. 1 and 2 of [PW], unchanged. Beside it: ``pas_low`` and ``pas_high`` bracket the values we
could not read, ``pas_effective`` lets CAMB's defaults fill what the code leaves out, ``pas_extended`` adds r and the
categorical settings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from reliability.metrics import WEIGHTS, parameter_error, weighted_accuracy
from reliability.records import (
    CambModel,
    CodeReading,
    ParameterAccuracy,
    ParameterReading,
    ParameterScore,
    Setting,
    Task,
)

EXTENDED_WEIGHTS: Mapping[str, float] = {"r": 1.0}
"""Numeric parameters that ``pas_extended`` adds, with the error of Eq. 1."""
CATEGORICAL_WEIGHTS: Mapping[str, float] = {
    "neutrino_hierarchy": 1.0,
    "WantTensors": 1.0,
    "NonLinear": 1.0,
    "reionization_model": 1.0,
}
"""Settings that ``pas_extended`` adds: error 0 if what CAMB ends up with is what the task states, else 1."""

NO_CODE = "no code"
MORE_MODELS = "computed before with"
"""Begins the part of a parameter's reason that names its values in earlier models of the same script."""


def parameter_accuracy(reading: CodeReading | None, task: Task, *, reason: str = NO_CODE) -> ParameterAccuracy:
    """Return PAS with brackets, and one :class:`ParameterScore` per parameter and setting of the reference.

    `reading` is ``None`` where no code was kept: everything is missing, with `reason`. Source that does not parse
    scores PAS 0, as the paper averages it, and has no ``pas_extended``. Of several models the last computed counts.
    """
    if reading is None:
        return ParameterAccuracy(None, reason=reason)
    if reading.syntax_error is not None:
        return ParameterAccuracy(0.0, reason=f"code does not parse: {reading.syntax_error}")
    model = reading.models[-1] if reading.models else CambModel({}, None)
    scores = tuple(_score_parameters(model, reading.models, task))
    core = [s for s in scores if not s.is_extended]
    if not core:
        return ParameterAccuracy(None, parameters=scores, reason="the task names no parameter that has a weight")
    errors = {s.parameter: s.eps for s in core}
    unresolved = {s.parameter for s in core if s.state == "unresolved"}
    pas = weighted_accuracy(errors, WEIGHTS)
    effective = {s.parameter: _effective_error(s) for s in core}
    weights = {s.parameter: s.weight for s in scores}
    return ParameterAccuracy(
        pas,
        pas_low=pas,
        pas_high=weighted_accuracy({name: 0.0 if name in unresolved else eps for name, eps in errors.items()}, WEIGHTS),
        pas_effective=weighted_accuracy(effective, WEIGHTS),
        pas_extended=weighted_accuracy({s.parameter: s.eps for s in scores}, weights),
        parameters=scores,
    )


def _score_parameters(model: CambModel, models: Sequence[CambModel], task: Task) -> Iterable[ParameterScore]:
    unread = ParameterReading("", None, "default", reason="not found in the code")
    for name, reference in task.truth.items():
        weight = WEIGHTS.get(name) or EXTENDED_WEIGHTS.get(name)
        if weight is None:
            continue
        reading = _with_other_models(model.parameters.get(name, unread), models)
        eps = parameter_error(_number(reading.value), reference) if reading.state == "set" else 1.0
        yield _row(name, reading, reference, eps, weight, is_extended=name in EXTENDED_WEIGHTS)
    for name, weight in CATEGORICAL_WEIGHTS.items():
        reading = model.parameters.get(name, unread)
        if name in task.settings:
            stated = task.settings[name]
            yield _row(name, reading, stated, 0.0 if reading.value == stated else 1.0, weight, is_extended=True)
        elif stated_each := sorted(str(v) for key, v in task.settings.items() if key.startswith(f"{name}_")):
            # a ratio states one value per model (`neutrino_hierarchy_numerator`, ...): all of them must be computed
            found = sorted({str(m.parameters[name].value) for m in models if name in m.parameters})
            both = replace(reading, value=" ".join(found))
            eps = 0.0 if found == stated_each else 1.0
            yield _row(name, both, " ".join(stated_each), eps, weight, is_extended=True)


def _with_other_models(reading: ParameterReading, models: Sequence[CambModel]) -> ParameterReading:
    """Return the last model's reading, with the other values that were computed before added to its reason."""
    earlier = [m.parameters[reading.name] for m in models[:-1] if reading.name in m.parameters]
    others = {f"{r.value} (line {r.line})": None for r in earlier if r.state == "set" and r.value != reading.value}
    if not others:
        return reading
    said = f"{MORE_MODELS} {', '.join(others)}"
    return replace(reading, reason=f"{reading.reason}; {said}" if reading.reason else said)


def _row(
    name: str, reading: ParameterReading, reference: Setting, eps: float, weight: float, *, is_extended: bool
) -> ParameterScore:
    return ParameterScore(
        name, reading.value, reference, eps, weight, reading.state, reading.line, reading.reason, is_extended
    )


def _effective_error(score: ParameterScore) -> float:
    """Return the error with CAMB's documented default standing in for a value that the code leaves out."""
    if score.state == "default" and isinstance(score.reference, int | float):
        return parameter_error(_number(score.value), score.reference)
    return score.eps


def _number(value: Setting | None) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
