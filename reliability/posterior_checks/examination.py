"""What several checks need of one posterior, worked out once: chains, statistics, densities, thinned samples."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from reliability.posterior_checks.chain_statistics import ChainStatistics, chain_statistics
from reliability.posterior_checks.density import Density, estimate_density
from reliability.posterior_records import Estimate, Posterior, Prior

if TYPE_CHECKING:
    from reliability.records import FloatArray

T = TypeVar("T")
_SMALLEST_SPREAD = 1e-150
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
"""Its multiples fill the unit interval most evenly."""


class Examination:
    """One posterior and its priors; each derived number is computed when it is first asked for, and kept."""

    def __init__(self, posterior: Posterior, priors: Mapping[str, Prior] | None = None) -> None:
        """Priors given here go before the bounds that came with the chain."""
        self.posterior = posterior
        self.priors: dict[str, Prior] = {**posterior.bounds, **(priors or {})}
        self._kept: dict[tuple[str, str], object] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters, in the order of the chain."""
        return self.posterior.names

    @property
    def has_samples(self) -> bool:
        """Whether there are rows, not only reported values."""
        return self.posterior.samples is not None

    def estimate(self, name: str) -> Estimate:
        """The value and its 68 % interval."""
        return self.posterior.estimates[name]

    def is_constant(self, name: str) -> bool:
        """Whether every sample of the parameter is the same, or differs by less than can be squared."""
        return self._keep("constant", name, lambda: bool(np.ptp(self.posterior.column(name)) < _SMALLEST_SPREAD))

    def sd(self, name: str) -> float | None:
        """The standard deviation of the samples, or the reported error; ``None`` if there is none."""
        if not self.has_samples:
            return self.estimate(name).sigma
        return self._keep("sd", name, lambda: _sd(self.posterior.column(name), self.posterior.weights))

    def chains(self, name: str) -> FloatArray | None:
        """The chains, shape (chains, steps), cut to the last steps of the shortest; ``None`` if rows are no chain."""
        posterior = self.posterior
        if posterior.structure in ("weighted", "summary"):
            return None
        column, lengths = posterior.column(name), posterior.lengths
        shortest = min(lengths)
        if shortest == max(lengths):
            return column.reshape(len(lengths), shortest)
        return np.stack([column[end - shortest : end] for end in np.cumsum(lengths)])

    def statistics(self, name: str) -> ChainStatistics | None:
        """R-hat, ESS and tau; ``None`` if the rows are no chain, or all alike."""

        def compute() -> ChainStatistics | None:
            chains = None if self.is_constant(name) else self.chains(name)
            return None if chains is None else chain_statistics(chains)

        return self._keep("statistics", name, compute)

    def n_effective(self, name: str) -> float:
        """Independent samples: Kish's for weights, else by the autocorrelation within the chains; at least 1."""
        posterior = self.posterior
        if posterior.weights is not None:
            return kish(posterior.weights)
        statistics = self.statistics(name)
        if statistics is None or math.isnan(statistics.tau) or statistics.tau <= 0.0:
            return float(posterior.n_samples)
        return max(statistics.n_independent, 1.0)

    def density(self, name: str) -> Density | None:
        """The marginal density between the prior's bounds; ``None`` without samples that spread."""

        def compute() -> Density | None:
            if self.is_constant(name):
                return None
            prior = self.priors.get(name, Prior())
            return estimate_density(
                self.posterior.column(name),
                n_effective=self.n_effective(name),
                weights=self.posterior.weights,
                low=prior.low,
                high=prior.high,
            )

        return self._keep("density", name, compute)

    def thinned(self, name: str, most: int) -> FloatArray:
        """As many samples as are independent, `most` at the most, spread over the chain; by weight where they have one.

        The distances vary, so that samples that alternate (flattened walkers, a sampler that leaps) are all met.
        """
        column, weights = self.posterior.column(name), self.posterior.weights
        n = int(min(self.n_effective(name), most, column.size))
        if weights is None:
            i = np.arange(n)
            return column[((i + i * _GOLDEN % 1.0) * (column.size / n)).astype(np.int64)]
        at = (np.arange(n) + 0.5) / n
        return column[np.minimum(np.searchsorted(np.cumsum(weights), at), column.size - 1)]

    def _keep(self, what: str, name: str, compute: Callable[[], T]) -> T:
        if (what, name) not in self._kept:
            self._kept[what, name] = compute()
        return self._kept[what, name]  # type: ignore[return-value]  # each `what` has one type


def kish(weights: FloatArray) -> float:
    """Return Kish's effective number ``(sum w)^2 / sum w^2``.

    >>> kish(np.array([1.0, 1.0, 0.0, 0.0]))
    2.0
    """
    return float(weights.sum() ** 2 / np.square(weights).sum())


def _sd(column: FloatArray, weights: FloatArray | None) -> float:
    if weights is None:
        return float(column.std(ddof=1)) if column.size > 1 else 0.0
    mean = float(weights @ column)
    return math.sqrt(float(weights @ np.square(column - mean)))
