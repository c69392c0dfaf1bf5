"""Posteriors whose truth is known: healthy ones, and ones with a fault of known strength.

Chains are first-order autoregressive, whose autocorrelation time has a closed form.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats
from scipy.signal import lfilter

from reliability.posterior_records import Estimate, Posterior, Prior, Structure
from reliability.posteriors.building import QUANTILES

if TYPE_CHECKING:
    from reliability.records import FloatArray

Faulty = tuple["FloatArray", dict[str, Prior]]
"""A chain of shape (chains, steps, parameters), and priors by the names ``p0``, ``p1`` ..."""


def ar1(rng: np.random.Generator, tau: float, n_chains: int, n_steps: int, n_parameters: int = 1) -> FloatArray:
    """Return stationary standard normal chains of shape (chains, steps, parameters).

    x' = phi x + noise has the autocorrelation time 1 + 2 sum(phi^k) = (1 + phi) / (1 - phi) = tau.
    """
    phi = (tau - 1) / (tau + 1)
    noise = rng.normal(size=(n_chains, n_steps, n_parameters)) * np.sqrt(1 - phi**2)
    noise[:, 0] /= np.sqrt(1 - phi**2)
    chain: FloatArray = lfilter([1], [1, -phi], noise, axis=1)
    return chain


def posterior_of(
    chain: FloatArray,
    names: Sequence[str] | None = None,
    structure: Structure = "chains",
    weights: FloatArray | None = None,
) -> Posterior:
    """Return the posterior of an array of shape (chains, steps, parameters)."""
    n_chains, n_steps, n_parameters = chain.shape
    names = tuple(names or (f"p{i}" for i in range(n_parameters)))
    samples = np.ascontiguousarray(chain.reshape(-1, n_parameters).T)
    estimates = {}
    for name, row in zip(names, samples, strict=True):
        low, middle, high = (float(q) for q in np.quantile(row, QUANTILES))
        estimates[name] = Estimate(middle, middle - low, high - middle)
    if weights is not None:
        weights = weights / weights.sum()
    return Posterior(names, structure, estimates, samples, (n_steps,) * n_chains, weights)


def healthy(rng: np.random.Generator) -> tuple[Posterior, dict[str, Prior]]:
    """Return a healthy posterior by the definition that the false-alarm rate is stated for, and its priors.

    2 to 10 parameters, |rho| <= 0.8, marginals normal, gamma with shape >= 4 or t with 5 degrees of freedom, AR(1)
    chains with N/tau >= 200 and ESS >= 1600, priors at least 5 sd away.
    """
    p = int(rng.integers(2, 11))
    n_chains = int(rng.choice([1, 2, 4, 8, 32]))
    tau = float(rng.uniform(1, 8))
    n_steps = math.ceil(max(200, 1600 / n_chains) * tau * rng.uniform(1, 1.2))
    base = rng.normal(size=(p, p))
    matrix = base @ base.T + 0.1 * np.eye(p)
    matrix /= np.sqrt(np.outer(np.diag(matrix), np.diag(matrix)))
    largest = np.abs(matrix - np.eye(p)).max()
    matrix = np.eye(p) + (matrix - np.eye(p)) * min(1.0, 0.8 / largest)
    chain = ar1(rng, tau, n_chains, n_steps, p) @ np.linalg.cholesky(matrix).T
    priors = {}
    for i in range(p):
        shape = stats.gamma(rng.uniform(4, 20))
        marginal = (stats.norm(), shape, stats.t(5))[rng.integers(3)]
        chain[..., i] = marginal.ppf(stats.norm.cdf(chain[..., i]))
        far = 5 * marginal.std() * rng.uniform(1, 10)
        low, high = min(marginal.mean() - far, chain[..., i].min()), max(marginal.mean() + far, chain[..., i].max())
        priors[f"p{i}"] = Prior(float(low), float(high))
    kinds: dict[int, Structure] = {1: "single", 32: "ensemble"}
    return posterior_of(chain, structure=kinds.get(n_chains, "chains")), priors


# ------------------------------------------------------------------------------------------------------- faults


def _cut(rng: np.random.Generator, sigmas: float) -> Faulty:
    chain: FloatArray = stats.truncnorm(-sigmas, 9).rvs((4, 1000, 1), random_state=rng)
    return chain, {"p0": Prior(-sigmas, 9)}


def _wide(rng: np.random.Generator, ratio: float) -> Faulty:
    return ratio * rng.normal(size=(4, 1000, 1)), {"p0": Prior(kind="normal", mean=0, sigma=1)}


def _ridge(rng: np.random.Generator, rho: float) -> Faulty:
    x, noise = rng.normal(size=(2, 4, 1000))
    return np.stack([x, rho * x + math.sqrt(1 - rho**2) * noise], axis=-1), {}


def _banana(rng: np.random.Generator, width: float) -> Faulty:
    x, noise = rng.normal(size=(2, 4, 1000))
    return np.stack([x, x**2 + width * noise], axis=-1), {}


def _apart(rng: np.random.Generator, distance: float) -> Faulty:
    return rng.normal(size=(4, 1000, 1)) + distance * rng.integers(0, 2, (4, 1000, 1)), {}


def _disagreeing(rng: np.random.Generator, shift: float) -> Faulty:
    chain = ar1(rng, 5, 4, 5000)
    chain[0] += shift
    return chain, {}


def _short(rng: np.random.Generator, taus: float) -> Faulty:
    return ar1(rng, 19, 8, int(19 * taus)), {}


@dataclass(frozen=True, slots=True)
class PosteriorFault:
    """What may be wrong with a posterior, and how to make it."""

    check: str
    """The check that is to flag it."""
    sentence: str
    strength: str
    """What the strength is, with its unit."""
    strengths: tuple[float, ...]
    """From the weakest to the strongest."""
    make: Callable[[np.random.Generator, float], Faulty]


POSTERIOR_FAULTS: Mapping[str, PosteriorFault] = {
    "cut": PosteriorFault(
        "prior_boundary", "a normal posterior that its prior cuts below its peak", "bound below the peak [sd]",
        (3.0, 2.5, 2.2, 2.0, 1.5, 1.0, 0.5), _cut),
    "wide": PosteriorFault(
        "prior_dominated", "a normal posterior nearly as wide as its normal prior", "posterior sd / prior sd",
        (0.4, 0.48, 0.5, 0.52, 0.55, 0.7, 0.9), _wide),
    "ridge": PosteriorFault(
        "degeneracy", "two parameters on a straight ridge", "correlation",
        (0.8, 0.88, 0.89, 0.9, 0.91, 0.93, 0.97), _ridge),
    "banana": PosteriorFault(
        "degeneracy", "two parameters on a curved ridge y = x^2", "scatter about the ridge [sd of x]",
        (1.0, 0.5, 0.3, 0.25, 0.2, 0.1, 0.05), _banana),
    "apart": PosteriorFault(
        "multimodality", "two equal modes that every chain visits", "distance of the modes [sd of each]",
        (1.0, 2.0, 2.5, 2.75, 3.0, 3.5, 4.0), _apart),
    "disagreeing": PosteriorFault(
        "convergence", "four chains of N = 1000 tau, one of them elsewhere", "offset of the one [sd]",
        (0.1, 0.2, 0.25, 0.3, 0.35, 0.5, 1.0), _disagreeing),
    "short": PosteriorFault(
        "convergence", "eight chains that are too short", "length / autocorrelation time",
        (200.0, 100.0, 60.0, 50.0, 40.0, 30.0, 10.0), _short),
}  # fmt: skip
