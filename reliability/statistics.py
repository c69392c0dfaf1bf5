"""Averages over nested trials, their uncertainty, and pass^k.

Trials are nested in tasks: ten trials of one task say little about the next task, so an interval comes from resampling
*tasks*, then *trials inside each drawn task*, independently for every copy of a task. A system's mean is the mean of
its task means. Values are scores or shares in [0, 1]; ``nan`` is a missing value: left out, and counted.

Choices, each tested in ``tests/test_statistics.py``:

* Percentile intervals at 95 %. The nested bootstrap counts the spread of trials twice (once inside the spread of the
  task means), which errs on the wide side; with few tasks the percentile method alone would be too narrow.
* A bootstrap cannot see what never happened: if every value is 0, or every value is 1, its interval has no width. Then,
  and for shares within one task, the interval is Wilson's, with the number of *independent units* as its n: trials
  within one task, tasks within a system.
* One task: only its trials are resampled, so the interval speaks for that task alone. One value: no interval, except
  Wilson's where it is 0 or 1. No value: no mean.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from reliability.errors import UndefinedScore

if TYPE_CHECKING:
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]

N_RESAMPLES = 2000
"""Bootstrap resamples; the Monte-Carlo error of a 95 % limit is then about 6 % of the standard error."""
CONFIDENCE = 0.95
Z_CONFIDENCE = 1.959963984540054
"""Normal quantile at (1 + CONFIDENCE)/2."""
MIN_POOL = 50
"""Smallest pool of resampled means kept per task, however many tasks there are."""
POOL_BUDGET = 400_000
"""Resampled means kept over all tasks of a system, per value: bounds memory with very many tasks."""
_CHUNK = 2_000_000
"""Numbers drawn at once: bounds memory with very many trials."""

Method = Literal["bootstrap", "wilson", "none"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95 % interval; ``None`` is what the data cannot give."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    """Values used."""
    n_missing: int
    """Values left out."""
    n_tasks: int
    """Tasks with at least one value."""
    mean_over_trials: float | None
    """Every trial counted alike, whatever its task."""
    method: Method


def pass_hat_k(n: int, c: int, k: int) -> float:
    """Return the chance that ``k`` of ``n`` trials, drawn without replacement, are all among the ``c`` successes.

    ``pass^k = C(c, k) / C(n, k)``, in exact integers, so that large ``n`` cannot overflow. Unlike the mean it asks for
    success every time.

    Raises
    ------
    UndefinedScore
        If not ``1 <= k <= n`` and ``0 <= c <= n``.

    Examples
    --------
    >>> pass_hat_k(10, 8, 1), pass_hat_k(10, 8, 3)
    (0.8, 0.4666666666666667)
    """
    if not (1 <= k <= n and 0 <= c <= n):
        raise UndefinedScore(f"pass^k needs 1 <= k <= n and 0 <= c <= n, not n = {n}, c = {c}, k = {k}")
    return math.comb(c, k) / math.comb(n, k)


def wilson_interval(successes: float, n: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval for a share of ``successes`` in ``n`` independent units.

    Wilson (1927), J. Am. Stat. Assoc. 22, 209.

    Raises
    ------
    UndefinedScore
        If ``n < 1``.

    Examples
    --------
    >>> low, high = wilson_interval(14, 14)
    >>> round(low, 3), high
    (0.785, 1.0)
    """
    if n < 1:
        raise UndefinedScore("a share of no units has no interval")
    p, z2 = successes / n, Z_CONFIDENCE**2
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_CONFIDENCE / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    # At p = 0 and p = 1 one limit is exact; rounding must not move it off.
    return (0.0 if p == 0 else max(0.0, centre - half)), (1.0 if p == 1 else min(1.0, centre + half))


