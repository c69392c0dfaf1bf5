"""From what a format holds to one :class:`Posterior`: names and weights checked, rows that are no numbers left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from reliability.posterior_checks.density import weighted_quantiles
from reliability.posterior_checks.flattening import alternating_walkers, joined_chains
from reliability.posterior_records import MAX_VALUE, Estimate, Posterior, Prior, Structure
from reliability.posteriors.limits import MAX_NAME, MAX_NUMBERS, MAX_PARAMETERS, unreadable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from reliability.records import FloatArray

QUANTILES = (0.16, 0.5, 0.84)
_MIN_SAMPLES = 2


@dataclass(slots=True)
class Raw:
    """What a format's reader found."""

    samples: FloatArray
    """Shape (parameters, samples), chain after chain."""
    names: Sequence[str] | None
    """``None``: the file has none."""
    lengths: Sequence[int]
    structure: Structure
    format: str
    weights: FloatArray | None = None
    is_multiplicity: bool = False
    """Weights are how often a Markov chain stayed at a point."""
    acceptance: tuple[float, ...] = ()
    bounds: Mapping[str, Prior] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def finish(raw: Raw, path: Path, names: Sequence[str] | None = None) -> Posterior:
    """Return the posterior, or raise :class:`InputError` that says why the file holds none.

    `names` go before the file's own. Rows with a number that is not finite are left out and counted.
    """
    n_parameters, n_samples = raw.samples.shape
    if n_parameters == 0 or n_samples == 0:
        raise unreadable(path, f"the chain is empty ({n_samples} samples of {n_parameters} parameters)")
    if n_parameters > MAX_PARAMETERS:
        raise unreadable(path, f"{n_parameters} parameters; at most {MAX_PARAMETERS} are read")
    checked = _names(raw, n_parameters, path, names)
    if raw.weights is not None and raw.weights.shape != (n_samples,):
        raise unreadable(path, f"{raw.weights.size} weights for {n_samples} samples")
    if raw.structure == "single" and raw.weights is None:
        _unflatten(raw)
    _drop_not_finite(raw, checked, path)
    if raw.weights is not None:
        _settle_weights(raw, raw.weights, path)
    if raw.samples.shape[1] < _MIN_SAMPLES:
        raise unreadable(path, f"{raw.samples.shape[1]} sample; a posterior needs {_MIN_SAMPLES} at least")
    weights = None if raw.weights is None else raw.weights / raw.weights.sum()
    estimates = {
        name: _estimate(row, weights) for name, row in zip(checked, raw.samples, strict=True)
    }  # fmt: skip
    return Posterior(
        checked, raw.structure, estimates, raw.samples, tuple(raw.lengths), weights, raw.acceptance, raw.bounds,
        raw.format, tuple(raw.notes),
    )  # fmt: skip


def _names(raw: Raw, n: int, path: Path, given: Sequence[str] | None) -> tuple[str, ...]:
    names = raw.names if given is None else given
    if names is None:
        raw.notes.append("the file names no parameters; they are numbered")
        return tuple(f"p{i}" for i in range(n))
    whose = "the file's" if given is None else "the given"
    cleaned = tuple(" ".join(str(name).split()) for name in names)
    if len(cleaned) != n:
        raise unreadable(path, f"{whose} {len(cleaned)} names do not match {n} parameters: {', '.join(cleaned)}")
    if bad := [name for name in cleaned if not name or not name.isprintable() or len(name) > MAX_NAME]:
        raise unreadable(path, f"{bad[0][:MAX_NAME]!a} is no name of a parameter")
    if repeated := [name for name in cleaned if cleaned.count(name) > 1]:
        raise unreadable(path, f"{whose} name {repeated[0]!r} stands for more than one parameter")
    return cleaned


def _drop_not_finite(raw: Raw, names: Sequence[str], path: Path) -> None:
    is_good: NDArray[np.bool_] = np.asarray((np.abs(raw.samples) <= MAX_VALUE).all(axis=0))  # not of NaN
    if raw.weights is not None:
        is_good &= np.isfinite(raw.weights)
    if is_good.all():
        return
    for name, row in zip(names, raw.samples, strict=True):
        if not (np.abs(row) <= MAX_VALUE).any():
            raise unreadable(path, f"{name} has no finite value in {row.size} samples")
    n_bad = int((~is_good).sum())
    if n_bad == is_good.size:
        raise unreadable(path, f"none of {n_bad} samples is finite in every parameter")
    raw.notes.append(f"{n_bad} of {is_good.size} samples left out: a value is not a finite number")
    _keep(raw, is_good)


def _keep(raw: Raw, is_kept: NDArray[np.bool_]) -> None:
    ends = np.cumsum(raw.lengths)
    counted = np.concatenate(([0], np.cumsum(is_kept)))
    lengths = np.diff(counted[np.concatenate(([0], ends))])
    raw.lengths = [int(n) for n in lengths if n]
    raw.samples = np.ascontiguousarray(raw.samples[:, is_kept])
    raw.weights = None if raw.weights is None else raw.weights[is_kept]


def _settle_weights(raw: Raw, weights: FloatArray, path: Path) -> None:
    """Turn multiplicities into repeated rows, equal weights into none, and leave out points without weight."""
    if (weights < 0.0).any():
        raise unreadable(path, f"a weight is negative ({weights.min():.4g})")
    if not weights.any():
        raise unreadable(path, "all weights are zero")
    if not weights.all():
        raw.notes.append(f"{int((weights == 0.0).sum())} samples of weight 0 left out")
        _keep(raw, weights > 0.0)
        weights = weights[weights > 0.0]
    total = float(weights.sum())
    if weights.min() == weights.max():
        raw.weights = None
    elif raw.is_multiplicity and (weights == np.rint(weights)).all() and total * len(raw.samples) <= MAX_NUMBERS:
        counts = weights.astype(np.int64)
        ends = np.cumsum(raw.lengths)
        steps = np.concatenate(([0], np.cumsum(counts)))
        raw.lengths = [int(n) for n in np.diff(steps[np.concatenate(([0], ends))])]
        raw.samples = np.repeat(raw.samples, counts, axis=1)
        raw.weights = None
        raw.notes.append("integer weights taken as steps that the chain stayed")
    else:
        raw.structure = "weighted"
        raw.lengths = [weights.size]


def _unflatten(raw: Raw) -> None:
    n_walkers = alternating_walkers(raw.samples)
    if n_walkers == 1:
        n_chains = joined_chains(raw.samples)
        if n_chains > 1:
            raw.lengths = [raw.samples.shape[1] // n_chains] * n_chains
            raw.structure = "chains"
            raw.notes.append(f"the rows jump at equal distances: read as {n_chains} chains, one after the other")
        return
    n_parameters, n = raw.samples.shape
    walkers = raw.samples.reshape(n_parameters, n // n_walkers, n_walkers).transpose(0, 2, 1)
    raw.samples = np.ascontiguousarray(walkers).reshape(n_parameters, n)
    raw.lengths = [n // n_walkers] * n_walkers
    raw.structure = "ensemble"
    raw.notes.append(f"every {n_walkers}th row is correlated: read as {n_walkers} flattened walkers")


def _estimate(row: FloatArray, weights: FloatArray | None) -> Estimate:
    low, middle, high = (float(q) for q in weighted_quantiles(row, QUANTILES, weights))
    return Estimate(middle, middle - low, high - middle)
