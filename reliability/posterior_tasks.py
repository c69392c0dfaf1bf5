"""A posterior under the names of an inference problem, and what is known about its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reliability.errors import UnknownTaskError
from reliability.inference_facts import degeneracies_of
from reliability.inference_references import problems_of
from reliability.inference_tasks import InferenceTask, load_inference_tasks
from reliability.likelihoods import best_fit
from reliability.literature import load_literature
from reliability.parameter_recovery import Recovery, parameter_recovery
from reliability.posterior_checks import Examination, check_against_task
from reliability.posterior_records import (
    CheckFinding,
    Estimate,
    Fit,
    Literature,
    PlausibleRange,
    Posterior,
    Prior,
    TaskFacts,
)
from reliability.posteriors import Matched, match_names

if TYPE_CHECKING:
    from reliability.likelihoods import Problem


@dataclass(frozen=True, slots=True)
class TaskVerdict:
    """What a task says about one posterior."""

    findings: tuple[CheckFinding, ...]
    recovery: Recovery
    used: Mapping[str, str]
    """The task's name -> the name in the file."""
    notes: tuple[str, ...]
    """Each conversion, and each name that was not clear."""
    published: Mapping[str, Literature]
    """By the names in the file, of the parameters that needed no conversion."""


def find_inference_task(task_id: str) -> InferenceTask:
    """The inference problem with this id; :class:`UnknownTaskError` names those there are."""
    tasks = load_inference_tasks()
    if task_id not in tasks:
        raise UnknownTaskError(f"no inference problem has the id {task_id!r}; there are {', '.join(tasks)}")
    return tasks[task_id]


def judge_by_task(posterior: Posterior, task: InferenceTask, priors: Mapping[str, Prior]) -> TaskVerdict:
    """Return the findings and the recovery of a posterior by the facts of its task."""
    literature = load_literature(task.id)
    asked = tuple(parameter.name for parameter in task.parameters)
    plausible = _for_each_object(literature.plausible, asked, posterior.names)
    wanted = tuple(dict.fromkeys((*asked, *literature.references, *plausible)))
    aliases = {parameter.name: parameter.aliases for parameter in task.parameters}
    matched = match_names(posterior, wanted, priors=priors, aliases=aliases)
    facts = TaskFacts(
        literature=literature.references,
        plausible=plausible,
        degeneracies=degeneracies_of(task),
        fit=_fit(task, matched.posterior.estimates),
    )
    unclear = {ours: (name, posterior.estimates[name].value) for ours, name in matched.unclear.items()}
    findings = check_against_task(Examination(matched.posterior, matched.priors), facts, unclear=unclear)
    notes = matched.posterior.notes
    if missing := _missing(matched, (*asked, *literature.references)):
        notes = (*notes, f"not found: {', '.join(missing)}")
    recovery = parameter_recovery(matched.posterior.estimates, literature.references)
    published = {
        name: literature.references[ours]
        for ours, name in matched.used.items()
        if ours in literature.references and matched.posterior.estimates.get(ours) == posterior.estimates[name]
    }
    return TaskVerdict(tuple(findings), recovery, matched.used, notes, published)


def _for_each_object(
    plausible: Mapping[str, PlausibleRange], asked: tuple[str, ...], names: tuple[str, ...]
) -> dict[str, PlausibleRange]:
    """The plausible ranges; that of ``sigma_SIS``, asked for as ``sigma_SIS_<name>``, for each parameter so named."""
    ranges = dict(plausible)
    for stem in (name.partition("_<")[0] for name in asked if "_<" in name):
        if stem in ranges:
            common = ranges.pop(stem)
            ranges.update({name: common for name in names if name.startswith(f"{stem}_")})
    return ranges


def _missing(matched: Matched, wanted: tuple[str, ...]) -> list[str]:
    """What was asked for and not found; a placeholder for one parameter an object (``<name>``) is no name."""
    return [name for name in dict.fromkeys(wanted) if name in matched.missing and "<" not in name]


def _fit(task: InferenceTask, estimates: Mapping[str, Estimate]) -> Fit | None:
    """The fit of the reported values by the most favourable of the task's likelihoods that they are enough for.

    ``None`` where a parameter is missing for each.
    """
    problems = [p for p in problems_of(task).values() if set(p.names) <= set(estimates)]
    most = max((len(p.names) for p in problems), default=0)
    fits = [_fit_of(problem, estimates) for problem in problems if len(problem.names) == most]
    return min(fits, key=lambda fit: fit.chi2, default=None)


def _fit_of(problem: Problem, estimates: Mapping[str, Estimate]) -> Fit:
    """Chi-squared at the reported values and at our best fit.

    Where a likelihood fits its own scatter (T3) it is no sum of squares: then the best fit has chi2/nu = 1 by
    construction, and the reported values are worse by twice the difference in ln L.
    """
    theta = np.array([estimates[name].value for name in problem.names])
    best, n_free = best_fit(problem), len(problem.names)
    best_chi2 = best.chi2 if problem.residuals is not None else float(problem.n_data - n_free)
    worse = 2.0 * (best.log_likelihood - float(problem.log_likelihood(theta[None])[0]))
    return Fit(best_chi2 + worse, problem.n_data, n_free, best_chi2)
