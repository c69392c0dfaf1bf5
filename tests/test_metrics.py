"""The formulas against exact rational arithmetic, against printed numbers, and against their declared properties."""

import doctest
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from reliability import failure_modes, metrics
from reliability.errors import UndefinedScore
from reliability.metrics import (
    METRICS,
    ccc_score,
    execution_success,
    final_score,
    nrmse_score,
    numerical_accuracy_score,
    parameter_accuracy_score,
    parameter_recovery_score,
    recovery_score,
    resample,
    smape_score,
)
from reliability.records import Disclosure, NumericalAccuracy, Tolerance

NASTY = st.one_of(
    st.floats(-1e300, 1e300, allow_subnormal=True),
    st.sampled_from([0.0, -0.0, 1.0, 1e300, -1e300, 5e-324, 1e-300, 1e8, 1e8 + 1e-7, -1e8, 1e-20]),
    st.floats(-10, 10),
)
ORDINARY = st.floats(-1e6, 1e6).map(lambda v: round(v, 6))


def curves(elements=NASTY, min_size=1):
    return st.lists(st.tuples(elements, elements), min_size=min_size, max_size=40).map(
        lambda rows: (np.array([r[0] for r in rows]), np.array([r[1] for r in rows]))
    )


# ------------------------------------------------------------- independent implementations, in exact rationals


def sqrt_fraction(value: Fraction) -> Fraction:
    """Square root to about 60 digits."""
    if value == 0:
        return Fraction(0)
    shift = 1 << 800
    return Fraction(math.isqrt(value.numerator * value.denominator * shift * shift), value.denominator * shift)


def exact(values):
    return [Fraction(float(v)) for v in values]


def exact_nrmse(y, y_ref):
    y, y_ref = exact(y), exact(y_ref)
    mse = sum((a - b) ** 2 for a, b in zip(y, y_ref, strict=True)) / len(y)
    return max(Fraction(0), 1 - sqrt_fraction(mse) / (max(y_ref) - min(y_ref)))


def exact_smape(y, y_ref):
    terms = [
        Fraction(0) if a == b == 0 else abs(a - b) / ((abs(a) + abs(b)) / 2)
        for a, b in zip(exact(y), exact(y_ref), strict=True)
    ]
    return max(Fraction(0), 1 - sum(terms) / len(terms))


def exact_ccc(y, y_ref):
    y, y_ref = exact(y), exact(y_ref)
    n = len(y)
    mean, mean_ref = sum(y) / n, sum(y_ref) / n
    cov = sum((a - mean) * (b - mean_ref) for a, b in zip(y, y_ref, strict=True)) / n
    var, var_ref = sum((a - mean) ** 2 for a in y) / n, sum((b - mean_ref) ** 2 for b in y_ref) / n
    total = var + var_ref + (mean - mean_ref) ** 2
    if total == 0:
        return Fraction(1)
    return max(Fraction(0), 2 * cov / total)


@settings(max_examples=400, deadline=None)
@given(curves())
def test_nrmse_is_the_printed_formula(pair):
    y, y_ref = pair
    assume(y_ref.min() < y_ref.max())
    assert nrmse_score(y, y_ref) == pytest.approx(float(exact_nrmse(y, y_ref)), abs=1e-12)


@settings(max_examples=400, deadline=None)
@given(curves())
def test_smape_is_the_printed_formula(pair):
    assert smape_score(*pair) == pytest.approx(float(exact_smape(*pair)), abs=1e-12)


@settings(max_examples=400, deadline=None)
@given(curves())
def test_ccc_is_the_printed_formula(pair):
    assert ccc_score(*pair) == pytest.approx(float(exact_ccc(*pair)), abs=1e-12)


@settings(max_examples=200, deadline=None)
@given(curves(ORDINARY, min_size=2))
def test_nas_is_the_printed_sum(pair):
    y, y_ref = pair
    assume(y_ref.min() < y_ref.max())
    x = np.arange(float(y.size))
    expected = (2 * exact_nrmse(y, y_ref) + 3 * exact_smape(y, y_ref) + 5 * exact_ccc(y, y_ref)) / 10
    assert numerical_accuracy_score(x, y, x, y_ref).nas == pytest.approx(float(expected), abs=1e-12)


