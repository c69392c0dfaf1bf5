"""The posterior checks on trial: false alarms on healthy posteriors, and how strong a fault must be to be seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from reliability.posterior_checks import Examination, check_posterior
from reliability.posterior_records import flagged
from reliability.statistics import wilson_interval
from reliability.validation.seeded_posteriors import POSTERIOR_FAULTS, healthy, posterior_of

Row = dict[str, object]
Progress = Callable[[int, int], object]
HEALTHY = "healthy"
CHECKS = ("prior_boundary", "prior_dominated", "degeneracy", "convergence", "multimodality")
"""Those that need no task."""
ALARM_COLUMNS = ("check", "n_healthy", "n_alarms", "rate", "rate_low", "rate_high")
DETECTION_COLUMNS = (
    "fault",
    "sentence",
    "check",
    "strength_is",
    "strength",
    "n",
    "n_flagged",
    "rate",
    "rate_low",
    "rate_high",
)

Job = tuple[str, float, int]
"""Name of the fault or ``healthy``, strength, seed."""


def posterior_rates(
    *,
    seed: int = 0,
    n_healthy: int = 1000,
    n_faulty: int = 50,
    workers: int = 1,
    on_done: Progress = lambda _done, _n: None,
) -> tuple[list[Row], list[Row]]:
    """Return rows with :data:`ALARM_COLUMNS`, a check each, and with :data:`DETECTION_COLUMNS`, a strength each.

    `n_healthy` posteriors as :func:`~reliability.validation.seeded_posteriors.healthy` defines them; `n_faulty` of each
    strength of each fault. Rates have Wilson's 95 % interval. The same seed gives the same rows.
    """
    jobs = list(_jobs(seed, n_healthy, n_faulty))
    counts: Counter[tuple[str, float, str]] = Counter()
    with ProcessPoolExecutor(max(1, workers), get_context("spawn")) as pool:
        for i, (job, checks) in enumerate(zip(jobs, pool.map(_flags, jobs, chunksize=8), strict=True), 1):
            counts.update((*job[:2], check) for check in checks)
            on_done(i, len(jobs))
    alarms: list[Row] = [
        dict(
            zip(ALARM_COLUMNS, (check, n_healthy, n := counts[HEALTHY, 0.0, check], *_rate(n, n_healthy)), strict=True)
        )
        for check in CHECKS
    ]
    detections: list[Row] = []
    for name, fault in POSTERIOR_FAULTS.items():
        for strength in fault.strengths:
            n = counts[name, strength, fault.check]
            values = (name, fault.sentence, fault.check, fault.strength, strength, n_faulty, n, *_rate(n, n_faulty))
            detections.append(dict(zip(DETECTION_COLUMNS, values, strict=True)))
    return alarms, detections


def _jobs(seed: int, n_healthy: int, n_faulty: int) -> Iterator[Job]:
    yield from ((HEALTHY, 0.0, seed + i) for i in range(n_healthy))
    for name, fault in POSTERIOR_FAULTS.items():
        yield from ((name, strength, seed + i) for strength in fault.strengths for i in range(n_faulty))


def _flags(job: Job) -> set[str]:
    """Return the checks that flag a posterior."""
    name, strength, seed = job
    rng = np.random.default_rng(seed)
    if name == HEALTHY:
        posterior, priors = healthy(rng)
    else:
        chain, priors = POSTERIOR_FAULTS[name].make(rng, strength)
        posterior = posterior_of(chain)
    return {finding.check for finding in flagged(check_posterior(Examination(posterior, priors)))}


def _rate(n: int, total: int) -> tuple[float | None, float | None, float | None]:
    return (n / total, *wilson_interval(n, total)) if total else (None, None, None)
