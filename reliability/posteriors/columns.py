"""Named columns, as tables hold them: which are parameters, which are weights, chains, or the sampler's own?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from reliability.posteriors.building import Raw
from reliability.posteriors.limits import unreadable

if TYPE_CHECKING:
    from reliability.posterior_records import Structure
    from reliability.records import FloatArray

WEIGHT_NAMES = ("weights", "weight")
LOG_WEIGHT_NAMES = ("logwt", "log_w", "log_weights", "log_weight", "logweights", "logw")
"""Of nested samplers: dynesty's logwt, nautilus' log_w."""
_CHAIN_NAMES: Mapping[str, Structure] = {"chain": "chains", "run": "chains", "walker": "ensemble"}
_ORDER_NAMES = frozenset(("draw", "step", "iteration", "sample", "index", "unnamed: 0", ""))
_OWN = re.compile(
    r"(?:minus|neg|-)?_?(?:lp__?|lp|logp|lnp|(?:log|ln)_?(?:prob|post|like?|likelihood|posterior|prior|probability|l|z|vol)"
    r"|post|chi2|chi_?sq(?:uared)?|chi\^2|minuslogpost|acceptance(?:_rate|_fraction)?)(?:__.*|_\d+)?"
)
"""Columns that samplers add of their own: log-probabilities and chi-squared."""


def to_weights(name: str, values: FloatArray) -> FloatArray:
    """Return weights from a column of weights, or of their logarithms by its name; the largest is then 1."""
    if name not in LOG_WEIGHT_NAMES:
        return values
    top = values[np.isfinite(values)].max(initial=-np.inf)
    # a point of log-weight -inf has weight 0; NaN and +inf stay, and are left out with their sample
    return np.where(np.isneginf(values), 0.0, np.exp(values - (top if np.isfinite(top) else 0.0)))


def is_own_column(name: str) -> bool:
    """Whether a column is the sampler's own (a counter, a log-probability) and no parameter."""
    plain = name.strip("# ").casefold()
    return plain in _ORDER_NAMES or plain.startswith("__index_level_") or _OWN.fullmatch(plain) is not None


def raw_from_columns(columns: Mapping[str, Any], path: Path, format_name: str) -> Raw:
    """Return the posterior in columns of equal length.

    ``weight`` and ``logwt`` columns are weights, ``chain``, ``run`` or ``walker`` says which chain a row belongs to,
    counters and log-probabilities are left out with a note; all others are parameters.
    """
    lower = {name: name.strip("# ").casefold() for name in columns}
    weight = next((n for n in columns if lower[n] in (*WEIGHT_NAMES, *LOG_WEIGHT_NAMES)), None)
    chain = next((n for n in columns if lower[n] in _CHAIN_NAMES), None)
    own = [n for n in columns if is_own_column(n)]
    taken = {weight, chain, *own}
    names = [name for name in columns if name not in taken]
    if not names:
        raise unreadable(path, f"no column is a parameter (columns: {', '.join(map(str, columns)) or 'none'})")
    samples = np.array([columns[name] for name in names], np.float64)
    raw = Raw(samples, [n.strip("# ") for n in names], [samples.shape[1]], "single", format_name)
    if weight is not None:
        raw.weights = to_weights(lower[weight], np.asarray(columns[weight], np.float64))
    if own:
        raw.notes.append(f"columns left out: {', '.join(n or repr(n) for n in own[:20])}")
    if chain is not None:
        _sort_by_chain(raw, np.asarray(columns[chain], np.float64), _CHAIN_NAMES[lower[chain]])
    return raw


def _sort_by_chain(raw: Raw, which: FloatArray, structure: Structure) -> None:
    """Put the rows chain after chain; within a chain they keep their order."""
    order = np.argsort(which, kind="stable")
    _, counts = np.unique(which, return_counts=True)
    raw.samples = np.ascontiguousarray(raw.samples[:, order])
    raw.weights = None if raw.weights is None else raw.weights[order]
    raw.lengths = [int(n) for n in counts]
    raw.structure = structure if counts.size > 1 else "single"
