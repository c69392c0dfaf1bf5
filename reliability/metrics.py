"""The paper's scores as pure functions: ESR, PAS, NAS, Score and PRS.

Source: Rawat & Flek, *Plausible but Wrong* ([PW]), section 4.2. Every formula is the printed one; where two forms are
algebraically equal we compute the one that loses fewer digits, and say so. Arrays are one-dimensional, float64. The
agent's numbers come first, the reference second. A formula without a value raises
:class:`~reliability.errors.UndefinedScore`; :func:`numerical_accuracy_score` turns that into a missing value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from reliability.errors import UndefinedScore
from reliability.records import ExecutionSuccess, NumericalAccuracy

if TYPE_CHECKING:
    from reliability.records import FloatArray

COVERAGE = 0.95
"""Share of the reference's x-range, and of its number of points, that a valid output has at least ([PW] 4.2.1)."""
DELTA = 1e-12
"""Keeps Eq. 1 of [PW] finite for a reference value of 0."""
WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"H0": 2.0, "ombh2": 2.0, "omch2": 2.0, "ns": 2.0, "As": 2.0, "omk": 1.5, "w": 1.5, "tau": 1.0, "mnu": 1.0,
     "Alens": 1.0}
)  # fmt: skip
"""Weight of each CAMB parameter in Eq. 2 of [PW]."""
NAS_WEIGHTS = (0.2, 0.3, 0.5)
"""Weights of NRMSE, SMAPE and CCC in Eq. 6 of [PW]."""
PRS_SIGMAS = 3.0
"""Deviation, in the literature's sigma, at which a parameter's recovery score reaches 0 (Eq. 8 of [PW])."""

_LARGE, _SMALL = 1e150, 1e-150  # squares of magnitudes outside this range leave float64


def execution_success(x: FloatArray, x_ref: FloatArray, *, n_columns: int) -> ExecutionSuccess:
    """Return ESR, and which of the three conditions failed first ([PW] 4.2.1).

    ESR is 1 iff the output has at least two numeric columns, its x covers at least 95 % of the reference interval,
    and it has at least 95 % of the reference's number of points (finite rows).

    >>> execution_success(np.arange(2.0, 2800.0), np.arange(2.0, 3001.0), n_columns=2)
    ExecutionSuccess(esr=0, reason='covers 93.3 % of the reference x-range (needs 95 %)')
    """
    if n_columns < 2:
        return ExecutionSuccess(0, f"{n_columns} numeric column(s) (needs 2)")
    if x.size == 0:
        return ExecutionSuccess(0, "no finite row")
    low, high = float(x_ref.min()), float(x_ref.max())
    overlap = min(float(x.max()), high) - max(float(x.min()), low)
    if overlap < COVERAGE * (high - low):
        covered = 100.0 * max(overlap, 0.0) / (high - low)
        return ExecutionSuccess(0, f"covers {covered:.3g} % of the reference x-range (needs 95 %)")
    if x.size < COVERAGE * x_ref.size:
        return ExecutionSuccess(0, f"{x.size} points of the reference's {x_ref.size} (needs 95 %)")
    return ExecutionSuccess(1)


def parameter_error(value: float | None, reference: float) -> float:
    """Return ``min(|value - reference| / (|reference| + 1e-12), 1)``, Eq. 1 of [PW]; 1 if the value is missing.

    >>> parameter_error(67.3, 67.5)
    0.0029629629629629615
    >>> parameter_error(None, 67.5)
    1.0
    """
    if value is None or not math.isfinite(value):
        return 1.0
    return min(abs(value - reference) / (abs(reference) + DELTA), 1.0)


