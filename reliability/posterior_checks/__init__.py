"""Is a posterior healthy? One function a check, thresholds in one table, each result a finding with its number.

:func:`check_posterior` runs those that one posterior allows; :func:`drift` compares trials. Source of the checks: the
free-text criteria of [PW] 4.2.2, made automatic.
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


def check_posterior(
    examination: Examination, facts: TaskFacts | None = None, *, unclear: Mapping[str, str] | None = None
) -> list[CheckFinding]:
    """Return the findings of all checks that apply, the task-free ones first.

    `facts` are the task's; without them no check needs a task. `unclear` are names whose scale is not clear, see
    :func:`scale`.
    """
    findings = [
        *prior_boundary(examination),
        *prior_dominated(examination),
        *degeneracy(examination),
        *convergence(examination),
        *multimodality(examination),
    ]
    if facts is None:
        return findings
    values = {name: examination.estimate(name).value for name in examination.names}
    findings += structural(examination, facts.degeneracies)
    findings += plausibility(examination, facts.plausible)
    findings += [goodness_of_fit(facts.fit)] if facts.fit else []
    findings += scale(values, facts.literature, unclear=unclear)
    return findings
