"""Has the sampler converged, and is there one mode?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from reliability.posterior_checks.chain_statistics import MIN_STEPS, ChainStatistics
from reliability.posterior_checks.examination import kish
from reliability.posterior_checks.thresholds import (
    DIP_P,
    MIN_ESS,
    MIN_TAUS,
    MIN_TAUS_FOR_R_HAT,
    R_HAT,
    R_HAT_ERROR,
    STUCK_SHARE,
)
from reliability.posterior_records import CheckFinding

if TYPE_CHECKING:
    from reliability.posterior_checks.examination import Examination
    from reliability.records import FloatArray

MAX_DIP = 20_000
"""Samples the dip test is given at the most; its table of p-values ends at 72,000."""
MIN_DIP = 10
_Part = tuple[str, float, float]
"""Words, the statistic, and what it is compared with."""


def convergence(examination: Examination) -> list[CheckFinding]:
    """Return, per parameter, whether the chain has converged, by R-hat, ESS or tau; and whether walkers are stuck.

    The value is the statistic that decides, the first that flags: R-hat between independent chains, ESS, or the
    length in autocorrelation times (tau). Weighted samples have only an effective size.
    """
    posterior = examination.posterior
    if posterior.weights is not None:
        return [_weighted(posterior.weights)]
    if not examination.has_samples:
        return [_finding(None, False, None, None, "only a summary is known: R-hat, ESS and tau cannot be had")]
    findings = [_of_parameter(examination, name) for name in examination.names]
    return [*findings, *_walkers(examination)]


def _finding(
    name: str | None, is_flagged: bool, value: float | None, threshold: float | None, text: str
) -> CheckFinding:
    message = text if name is None else f"{name}: {text}"
    return CheckFinding("convergence", name, is_flagged, value, threshold, message)


def _weighted(weights: FloatArray) -> CheckFinding:
    size = kish(weights)
    text = f"ESS {size:.0f} of {weights.size} weighted samples; R-hat and tau do not apply to them"
    return _finding(None, size < MIN_ESS, size, float(MIN_ESS), text)


def _of_parameter(examination: Examination, name: str) -> CheckFinding:
    if examination.is_constant(name):
        value = float(examination.posterior.column(name)[0])
        return _finding(name, True, None, None, f"every sample is {value:.6g}: R-hat, ESS and tau have no value")
    s = examination.statistics(name)
    if s is None or math.isnan(s.tau):
        n_steps = min(examination.posterior.lengths)
        text = f"{n_steps} steps a chain are too few for R-hat, ESS and tau (they need {MIN_STEPS})"
        return _finding(name, True, float(n_steps), float(MIN_STEPS), text)
    bad: list[_Part] = []
    good: list[_Part] = []
    is_independent = examination.posterior.structure != "ensemble"
    for part, is_bad in _parts(s, is_independent=is_independent):
        (bad if is_bad else good).append(part)
    too_short = is_independent and s.n_taus < MIN_TAUS_FOR_R_HAT and s.r_hat > R_HAT
    text = "; ".join(words for words, _, _ in bad) or ", ".join(words for words, _, _ in good)
    if too_short:
        text += f"; too short to say whether the chains agree (R-hat {s.r_hat:.3f}, N = {s.n_taus:.0f} tau)"
    elif not bad:
        text = f"converged ({text})"
    _, value, threshold = (bad or good)[0]
    return _finding(name, bool(bad), value, threshold, text)


def _parts(s: ChainStatistics, *, is_independent: bool) -> list[tuple[_Part, bool]]:
    """The statistics that apply, each with its words, value, threshold, and whether it flags."""
    parts: list[tuple[_Part, bool]] = []
    if is_independent and s.n_taus >= MIN_TAUS_FOR_R_HAT:
        limit = max(R_HAT, _chance_r_hat(s))
        parts.append(((f"R-hat {s.r_hat:.3f}", s.r_hat, limit), s.r_hat > limit))
    ess = min(s.ess_bulk, s.ess_tail)
    where = "bulk" if s.ess_bulk <= s.ess_tail else "tail"
    parts.append(((f"{where} ESS {ess:.0f}", ess, float(MIN_ESS)), ess < MIN_ESS))
    words = f"N = {s.n_taus:.0f} tau (tau {s.tau:.1f} steps)"
    parts.append(((words, s.n_taus, float(MIN_TAUS)), s.n_taus < MIN_TAUS))
    return parts


def _chance_r_hat(s: ChainStatistics) -> float:
    """The R-hat that converged chains of this length exceed by chance once in 10,000 parameters.

    The means of 2 M half chains of N/2 steps scatter with variance 2 tau/N, so R-hat^2 - 1 is that times a chi-squared
    per degree of freedom. At N = 200 tau this alone passes 1.01 once in 20 parameters of four chains.
    """
    freedom = 2 * s.n_chains - 1
    return math.sqrt(1.0 + 2.0 / s.n_taus * float(stats.chi2.isf(R_HAT_ERROR, freedom)) / freedom)


def _walkers(examination: Examination) -> list[CheckFinding]:
    """Stuck walkers or chains, and the acceptance of an ensemble."""
    moving = [name for name in examination.names if not examination.is_constant(name)]
    chains = examination.chains(moving[0]) if moving else None
    if chains is None or min(chains.shape) < 2 or chains.shape[1] < MIN_STEPS:
        return []
    moves = np.count_nonzero(np.diff(chains, axis=1), axis=1) / (chains.shape[1] - 1)
    stuck = np.flatnonzero(moves < STUCK_SHARE * np.median(moves))
    if stuck.size:
        which = ", ".join(str(i) for i in stuck[:5]) + (", ..." if stuck.size > 5 else "")
        text = f"{stuck.size} of {moves.size} walkers or chains are stuck (number {which}): ESS and tau mislead"
        return [_finding(None, True, float(stuck.size), 0.0, text)]
    given = examination.posterior.acceptance
    if not given:
        return []
    mean = float(np.mean(given))
    return [_finding(None, False, mean, None, f"acceptance fraction {mean:.2f}, lowest of a walker {min(given):.2f}")]


def multimodality(examination: Examination) -> list[CheckFinding]:
    """Return, per parameter, whether Hartigan's dip test finds more than one mode; the value is its p-value.

    The test is given as many samples as are independent; the modes named are those of the smoothed density.
    """
    from diptest import diptest

    if not examination.has_samples:
        text = "only a summary is known: modes cannot be counted"
        return [CheckFinding("multimodality", None, False, None, DIP_P, text)]
    findings = []
    for name in examination.names:
        thinned = examination.thinned(name, MAX_DIP)
        if thinned.size < MIN_DIP or examination.is_constant(name):
            why = (
                "does not vary" if examination.is_constant(name) else f"{thinned.size} independent samples are too few"
            )
            text = f"{name}: {why}; modes cannot be counted"
            findings.append(CheckFinding("multimodality", name, False, None, DIP_P, text))
            continue
        p = float(diptest(spread_ties(thinned))[1])
        density = examination.density(name)
        modes = density.modes() if density else ()
        at = f"modes near {', '.join(f'{m:.4g}' for m in modes[:6])}" if len(modes) > 1 else "its modes overlap"
        text = f"{name}: more than one mode (dip test p = {p:.2g}); {at}" if p < DIP_P else f"{name}: one mode"
        findings.append(CheckFinding("multimodality", name, p < DIP_P, p, DIP_P, text))
    return findings


def spread_ties(values: FloatArray) -> FloatArray:
    """Return sorted values in which equal ones are spread evenly, half way to their nearer neighbour on either side.

    Numbers saved with few digits stand on a grid, and the dip test takes each of its points for a mode.
    """
    distinct, counts = np.unique(values, return_counts=True)
    if distinct.size == values.size or distinct.size < 2:
        return np.sort(values)
    gaps = np.diff(distinct)
    nearer = np.minimum(np.append(gaps, np.inf), np.insert(gaps, 0, np.inf))
    place = np.arange(values.size) - np.repeat(np.cumsum(counts) - counts, counts)
    share = (place + 0.5) / np.repeat(counts, counts) - 0.5
    spread: FloatArray = np.repeat(distinct, counts) + share * np.repeat(nearer, counts)
    return spread