def weighted_accuracy(errors: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return ``1 - sum(w eps) / sum(w)`` over the parameters in `errors`, Eq. 2 of [PW].

    Raises :class:`UndefinedScore` if `errors` is empty.
    """
    if not errors:
        raise UndefinedScore("the task names no parameter that has a weight")
    total = math.fsum(weights[name] for name in errors)
    return 1.0 - math.fsum(weights[name] * eps for name, eps in errors.items()) / total


def parameter_accuracy_score(
    values: Mapping[str, float | None], reference: Mapping[str, float], *, weights: Mapping[str, float] = WEIGHTS
) -> float:
    """Return PAS, Eqs. 1 and 2 of [PW], over the parameters of `reference` that have a weight.

    A parameter that `values` lacks, or holds as ``None``, counts with error 1. Raises :class:`UndefinedScore` if no
    reference parameter has a weight.

    >>> parameter_accuracy_score({"H0": 67.5, "tau": 0.06}, {"H0": 67.5, "tau": 0.06, "omk": 0.0})
    0.6666666666666667
    """
    errors = {name: parameter_error(values.get(name), ref) for name, ref in reference.items() if name in weights}
    return weighted_accuracy(errors, weights)


def nrmse_score(y: FloatArray, y_ref: FloatArray) -> float:
    """Return ``max(0, 1 - rmse / (max y* - min y*))``, Eq. 3 of [PW]. Not symmetric.

    Raises :class:`UndefinedScore` if the reference has zero range.
    """
    reach = float(y_ref.max()) - float(y_ref.min())
    if reach == 0.0:
        raise UndefinedScore("the reference curve has zero range, so NRMSE has no scale")
    scale = _scale(y, y_ref)
    d = y * scale - y_ref * scale
    rmse = math.sqrt(float((d * d).mean()))
    reach *= scale
    return max(0.0, 1.0 - rmse / reach) if reach > 0.0 else 0.0


def smape_score(y: FloatArray, y_ref: FloatArray) -> float:
    """Return ``max(0, 1 - mean(|y - y*| / ((|y| + |y*|) / 2)))``, Eq. 4 of [PW]. Symmetric; a term 0/0 counts 0."""
    total = np.abs(y) + np.abs(y_ref)
    d = np.abs(y - y_ref)
    terms = d / total if total.min() > 0.0 else np.divide(d, total, out=np.zeros_like(d), where=total > 0.0)
    return max(0.0, 1.0 - 2.0 * float(terms.mean()))


def ccc_score(y: FloatArray, y_ref: FloatArray) -> float:
    """Return Lin's concordance correlation clipped at 0, Eq. 5 of [PW], with 1/N moments. Symmetric.

    Computed as ``1 - mean((y - y*)^2) / (var + var* + (mean - mean*)^2)``, which is the same number because
    ``mean(d^2) = var + var* - 2 cov + (mean - mean*)^2``, and keeps its digits near 1. Two equal constants give 1.
    """
    if y.min() == y.max() or y_ref.min() == y_ref.max():  # cov is exactly 0 with a constant
        return 1.0 if np.array_equal(y, y_ref) else 0.0
    scale = _scale(y, y_ref)
    y, y_ref = y * scale, y_ref * scale
    d = y - y_ref
    total = _variance(y) + _variance(y_ref) + _square(d.mean())
    if total == 0.0:
        raise UndefinedScore("both curves are constant to rounding, so CCC is 0/0")
    return max(0.0, 1.0 - float((d * d).mean()) / total)


def numerical_accuracy_score(x: FloatArray, y: FloatArray, x_ref: FloatArray, y_ref: FloatArray) -> NumericalAccuracy:
    """Return NAS with its sub-scores, Eqs. 3-6 of [PW]: ``0.2 NRMSE + 0.3 SMAPE + 0.5 CCC``.

    The agent's curve is interpolated linearly onto the reference grid; beyond its range its end values are held, and
    the number of such reference points is recorded. `x` is sorted. An undefined sub-score is ``None``, and so is NAS.

    >>> x = np.linspace(0.0, 1.0, 5)
    >>> numerical_accuracy_score(x, x, x, x).nas
    1.0
    """
    y = resample(x, y, x_ref)
    n_outside = int(np.count_nonzero((x_ref < x[0]) | (x_ref > x[-1])))
    reasons: list[str] = []

    def value(score: Callable[[FloatArray, FloatArray], float]) -> float | None:
        try:
            return score(y, y_ref)
        except UndefinedScore as error:
            reasons.append(str(error))
            return None

    nrmse, smape, ccc = value(nrmse_score), value(smape_score), value(ccc_score)
    nas = None
    if nrmse is not None and smape is not None and ccc is not None:
        nas = math.fsum(w * s for w, s in zip(NAS_WEIGHTS, (nrmse, smape, ccc), strict=True))
    return NumericalAccuracy(nas, nrmse, smape, ccc, n_outside=n_outside, reason="; ".join(reasons))


def resample(x: FloatArray, y: FloatArray, x_ref: FloatArray) -> FloatArray:
    """Return `y` interpolated linearly onto `x_ref`, end values held; safe for values near the limits of float64."""
    if x.size == x_ref.size and np.array_equal(x, x_ref):
        return y
    scale = _scale(y, y)
    return np.interp(x_ref, x, y) if scale == 1.0 else np.interp(x_ref, x, y * scale) / scale


def final_score(esr: int, pas: float | None, nas: float | None) -> float | None:
    """Return Score, Eq. 7 of [PW]: 0 if ESR is 0, else PAS x NAS; ``None`` if either is missing.

    >>> final_score(0, None, None), final_score(1, 0.5, 0.5), final_score(1, None, 1.0)
    (0.0, 0.25, None)
    """
    if esr == 0:
        return 0.0
    return None if pas is None or nas is None else pas * nas


def recovery_score(value: float, reference: float, sigma: float) -> float:
    """Return ``max(0, 1 - |value - reference| / (3 sigma))``, the recovery of one parameter, Eq. 8 of [PW].

    Raises :class:`UndefinedScore` unless `sigma` is positive and all three are finite.

    >>> round(recovery_score(0.722, 0.72, 0.02), 3)
    0.967
    """
    if not (math.isfinite(value) and math.isfinite(reference) and math.isfinite(sigma) and sigma > 0.0):
        raise UndefinedScore(f"recovery of {value!r} against {reference!r} +- {sigma!r} has no value")
    return max(0.0, 1.0 - abs(value - reference) / (PRS_SIGMAS * sigma))


def parameter_recovery_score(values: Mapping[str, float], literature: Mapping[str, tuple[float, float]]) -> float:
    """Return PRS, the unweighted mean of Eq. 8 of [PW] over `literature` (name -> value, sigma).

    Every literature parameter must be in `values`; otherwise :class:`UndefinedScore` names the missing ones.
    """
    missing = [name for name in literature if name not in values]
    if missing or not literature:
        raise UndefinedScore(f"no value for {', '.join(missing)}" if missing else "no literature value to compare with")
    scores = [recovery_score(values[name], ref, sigma) for name, (ref, sigma) in literature.items()]
    return math.fsum(scores) / len(scores)


def _variance(y: FloatArray) -> float:
    """Return the 1/N variance by the corrected two-pass algorithm."""
    c = y - y.mean()
    return max(0.0, float((c * c).mean()) - _square(c.mean()))


def _square(x: float) -> float:
    """Return x * x, rounded once; ``x ** 2`` is the C library's ``pow``, which may round otherwise at another scale."""
    return float(x) * float(x)


def _scale(y: FloatArray, y_ref: FloatArray) -> float:
    """Return the power of two (1 for ordinary magnitudes) that keeps squares and slopes inside float64."""
    size = max(abs(float(y.max())), abs(float(y.min())), abs(float(y_ref.max())), abs(float(y_ref.min())))
    if _SMALL < size < _LARGE or size == 0.0:
        return 1.0
    return math.ldexp(1.0, min(-math.frexp(size)[1], 1023))


@dataclass(frozen=True, slots=True)
class Metric:
    """A curve score ``function(y, y_ref)`` and the properties that the tests hold it to."""

    function: Callable[[FloatArray, FloatArray], float]
    is_symmetric: bool
    is_shift_invariant: bool = False
    is_scale_invariant: bool = True
    perfect: float = 1.0
    bounds: tuple[float, float] = (0.0, 1.0)


METRICS: Mapping[str, Metric] = MappingProxyType(
    {
        "s_nrmse": Metric(nrmse_score, is_symmetric=False, is_shift_invariant=True),
        "s_smape": Metric(smape_score, is_symmetric=True),
        "s_ccc": Metric(ccc_score, is_symmetric=True, is_shift_invariant=True),
    }
)
"""Every curve metric and its properties. A new metric enters here first."""
