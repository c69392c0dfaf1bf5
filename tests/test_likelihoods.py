"""The likelihoods against closed forms, numerical integrals, astropy's distances and numbers of the field."""

import numpy as np
import pytest
from astropy.cosmology import FlatLambdaCDM
from astropy.table import Table
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.stats import multivariate_normal, norm

from reliability.likelihoods import best_fit, lenses, mass_radius, ratio_estimators, rotation_curve, supernovae
from reliability.likelihoods.distances import comoving_distance, distance_modulus, lens_to_source_ratio
from reliability.posterior_records import Prior
from reliability.tasks import data_folder


def columns(task):
    table = Table.read(data_folder("tasks_deepresearch") / task / "data.ecsv")
    return {
        name: np.ma.filled(np.ma.array(table[name].data, dtype=float), np.nan)
        for name in table.colnames
        if table[name].dtype.kind in "fi"
    }


SN = columns("t1_union21")
CURVE = columns("t2_ngc3198")
PLANETS = columns("t3_exoplanets")
LENSES = columns("t4_slacs")
MODULI = SN["z"], SN["mu"], SN["mu_err"]


def best(problem, start=None):
    """Maximum of the likelihood inside the priors, and minus twice its logarithm."""
    scale = np.maximum(np.abs(problem.start), 0.1)

    def cost(u):
        value = problem.log_likelihood((u * scale)[None])[0]
        return -2 * value if np.isfinite(value) and np.isfinite(problem.log_prior((u * scale)[None])[0]) else 1e30

    options = {"xatol": 1e-7, "fatol": 1e-7, "maxiter": 20000, "maxfev": 20000}
    found = minimize(cost, np.array(start or problem.start) / scale, method="Nelder-Mead", options=options)
    return found.x * scale, found.fun


# --------------------------------------------------------------------------------------------------------- distances


@pytest.mark.parametrize("omega_m", [0.05, 0.278, 0.3, 0.9])
def test_distances_are_those_of_astropy(omega_m):
    z = np.array([1e-3, 0.05, 0.5, 1.414, 2.0])
    cosmology = FlatLambdaCDM(H0=72.5, Om0=omega_m)
    expected = cosmology.comoving_distance(z).value * 72.5 / 299792.458
    np.testing.assert_allclose(comoving_distance(z, np.array([omega_m]))[0], expected, rtol=1e-9)
    moduli = distance_modulus(z, np.array([72.5]), np.array([omega_m]))[0]
    np.testing.assert_allclose(moduli, cosmology.distmod(z).value, atol=1e-8)


def test_einstein_de_sitter_in_closed_form():
    z = np.array([0.1, 1.0, 3.0])
    np.testing.assert_allclose(comoving_distance(z, np.array([1.0]))[0], 2 * (1 - 1 / np.sqrt(1 + z)), rtol=1e-11)
    np.testing.assert_allclose(comoving_distance(z, np.array([0.0]))[0], z, rtol=1e-13)  # de Sitter


def test_ratio_of_lens_distances_is_astropys():
    cosmology = FlatLambdaCDM(H0=70, Om0=0.3)
    z_lens, z_source = LENSES["z_lens"], LENSES["z_source"]
    between = (cosmology.comoving_distance(z_source) - cosmology.comoving_distance(z_lens)) / (1 + z_source)
    expected = (between / cosmology.angular_diameter_distance(z_source)).value
    np.testing.assert_allclose(lens_to_source_ratio(z_lens, z_source, 0.3), expected, rtol=1e-9)


# ---------------------------------------------------------------------------------------------------------------- T1


def test_t1_finds_the_published_numbers():
    theta, chi2 = best(supernovae.free_h0(*MODULI))
    assert theta == pytest.approx([70.0, 0.7225], abs=0.003 * 70)
    assert theta[0] == pytest.approx(69.98, abs=0.05)  # error 0.35
    assert theta[1] == pytest.approx(0.722, abs=0.001)  # error 0.02
    assert chi2 == pytest.approx(562.23, abs=0.05)  # 580 supernovae (Suzuki et al. 2012 print 562 as well)


