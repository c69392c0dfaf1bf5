"""The density of one parameter's samples, right up to a hard bound, and what follows from it.

A kernel estimate loses half of its mass at a bound. Here the samples are put on a grid and smoothed by a normal
kernel; near a bound the linear boundary kernel takes over, in the form of [JonesFoster96]_ that stays positive (GetDist
does the same; the tests compare the two).

.. [JonesFoster96] Jones & Foster 1996, Statistica Sinica 6, 1005.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import signal, stats

from reliability.posterior_records import Prior

if TYPE_CHECKING:
    from reliability.records import FloatArray

_STEPS_PER_WIDTH = 10
"""Grid steps per bandwidth."""
_REACH = 4.0
"""Bandwidths after which the kernel ends."""
_MAX_GRID = 2**16
_PROMINENCE = 0.1
"""Share of the peak by which a mode must rise above the valley to its higher neighbour."""


@dataclass(frozen=True, slots=True)
class Density:
    """A density on a grid of even steps; it integrates to 1."""

    x: FloatArray
    y: FloatArray
    width: float
    """The bandwidth."""

    @property
    def peak(self) -> float:
        """Where the density is highest."""
        return float(self.x[np.argmax(self.y)])

    def relative(self, at: float) -> float:
        """Return the density at a point over the peak density; 0 where there are no samples."""
        return float(np.interp(at, self.x, self.y, left=0.0, right=0.0) / self.y.max())

    def modes(self) -> tuple[float, ...]:
        """Return where the density has separate maxima (prominence above 10 % of the peak)."""
        padded = np.concatenate(([0.0], self.y, [0.0]))
        found, _ = signal.find_peaks(padded, prominence=_PROMINENCE * float(self.y.max()))
        return tuple(float(v) for v in self.x[found - 1])

    def information_gain(self, prior: Prior) -> float:
        """Return the information gain over a proper `prior`, ``integral of p ln(p / prior)``, in nats.

        Infinite where the samples reach outside the prior.
        """
        log_prior = log_density(prior, self.x)
        inside = self.y > 0.0
        if np.isneginf(log_prior[inside]).any():
            return math.inf
        terms = np.zeros_like(self.y)
        terms[inside] = self.y[inside] * (np.log(self.y[inside]) - log_prior[inside])
        return float(np.trapezoid(terms, self.x))


def estimate_density(
    samples: FloatArray,
    *,
    n_effective: float,
    weights: FloatArray | None = None,
    low: float = -math.inf,
    high: float = math.inf,
) -> Density | None:
    """Return the density of `samples` between two hard bounds, or ``None`` if they do not spread.

    The bandwidth is Silverman's for `n_effective` independent samples: 0.9 min(sd, IQR / 1.349) n^(-1/5). Samples
    outside the bounds are left out.
    """
    is_inside = (samples >= low) & (samples <= high)
    if not is_inside.all():
        samples = samples[is_inside]
        weights = None if weights is None else weights[is_inside]
    width = _bandwidth(samples, weights, n_effective)
    if not width > 0.0:
        return None
    start, stop = max(low, float(samples.min()) - _REACH * width), min(high, float(samples.max()) + _REACH * width)
    n = int(min((stop - start) / width * _STEPS_PER_WIDTH, _MAX_GRID)) + 2
    x, step = np.linspace(start, stop, n, retstep=True)
    if not step > 0.0:
        return None
    counts = _bin_linearly((samples - start) / step, weights, n)
    y = _smooth(counts, float(step), max(width, 2 * float(step)))
    return Density(x, y / float(np.trapezoid(y, x)), width)


def _bandwidth(samples: FloatArray, weights: FloatArray | None, n_effective: float) -> float:
    if samples.size < 2:
        return 0.0
    quartiles = weighted_quantiles(samples, (0.25, 0.75), weights)
    sd = math.sqrt(float(np.cov(samples, aweights=weights))) if np.ptp(samples) > 0.0 else 0.0
    spread = float(quartiles[1] - quartiles[0]) / 1.349
    return 0.9 * (min(sd, spread) if spread > 0.0 else sd) * math.pow(max(n_effective, 2.0), -0.2)


def weighted_quantiles(samples: FloatArray, at: tuple[float, ...], weights: FloatArray | None = None) -> FloatArray:
    """Return quantiles of samples; with `weights` (sum 1) by the cumulated weight, half a sample's own included."""
    if weights is None:
        return np.asarray(np.quantile(samples, at), np.float64)
    order = np.argsort(samples)
    w = weights[order]
    return np.interp(at, np.cumsum(w) - 0.5 * w, samples[order])


def _bin_linearly(positions: FloatArray, weights: FloatArray | None, n: int) -> FloatArray:
    """Return the samples' weight on each of n grid points, each sample shared by its two neighbours."""
    left = np.minimum(positions.astype(np.int64), n - 2)
    share = positions - left
    given = 1.0 if weights is None else weights
    counts = np.bincount(left, weights=given * (1.0 - share), minlength=n).astype(np.float64)
    counts[1:] += np.bincount(left, weights=given * share, minlength=n)[: n - 1]
    return counts


def _smooth(counts: FloatArray, step: float, width: float) -> FloatArray:
    """Return the kernel estimate with the positive linear boundary correction, [JonesFoster96]_."""
    half = math.ceil(_REACH * width / step)
    u = np.arange(-half, half + 1) * (step / width)
    kernel = np.exp(-0.5 * u * u)
    ground = np.ones(counts.size)
    ground[[0, -1]] = 0.5  # a grid point at the end stands for half a step
    # np.convolve(c, k)[i] = sum_j c_j k_(i-j): u is x - x_j over the width
    a0, a1, a2 = (np.convolve(ground, kernel * u**p)[half:-half] for p in range(3))
    f0, f1 = (np.convolve(counts, kernel * u**p)[half:-half] for p in range(2))
    plain = f0 / a0
    linear = (a2 * f0 - a1 * f1) / (a2 * a0 - a1 * a1)
    ratio = np.divide(linear, plain, out=np.ones_like(plain), where=plain > 0.0)
    corrected: FloatArray = plain * np.exp(np.clip(ratio - 1.0, -50.0, 50.0))
    return corrected


def log_density(prior: Prior, x: FloatArray) -> FloatArray:
    """Return the log of a proper prior's normalised density; minus infinity outside its bounds."""
    inside = (x >= prior.low) & (x <= prior.high)
    result = np.full(x.shape, -math.inf)
    if prior.kind == "normal":
        result[inside] = _truncated_normal(prior).logpdf(x[inside])
    elif prior.kind == "log-uniform":
        result[inside] = -np.log(x[inside]) - math.log(math.log(prior.high / prior.low))
    else:
        result[inside] = -math.log(prior.high - prior.low)
    return result


def prior_sd(prior: Prior) -> float:
    """Return the standard deviation of a proper prior; infinite for an improper one."""
    if not prior.is_proper:
        return math.inf
    low, high = prior.low, prior.high
    if prior.kind == "normal":
        return float(_truncated_normal(prior).std())
    if prior.kind == "log-uniform":
        decades = math.log(high / low)
        mean = (high - low) / decades
        return math.sqrt((high - low) * (high + low) / (2.0 * decades) - mean * mean)
    return (high - low) / math.sqrt(12.0)


def _truncated_normal(prior: Prior) -> Any:
    mean, sigma = prior.mean or 0.0, prior.sigma or 1.0
    return stats.truncnorm((prior.low - mean) / sigma, (prior.high - mean) / sigma, loc=mean, scale=sigma)
