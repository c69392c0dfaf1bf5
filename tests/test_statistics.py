"""Averages, intervals and pass^k against closed forms, enumeration and simulation."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reliability import statistics as stats
from reliability.errors import UndefinedScore


def rng(seed=0):
    return np.random.default_rng(seed)


def column(*values):
    return np.array(values, dtype=float)[:, None]


# ------------------------------------------------------------------------------------------------------- pass^k


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_pass_hat_k_is_the_share_of_k_subsets_without_a_failure(nck):
    n, c, k = nck
    subsets = list(itertools.combinations([True] * c + [False] * (n - c), k))
    assert stats.pass_hat_k(n, c, k) == float(Fraction(sum(map(all, subsets)), len(subsets)))


def test_pass_hat_k_stays_exact_for_large_n():
    n, c, k = 100_000, 90_000, 100
    expected = Fraction(1)
    for i in range(k):
        expected *= Fraction(c - i, n - i)
    assert stats.pass_hat_k(n, c, k) == float(expected)
    assert stats.pass_hat_k(n, n, n) == 1.0
    assert stats.pass_hat_k(n, c, n) == 0.0


@pytest.mark.parametrize(("n", "c", "k"), [(3, 1, 4), (3, 4, 1), (3, -1, 1), (3, 1, 0), (0, 0, 0)])
def test_pass_hat_k_without_a_value_says_why(n, c, k):
    with pytest.raises(UndefinedScore, match=f"n = {n}, c = {c}, k = {k}"):
        stats.pass_hat_k(n, c, k)


# ------------------------------------------------------------------------------------------------------- Wilson


def test_wilson_equals_scipy():
    from scipy.stats import binomtest

    for n, c in [(1, 0), (1, 1), (10, 0), (10, 3), (10, 10), (14, 14), (1000, 17)]:
        expected = binomtest(c, n).proportion_ci(0.95, method="wilson")
        assert stats.wilson_interval(c, n) == pytest.approx((expected.low, expected.high), abs=1e-12)
    with pytest.raises(UndefinedScore):
        stats.wilson_interval(0, 0)


# ------------------------------------------------------------------------------------------------------- bootstrap


def test_bootstrap_spread_equals_the_closed_form_of_a_balanced_design():
    tasks = [rng(t).beta(2 + t, 3, size=(6, 1)) for t in range(7)]
    task_means = np.array([t.mean() for t in tasks])
    expected = math.sqrt((task_means.var() + np.mean([t.var() for t in tasks]) / 6) / 7)
    draws = 40_000
    pools = [stats.resampled_means(t, rng(5), draws)[:, 0] for t in tasks]
    means = stats._task_draws([pools], rng(1), draws)[0]
    # The sd of a sample sd is sd/sqrt(2 N); the pools of 40,000 add as much again. Four such errors.
    assert means.std() == pytest.approx(expected, rel=4 * math.sqrt(2) / math.sqrt(2 * draws))
    assert means.mean() == pytest.approx(task_means.mean(), abs=4 * math.sqrt(2) * expected / math.sqrt(draws))


def test_resampled_means_of_one_task_have_the_closed_form_spread_for_every_metric():
    values = rng(2).random((9, 3))
    means = stats.resampled_means(values, rng(3), 40_000)
    np.testing.assert_allclose(means.std(axis=0), values.std(axis=0) / 3, rtol=4 / math.sqrt(80_000))
    expected = np.corrcoef(values.T)  # metrics share the drawn trials, so their correlation survives
    np.testing.assert_allclose(np.corrcoef(means.T), expected, atol=4 / math.sqrt(40_000))


def test_missing_values_are_left_out_and_counted():
    (estimate,) = stats.nested_means([column(1.0, 0.5, np.nan), column(np.nan, np.nan), column(0.0, 0.2)], rng())
    assert estimate.value == pytest.approx((0.75 + 0.1) / 2)
    assert estimate.mean_over_trials == pytest.approx(1.7 / 4)
    assert (estimate.n, estimate.n_missing, estimate.n_tasks, estimate.method) == (4, 3, 2, "bootstrap")
    assert 0.0 <= estimate.low < estimate.value < estimate.high <= 1.0


def test_missing_values_do_not_pull_the_resampled_means():
    values = np.concatenate([np.full(50, np.nan), rng(1).random(50)])[:, None]
    means = stats.resampled_means(values, rng(2), 20_000)
    spread = np.nanstd(values) / math.sqrt(50)
    # A ratio estimator: its bias is of order spread/50, below the four Monte-Carlo errors allowed here.
    assert means.mean() == pytest.approx(np.nanmean(values), abs=4 * spread / math.sqrt(20_000))


@pytest.mark.parametrize(
    ("tasks", "expected"),
    [
        ([], ()),
        ([column(np.nan, np.nan)], (None, None, None, 0, 2, 0, None, "none")),
        ([np.empty((0, 1))], (None, None, None, 0, 0, 0, None, "none")),
        ([column(0.4)], (0.4, None, None, 1, 0, 1, 0.4, "none")),
        ([column(0.4, 0.4)], (0.4, 0.4, 0.4, 2, 0, 1, 0.4, "bootstrap")),
        ([column(0.4, np.nan), column(np.nan)], (0.4, None, None, 1, 2, 1, 0.4, "none")),
    ],
)
def test_degenerate_input_has_a_defined_answer(tasks, expected):
    result = stats.nested_means(tasks, rng())
    if not tasks:
        assert result == ()
        return
    e = result[0]
    assert (e.value, e.low, e.high, e.n, e.n_missing, e.n_tasks, e.mean_over_trials, e.method) == expected


def test_all_right_or_all_wrong_is_not_certainty():
    always = [np.ones((10, 1)) for _ in range(14)]
    (estimate,) = stats.nested_means(always, rng())
    assert (estimate.low, estimate.high) == stats.wilson_interval(14, 14)  # tasks are the independent units
    (one_task,) = stats.nested_means(always[:1], rng())
    assert (one_task.low, one_task.high) == stats.wilson_interval(10, 10)
    (share,) = stats.nested_means([column(1, 1, 0, 1)], rng())
    assert (share.low, share.high) == stats.wilson_interval(3, 4)
    (mixed,) = stats.nested_means([np.ones((10, 1)), np.zeros((10, 1))], rng())
    assert (mixed.method, mixed.low, mixed.high) == ("bootstrap", 0.0, 1.0)


def test_one_trial_per_task_resamples_tasks_only():
    (estimate,) = stats.nested_means([column(v) for v in (0.1, 0.4, 0.6, 0.9)], rng())
    assert estimate.value == pytest.approx(0.5)
    assert 0.1 < estimate.low < 0.5 < estimate.high < 0.9


def test_same_rng_same_numbers_and_another_rng_other_numbers():
    tasks = [rng(t).random((5, 2)) for t in range(4)]
    assert stats.nested_means(tasks, rng(3)) == stats.nested_means(tasks, rng(3))
    assert stats.nested_means(tasks, rng(3))[0].low != stats.nested_means(tasks, rng(4))[0].low


def test_order_of_tasks_and_trials_changes_limits_by_monte_carlo_error_only():
    tasks = [rng(t).random((8, 1)) for t in range(10)]
    shuffled = [rng(9).permutation(t) for t in reversed(tasks)]
    (a,), (b,) = stats.nested_means(tasks, rng(1)), stats.nested_means(shuffled, rng(1))
    assert a.value == pytest.approx(b.value, abs=1e-15)
    half = (a.high - a.low) / 2
    # Error of a 2.5 % quantile of N normal draws: 2.67 sd/sqrt(N); two of them, four errors, half = 1.96 sd.
    allowed = 4 * math.sqrt(2) * 2.67 * (half / 1.96) / math.sqrt(stats.N_RESAMPLES)
    assert a.low == pytest.approx(b.low, abs=allowed)
    assert a.high == pytest.approx(b.high, abs=allowed)


def test_chunks_do_not_change_the_result(monkeypatch):
    values = rng(1).random((50, 2))
    whole = stats.resampled_means(values, rng(2), 500)
    pools = [[whole[:, 0], whole[:, 1]]]
    drawn = stats._task_draws(pools, rng(3), 500)[0]
    monkeypatch.setattr(stats, "_CHUNK", 130)
    np.testing.assert_array_equal(stats.resampled_means(values, rng(2), 500), whole)
    # Chunks interleave the draws of tasks and of pool columns, so here only the distribution stays.
    chunked = stats._task_draws(pools, rng(3), 500)[0]
    assert chunked.mean() == pytest.approx(drawn.mean(), abs=4 * math.sqrt(2) * drawn.std() / math.sqrt(500))


def coverage(draw_task, n_simulations=500):
    """Share of simulated experiments (14 tasks x 10 trials) whose interval holds the true mean."""
    generator, hits = rng(20), 0
    for _ in range(n_simulations):
        truth, tasks = draw_task(generator)
        (e,) = stats.nested_means(tasks, generator)
        hits += e.low <= truth <= e.high
    return hits / n_simulations


def beta_binomial(a, b):
    def draw(generator):
        p = generator.beta(a, b, size=14)
        return a / (a + b), [(generator.random(10) < q).astype(float)[:, None] for q in p]

    return draw


@pytest.mark.parametrize("shape", [(2.0, 2.0), (0.3, 0.7), (20.0, 20.0), (30.0, 1.0)])
def test_intervals_of_shares_cover_the_truth(shape, monkeypatch):
    monkeypatch.setattr(stats, "N_RESAMPLES", 400)
    share = coverage(beta_binomial(*shape))
    # 500 experiments at 95 %: one standard error is 0.010. At least 0.92: percentile limits of 14 units are a little
    # narrow. There is no upper bound: counting the spread of trials twice errs on the wide side.
    assert share >= 0.92 - 2 * 0.010


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.lists(st.none() | st.floats(0, 1), min_size=1, max_size=4), min_size=1, max_size=4), st.integers(0, 99)
)
def test_estimates_are_ordered_and_counted_on_any_input(tasks, seed):
    arrays = [column(*[np.nan if v is None else v for v in t]) for t in tasks]
    (e,) = stats.nested_means(arrays, rng(seed))
    assert e.n + e.n_missing == sum(map(len, tasks))
    assert (e.value is None) == (e.n == 0)
    if e.low is not None:
        assert -1e-12 <= e.low <= e.high <= 1 + 1e-12


# ------------------------------------------------------------------------------------------------------- pairs


def test_pairing_removes_the_spread_of_the_tasks():
    difficulty = np.linspace(0.1, 0.8, 8)
    first = [np.full((5, 1), d + 0.1) for d in difficulty]
    second = [np.full((5, 1), d) for d in difficulty]
    (e,) = stats.paired_differences(first, second, rng())
    assert (e.value, e.low, e.high) == pytest.approx((0.1, 0.1, 0.1), abs=1e-12)
    (alone,) = stats.nested_means(first, rng())
    assert alone.high - alone.low > 0.2


def test_trials_of_a_pair_are_drawn_independently():
    values = [rng(t).random((6, 1)) for t in range(5)]
    (e,) = stats.paired_differences(values, values, rng())
    # Task means cancel; what is left is twice the spread of trials: sd^2 = 2 mean(s^2)/n/T.
    sd = math.sqrt(2 * np.mean([v.var() for v in values]) / 6 / 5)
    assert e.value == 0.0
    assert (e.high - e.low) / (2 * 1.96) == pytest.approx(sd, rel=0.1)  # quantile error of 2000 draws: 4 % each


def test_pairs_use_common_tasks_and_count_the_rest():
    first = [column(1.0, 0.5), column(0.2), column(np.nan)]
    second = [column(0.5, 0.5), column(np.nan), column(0.9, 0.8, 0.7)]
    (e,) = stats.paired_differences(first, second, rng())
    assert (e.value, e.n, e.n_missing, e.n_tasks) == (0.25, 4, 6, 1)
    assert stats.paired_differences([column(np.nan)], [column(1.0)], rng())[0].value is None
    assert stats.paired_differences([], [], rng()) == ()


def test_a_perfect_against_a_hopeless_system_keeps_an_uncertainty():
    (e,) = stats.paired_differences([np.ones((2, 1))] * 14, [np.zeros((2, 1))] * 14, rng())
    low, _ = stats.wilson_interval(14, 14)
    assert (e.value, e.high, e.method) == (1.0, 1.0, "wilson")
    assert e.low == pytest.approx(1 - math.sqrt(2) * (1 - low))


def test_many_tasks_and_many_trials_stay_within_memory():
    assert stats.pool_size(14) == stats.N_RESAMPLES
    assert stats.pool_size(10**6) == stats.MIN_POOL
    (e,) = stats.nested_means([column(0.5)] * 5_000 + [column(0.6)] * 5_000, rng())
    assert e.value == pytest.approx(0.55)
    assert (e.high - e.low) / (2 * 1.96) == pytest.approx(0.05 / math.sqrt(10_000), rel=0.1)
