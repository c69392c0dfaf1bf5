"""Checks that need to know the task: structure, plausibility, goodness of fit, scale; and drift between trials."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from reliability.posterior_checks.density import prior_sd
from reliability.posterior_checks.examination import Examination
from reliability.posterior_checks.scales import explain_scale
from reliability.posterior_checks.thresholds import (
    CHI2_NU,
    CHI2_PER_PARAMETER,
    DRIFT,
    SCALE_SIGMAS,
    SD_RATIO,
)
from reliability.posterior_records import CheckFinding, DeclaredDegeneracy, Fit, Literature, PlausibleRange

if TYPE_CHECKING:
    from reliability.posterior_records import Estimate


def structural(examination: Examination, declared: Sequence[DeclaredDegeneracy]) -> list[CheckFinding]:
    """Return, per parameter of a declared degeneracy, whether a constraint is reported that the data cannot give.

    The value is the ratio of the reported error to the prior's standard deviation (or the error, where no prior is
    known). A parameter as wide as its prior is not flagged: nothing is claimed of it. Where the degeneracy is not
    exact, the finding says ``assumption-dominated`` and does not flag.
    """
    findings = []
    for degeneracy in declared:
        for name in degeneracy.parameters:
            sd = examination.sd(name) if name in examination.names else None
            if sd is None:
                continue
            prior = examination.priors.get(name)
            width = prior_sd(prior) if prior is not None else math.inf
            value, threshold = (sd / width, SD_RATIO) if math.isfinite(width) else (sd, None)
            is_claimed = threshold is None or value <= threshold
            if not degeneracy.is_exact:
                text = f"{name} is assumption-dominated: {degeneracy.evidence}"
            elif is_claimed:
                text = f"{name} is given as {_shown(examination.estimate(name), sd)}, but cannot be measured"
                text += f" (structural degeneracy): {degeneracy.evidence}"
            else:
                text = f"{name} cannot be measured, and its posterior is as wide as the prior: nothing is claimed"
            flagged = degeneracy.is_exact and is_claimed
            findings.append(CheckFinding("structural", name, flagged, value, threshold, text))
    return findings


def _shown(estimate: Estimate, sd: float) -> str:
    return f"{estimate.value:.5g} +- {sd:.2g}"


def plausibility(examination: Examination, ranges: Mapping[str, PlausibleRange]) -> list[CheckFinding]:
    """Return, per parameter with a known range, whether its value lies outside; the threshold is the bound crossed."""
    findings = []
    for name, plausible in ranges.items():
        if name not in examination.names:
            continue
        value = examination.estimate(name).value
        shown = f"[{plausible.low:.5g}, {plausible.high:.5g}] ({plausible.source})"
        is_outside = not plausible.low <= value <= plausible.high
        bound = plausible.low if value < plausible.low else plausible.high if value > plausible.high else None
        text = f"{name} = {value:.5g} is {'outside' if is_outside else 'within'} the plausible range {shown}"
        findings.append(CheckFinding("plausibility", name, is_outside, value, bound, text))
    return findings


def goodness_of_fit(fit: Fit | None) -> CheckFinding:
    """Return whether the reported values fit: chi2/nu, and how far chi2 is above that of our best fit.

    ``None``: what was reported is not enough for the likelihood. Without degrees of freedom (one datum a parameter) the
    check does not apply.
    """
    if fit is None:
        text = "not checked: the likelihood of the task needs parameters that are not reported"
        return CheckFinding("fit", None, False, None, CHI2_NU, text)
    freedom = fit.n_data - fit.n_free
    if freedom <= 0:
        text = f"{fit.n_data} data and {fit.n_free} parameters leave no degree of freedom: a fit says nothing"
        return CheckFinding("fit", None, False, None, CHI2_NU, text)
    reduced = fit.chi2 / freedom
    excess = None if fit.best_chi2 is None else fit.chi2 - fit.best_chi2
    limit = CHI2_PER_PARAMETER * fit.n_free
    shown = f"chi2/nu = {fit.chi2:.4g}/{freedom} = {reduced:.3g}"
    if excess is not None:
        shown += f", {excess:.3g} above our best fit"
    if reduced > CHI2_NU:
        return CheckFinding("fit", None, True, reduced, CHI2_NU, f"the reported values fit poorly: {shown}")
    if excess is not None and excess > limit:
        return CheckFinding("fit", None, True, excess, limit, f"a much better fit exists: {shown}")
    return CheckFinding("fit", None, False, reduced, CHI2_NU, f"the reported values fit: {shown}")


def scale(
    values: Mapping[str, float],
    literature: Mapping[str, Literature],
    *,
    unclear: Mapping[str, tuple[str, float]] | None = None,
) -> list[CheckFinding]:
    """Return, per parameter far from its published value, the change of scale that would explain it.

    Parameters
    ----------
    values
        Reported values by our names.
    literature
        Published values; a value within 3 sigma needs no explanation.
    unclear
        By our name, the reported name whose scale is not clear (``log M_b``) and its value, which is not compared as it
        stands.
    """
    findings = []
    for name, known in literature.items():
        if name in values:
            reported, value = name, values[name]
        elif unclear and name in unclear:
            reported, value = unclear[name]
        else:
            continue
        is_clear = name in values
        distance = abs(value - known.value) / known.sigma
        shown = f"{reported} = {value:.5g}"
        if is_clear and distance <= SCALE_SIGMAS:
            text = f"{shown} needs no change of scale ({distance:.2g} sigma from {known.value:.5g})"
            findings.append(CheckFinding("scale", name, False, distance, SCALE_SIGMAS, text))
            continue
        found = explain_scale(value, known, is_logarithm=not is_clear)
        if not found:
            text = f"{shown} is {distance:.3g} sigma from {known.value:.5g}, and no change of scale explains it"
            findings.append(CheckFinding("scale", name, False, distance, SCALE_SIGMAS, text))
            continue
        best = found[0]
        text = f"{shown} is {best.words}: {best.value:.5g}, {best.distance:.2g} sigma from {known.value:.5g}"
        if len(found) > 1:
            text += f" (or {', '.join(other.words for other in found[1:])})"
        findings.append(CheckFinding("scale", name, True, best.distance, SCALE_SIGMAS, text))
    return findings


def drift(trials: Sequence[Examination]) -> list[CheckFinding]:
    """Return, per parameter that two trials or more report with an error, whether repeated trials agree.

    The value is R-hat across trials, ``sqrt(1 + variance of the means / mean of the variances)`` (the limit of Eq. 11.4
    of Gelman et al. 2013 for long chains).
    """
    names = dict.fromkeys(name for trial in trials for name in trial.names)
    findings = []
    for name in names:
        pairs = [(trial.estimate(name).value, trial.sd(name)) for trial in trials if name in trial.names]
        known = [(value, sd) for value, sd in pairs if sd is not None and sd > 0.0]
        if len(known) < 2:
            text = f"{name}: {len(known)} of {len(trials)} trials report it with an error; drift needs two"
            findings.append(CheckFinding("drift", name, False, None, DRIFT, text))
            continue
        values, sds = np.array(known).T
        r_hat = math.sqrt(1.0 + float(values.var(ddof=1)) / float(np.square(sds).mean()))
        text = f"{name}: {len(known)} trials span {values.min():.5g} to {values.max():.5g} with errors of"
        text += f" {sds.min():.2g} to {sds.max():.2g}; R-hat across trials {r_hat:.3g}"
        findings.append(CheckFinding("drift", name, r_hat > DRIFT, r_hat, DRIFT, text))
    return findings