def test_t1_marginalised_is_the_integral_over_the_offset():
    problem = supernovae.marginalised_offset(*MODULI)
    free = supernovae.free_h0(*MODULI)
    offsets = np.linspace(-0.05, 0.05, 401)

    def integrated(omega_l):
        theta = np.stack([70 * 10 ** (-offsets / 5), np.full_like(offsets, omega_l)], axis=1)
        return np.log(np.trapezoid(np.exp(free.log_likelihood(theta) + 281), offsets))

    difference = integrated(0.75) - integrated(0.70)
    found = problem.log_likelihood(np.array([[0.75], [0.70]]))
    assert found[0] - found[1] == pytest.approx(difference, abs=1e-6)


def test_t1_magnitude_and_h0_trade_exactly():
    problem = supernovae.free_magnitude(*MODULI, calibration=-19.3182761161)
    here = problem.log_likelihood(np.array([[70.0, 0.72, -19.3182761161]]))
    there = problem.log_likelihood(np.array([[70.0 * 1.1, 0.72, -19.3182761161 + 5 * np.log10(1.1)]]))
    assert here == pytest.approx(there, abs=1e-8)


# ---------------------------------------------------------------------------------------------------------------- T2


@pytest.mark.parametrize(
    ("ml_disk", "log10_m200", "c", "chi2"),
    [(0.3, 11.597, 13.99, 68.9), (0.4, 11.622, 11.83, 57.1), (0.5, 11.660, 9.74, 57.1), (0.7, 11.808, 5.83, 113.0)],
)
def test_t2_best_fits_along_the_disc(ml_disk, log10_m200, c, chi2):
    theta, found = best(rotation_curve.fixed_ml(CURVE, ml_disk))
    assert theta[0] == pytest.approx(log10_m200, abs=2e-3)
    assert theta[1] == pytest.approx(c, abs=0.02)
    assert found == pytest.approx(chi2, abs=0.15)


def test_t2_with_the_disc_as_tabulated_ends_at_the_bound():
    """The free maximum is at c = 0.86 with chi2 = 631; with c > 1 the maximum sits on the bound."""
    theta, chi2 = best(rotation_curve.fixed_ml(CURVE, 1.0), start=(12.7, 1.2))
    assert theta[1] == pytest.approx(1.0, abs=1e-3)
    assert chi2 == pytest.approx(631.2, abs=0.5)
    outside = rotation_curve.fixed_ml(CURVE, 1.0).chi2(np.array([12.93437, 0.85790]))
    assert outside == pytest.approx(631.1, abs=0.1)


def test_nfw_in_closed_form():
    """At R200 the velocity is (10 G H0 M)^(1/3); it peaks at 2.16258 scale radii (Navarro, Frenk & White 1997)."""
    mass, c = 1e12, 10.0
    v200 = (10 * rotation_curve.GRAVITY * 0.07 * mass) ** (1 / 3)
    edge = v200 / (10 * 0.07)
    radius = np.array([edge, 2.16258 * edge / c, 2.0 * edge / c, 2.35 * edge / c])
    squared = rotation_curve.nfw_velocity_squared(radius, np.array([12.0]), np.array([c]))[0]
    assert squared[0] == pytest.approx(v200**2, rel=1e-9)
    assert squared[1] > squared[2:].max()


def test_negative_gas_pulls_outward():
    data = {name: np.array([value]) for name, value in [("v_gas", -10.0), ("v_disk", 26.0), ("v_bulge", 0.0)]}
    found = rotation_curve.velocity(data, np.array([[0.0]]), ml_disk=1.0)
    assert found[0, 0] == pytest.approx(24.0)
    assert rotation_curve.velocity(data, np.array([[0.0]]), ml_disk=0.01)[0, 0] == 0.0


def test_free_disc_contains_the_fixed_one():
    fixed, free = rotation_curve.fixed_ml(CURVE, 0.5), rotation_curve.free_ml(CURVE)
    assert fixed.chi2(np.array([11.66, 9.7])) == pytest.approx(free.chi2(np.array([11.66, 9.7, np.log10(0.5)])))
    at_mean, one_sigma_off = free.log_prior(np.array([[11.66, 9.7, np.log10(0.5)], [11.66, 9.7, np.log10(0.5) + 0.1]]))
    assert one_sigma_off - at_mean == pytest.approx(-0.5)


# ---------------------------------------------------------------------------------------------------------------- T3

ONE = {"x": np.array([1.9]), "y": np.array([0.95]), "x_err": np.array([0.08]), "y_err": np.array([0.03])}
THETA = np.array([[0.6, -0.05, 2.05, 1.1, 0.07, 0.3]])


