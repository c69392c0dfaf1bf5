"""The posterior checks on trial: a weak fault is passed, a strong one flagged, a healthy posterior left alone."""

import pytest

from reliability.posterior_rate_figures import figure_posterior_detection
from reliability.validation.posterior_rates import CHECKS, posterior_rates
from reliability.validation.seeded_posteriors import POSTERIOR_FAULTS


@pytest.fixture(scope="module")
def rates():
    return posterior_rates(seed=5, n_healthy=6, n_faulty=1, workers=2)


@pytest.mark.slow
def test_faults_are_flagged_from_some_strength_on(rates):
    alarms, detections = rates
    assert [row["check"] for row in alarms] == list(CHECKS)
    assert all((row["n_healthy"], row["n_alarms"]) == (6, 0) for row in alarms)
    by_fault = {name: [r["rate"] for r in detections if r["fault"] == name] for name in POSTERIOR_FAULTS}
    for name, shares in by_fault.items():
        assert (shares[0], shares[-1]) == (0.0, 1.0), name
    assert all(r["rate_low"] <= r["rate"] <= r["rate_high"] for r in detections)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_rows_whatever_the_workers(rates):
    assert posterior_rates(seed=5, n_healthy=6, n_faulty=1, workers=1) == rates


@pytest.mark.slow
def test_every_fault_has_a_panel(rates):
    alarms, detections = rates
    titles = [axes.get_title(loc="left") for axes in figure_posterior_detection(detections, alarms).axes]
    assert [title.partition(":")[0] for title in titles if title] == list(POSTERIOR_FAULTS)
