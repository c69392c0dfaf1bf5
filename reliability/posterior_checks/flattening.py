"""Walkers or chains that were put into one column of rows: how many were they?

A sampler's ``flatten`` mixes or joins them, and the file does not say so. Without undoing it rows look independent that
are not, or a chain looks as long as all walkers together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reliability.posterior_checks.chain_statistics import MIN_STEPS, mean_autocovariance
from reliability.posterior_records import MAX_VALUE

if TYPE_CHECKING:
    from reliability.records import FloatArray

MAX_WALKERS = 1024
_MAX_ROWS = 2**17
"""Rows looked at for walkers that alternate."""
_PEAK, _PEAK_OVER_REST = 0.2, 3.0
"""A walker's correlation with its next step that is seen, and how far it stands above that between walkers."""
_MIN_JOINED = 8
"""Chains end to end that are seen: as many jumps less one."""
_JUMP_OVER_STEP, _JUMP_SIGMAS = 1.7, 7.0
"""Mean jump over mean step, and by how many of its standard errors it exceeds it."""
_CLIP = 0.99
"""Quantile of the steps at which all are cut: one that is far out is no sign of a seam."""


def alternating_walkers(samples: FloatArray) -> int:
    """Return how many walkers rows of shape (parameters, rows) were flattened from, step by step; 1 for a single chain.

    Rows of one walker are then as many rows apart as there are walkers, so the correlation stands at that lag and its
    multiples, and nowhere before.
    """
    n = min(samples.shape[1], _MAX_ROWS)
    moving = _standardised(samples[:, :n])
    most = min(MAX_WALKERS, n // MIN_STEPS)
    if not len(moving) or most < 2:
        return 1
    rho = mean_autocovariance(moving, is_normalised=True)[: most + 1]
    lag = int(np.argmax(rho[2:])) + 2
    before = float(np.abs(rho[1:lag]).max())
    is_peak = rho[lag] > _PEAK and rho[lag] > _PEAK_OVER_REST * before and samples.shape[1] % lag == 0
    return lag if is_peak else 1


def joined_chains(samples: FloatArray) -> int:
    """Return how many chains rows of shape (parameters, rows) were joined from, end to end; 1 for a single chain.

    Where one chain ends and the next begins the rows jump, by much more than within a chain, and at equal distances.
    """
    n = samples.shape[1]
    moving = _standardised(samples)
    if not len(moving) or n < _MIN_JOINED * MIN_STEPS:
        return 1
    jumps = np.abs(np.diff(moving, axis=1)).sum(axis=0)
    jumps = np.minimum(jumps, np.quantile(jumps, _CLIP))
    mean, sd = float(jumps.mean()), float(jumps.std())
    best, found = _JUMP_SIGMAS, 1
    for count in range(_MIN_JOINED, min(MAX_WALKERS, n // MIN_STEPS) + 1):
        if n % count:
            continue
        at_ends = float(jumps[n // count - 1 :: n // count].mean())
        excess = (at_ends - mean) * np.sqrt(count - 1)
        if at_ends > _JUMP_OVER_STEP * mean and excess > best * sd:
            best, found = float(excess / sd), count
    return found


def _standardised(samples: FloatArray) -> FloatArray:
    """The parameters that vary, in units of their spread; a number that is missing is put in their middle."""
    is_bad = ~(np.abs(samples) <= MAX_VALUE)
    rows = samples
    if is_bad.any():
        rows = np.where(is_bad, 0.0, rows)
        rows = np.where(is_bad, np.median(rows, axis=1, keepdims=True), rows)
    rows = rows[np.ptp(rows, axis=1) > 0.0]
    sds = rows.std(axis=1, keepdims=True)
    moving: FloatArray = rows[sds[:, 0] > 0.0] / sds[sds[:, 0] > 0.0]
    return moving