@pytest.mark.parametrize(("mass", "radius"), [(1.9, 0.95), (2.05, 1.2), (2.4, 1.0)])
@pytest.mark.parametrize("t_eq", [700.0, 1800.0, np.nan])
def test_t3_equals_the_numerical_integral_over_the_true_mass(mass, radius, t_eq):
    sample = ONE | {"x": np.array([mass]), "y": np.array([radius]), "t_eq": np.array([t_eq])}
    slope_low, slope_high, x_break, y_break, scatter, gamma = THETA[0]
    shift = gamma * np.log10(t_eq / 1000) if t_eq > 1000 else 0.0

    def density(true_x):
        slope = slope_low if true_x < x_break else slope_high
        across = np.array([-slope, 1.0]) / np.hypot(slope, 1.0)
        covariance = np.diag([0.08**2, 0.03**2]) + scatter**2 * np.outer(across, across)
        centre = [true_x, y_break + slope * (true_x - x_break) + shift]
        return multivariate_normal(centre, covariance).pdf([mass, radius])

    expected = sum(quad(density, *ends, epsabs=0, epsrel=1e-10)[0] for ends in [(1.0, x_break), (x_break, 3.2)])
    found = mass_radius.relation(sample).log_likelihood(THETA)[0]
    assert found == pytest.approx(np.log(expected), abs=1e-8)


def test_t3_one_line_without_mass_errors_is_the_textbook_normal():
    sample = ONE | {"x_err": np.array([1e-9]), "t_eq": np.array([np.nan])}
    theta = np.array([[0.6, 0.6, 2.05, 1.1, 1e-3, 0.0]])
    expected = norm(1.1 + 0.6 * (1.9 - 2.05), np.hypot(0.03, 1e-3 * np.hypot(1, 0.6))).logpdf(0.95)
    assert mass_radius.relation(sample).log_likelihood(theta)[0] == pytest.approx(expected, abs=1e-6)


def test_t3_recovers_what_made_the_planets():
    """2,000 planets drawn from the model; each parameter within four of its Fisher errors."""
    rng = np.random.default_rng(3)
    x = rng.uniform(0.3, 3.5, 2000)
    slope = np.where(x < 2.05, 0.6, -0.05)
    t_eq = rng.uniform(400, 2500, x.size)
    heat = np.where(t_eq > 1000, np.log10(t_eq / 1000), 0)
    moved = rng.normal(0, 0.07, x.size) / np.hypot(1, slope)
    y = 1.1 + slope * (x - 2.05) + 0.3 * heat + moved + rng.normal(0, 0.03, x.size)
    x = x - slope * moved + rng.normal(0, 0.05, x.size)
    errors = {"x_err": np.full(x.size, 0.05), "y_err": np.full(x.size, 0.03)}
    problem = mass_radius.relation({"x": x, "y": y, "t_eq": t_eq, **errors})
    theta, _ = best(problem, start=(0.5, 0.1, 2.2, 1.0, 0.1, 0.1))
    assert np.all(np.abs(theta - THETA[0]) < 4 * np.array([0.004, 0.004, 0.012, 0.006, 0.002, 0.02]))


def test_t3_the_higher_of_two_hills_is_found():
    """Without inflation the break may be at 157 or 175 M_earth; the second is better by 0.5 in ln L."""
    problem = mass_radius.relation(mass_radius.planets(PLANETS), has_inflation=False)
    found = best_fit(problem)
    assert 10 ** found.theta[2] == pytest.approx(175.5, abs=0.5)
    assert found.log_likelihood == pytest.approx(922.12, abs=0.01)
    assert best_fit(problem, np.array(problem.start)).log_likelihood == pytest.approx(921.65, abs=0.01)


def test_t3_sample_says_what_it_drops():
    sample = mass_radius.planets(PLANETS)
    assert sample["x"].size == 1303  # of 1,439: 136 lack an error of mass or radius
    assert np.isfinite(sample["t_eq"]).sum() == 954
    assert np.isnan(PLANETS["t_eq"]).sum() == 383
    cut = mass_radius.select(sample, sample["x"] > 2)
    assert cut["y"].size == (sample["x"] > 2).sum()


# ---------------------------------------------------------------------------------------------------------------- T4


