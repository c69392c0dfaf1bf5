"""Is a posterior healthy? One function a check, thresholds in one table, each result a finding with its number.

:func:`check_posterior` runs those that need no task, :func:`check_against_task` the others; :func:`drift` compares
trials. Source of the checks: the free-text criteria of [PW] 4.2.2, made automatic.
"""

from __future__ import annotations

from collections.abc import Mapping

from reliability.posterior_checks.convergence import convergence, multimodality
from reliability.posterior_checks.degeneracy import degeneracy
from reliability.posterior_checks.examination import Examination
from reliability.posterior_checks.priors import prior_boundary, prior_dominated
from reliability.posterior_checks.task_checks import drift, goodness_of_fit, plausibility, scale, structural
from reliability.posterior_records import CheckFinding, TaskFacts

__all__ = [
    "Examination",
    "check_against_task",
    "check_posterior",
    "convergence",
    "degeneracy",
    "drift",
    "goodness_of_fit",
    "multimodality",
    "plausibility",
    "prior_boundary",
    "prior_dominated",
    "scale",
    "structural",
]


def check_posterior(examination: Examination) -> list[CheckFinding]:
    """Return the findings of the checks that need no task."""
    return [
        *prior_boundary(examination),
        *prior_dominated(examination),
        *degeneracy(examination),
        *convergence(examination),
        *multimodality(examination),
    ]


def check_against_task(
    examination: Examination, facts: TaskFacts, *, unclear: Mapping[str, tuple[str, float]] | None = None
) -> list[CheckFinding]:
    """Return the findings of the checks that need a task; the posterior is under the task's names.

    `unclear` are reported names whose scale is not clear, and their values, by the task's name; see :func:`scale`.
    """
    values = {name: examination.estimate(name).value for name in examination.names}
    return [
        *structural(examination, facts.degeneracies),
        *plausibility(examination, facts.plausible),
        goodness_of_fit(facts.fit),
        *scale(values, facts.literature, unclear=unclear),
    ]