@given(st.dictionaries(st.sampled_from(sorted(metrics.WEIGHTS)), st.tuples(NASTY, NASTY | st.none()), min_size=1))
def test_pas_is_the_printed_formula(numbers):
    reference = {name: ref for name, (ref, _) in numbers.items()}
    values = {name: value for name, (_, value) in numbers.items() if value is not None}
    error, weight = Fraction(0), Fraction(0)
    for name, ref in reference.items():
        w = Fraction(metrics.WEIGHTS[name])
        weight += w
        eps = Fraction(1)
        if name in values:
            eps = min(abs(Fraction(values[name]) - Fraction(ref)) / (abs(Fraction(ref)) + Fraction(1, 10**12)), 1)
        error += w * eps
    assert parameter_accuracy_score(values, reference) == pytest.approx(float(1 - error / weight), abs=1e-12)


# ------------------------------------------------------------- METRICS x properties


@pytest.mark.parametrize("name", METRICS)
@settings(max_examples=150, deadline=None)
@given(pair=curves(), power=st.integers(-40, 40), shift=st.integers(-1000, 1000))
@example(pair=(np.array([1.0, 0.3359375]), np.array([1e8, 0.3359375])), power=-4, shift=0)  # pow(x, 2) rounds otherwise
def test_properties(name, pair, power, shift):
    metric = METRICS[name]
    y, y_ref = pair
    assume(y_ref.min() < y_ref.max() and y.min() < y.max())
    value = metric.function(y, y_ref)
    low, high = metric.bounds
    assert low <= value <= high
    assert metric.function(y_ref, y_ref) == metric.perfect
    if metric.is_symmetric:
        assert metric.function(y_ref, y) == value
    sizes = np.abs(np.concatenate([y, y_ref]))
    ordinary = sizes[sizes > 0].min() > 1e-120 and sizes.max() < 1e120
    if metric.is_scale_invariant and ordinary:
        factor = 2.0**power
        assert metric.function(y * factor, y_ref * factor) == value
    if metric.is_shift_invariant and ordinary and sizes.max() < 1e6:
        y, y_ref = np.round(y, 3), np.round(y_ref, 3)
        assume(np.ptp(y_ref) > 1e-2 and np.ptp(y) > 1e-2)
        assert metric.function(y + shift, y_ref + shift) == pytest.approx(metric.function(y, y_ref), abs=1e-6)


def test_nrmse_is_not_symmetric():
    y, y_ref = np.array([0.0, 1.0]), np.array([0.0, 2.0])
    assert nrmse_score(y, y_ref) == pytest.approx(1 - math.sqrt(0.5) / 2)
    assert nrmse_score(y_ref, y) == pytest.approx(1 - math.sqrt(0.5))


# ------------------------------------------------------------- closed forms and undefined cases


def test_scaled_curve_closed_forms():
    """For y = k y*: SMAPE = 1 - 2|k-1|/(k+1); CCC = 2k / (1 + k^2 + (1-k)^2 m^2/var)."""
    y_ref = np.linspace(1.0, 3.0, 1001)
    k = 1.7
    m2_over_var = float(y_ref.mean() ** 2 / y_ref.var())
    assert smape_score(k * y_ref, y_ref) == pytest.approx(1 - 2 * (k - 1) / (k + 1), abs=1e-12)
    assert ccc_score(k * y_ref, y_ref) == pytest.approx(2 * k / (1 + k**2 + (1 - k) ** 2 * m2_over_var), abs=1e-12)


def test_constants():
    flat, other, slope = np.full(5, 0.1), np.full(5, 0.3), np.arange(5.0)
    assert ccc_score(flat, flat) == 1.0
    assert ccc_score(flat, other) == 0.0
    assert ccc_score(flat, slope) == 0.0
    assert smape_score(np.zeros(5), np.zeros(5)) == 1.0
    with pytest.raises(UndefinedScore, match="zero range"):
        nrmse_score(slope, flat)
    result = numerical_accuracy_score(slope, slope, slope, flat)
    assert (result.nas, result.s_nrmse) == (None, None)
    assert "zero range" in result.reason
    assert result.s_smape is not None


def test_values_at_the_limits_of_float64():
    y_ref = np.array([-1e300, 1e300, 5e299])
    assert nrmse_score(y_ref, y_ref) == smape_score(y_ref, y_ref) == ccc_score(y_ref, y_ref) == 1.0
    assert nrmse_score(np.array([1e300, -1e300, 0.0]), np.array([0.0, 1e-300, 2e-300])) == 0.0
    x = np.array([0.0, 1e-9, 2e-9])
    assert np.isfinite(resample(x, y_ref, np.linspace(0, 2e-9, 7))).all()


def test_resampling_holds_end_values_and_counts_them():
    x, x_ref = np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.5, 3.0, 4.0])
    assert resample(x, x * 10, x_ref).tolist() == [10.0, 15.0, 30.0, 30.0]
    assert numerical_accuracy_score(x, x, x_ref, x_ref).n_outside == 2


# ------------------------------------------------------------- ESR, Score, PRS, modes


