"""What data cannot tell: exact trades, flat directions with known answers, values that follow an assumption."""

import numpy as np
import pytest

from reliability.degeneracies import (
    along_disc,
    declare_disc,
    information,
    shift_moduli,
    spread_over_error,
)
from reliability.inference_facts import degeneracies_of
from reliability.inference_tasks import load_inference_tasks, read_columns
from reliability.likelihoods import Problem, gaussian_problem, supernovae
from reliability.posterior_records import Prior

TASKS = load_inference_tasks()
SN = read_columns(TASKS["T1"].data)
CURVE = read_columns(TASKS["T2"].data)
CALIBRATION = -19.3182761161


# ---------------------------------------------------------------------------------------------------- information


def straight_line(x, sd):
    """y = a + b x: the Fisher matrix is known."""

    def residuals(theta):
        return (theta[:, :1] + theta[:, 1:] * x) / sd

    return gaussian_problem(("a", "b"), (Prior(-1, 1), Prior(-10, 10)), (0.1, 0.1), residuals, x.size)


def test_information_of_a_straight_line():
    x, sd = np.array([0.0, 1.0, 2.0, 5.0]), 0.5
    found = information(straight_line(x, sd), np.array([0.2, -0.3]))
    fisher = np.array([[x.size, x.sum()], [x.sum(), (x**2).sum()]]) / sd**2
    np.testing.assert_allclose(found.covariance, np.linalg.inv(fisher), rtol=1e-7)
    prior_sds = np.array([2, 20]) / np.sqrt(12)
    np.testing.assert_allclose(found.matrix, fisher * np.outer(prior_sds, prior_sds), rtol=1e-7)
    assert found.flat_directions == []


def test_information_without_residuals_is_the_same():
    line = straight_line(np.array([0.0, 1.0, 2.0, 5.0]), 0.5)
    plain = Problem(line.names, line.priors, line.start, line.log_likelihood, line.n_data)
    theta = np.array([0.2, -0.3])
    np.testing.assert_allclose(information(plain, theta).matrix, information(line, theta).matrix, rtol=1e-5)


def test_a_sum_has_one_flat_direction():
    """Only a + 2 b is measured: along (1, -1/2) nothing changes."""

    def residuals(theta):
        return (theta[:, :1] + 2 * theta[:, 1:]) * np.array([1.0, 3.0])

    problem = gaussian_problem(("a", "b"), (Prior(-1, 1), Prior(-1, 1)), (0.0, 0.0), residuals, 2)
    (direction,) = information(problem, np.array([0.3, 0.1])).flat_directions
    assert direction == pytest.approx({"a": 1.0, "b": -0.5})


# ------------------------------------------------------------------------------------------------------------- T1


@pytest.mark.parametrize("factor", [0.9, 1.1, 1.25])
def test_shifted_moduli_move_h0_and_nothing_else(factor):
    found = shift_moduli(SN["z"], SN["mu"], SN["mu_err"], factor)
    assert found.before["H0"] == pytest.approx(70.0, abs=0.02)
    assert found.after["H0"] == pytest.approx(found.before["H0"] / factor, rel=1e-6)
    assert found.after["Omega_Lambda"] == pytest.approx(found.before["Omega_Lambda"], abs=1e-6)
    assert found.chi2_after == pytest.approx(found.chi2_before, abs=1e-7)


def test_with_the_magnitude_free_one_direction_is_flat():
    """dM_B/dH0 = 5 / (ln 10 H0) at constant apparent magnitude; without M_B no direction is flat."""
    moduli = SN["z"], SN["mu"], SN["mu_err"]
    found = information(supernovae.free_magnitude(*moduli, CALIBRATION), np.array([70.0, 0.72, CALIBRATION]))
    (direction,) = found.flat_directions
    assert direction["H0"] == 1
    assert direction["M_B"] == pytest.approx(5 / np.log(10) / 70, rel=1e-6)
    assert direction["Omega_Lambda"] == pytest.approx(0, abs=1e-8)
    free = information(supernovae.free_h0(*moduli), np.array([70.0, 0.72]))
    assert free.flat_directions == []
    assert np.sqrt(np.diag(free.covariance)) == pytest.approx([0.35, 0.020], rel=0.03)


def test_the_declared_degeneracy_carries_its_proof():
    (found,) = degeneracies_of(TASKS["T1"])
    assert (found.parameters, found.is_exact) == (("H0",), True)
    assert "from 70.00 to 63.64, and chi2 from 562.23 to 562.23" in found.evidence


# ------------------------------------------------------------------------------------------------------------- T2


def test_the_disc_decides_the_halo():
    fits = {fit.assumed: fit for fit in along_disc(CURVE)}
    expected = {0.3: (11.60, 14.0, 69), 0.4: (11.62, 11.8, 57), 0.5: (11.66, 9.74, 57), 0.7: (11.81, 5.83, 113)}
    for ml, (log10_m200, c, chi2) in (expected | {1.0: (12.93, 0.86, 631)}).items():
        assert fits[ml].values["log10_M200"] == pytest.approx(log10_m200, abs=0.006)
        assert fits[ml].values["c"] == pytest.approx(c, abs=0.05)
        assert fits[ml].chi2 == pytest.approx(chi2, abs=0.5)
    # a right analysis need not show |rho| > 0.9, and yet the assumption moves the values by tens of errors
    assert fits[0.5].correlation == pytest.approx(-0.875, abs=0.005)
    assert spread_over_error(list(fits.values())[:5], "log10_M200") > 10
    assert spread_over_error(list(fits.values())[:5], "c") > 30


def test_the_assumption_is_declared_with_its_fits():
    found = declare_disc(CURVE)
    assert not found.is_exact
    assert "0.5: 11.66, 9.74, 57" in found.evidence
    assert "1: 12.93, 0.86, 631" in found.evidence


def test_two_tasks_declare_nothing():
    assert degeneracies_of(TASKS["T3"]) == degeneracies_of(TASKS["T4"]) == ()
