"""Which parameters trade against each other, along a line or a curve?"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import stats

from reliability.posterior_checks.thresholds import CORRELATION
from reliability.posterior_records import CheckFinding

if TYPE_CHECKING:
    from reliability.posterior_checks.examination import Examination
    from reliability.records import FloatArray

MAX_PARAMETERS = 100
"""More are not paired; the number is said."""
_MIN_INDEPENDENT = 50
"""Independent samples below which mutual information is noise."""


class _Tie(NamedTuple):
    """How strongly two parameters are tied, and by which measure."""

    strength: float
    how: str


def degeneracy(examination: Examination) -> list[CheckFinding]:
    """Return the pairs that are tied by more than 0.9, and the combination that is measured best.

    A tie is the largest of Pearson's correlation of the parameters, or of their logarithms where they are positive,
    Spearman's, and, for curved ridges, ``sqrt(1 - exp(-2 I))`` with the mutual information I in nats, which equals
    \\|rho\\| for a normal density ([Joe89]_). If no pair is flagged, the strongest is reported.

    .. [Joe89] Joe 1989, J. Am. Stat. Assoc. 84, 157.
    """
    if not examination.has_samples:
        return [_none("only a summary is known: correlations cannot be had")]
    names = [name for name in examination.names if not examination.is_constant(name)]
    if len(names) < 2 or examination.posterior.n_samples < 3:
        return [_none("needs two parameters that vary, and three samples")]
    if len(names) > MAX_PARAMETERS:
        return [_none(f"{len(names)} parameters are too many to pair (at most {MAX_PARAMETERS})")]
    ties = _ties(examination, names)
    findings = [_pair(pair, tie) for pair, tie in ties.items() if abs(tie.strength) > CORRELATION]
    if not findings:
        pair = max(ties, key=lambda pair: abs(ties[pair].strength))
        findings = [_pair(pair, ties[pair])]
    return [*findings, _best_measured(examination, names)]


def _none(text: str) -> CheckFinding:
    return CheckFinding("degeneracy", None, False, None, CORRELATION, text)


def _pair(pair: tuple[str, str], tie: _Tie) -> CheckFinding:
    is_flagged = abs(tie.strength) > CORRELATION
    verb = "are degenerate" if is_flagged else "are the most strongly tied pair"
    text = f"{pair[0]} and {pair[1]} {verb}: {tie.how} {tie.strength:.3f}"
    return CheckFinding("degeneracy", ", ".join(pair), is_flagged, tie.strength, CORRELATION, text)


def _ties(examination: Examination, names: list[str]) -> dict[tuple[str, str], _Tie]:
    posterior = examination.posterior
    columns = [posterior.column(name) for name in names]
    ranks = [_ranks(column, posterior.weights) for column in columns]
    plain = _correlations(columns, posterior.weights)
    by_rank = _correlations(ranks, posterior.weights)
    positive = [i for i, name in enumerate(names) if _has_logarithm(name, columns[i])]
    logs = [np.log(column) if i in positive else column for i, column in enumerate(columns)]
    in_logs = _correlations(logs, posterior.weights) if positive else plain
    n_independent = min(examination.n_effective(name) for name in names)
    ties: dict[tuple[str, str], _Tie] = {}
    for i, j in itertools.combinations(range(len(names)), 2):
        found = [_Tie(float(plain[i, j]), "correlation"), _Tie(float(by_rank[i, j]), "rank correlation")]
        if i in positive or j in positive:
            found.append(_Tie(float(in_logs[i, j]), "correlation of the logarithms"))
        information = mutual_information(ranks[i], ranks[j], n_independent, posterior.weights)
        if information is not None:
            tied = math.sqrt(1.0 - math.exp(-2.0 * information))
            found.append(_Tie(tied, "tied along a curve, by mutual information like a correlation of"))
        ties[names[i], names[j]] = max(found, key=lambda tie: abs(tie.strength))
    return ties


def _has_logarithm(name: str, column: FloatArray) -> bool:
    """Whether a logarithm of the parameter says something: it is positive, and none already."""
    return not name.casefold().lstrip("$\\").startswith(("log", "ln", "lg")) and bool(column.min() > 0.0)


def _ranks(column: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Return each sample's quantile in (0, 1]: its rank, or its share of the weight."""
    if weights is None:
        ranks: FloatArray = stats.rankdata(column)
        return ranks / column.size
    order = np.argsort(column)
    quantiles = np.empty_like(column)
    quantiles[order] = np.cumsum(weights[order]) - 0.5 * weights[order]
    return quantiles


