"""An agent's posterior under our names: each parameter converted, and every conversion recorded."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from reliability.posterior_records import Estimate, Posterior, Prior
from reliability.posteriors.names import candidates

if TYPE_CHECKING:
    from reliability.records import FloatArray


def _quietly(function: Callable[[FloatArray], FloatArray], x: FloatArray) -> FloatArray:
    """A function of x; not finite, without a warning, where it has no value."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        return function(x)


_LN10 = math.log(10.0)
_FORMULAS: Mapping[str, Callable[[FloatArray], FloatArray]] = MappingProxyType(
    {
        "x": lambda x: x,
        "1 - x": lambda x: 1.0 - x,
        "100 * x": lambda x: 100.0 * x,
        "log10(x)": lambda x: _quietly(np.log10, x),
        "ln(x)": lambda x: _quietly(np.log, x),
        "10**x": lambda x: _quietly(np.exp, x * _LN10),
        "exp(x)": lambda x: _quietly(np.exp, x),
        "x / ln(10)": lambda x: x / _LN10,
        "x * ln(10)": lambda x: x * _LN10,
    }
)
"""Formula -> function."""
_AFFINE = frozenset(("x", "1 - x", "100 * x", "x / ln(10)", "x * ln(10)"))
"""Formulas under which a uniform prior stays uniform."""


@dataclass(frozen=True, slots=True)
class Matched:
    """A posterior under our names."""

    posterior: Posterior
    """With our parameters only; its notes name each conversion."""
    priors: Mapping[str, Prior]
    """The priors given, converted."""
    used: Mapping[str, str]
    """Our name -> theirs."""
    unclear: Mapping[str, str]
    """Our name -> theirs, where the name leaves open on which scale the number is."""
    missing: tuple[str, ...]
    """Our names that nothing stands for, or more than one parameter claims."""


def match_names(
    posterior: Posterior,
    wanted: Sequence[str],
    *,
    priors: Mapping[str, Prior] | None = None,
    aliases: Mapping[str, Iterable[str]] | None = None,
) -> Matched:
    """Return the posterior under our names, each converted where it must be.

    Parameters
    ----------
    wanted
        Our names, e.g. ``("log10_M200", "c")``.
    priors
        By their names.
    aliases
        Other names of the same number, by ours: the task's own.
    """
    rows: dict[str, tuple[str, str]] = {}
    notes: list[str] = []
    unclear: dict[str, str] = {}
    missing: list[str] = []
    for ours in wanted:
        found = candidates(posterior.names, ours, (aliases or {}).get(ours, ()))
        usable = [c for c in found if c.formula == "x"] or [c for c in found if c.formula]
        if len(usable) == 1:
            name, formula, _ = usable[0]
            rows[ours] = (name, formula)
            if name != ours:
                notes.append(f"{name} read as {ours}{'' if formula == 'x' else f' = {formula}'}")
            continue
        missing.append(ours)
        if usable:
            notes.append(f"{ours} could be {' or '.join(c.name for c in usable)}; none was taken")
        for candidate in found:
            if candidate.unclear:
                notes.append(f"{candidate.name} may be {ours}, but {candidate.unclear}; it was not taken")
                unclear.setdefault(ours, candidate.name)
    used = {ours: name for ours, (name, _) in rows.items()}
    converted = _convert(posterior, rows, notes)
    given = {**posterior.bounds, **(priors or {})}
    return Matched(converted, _convert_priors(rows, given), used, unclear, tuple(missing))


def _convert(posterior: Posterior, rows: Mapping[str, tuple[str, str]], notes: list[str]) -> Posterior:
    estimates: dict[str, Estimate] = {}
    columns = []
    for ours, (name, formula) in rows.items():
        function = _FORMULAS[formula]
        column = None if posterior.samples is None else function(posterior.column(name))
        estimate = (
            posterior.estimates[name] if formula == "x" else _convert_estimate(posterior.estimates[name], function)
        )
        if not math.isfinite(estimate.value) or (column is not None and not np.isfinite(column).all()):
            notes.append(f"{name} cannot be converted to {ours} ({formula}): a value is not finite")
            continue
        estimates[ours] = estimate
        if column is not None:
            columns.append(column)
    samples = np.array(columns) if posterior.samples is not None and columns else None
    return Posterior(
        tuple(estimates), posterior.structure if samples is not None else "summary", estimates, samples,
        posterior.lengths, posterior.weights, posterior.acceptance, {}, posterior.format, tuple(notes),
    )  # fmt: skip


def _convert_estimate(estimate: Estimate, function: Callable[[FloatArray], FloatArray]) -> Estimate:
    given = (estimate.value, estimate.value - (estimate.minus or 0.0), estimate.value + (estimate.plus or 0.0))
    value, low, high = (float(v) for v in function(np.array(given)))
    below, above = sorted((low, high)) if low != high else (low, high)
    minus, plus = abs(value - below), abs(above - value)
    is_known = estimate.minus is not None and estimate.plus is not None
    if not is_known or not (math.isfinite(minus) and math.isfinite(plus)):
        return Estimate(value)
    return Estimate(value, minus, plus)


def _convert_priors(rows: Mapping[str, tuple[str, str]], given: Mapping[str, Prior]) -> dict[str, Prior]:
    """The priors under our names. One whose shape the conversion changes is left out: its bounds alone mislead."""
    converted = {}
    for ours, (name, formula) in rows.items():
        prior = given.get(name, given.get(ours))
        if prior is None:
            continue
        if formula == "x":
            converted[ours] = prior
        elif formula in _AFFINE and prior.kind == "uniform":
            low, high = sorted(float(v) for v in _FORMULAS[formula](np.array([prior.low, prior.high])))
            converted[ours] = Prior(low, high)
    return converted