@pytest.mark.parametrize(
    ("x", "n_columns", "esr", "reason"),
    [
        (np.arange(2.0, 3001.0), 2, 1, ""),
        (np.arange(2.0, 3001.0), 1, 0, "numeric column"),
        (np.array([]), 2, 0, "no finite row"),
        (np.arange(2.0, 2850.0), 2, 0, "covers"),  # 2847/2998 = 94.96 %
        (np.arange(2.0, 2852.0), 2, 1, ""),  # 95.03 % of the range, 2850 of 2999 points = 95.03 %
        (np.linspace(2.0, 3000.0, 2849), 2, 0, "2849 points"),  # 94.998 %
        (np.linspace(2.0, 3000.0, 2850), 2, 1, ""),
        (np.arange(4000.0, 7000.0), 2, 0, "covers 0 %"),
    ],
)
def test_execution_success(x, n_columns, esr, reason):
    result = execution_success(x, np.arange(2.0, 3001.0), n_columns=n_columns)
    assert result.esr == esr
    assert reason in result.reason
    assert bool(result.reason) == (esr == 0)


@pytest.mark.parametrize(
    ("value", "reference", "sigma", "expected"),
    [
        (0.722, 0.72, 0.02, 0.967),  # T1
        (1.05, 1.019, 0.008, 0.0),  # T4
        (1.19, 6.8, 2.0, 0.065),  # T2, c
        (0.368, -0.06, 0.07, 0.0),  # T3 trial 1, 6.1 sigma
        (203.0, 127.0, 17.0, 0.0),  # T3 trial 1, 4.5 sigma
    ],
)
def test_recovery_scores_printed_in_the_paper(value, reference, sigma, expected):
    assert round(recovery_score(value, reference, sigma), 3) == expected


def test_prs_is_the_mean_and_names_what_is_missing():
    literature = {"alpha_J": (-0.06, 0.07), "M_br": (127.0, 17.0)}
    assert parameter_recovery_score({"alpha_J": -0.06, "M_br": 144.0}, literature) == pytest.approx((1 + 2 / 3) / 2)
    with pytest.raises(UndefinedScore, match="M_br"):
        parameter_recovery_score({"alpha_J": 0.0}, literature)
    with pytest.raises(UndefinedScore):
        recovery_score(1.0, 1.0, 0.0)


def test_score_is_zero_without_execution_and_missing_without_code():
    assert final_score(0, 1.0, 1.0) == 0.0
    assert final_score(1, None, 0.9) is None
    assert final_score(1, 0.8, 0.5) == 0.4


def test_the_printed_unit_flag_never_fires_in_mode_c():
    """S_CCC > 0.8 implies NAS >= 0.5. Searched over the worst family, two-valued references."""
    rng = np.random.default_rng(5)
    lowest = 1.0
    for _ in range(3000):
        y_ref = rng.choice([0.0, 1.0], size=20)
        if np.ptp(y_ref) == 0:
            continue
        y = rng.uniform(0.5, 2.2) * y_ref + rng.normal(0, 0.2) + rng.normal(0, 0.1, 20)
        s = numerical_accuracy_score(np.arange(20.0), y, np.arange(20.0), y_ref)
        if s.s_ccc > failure_modes.UNIT_CCC:
            lowest = min(lowest, s.nas)
    assert 0.5 <= lowest < 0.75  # the search really came near the bound's region
    assert failure_modes.unit_flag(0.81, 0.69) == 1
    assert failure_modes.unit_flag(0.8, 0.69) == 0
    assert failure_modes.unit_flag(None, 0.69) is None


def test_accurate_needs_every_sub_score():
    tolerance = Tolerance(nrmse=2e-4, smape=2e-4, ccc=1e-6)
    good = NumericalAccuracy(1.0, 1 - 1e-4, 1 - 1e-4, 1 - 1e-7)
    assert failure_modes.is_accurate(good, tolerance) is True
    assert failure_modes.is_accurate(NumericalAccuracy(1.0, 1 - 1e-4, 1 - 3e-4, 1.0), tolerance) is False
    assert failure_modes.is_accurate(NumericalAccuracy(None, None, 1.0, 1.0), tolerance) is None


@pytest.mark.parametrize(
    ("wrong", "disclosed", "silent"),
    [(True, False, True), (True, True, False), (False, False, False), (True, None, None), (None, False, None)],
)
def test_silent_failure(wrong, disclosed, silent):
    assert failure_modes.is_silent_failure(wrong, Disclosure(disclosed)) is silent


def test_doctests():
    for module in (metrics, failure_modes):
        assert doctest.testmod(module).failed == 0
