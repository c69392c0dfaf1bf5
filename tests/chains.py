"""Chains whose truth is known: first-order autoregressive, with exact autocorrelation time."""

import numpy as np
from scipy.signal import lfilter

from reliability.posterior_records import Estimate, Posterior
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