def test_sis_in_closed_form():
    """sigma = 220 km/s, D_ls/D_s = 0.5: theta_E = 4 pi (220/c)^2 / 2 = 0.698 arcsec."""
    theta_e = 4 * np.pi * (220 / 299792.458) ** 2 * 0.5 * 206264.806
    assert theta_e == pytest.approx(0.698, abs=1e-3)
    z = np.array([0.2]), np.array([0.6])
    ratio = lens_to_source_ratio(*z, 0.3)
    assert lenses.sis_dispersion(2 * theta_e * ratio, *z) == pytest.approx(220.0, rel=1e-8)


def test_each_lens_is_solved_exactly():
    names = [str(i) for i in range(63)]
    problem = lenses.each_lens(LENSES, names)
    assert problem.names[:2] == ("sigma_SIS_0", "sigma_SIS_1")
    assert problem.chi2(np.array(problem.start)) == pytest.approx(0, abs=1e-20)
    one_sigma = np.array(problem.start) * np.sqrt(1.02)  # theta_E grows with sigma squared
    assert problem.chi2(one_sigma) == pytest.approx(63)


def ratios(exponent=0.0, kept=None):
    has = np.isfinite(LENSES["sigma_kms"]) if kept is None else kept
    data = {name: column[has] for name, column in LENSES.items()}
    sigma = data["sigma_kms"]
    if exponent:
        sigma = lenses.aperture_corrected(sigma, data["r_eff_arcsec"], exponent)
    f = lenses.sis_dispersion(data["theta_e_arcsec"], data["z_lens"], data["z_source"]) / sigma
    return f, data["sigma_err_kms"] / data["sigma_kms"]


def test_t4_estimators_differ_as_stated():
    f, error = ratios()
    assert f.size == 58
    found = {name: estimator(f, error) for name, estimator in ratio_estimators.ESTIMATORS.items()}
    assert found["mean"].value == pytest.approx(1.061, abs=1e-3)
    assert found["median"].value == pytest.approx(1.050, abs=1e-3)
    assert found["weighted mean"].value == pytest.approx(1.028, abs=1e-3)
    assert found["weighted mean"].sigma == pytest.approx(0.008, abs=5e-5)
    assert ratio_estimators.weighted_mean(*ratios(0.04)).value == pytest.approx(1.013, abs=1e-3)


def test_estimators_in_closed_form():
    f, error = np.array([1.0, 2.0]), np.array([0.1, 0.1])
    assert ratio_estimators.mean(f, error).value == 1.5
    assert ratio_estimators.log_weighted_mean(f, error).value == pytest.approx(np.sqrt(2))
    assert ratio_estimators.weighted_mean(f, error).value == pytest.approx((1 + 2 / 4) / (1 + 1 / 4))
    assert ratio_estimators.weighted_mean(f, error).sigma == pytest.approx(0.1 / np.sqrt(1.25))
    assert ratio_estimators.chi2(f, error, np.sqrt(2)) == pytest.approx(2 * (np.log(2) / 2 / 0.1) ** 2)


def test_population_without_scatter_is_the_log_weighted_mean():
    f, error = ratios()
    grid = np.linspace(0.98, 1.12, 1401)
    found = lenses.population(f, error).log_likelihood(np.stack([grid, np.zeros_like(grid)], axis=1))
    assert grid[np.argmax(found)] == pytest.approx(ratio_estimators.log_weighted_mean(f, error).value, abs=1e-4)


# ---------------------------------------------------------------------------------------------------------- problems


def test_priors_bound_the_posterior():
    problem = supernovae.free_h0(*MODULI)
    inside, outside = np.array([70.0, 0.72]), np.array([49.9, 0.72])
    found = problem.log_posterior(np.stack([inside, outside]))
    assert found[0] == problem.log_likelihood(inside[None])[0]
    assert found[1] == -np.inf


def test_a_log_uniform_prior_falls_with_its_value():
    from reliability.likelihoods import gaussian_problem

    problem = gaussian_problem(
        ("a",), (Prior(1, 10, "log-uniform"),), (2.0,), lambda theta: np.zeros((len(theta), 1)), 1
    )
    two, four, outside = problem.log_posterior(np.array([[2.0], [4.0], [11.0]]))
    assert two - four == pytest.approx(np.log(2))
    assert outside == -np.inf


def test_chi2_needs_residuals():
    problem = mass_radius.relation(mass_radius.planets(PLANETS))
    with pytest.raises(ValueError, match="no sum of squares"):
        problem.chi2(np.array(problem.start))
