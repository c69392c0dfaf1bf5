"""What is known about an inference problem's parameters: the facts that the checks of a posterior compare with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from reliability.degeneracies import declare_disc, declare_h0
from reliability.inference_references import named_problem
from reliability.inference_tasks import InferenceTask, read_columns
from reliability.likelihoods import best_fit
from reliability.literature import load_literature
from reliability.posterior_records import DeclaredDegeneracy, Fit, TaskFacts

if TYPE_CHECKING:
    from reliability.likelihoods import Problem


def task_facts(task: InferenceTask, reported: Mapping[str, float] | None = None) -> TaskFacts:
    """Literature, plausible ranges, proven degeneracies, and the fit of the `reported` values under our likelihood.

    `reported` goes by our names. The fit is ``None`` unless every parameter of the named problem is there.
    """
    literature = load_literature(task.id)
    return TaskFacts(
        literature=literature.references,
        plausible=literature.plausible,
        degeneracies=degeneracies_of(task),
        fit=fit_of(named_problem(task), reported) if reported else None,
    )


def degeneracies_of(task: InferenceTask) -> tuple[DeclaredDegeneracy, ...]:
    """The degeneracies that ``task.toml`` declares, each proven on the task's data."""
    if task.structural is None:
        return ()
    data = read_columns(task.data)
    if task.structural.kind == "exact":
        return (declare_h0(data["z"], data["mu"], data["mu_err"]),)
    return (declare_disc(data),)


def fit_of(problem: Problem, reported: Mapping[str, float]) -> Fit | None:
    """Chi-squared of reported values, beside that of our best fit; ``None`` if one of the parameters is not reported.

    Where the likelihood is no sum of squares because it fits its own scatter (T3), the best fit has chi2/nu = 1 by
    construction, and the reported values are worse by twice the difference in ln L.
    """
    if any(name not in reported for name in problem.names):
        return None
    theta = np.array([reported[name] for name in problem.names])
    best = best_fit(problem)
    n_free = len(problem.names)
    worse = 2 * (best.log_likelihood - float(problem.log_likelihood(theta[None])[0]))
    best_chi2 = best.chi2 if problem.residuals is not None else float(problem.n_data - n_free)
    return Fit(best_chi2 + worse, problem.n_data, n_free, best_chi2)
