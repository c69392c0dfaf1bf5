"""R-hat, effective sample sizes and autocorrelation times of one parameter's chains.

The definitions are those of [Vehtari21]_ as ArviZ computes them, and emcee's autocorrelation time; the tests hold each
to ArviZ and emcee on the same chains. What is done here and not there: ranks are taken once for R-hat and bulk ESS, and
the chains' spectra are averaged before the one inverse transform.

.. [Vehtari21] Vehtari et al. 2021, Bayesian Analysis 16, 667, arXiv:1903.08008.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import fft, special, stats

if TYPE_CHECKING:
    from reliability.records import FloatArray

MIN_STEPS = 20
"""Steps a chain must have; of fewer, R-hat, ESS and tau are noise."""
TAIL = (0.05, 0.95)
"""Quantiles whose effective sample sizes make the tail ESS ([Vehtari21]_, section 4.3)."""
WINDOW = 5.0
"""Sokal's window in autocorrelation times, as emcee sets it."""


@dataclass(frozen=True, slots=True)
class ChainStatistics:
    """Convergence statistics of one parameter; ``nan`` where one has no value (a constant, too few steps)."""

    r_hat: float
    ess_bulk: float
    ess_tail: float
    tau: float
    """Integrated autocorrelation time in steps, the mean over chains."""
    n_steps: int
    n_chains: int
    n_stuck: int
    """Chains or walkers that never moved."""

    @property
    def n_taus(self) -> float:
        """Length of a chain in autocorrelation times."""
        return self.n_steps / self.tau

    @property
    def n_independent(self) -> float:
        """Independent samples by the autocorrelation within the chains; what lies between them does not count."""
        return min(self.n_chains * self.n_taus, float(self.n_chains * self.n_steps))


def chain_statistics(chains: FloatArray) -> ChainStatistics:
    """Return the statistics of finite `chains`, shape (chains, steps).

    Chains of fewer than :data:`MIN_STEPS` steps, or all samples alike, have no R-hat, ESS or tau: those are ``nan``.
    """
    n_chains, n_steps = chains.shape
    n_stuck = int((np.ptp(chains, axis=1) == 0).sum()) if n_steps > 1 else 0
    if n_steps < MIN_STEPS or n_stuck == n_chains:
        nan = math.nan
        return ChainStatistics(nan, nan, nan, nan, n_steps, n_chains, n_stuck)
    half = n_steps // 2
    split = np.vstack((chains[:, :half], chains[:, -half:]))
    ranks = _normal_ranks(split)
    r_hat = max(_r_hat(ranks), _r_hat(_normal_ranks(np.abs(split - np.median(split)))))
    bulk = _effective_size(ranks)
    quantiles = np.quantile(chains, TAIL)
    tail = min(_effective_size((split <= q).astype(np.float64)) for q in quantiles)
    return ChainStatistics(r_hat, bulk, tail, autocorrelation_time(chains), n_steps, n_chains, n_stuck)


def autocorrelation_time(chains: FloatArray) -> float:
    """Return the integrated autocorrelation time ``1 + 2 sum(rho)`` of chains, shape (chains, steps), as emcee does.

    The chains' normalised autocorrelations are averaged, and summed up to the first lag that is at least five times the
    running sum. A chain that never moved has none and is left out; ``nan`` if none moves.
    """
    moving = chains[np.ptp(chains, axis=1) > 0]
    if not len(moving):
        return math.nan
    rho = mean_autocovariance(moving, is_normalised=True)
    taus = 2.0 * np.cumsum(rho) - 1.0
    beyond = np.arange(taus.size) >= WINDOW * taus
    return float(taus[np.argmax(beyond)] if beyond.any() else taus[-1])


def _normal_ranks(chains: FloatArray) -> FloatArray:
    """Return the normal scores of the ranks of all samples together (Blom's offsets), Eq. 14 of [Vehtari21]_."""
    ranks = stats.rankdata(chains)
    scores: FloatArray = special.ndtri((ranks - 0.375) / (ranks.size + 0.25))
    return scores.reshape(chains.shape)


def _r_hat(chains: FloatArray) -> float:
    """Return ``sqrt(1 - 1/n + B/(n W))``, Eqs. 1 to 4 of [Vehtari21]_; infinite if no chain moves."""
    n = chains.shape[1]
    within = float(chains.var(axis=1, ddof=1).mean())
    between = float(chains.mean(axis=1).var(ddof=1))
    if within == 0.0:
        return math.inf if between > 0.0 else math.nan
    return math.sqrt(between / within + (n - 1) / n)


def _effective_size(chains: FloatArray) -> float:
    """Return the effective sample size by Geyer's initial monotone sequence, Eqs. 10 to 13 of [Vehtari21]_."""
    n_chains, n = chains.shape
    covariance = mean_autocovariance(chains, is_normalised=False)
    within = float(covariance[0]) * n / (n - 1)
    total = float(covariance[0]) + (float(chains.mean(axis=1).var(ddof=1)) if n_chains > 1 else 0.0)
    if total == 0.0:
        return math.nan
    rho = 1.0 - (within - covariance) / total
    rho[0] = 1.0
    tau = _geyer(rho)
    size = n_chains * n
    return float(size / max(tau, 1.0 / math.log10(size)))


def _geyer(rho: FloatArray) -> float:
    """Return the autocorrelation time of the lags up to the last pair with a positive sum, pairs made monotone.

    The first lag of the pair after those counts once, if positive. Where no sum is negative that is the last pair.
    """
    n_pairs = (rho.size - 1) // 2
    even, odd = rho[0 : 2 * n_pairs : 2], rho[1 : 2 * n_pairs : 2]
    negative = np.flatnonzero(even[1:] + odd[1:] <= 0.0)
    end = int(negative[0]) + 1 if negative.size else n_pairs - 1
    if even[0] + odd[0] <= 0.0:
        end = 0
    kept = np.minimum.accumulate((even + odd)[:end])
    return -1.0 + 2.0 * float(kept.sum()) + max(float(even[end]), 0.0)


def mean_autocovariance(chains: FloatArray, *, is_normalised: bool) -> FloatArray:
    """Return the autocovariance (1/n) of each lag, mean over chains; normalised: each chain's divided by its variance.

    The spectra are averaged, so one inverse transform serves all chains.
    """
    n_chains, n = chains.shape
    size = fft.next_fast_len(2 * n, real=True)
    power = np.zeros(size // 2 + 1)
    for block in np.array_split(chains, max(1, chains.size // 2**21)) if n_chains > 1 else [chains]:
        centred = block - block.mean(axis=1, keepdims=True)
        spectrum = fft.rfft(centred, size, axis=1)
        each = np.square(spectrum.real) + np.square(spectrum.imag)
        if is_normalised:
            each /= np.square(centred).mean(axis=1, keepdims=True)
        power += each.sum(axis=0)
    covariance: FloatArray = fft.irfft(power, size)[:n] / (n * n_chains)
    return covariance
