"""The nouns of posterior checking: what a chain holds, what a prior says, and one observation of a check."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from reliability.records import FloatArray

MAX_VALUE = 1e100
"""Size of a number in a posterior; squares of larger ones leave float64. Larger ones count as not finite."""
Structure = Literal["chains", "ensemble", "single", "weighted", "summary"]
"""What the rows of a posterior are.

``chains``: independent runs; ``ensemble``: walkers that move each other; ``single``: one run, or rows of unknown
structure; ``weighted``: points of a nested or importance sampler; ``summary``: no rows, only values with errors.
"""
CheckName = Literal[
    "prior_boundary", "prior_dominated", "degeneracy", "structural", "convergence", "multimodality", "plausibility",
    "fit", "scale", "drift",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Estimate:
    """A parameter's value (median, or as reported) with its distances to the 16 % and 84 % quantiles, if known."""

    value: float
    minus: float | None = None
    plus: float | None = None

    @property
    def sigma(self) -> float | None:
        """Half of the 68 % interval; ``None`` if no error was given."""
        given = [d for d in (self.minus, self.plus) if d is not None]
        return math.fsum(given) / len(given) if given else None


@dataclass(frozen=True, slots=True)
class Prior:
    """A one-dimensional prior: uniform (or uniform in the logarithm) between bounds, or normal, cut at the bounds."""

    low: float = -math.inf
    high: float = math.inf
    kind: Literal["uniform", "log-uniform", "normal"] = "uniform"
    mean: float | None = None
    """Of a normal prior."""
    sigma: float | None = None
    """Of a normal prior."""

    @property
    def is_proper(self) -> bool:
        """Whether it integrates to one, so that a width and an information gain exist."""
        return self.kind == "normal" or (math.isfinite(self.low) and math.isfinite(self.high))


@dataclass(frozen=True, slots=True)
class Posterior:
    """Samples of a posterior, chain after chain, or only the values that were reported."""

    names: tuple[str, ...]
    structure: Structure
    estimates: Mapping[str, Estimate]
    """Value and 68 % interval of each parameter."""
    samples: FloatArray | None = None
    """Shape (parameters, samples): each parameter's chains one after the other; finite. ``None`` for a summary."""
    lengths: tuple[int, ...] = ()
    """Number of steps of each chain or walker; they add up to the number of samples."""
    weights: FloatArray | None = None
    """One a sample, not negative, sum 1; ``None``: all equal."""
    acceptance: tuple[float, ...] = ()
    """Accepted share of the proposals of each walker, where the file says."""
    bounds: Mapping[str, Prior] = field(default_factory=dict)
    """Bounds that came with the file (``.ranges``)."""
    format: str = ""
    """How it was read, e.g. ``emcee HDF5``; ``report`` marks values parsed from words."""
    notes: tuple[str, ...] = ()
    """What was left out, converted or assumed: a sentence each."""

    @property
    def n_samples(self) -> int:
        """Number of samples; 0 for a summary."""
        return 0 if self.samples is None else int(self.samples.shape[1])

    def column(self, name: str) -> FloatArray:
        """The samples of one parameter, chain after chain. Raises :class:`KeyError` for a summary or unknown name."""
        if self.samples is None or name not in self.names:
            raise KeyError(name)
        column: NDArray[np.float64] = self.samples[self.names.index(name)]
        return column


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """What one check says about one parameter (or pair, ``a, b``; ``None``: about the whole posterior)."""

    check: CheckName
    parameter: str | None
    flagged: bool
    value: float | None
    """The statistic; ``None`` if it could not be had, and `message` says why."""
    threshold: float | None
    """What `value` was compared with."""
    message: str
    """One plain sentence."""


def flagged(findings: Iterable[CheckFinding]) -> list[CheckFinding]:
    """The findings that are flagged, in their order."""
    return [finding for finding in findings if finding.flagged]


@dataclass(frozen=True, slots=True)
class Literature:
    """A published value of a parameter."""

    value: float
    sigma: float
    source: str = ""


@dataclass(frozen=True, slots=True)
class PlausibleRange:
    """Between which values a parameter is physical, or has ever been found."""

    low: float
    high: float
    source: str


@dataclass(frozen=True, slots=True)
class DeclaredDegeneracy:
    """A direction of a task along which its data cannot tell, proven by intervention."""

    parameters: tuple[str, ...]
    is_exact: bool
    """Exact: the likelihood does not change. Otherwise an assumption decides (``assumption-dominated``)."""
    evidence: str
    """One sentence: what was shifted, and what happened to the likelihood or the values."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Chi-squared of the reported values under our likelihood of the task's data."""

    chi2: float
    n_data: int
    n_free: int
    best_chi2: float | None = None
    """That of our own best fit."""


@dataclass(frozen=True, slots=True)
class TaskFacts:
    """What is known about the parameters of one task, by our names."""

    literature: Mapping[str, Literature] = field(default_factory=dict)
    plausible: Mapping[str, PlausibleRange] = field(default_factory=dict)
    degeneracies: tuple[DeclaredDegeneracy, ...] = ()
    fit: Fit | None = None