def _correlations(columns: list[FloatArray], weights: FloatArray | None) -> FloatArray:
    """Return the matrix of Pearson's correlations, from products of pairs: no second copy of all samples at once."""
    n = columns[0].size
    centred = []
    for column in columns:
        c = column - (column.mean() if weights is None else weights @ column)
        size = math.sqrt(float(c @ c if weights is None else weights @ (c * c)))
        centred.append(c / size if size > 0.0 else c)
    matrix = np.eye(len(columns))
    for i, j in itertools.combinations(range(len(columns)), 2):
        left = centred[i] if weights is None else centred[i] * weights
        matrix[i, j] = matrix[j, i] = float(left @ centred[j]) if n > 1 else 0.0
    return matrix


def mutual_information(
    u: FloatArray, v: FloatArray, n_independent: float, weights: FloatArray | None = None
) -> float | None:
    """Return the mutual information of two parameters in nats, from their quantiles `u` and `v` in [0, 1].

    Counted in equally filled cells, less the bias ``(k - 1)^2 / 2n`` that n independent samples give k x k cells
    (Miller 1955), not below 0. ``None`` with fewer than 50 independent samples.
    """
    if n_independent < _MIN_INDEPENDENT:
        return None
    k = int(np.clip(n_independent ** (1 / 3), 4, 20))
    i = np.minimum((u * k).astype(np.int64), k - 1)
    j = np.minimum((v * k).astype(np.int64), k - 1)
    p = np.bincount(i * k + j, weights=weights, minlength=k * k).reshape(k, k)
    p = p / p.sum()
    outer = np.outer(p.sum(axis=1), p.sum(axis=0))
    filled = p > 0.0
    information = float((p[filled] * np.log(p[filled] / outer[filled])).sum())
    return max(0.0, information - (k - 1) ** 2 / (2.0 * n_independent))


def _best_measured(examination: Examination, names: list[str]) -> CheckFinding:
    """The tightest eigenvector of the correlation matrix, as a product of powers if all are positive."""
    posterior = examination.posterior
    columns = [posterior.column(name) for name in names]
    is_power = all(_has_logarithm(name, column) for name, column in zip(names, columns, strict=True))
    if is_power:
        columns = [np.log(column) for column in columns]
    values, vectors = np.linalg.eigh(_correlations(columns, posterior.weights))
    sds = [math.sqrt(float(np.cov(column, aweights=posterior.weights))) for column in columns]
    # the tightest combination says what the data measure; its powers are per unit of each parameter
    powers = vectors[:, 0] / sds
    powers = powers / powers[np.argmax(np.abs(vectors[:, 0]))]
    shown = [(n, p) for n, p, v in zip(names, powers, vectors[:, 0], strict=True) if abs(v) > 0.1]
    if is_power:
        direction = " ".join(f"{name}^{power:.2g}" for name, power in shown)
    else:
        direction = " ".join(f"{power:+.3g} {name}" for name, power in shown)
    eigenvalues = ", ".join(f"{max(value, 0.0):.2g}" for value in values[::-1][:10])
    text = f"eigenvalues of the correlation matrix{' of the logarithms' if is_power else ''}: {eigenvalues}"
    text += f"; best measured combination: {direction}"
    return CheckFinding("degeneracy", None, False, max(float(values[0]), 0.0), None, text)
