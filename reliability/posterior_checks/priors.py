"""Checks against the prior: is the posterior cut by it, and is it anything but the prior?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from reliability.posterior_checks.density import prior_sd
from reliability.posterior_checks.thresholds import (
    BOUNDARY_RATIO,
    INFORMATION_NATS,
    NEAR_BOUND,
    PINNED_RATIO,
    SD_RATIO,
)
from reliability.posterior_records import CheckFinding, Prior

if TYPE_CHECKING:
    from reliability.posterior_checks.examination import Examination


def prior_boundary(examination: Examination) -> list[CheckFinding]:
    """Return, per parameter with a finite bound, whether the posterior is ``truncated`` there or ``pinned`` to it.

    The value is the density at the bound over the peak density; where only a summary is known, that of a normal
    density. Samples outside the stated prior are flagged as such: then it is not the prior that was sampled.
    """
    if not examination.priors:
        text = "no priors are known: what they cut off cannot be said"
        return [CheckFinding("prior_boundary", None, False, None, BOUNDARY_RATIO, text)]
    findings = []
    for name in examination.names:
        prior = examination.priors.get(name)
        if prior is None or not (math.isfinite(prior.low) or math.isfinite(prior.high)):
            why = "no prior is known" if prior is None else "the prior has no finite bound"
            findings.append(CheckFinding("prior_boundary", name, False, None, BOUNDARY_RATIO, f"{name}: {why}"))
        elif examination.has_samples:
            findings.append(_boundary_of_samples(examination, name, prior))
        else:
            findings.append(_boundary_of_summary(examination, name, prior))
    return findings


def _boundary_of_samples(examination: Examination, name: str, prior: Prior) -> CheckFinding:
    column, weights = examination.posterior.column(name), examination.posterior.weights
    is_outside = (column < prior.low) | (column > prior.high)
    if is_outside.any():
        share = float(np.average(is_outside, weights=weights))
        text = f"{name}: {share:.3g} of the samples lie outside the stated prior {_shown(prior)}; it was not sampled"
        return CheckFinding("prior_boundary", name, True, share, 0.0, text)
    density = examination.density(name)
    if density is None:
        return _constant_at_bound(float(column[0]), name, prior)
    ratios = {bound: density.relative(bound) for bound in _bounds(prior)}
    bound = max(ratios, key=ratios.__getitem__)
    ratio = ratios[bound]
    near = float(np.average(np.abs(column - bound) <= _nearness(prior, density.width), weights=weights))
    others = [value for at, value in ratios.items() if at != bound]
    # a flat posterior has its peak anywhere: it is cut at both bounds, and pinned to none
    is_pinned = ratio >= PINNED_RATIO and not (others and others[0] > 0.5)
    return _boundary_finding(
        name, prior, bound, ratio, is_pinned=is_pinned, detail=f", {near:.1%} of the samples are there"
    )


def _boundary_of_summary(examination: Examination, name: str, prior: Prior) -> CheckFinding:
    estimate = examination.estimate(name)
    value = estimate.value
    if not prior.low <= value <= prior.high:
        text = f"{name}: the reported {value:.5g} lies outside the stated prior {_shown(prior)}"
        return CheckFinding("prior_boundary", name, True, None, None, text)
    if estimate.sigma is None or estimate.sigma == 0.0:
        return _constant_at_bound(value, name, prior)

    def ratio_at(bound: float) -> float:
        sigma = (estimate.minus if bound == prior.low else estimate.plus) or estimate.sigma or math.inf
        return math.exp(-0.5 * ((bound - value) / sigma) ** 2)

    bound = max(_bounds(prior), key=ratio_at)
    is_pinned = abs(value - bound) <= _nearness(prior, 0.0)
    return _boundary_finding(
        name, prior, bound, ratio_at(bound), is_pinned=is_pinned, detail=" by a normal density of the summary"
    )


def _constant_at_bound(value: float, name: str, prior: Prior) -> CheckFinding:
    """The finding where there is one value and no spread."""
    at = [bound for bound in _bounds(prior) if abs(value - bound) <= _nearness(prior, 0.0)]
    if at:
        text = f"{name}: pinned to the prior's bound {at[0]:.5g}: the value is {value:.5g}"
        return CheckFinding("prior_boundary", name, True, None, BOUNDARY_RATIO, text)
    text = f"{name}: one value and no spread, not at a bound of {_shown(prior)}"
    return CheckFinding("prior_boundary", name, False, None, BOUNDARY_RATIO, text)


def _boundary_finding(
    name: str, prior: Prior, bound: float, ratio: float, *, is_pinned: bool, detail: str
) -> CheckFinding:
    is_cut = is_pinned or ratio > BOUNDARY_RATIO
    side = "lower" if bound == prior.low else "upper"
    if is_pinned:
        text = f"{name}: pinned to the {side} bound {bound:.5g} of the prior: the density is highest there"
    elif is_cut:
        text = f"{name}: truncated by the {side} bound {bound:.5g} of the prior: density there {ratio:.2f} of the peak"
    else:
        text = f"{name}: falls off before the prior's bounds {_shown(prior)}"
    return CheckFinding("prior_boundary", name, is_cut, ratio, BOUNDARY_RATIO, text + (detail if is_cut else ""))


def prior_dominated(examination: Examination) -> list[CheckFinding]:
    """Return, per parameter with a proper prior, whether the data added little to it.

    The value is the ratio of the standard deviations, or the information gain in nats where that is what flags.
    """
    if not examination.priors:
        text = "no priors are known: what the data add to them cannot be said"
        return [CheckFinding("prior_dominated", None, False, None, SD_RATIO, text)]
    findings = []
    for name in examination.names:
        prior = examination.priors.get(name)
        sd = examination.sd(name)
        is_still = examination.has_samples and examination.is_constant(name)
        if prior is None or not prior.is_proper or sd is None or is_still:
            why = "no error was reported" if sd is None else "no prior of finite width is known"
            why = "it does not vary" if is_still else why
            findings.append(CheckFinding("prior_dominated", name, False, None, SD_RATIO, f"{name}: {why}"))
            continue
        ratio = sd / prior_sd(prior)
        gain = _information_gain(examination, name, prior, ratio)
        shown = f"sd {ratio:.2g} of the prior's" + ("" if gain is None else f", {gain:.2f} nats gained")
        if ratio > SD_RATIO or gain is None or gain >= INFORMATION_NATS:
            is_flagged = ratio > SD_RATIO
            text = f"{name}: {'little but the prior' if is_flagged else 'the data decide'} ({shown})"
            findings.append(CheckFinding("prior_dominated", name, is_flagged, ratio, SD_RATIO, text))
        else:
            text = f"{name}: little but the prior ({shown})"
            findings.append(CheckFinding("prior_dominated", name, True, gain, INFORMATION_NATS, text))
    return findings


def _information_gain(examination: Examination, name: str, prior: Prior, ratio: float) -> float | None:
    """The marginal's information gain; of a normal posterior where only a summary is known, ``None`` if it has none."""
    if examination.has_samples:
        density = examination.density(name)
        return None if density is None else density.information_gain(prior)
    if ratio <= 0.0:
        return None
    value, sigma = examination.estimate(name).value, ratio * prior_sd(prior)
    entropy = 0.5 * math.log(2.0 * math.pi * math.e) + math.log(sigma)
    if prior.kind == "normal" and prior.mean is not None and prior.sigma is not None:
        scaled = (sigma**2 + (value - prior.mean) ** 2) / prior.sigma**2
        return 0.5 * (math.log(2.0 * math.pi) + scaled) + math.log(prior.sigma) - entropy
    if prior.kind == "log-uniform":
        return math.log(value * math.log(prior.high / prior.low)) - entropy if value > 0.0 else None
    return math.log(prior.high - prior.low) - entropy


def _bounds(prior: Prior) -> Iterator[float]:
    return (bound for bound in (prior.low, prior.high) if math.isfinite(bound))


def _nearness(prior: Prior, otherwise: float) -> float:
    """The distance from a bound that counts as being at it: 1 % of the prior's width, where it has one."""
    width = prior.high - prior.low
    return NEAR_BOUND * width if math.isfinite(width) else otherwise


def _shown(prior: Prior) -> str:
    return f"[{prior.low:.5g}, {prior.high:.5g}]"
