"""How often the checks of posteriors raise a false alarm, and how strong a fault must be before they see it.

``python benchmarks/bench_posteriors.py`` prints false alarms per check on 1,000 healthy posteriors, the share of faulty
posteriors that each check flags as the fault grows, and the time for a million samples of ten parameters.
"""

import argparse
import math
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
from scipy import stats

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from chains import ar1, healthy, posterior_of

from reliability.posterior_checks import Examination, check_posterior
from reliability.posterior_records import Prior, flagged


def false_alarms(n):
    """Posteriors with an alarm, by check, and the CPU seconds the checks took."""
    alarms, seconds = Counter(), 0.0
    for seed in range(n):
        posterior, priors = healthy(np.random.default_rng(seed))
        start = time.process_time()
        found = flagged(check_posterior(Examination(posterior, priors)))
        seconds += time.process_time() - start
        alarms.update({finding.check for finding in found})
    return alarms, seconds


def cut(rng, sigmas):
    """A normal posterior that its prior cuts so many sigma below its peak."""
    return stats.truncnorm(-sigmas, 9).rvs((4, 1000, 1), random_state=rng), {"p0": Prior(-sigmas, 9)}


def wide(rng, ratio):
    """A normal posterior of so many times its normal prior's width."""
    return ratio * rng.normal(size=(4, 1000, 1)), {"p0": Prior(kind="normal", mean=0, sigma=1)}


def ridge(rng, rho):
    """Two parameters with this correlation."""
    x, noise = rng.normal(size=(2, 4, 1000))
    return np.stack([x, rho * x + math.sqrt(1 - rho**2) * noise], axis=-1), {}


def banana(rng, width):
    """y = x^2 with scatter of this width."""
    x, noise = rng.normal(size=(2, 4, 1000))
    return np.stack([x, x**2 + width * noise], axis=-1), {}


def apart(rng, distance):
    """Two equal modes so many sigma from each other, which the chains visit at random."""
    return rng.normal(size=(4, 1000, 1)) + distance * rng.integers(0, 2, (4, 1000, 1)), {}


def disagreeing(rng, shift):
    """Four chains of N = 1000 tau, one of them moved by so many sigma."""
    chain = ar1(rng, 5, 4, 5000)
    chain[0] += shift
    return chain, {}


def short(rng, taus):
    """Eight chains of so many autocorrelation times."""
    return ar1(rng, 19, 8, int(19 * taus)), {}


FAULTS = (
    (cut, "prior_boundary", (3.0, 2.5, 2.2, 2.0, 1.5, 1.0)),
    (wide, "prior_dominated", (0.4, 0.48, 0.5, 0.52, 0.55, 0.7)),
    (ridge, "degeneracy", (0.8, 0.88, 0.9, 0.91, 0.93, 0.97)),
    (banana, "degeneracy", (1.0, 0.5, 0.3, 0.2, 0.1, 0.05)),
    (apart, "multimodality", (1.0, 2.0, 2.5, 3.0, 3.5, 4.0)),
    (disagreeing, "convergence", (0.0, 0.1, 0.2, 0.3, 0.5, 1.0)),
    (short, "convergence", (200, 100, 60, 50, 30, 10)),
)


def detection(fault, check, strength, n):
    """Share of `n` posteriors with this fault that the check flags."""
    hits = 0
    for seed in range(n):
        chain, priors = fault(np.random.default_rng(seed), strength)
        findings = check_posterior(Examination(posterior_of(chain), priors))
        hits += any(f.check == check for f in flagged(findings))
    return hits / n


def main():
    """Run it all, or a quick part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--healthy", type=int, default=1000, help="healthy posteriors")
    parser.add_argument("--faulty", type=int, default=50, help="posteriors of each strength of each fault")
    options = parser.parse_args()
    alarms, seconds = false_alarms(options.healthy)
    print(f"false alarms on {options.healthy} healthy posteriors: {dict(alarms) or 'none'}", end="")
    print(f" ({seconds / options.healthy:.3f} s each)")
    for fault, check, strengths in FAULTS:
        shares = [f"{s:g}: {detection(fault, check, s, options.faulty):.2f}" for s in strengths]
        print(f"{check:16} {fault.__name__:12} {'   '.join(shares)}")
    posterior = posterior_of(ar1(np.random.default_rng(0), 19, 4, 250_000, 10))
    start = time.process_time()
    check_posterior(Examination(posterior, {name: Prior(-9, 9) for name in posterior.names}))
    print(f"1,000,000 samples x 10 parameters: {time.process_time() - start:.1f} s of CPU time")


if __name__ == "__main__":
    main()
