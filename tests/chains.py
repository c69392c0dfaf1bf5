"""Chains whose truth is known: first-order autoregressive, with exact autocorrelation time."""

import math

import numpy as np
from scipy import stats
from scipy.signal import lfilter

from reliability.posterior_records import Estimate, Posterior, Prior
from reliability.posteriors.building import QUANTILES


def ar1(rng, tau, n_chains, n_steps, n_parameters=1):
    """Stationary standard normal chains, shape (chains, steps, parameters).

    x' = phi x + noise has 1 + 2 sum(phi^k) = (1 + phi) / (1 - phi) = tau.
    """
    phi = (tau - 1) / (tau + 1)
    noise = rng.normal(size=(n_chains, n_steps, n_parameters)) * np.sqrt(1 - phi**2)
    noise[:, 0] /= np.sqrt(1 - phi**2)
    return lfilter([1], [1, -phi], noise, axis=1)


def posterior_of(chain, names=None, structure="chains", weights=None):
    """The posterior of an array of shape (chains, steps, parameters)."""
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


def by_parameter(findings):
    """(check, parameter) -> finding."""
    return {(f.check, f.parameter): f for f in findings}


def healthy(rng):
    """A healthy posterior by the definition that the false-alarm rate is stated for, and its priors.

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
    structure = {1: "single", 32: "ensemble"}.get(n_chains, "chains")
    return posterior_of(chain, structure=structure), priors