def pool_size(n_tasks: int) -> int:
    """Return how many resampled means to keep per task: N_RESAMPLES, fewer with more than a few hundred tasks."""
    return max(MIN_POOL, min(N_RESAMPLES, POOL_BUDGET // max(n_tasks, 1)))


def resampled_means(values: FloatArray, rng: np.random.Generator, n_resamples: int = N_RESAMPLES) -> FloatArray:
    """Return bootstrap means of one task's trials.

    Parameters
    ----------
    values
        Shape (trials, metrics); ``nan`` is missing. All metrics share the drawn trials.

    Returns
    -------
    array of shape (n_resamples, metrics); ``nan`` where a resample drew no value. With one trial, shape (1, metrics).
    """
    n, n_metrics = values.shape
    if n <= 1:
        return values.astype(float, copy=True)
    present = np.isfinite(values)
    stacked = np.concatenate([np.where(present, values, 0.0), present], axis=1)
    means = np.empty((n_resamples, n_metrics))
    step = max(1, _CHUNK // n)
    for start in range(0, n_resamples, step):
        b = min(step, n_resamples - start)
        drawn = rng.integers(0, n, size=(b, n)) + np.arange(b)[:, None] * n
        counts = np.bincount(drawn.ravel(), minlength=b * n).reshape(b, n)
        sums = counts.astype(float) @ stacked
        with np.errstate(invalid="ignore"):
            means[start : start + b] = sums[:, :n_metrics] / sums[:, n_metrics:]
    return means


def _task_draws(pools: Sequence[Sequence[FloatArray]], rng: np.random.Generator, n_resamples: int) -> list[FloatArray]:
    """Return, for each system, (n_resamples,) means over drawn tasks; all systems see the same drawn tasks.

    ``pools[system][task]`` holds that task's resampled means. Which of them stands for a copy of the task is drawn
    anew for every copy and every system.
    """
    n_tasks = len(pools[0])
    flat = [np.concatenate(list(system)) for system in pools]
    sizes = [np.array([len(pool) for pool in system]) for system in pools]
    offsets = [np.concatenate([[0], np.cumsum(size)[:-1]]) for size in sizes]
    means = [np.empty(n_resamples) for _ in pools]
    step = max(1, _CHUNK // n_tasks)
    for start in range(0, n_resamples, step):
        b = min(step, n_resamples - start)
        tasks = rng.integers(0, n_tasks, size=(b, n_tasks))
        for s in range(len(pools)):
            column = np.floor(rng.random((b, n_tasks)) * sizes[s][tasks]).astype(np.int64)
            drawn = flat[s][offsets[s][tasks] + column]
            has_value = np.isfinite(drawn)
            with np.errstate(invalid="ignore"):
                means[s][start : start + b] = np.where(has_value, drawn, 0.0).sum(axis=1) / has_value.sum(axis=1)
    return means


def _percentile_interval(means: FloatArray) -> tuple[tuple[float | None, float | None], Method]:
    means = means[np.isfinite(means)]  # a resample that drew no value at all says nothing
    if means.size < 2:
        return (None, None), "none"
    tail = 50 * (1 - CONFIDENCE)
    low, high = np.percentile(means, [tail, 100 - tail])
    return (float(low), float(high)), "bootstrap"


@dataclass(frozen=True, slots=True)
class _Point:
    """One system, one metric: what needs no resampling. Every task in it has a value."""

    value: float
    mean_over_trials: float
    n: int
    wilson: tuple[float, float] | None
    """Set where the bootstrap cannot serve (module docstring)."""


def _point(values: Sequence[FloatArray]) -> _Point:
    present = [v[np.isfinite(v)] for v in values]
    flat = np.concatenate(present)
    value = math.fsum(math.fsum(v) / v.size for v in present) / len(present)
    wilson = None
    if np.isin(flat, (0.0, 1.0)).all() and (len(present) == 1 or flat.min() == flat.max()):
        n_units = flat.size if len(present) == 1 else len(present)
        wilson = wilson_interval(value * n_units, n_units)
    return _Point(value, math.fsum(flat) / flat.size, flat.size, wilson)


def _estimate(values: list[FloatArray], pools: list[FloatArray], rng: np.random.Generator) -> Estimate:
    """Return the estimate of one metric: ``values[task]`` 1-D with ``nan``, ``pools[task]`` its resampled means."""
    n_all = sum(v.size for v in values)
    kept = [i for i, v in enumerate(values) if np.isfinite(v).any()]
    if not kept:
        return Estimate(None, None, None, 0, n_all, 0, None, "none")
    point = _point([values[i] for i in kept])
    limits: tuple[float | None, float | None] = (None, None)
    method: Method = "none"
    if point.wilson is not None:
        limits, method = point.wilson, "wilson"
    elif point.n > 1:
        one = len(kept) == 1
        means = pools[kept[0]] if one else _task_draws([[pools[i] for i in kept]], rng, N_RESAMPLES)[0]
        limits, method = _percentile_interval(means)
    return Estimate(point.value, *limits, point.n, n_all - point.n, len(kept), point.mean_over_trials, method)


def nested_means(
    tasks: Sequence[FloatArray], rng: np.random.Generator, pools: Sequence[FloatArray] | None = None
) -> tuple[Estimate, ...]:
    """Return one estimate per metric: mean of task means, 95 % interval by bootstrap over tasks, then trials.

    With task means m_t, trial variances s_t^2 (1/n) and n trials in each of T tasks, the bootstrap variance of the mean
    is ``[var(m_t) + mean(s_t^2)/n] / T``, with 1/T in ``var``.

    Parameters
    ----------
    tasks
        One array of shape (trials, metrics) per task, values in [0, 1], ``nan`` for missing.
    pools
        `resampled_means` of each task, if they were already made; else they are drawn here.
    """
    if not tasks:
        return ()
    if pools is None:
        size = pool_size(len(tasks))
        pools = [resampled_means(task, rng, size) for task in tasks]
    return tuple(
        _estimate([task[:, m] for task in tasks], [pool[:, m] for pool in pools], rng) for m in range(tasks[0].shape[1])
    )


def paired_differences(
    first: Sequence[FloatArray],
    second: Sequence[FloatArray],
    rng: np.random.Generator,
    pools: tuple[Sequence[FloatArray], Sequence[FloatArray]] | None = None,
) -> tuple[Estimate, ...]:
    """Return mean of ``first - second`` over the tasks in which both have a value, one estimate per metric.

    Both systems see the same resampled tasks; their trials are drawn independently. ``n`` and ``n_missing`` count the
    values of both systems; a task that only one system has values for is left out, its values counted as missing.
    Where each system's values are all 0 or all 1 the interval combines the two Wilson intervals by squares
    (Newcombe 1998, Stat. Med. 17, 873, method 10).

    Parameters
    ----------
    first, second
        The same tasks in the same order, each an array of shape (trials, metrics).
    """
    if not first:
        return ()
    if pools is None:
        size = pool_size(len(first))
        pools = ([resampled_means(t, rng, size) for t in first], [resampled_means(t, rng, size) for t in second])
    return tuple(
        _difference(
            [(a[:, m], b[:, m]) for a, b in zip(first, second, strict=True)],
            [(a[:, m], b[:, m]) for a, b in zip(*pools, strict=True)],
            rng,
        )
        for m in range(first[0].shape[1])
    )


def _difference(
    values: list[tuple[FloatArray, FloatArray]], pools: list[tuple[FloatArray, FloatArray]], rng: np.random.Generator
) -> Estimate:
    n_all = sum(a.size + b.size for a, b in values)
    kept = [i for i, (a, b) in enumerate(values) if np.isfinite(a).any() and np.isfinite(b).any()]
    if not kept:
        return Estimate(None, None, None, 0, n_all, 0, None, "none")
    a, b = (_point([values[i][s] for i in kept]) for s in (0, 1))
    value = a.value - b.value
    limits: tuple[float | None, float | None] = (None, None)
    method: Method = "none"
    if a.wilson is not None and b.wilson is not None:
        limits = (
            value - math.hypot(a.value - a.wilson[0], b.wilson[1] - b.value),
            value + math.hypot(a.wilson[1] - a.value, b.value - b.wilson[0]),
        )
        method = "wilson"
    elif len(kept) > 1 or (a.n > 1 and b.n > 1):
        draws = _task_draws([[pools[i][s] for i in kept] for s in (0, 1)], rng, N_RESAMPLES)
        limits, method = _percentile_interval(draws[0] - draws[1])
    n = a.n + b.n
    return Estimate(value, *limits, n, n_all - n, len(kept), a.mean_over_trials - b.mean_over_trials, method)
