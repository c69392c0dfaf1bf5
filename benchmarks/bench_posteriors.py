"""What the checks of posteriors cost: 200 ordinary chains, and a million samples of ten parameters.

    python benchmarks/bench_posteriors.py

Processor seconds, imports left out. Targets: 60 s and 25 s. How often the checks are right is in ``reliability
validate``.
"""

import time

import numpy as np

from reliability.posterior_checks import Examination, check_posterior
from reliability.posterior_records import Prior
from reliability.validation.seeded_posteriors import ar1, healthy, posterior_of


def seconds(examinations):
    """Processor seconds of all checks on some posteriors."""
    start = time.process_time()
    for examination in examinations:
        check_posterior(examination)
    return time.process_time() - start


def main():
    ordinary = [Examination(*healthy(np.random.default_rng(seed))) for seed in range(200)]
    check_posterior(ordinary[0])  # imports
    print(f"200 ordinary chains: {seconds(ordinary):.1f} s")
    large = posterior_of(ar1(np.random.default_rng(0), 19, 4, 250_000, 10))
    priors = {name: Prior(-9, 9) for name in large.names}
    print(f"1,000,000 samples x 10 parameters: {seconds([Examination(large, priors)]):.1f} s")


if __name__ == "__main__":
    main()
