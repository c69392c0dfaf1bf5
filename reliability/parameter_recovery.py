"""Were the literature's values recovered? PRS (Eq. 8 of [PW]) with the deviation of each parameter.

A parameter that was not reported leaves PRS undefined: it is missing with a reason, never 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from reliability.errors import UndefinedScore
from reliability.metrics import parameter_recovery_score, recovery_score
from reliability.posterior_records import Estimate, Literature


@dataclass(frozen=True, slots=True)
class ParameterRecovery:
    """One parameter beside its published value."""

    parameter: str
    value: float
    sigma: float | None
    """The reported error; ``None`` if there is none."""
    literature: Literature
    score: float
    """r_p of Eq. 8, 0 to 1."""
    deviation: float
    """Signed, in the published sigma."""
    combined_deviation: float | None
    """Signed, in the published and the reported sigma added in quadrature; ``None`` without a reported one."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """PRS and what it is the mean of."""

    prs: float | None
    parameters: tuple[ParameterRecovery, ...]
    missing: tuple[str, ...] = ()
    """Published parameters that were not reported."""
    reason: str = ""
    """Why PRS is missing."""


def parameter_recovery(estimates: Mapping[str, Estimate], literature: Mapping[str, Literature]) -> Recovery:
    """Return PRS of the reported values over all published parameters, and each one's deviation.

    >>> found = parameter_recovery({"f": Estimate(1.05)}, {"f": Literature(1.019, 0.008)})
    >>> found.prs, round(found.parameters[0].deviation, 2)
    (0.0, 3.88)
    """
    rows = []
    for name, known in literature.items():
        if name not in estimates:
            continue
        estimate = estimates[name]
        distance = estimate.value - known.value
        combined = None if estimate.sigma is None else distance / math.hypot(known.sigma, estimate.sigma)
        score = recovery_score(estimate.value, known.value, known.sigma)
        rows.append(
            ParameterRecovery(name, estimate.value, estimate.sigma, known, score, distance / known.sigma, combined)
        )
    missing = tuple(name for name in literature if name not in estimates)
    try:
        values = {name: estimate.value for name, estimate in estimates.items()}
        prs = parameter_recovery_score(values, {n: (known.value, known.sigma) for n, known in literature.items()})
    except UndefinedScore as error:
        return Recovery(None, tuple(rows), missing, str(error))
    return Recovery(prs, tuple(rows), missing)
