"""Each check against a posterior whose truth is known, and against the libraries of the field on the same chains."""

import doctest
import math

import emcee
import numpy as np
import pytest
from arviz_stats.base import array_stats
from chains import ar1, by_parameter, healthy, posterior_of
from scipy import stats

from reliability import parameter_recovery as parameter_recovery_module
from reliability.parameter_recovery import parameter_recovery
from reliability.posterior_checks import (
    Examination,
    check_against_task,
    check_posterior,
    convergence,
    degeneracy,
    drift,
    goodness_of_fit,
    multimodality,
    plausibility,
    prior_boundary,
    prior_dominated,
    scale,
    scales,
    structural,
)
from reliability.posterior_checks import examination as examination_module
from reliability.posterior_checks.chain_statistics import autocorrelation_time, chain_statistics
from reliability.posterior_checks.convergence import spread_ties
from reliability.posterior_checks.degeneracy import mutual_information
from reliability.posterior_checks.density import estimate_density, prior_sd
from reliability.posterior_checks.flattening import alternating_walkers, joined_chains
from reliability.posterior_checks.scales import explain_scale
from reliability.posterior_records import (
    DeclaredDegeneracy,
    Estimate,
    Fit,
    Literature,
    PlausibleRange,
    Posterior,
    Prior,
    TaskFacts,
    flagged,
)
from reliability.posteriors import names

RNG = np.random.default_rng  # every test makes its own from a stated seed


def independent(rng, n, p=1):
    return rng.normal(size=(4, n // 4, p))


def examine(chain, priors=None, **more):
    return Examination(posterior_of(chain, **more), priors)


def summary_of(**values):
    estimates = {name: Estimate(*v) if isinstance(v, tuple) else Estimate(v) for name, v in values.items()}
    return Posterior(tuple(estimates), "summary", estimates)


# ------------------------------------------------------------------------------- statistics, against ArviZ and emcee


@pytest.mark.parametrize(
    ("n_chains", "n_steps", "tau"),
    [(4, 1000, 19), (2, 500, 1), (8, 333, 3), (32, 2000, 39), (3, 101, 0.2), (3, 103, 0.2), (4, 50, 99), (2, 41, 99)],
)
def test_r_hat_and_ess_are_arviz(n_chains, n_steps, tau):
    chains = ar1(RNG(1), tau, n_chains, n_steps)[..., 0]
    found = chain_statistics(chains)
    axes = {"chain_axis": 0, "draw_axis": 1}
    assert found.r_hat == pytest.approx(array_stats.rhat(chains, **axes), rel=1e-10)
    assert found.ess_bulk == pytest.approx(array_stats.ess(chains, method="bulk", **axes), rel=1e-9)
    tail = array_stats.ess(chains, method="tail", prob=(0.05, 0.95), **axes)
    assert found.ess_tail == pytest.approx(tail, rel=1e-9)
    assert found.tau == pytest.approx(emcee.autocorr.integrated_time(chains.T[:, :, None], tol=0)[0], rel=1e-9)


def test_statistics_with_ties_and_different_chains_are_arviz():
    """Metropolis chains repeat values; a chain elsewhere lifts R-hat."""
    rng = RNG(2)
    chains = np.round(ar1(rng, 5, 4, 400)[..., 0], 1)
    chains[3] += 1.0
    found = chain_statistics(chains)
    assert found.r_hat == pytest.approx(array_stats.rhat(chains, chain_axis=0, draw_axis=1), rel=1e-10)
    assert found.r_hat > 1.1
    assert found.ess_bulk == pytest.approx(array_stats.ess(chains, chain_axis=0, draw_axis=1, method="bulk"), rel=1e-9)


def test_autocorrelation_time_of_ar1():
    """The exact tau is 19; 32 chains of 20,000 steps know it to sqrt(2 (2 W + 1) / N) = 2.5 % (Sokal), W = 5 tau."""
    tau = autocorrelation_time(ar1(RNG(3), 19, 32, 20_000)[..., 0])
    assert tau == pytest.approx(19, rel=3 * math.sqrt(2 * (2 * 5 * 19 + 1) / (32 * 20_000)))


def test_statistics_without_a_value():
    short, still = chain_statistics(np.zeros((2, 5))), chain_statistics(np.ones((2, 100)))
    for found in (short, still):
        assert math.isnan(found.r_hat) and math.isnan(found.tau) and math.isnan(found.ess_bulk)
    assert still.n_stuck == 2


# ------------------------------------------------------------------------------- density


@pytest.mark.parametrize("cut", [0.5, 1.0, 1.5, 2.0, 3.0])
def test_density_at_a_bound_of_a_cut_gaussian(cut):
    """Density at the bound over the peak is exp(-cut^2 / 2); a plain kernel estimate would have half of it."""
    samples = stats.truncnorm(-cut, 9).rvs(100_000, random_state=RNG(4))
    density = estimate_density(samples, n_effective=100_000, low=-cut, high=9)
    assert density.relative(-cut) == pytest.approx(math.exp(-(cut**2) / 2), abs=0.03)
    assert np.trapezoid(density.y, density.x) == pytest.approx(1.0, abs=1e-9)


def test_density_agrees_with_getdist():
    import getdist

    samples = stats.truncnorm(-1, 9).rvs(20_000, random_state=RNG(5))
    theirs = getdist.MCSamples(samples=samples[:, None], names=["x"], ranges={"x": (-1, 9)}).get1DDensity("x")
    ours = estimate_density(samples, n_effective=20_000, low=-1, high=9)
    for at in (-1.0, -0.5, 0.0, 1.0, 2.0):
        assert ours.relative(at) == pytest.approx(float(theirs.Prob(at) / theirs.P.max()), abs=0.05)


@pytest.mark.parametrize(
    ("samples", "prior", "gain"),
    [
        (stats.uniform(0, 1), Prior(0, 1), 0.0),
        (stats.norm(0, 1), Prior(-10, 10), math.log(20) - 0.5 * math.log(2 * math.pi * math.e)),
        (stats.norm(0, 1), Prior(kind="normal", mean=0, sigma=2), math.log(2) + 1 / 8 - 0.5),
        (stats.norm(1, 1), Prior(kind="normal", mean=0, sigma=2), math.log(2) + 2 / 8 - 0.5),
        (stats.loguniform(1, 10), Prior(1, 10, "log-uniform"), 0.0),
        (stats.expon(), Prior(0, 100), math.log(100) - 1),
    ],
)
def test_information_gain_in_closed_form(samples, prior, gain):
    values = samples.rvs(50_000, random_state=RNG(6))
    density = estimate_density(values, n_effective=50_000, low=prior.low, high=prior.high)
    assert density.information_gain(prior) == pytest.approx(gain, abs=0.02)


@pytest.mark.parametrize(
    ("prior", "sd"),
    [
        (Prior(0, 12), math.sqrt(12)),
        (Prior(1, 10, "log-uniform"), stats.loguniform(1, 10).std()),
        (Prior(kind="normal", mean=3, sigma=2), 2.0),
        (Prior(low=0, kind="normal", mean=0, sigma=1), math.sqrt(1 - 2 / math.pi)),
        (Prior(low=0), math.inf),
    ],
)
def test_standard_deviation_of_a_prior(prior, sd):
    assert prior_sd(prior) == pytest.approx(sd)


# ------------------------------------------------------------------------------- prior boundary


@pytest.mark.parametrize(("cut", "is_flagged"), [(1.0, True), (1.8, True), (2.6, False), (5.0, False)])
def test_truncated_gaussian(cut, is_flagged):
    """The threshold 0.1 lies 2.146 sigma from the peak."""
    samples = stats.truncnorm(-cut, 9).rvs((4, 2500, 1), random_state=RNG(7))
    (found,) = prior_boundary(examine(samples, {"p0": Prior(-cut, 9)}))
    assert found.flagged == is_flagged
    assert ("truncated by the lower bound" in found.message) == is_flagged
    assert found.value == pytest.approx(math.exp(-(cut**2) / 2), abs=0.05)


@pytest.mark.parametrize("side", [1, -1])
def test_pinned(side):
    samples = side * stats.expon().rvs((4, 2500, 1), random_state=RNG(8))
    prior = Prior(0, 100) if side > 0 else Prior(-100, 0)
    (found,) = prior_boundary(examine(samples, {"p0": prior}))
    assert found.flagged and f"pinned to the {'lower' if side > 0 else 'upper'} bound" in found.message
    assert "% of the samples are there" in found.message


def test_a_posterior_that_is_its_prior_is_truncated_not_pinned():
    samples = RNG(9).uniform(0, 1, (4, 2500, 1))
    (found,) = prior_boundary(examine(samples, {"p0": Prior(0, 1)}))
    assert found.flagged and "truncated" in found.message and found.value > 0.8


def test_samples_outside_the_stated_prior():
    samples = independent(RNG(10), 4000)
    (found,) = prior_boundary(examine(samples, {"p0": Prior(0, 5)}))
    assert found.flagged and "outside the stated prior" in found.message
    assert found.value == pytest.approx(0.5, abs=0.03)


def test_boundary_of_a_summary():
    """[PW] 6.2: c at about 30 = bound, sigma_int pinned at 0.5; a healthy one is not flagged."""
    posterior = summary_of(c=(29.9, 0.5, 0.1), sigma_int=(0.5, 0.01, 0.01), H0=(70, 1, 1), tight=(1.0, 0.2, 0.2))
    priors = {"c": Prior(1, 30), "sigma_int": Prior(0, 0.5), "H0": Prior(50, 90), "tight": Prior(0.8, 3)}
    found = by_parameter(prior_boundary(Examination(posterior, priors)))
    assert "pinned" in found["prior_boundary", "c"].message
    assert "pinned" in found["prior_boundary", "sigma_int"].message
    assert not found["prior_boundary", "H0"].flagged
    assert found["prior_boundary", "tight"].value == pytest.approx(math.exp(-0.5))
    assert "truncated" in found["prior_boundary", "tight"].message


def test_no_priors_is_said():
    examination = examine(independent(RNG(11), 400))
    assert [f.flagged for f in prior_boundary(examination) + prior_dominated(examination)] == [False, False]
    assert prior_boundary(examination)[0].value is None


# ------------------------------------------------------------------------------- prior-dominated


def test_prior_dominated():
    rng = RNG(12)
    chain = np.concatenate([rng.uniform(0, 1, (4, 2500, 1)), rng.normal(0.5, 0.1, (4, 2500, 1))], axis=2)
    found = by_parameter(prior_dominated(examine(chain, {"p0": Prior(0, 1), "p1": Prior(0, 1)})))
    assert found["prior_dominated", "p0"].flagged
    assert found["prior_dominated", "p0"].value == pytest.approx(1.0, abs=0.02)
    assert not found["prior_dominated", "p1"].flagged
    assert found["prior_dominated", "p1"].value == pytest.approx(0.1 * math.sqrt(12), abs=0.02)


@pytest.mark.parametrize(("sd", "is_flagged"), [(0.48, False), (0.55, True), (0.65, True)])
def test_normal_prior_is_flagged_by_information_above_half_its_width(sd, is_flagged):
    """-ln r + (r^2 - 1)/2 is 0.3 nats at r = 0.512 (METRICS: the gain rule means sd ratio > 0.51)."""
    prior = {"p0": Prior(kind="normal", mean=0, sigma=1)}
    (chain,) = prior_dominated(examine(sd * independent(RNG(13), 40_000), prior))
    (words,) = prior_dominated(Examination(summary_of(p0=(0.0, sd, sd)), prior))
    assert chain.flagged == words.flagged == is_flagged
    assert words.value == pytest.approx(sd if sd > 0.6 or not is_flagged else -math.log(sd) + (sd**2 - 1) / 2)


# ------------------------------------------------------------------------------- degeneracy


def correlated(rng, rho, n=10_000):
    x, noise = rng.normal(size=(2, n))
    return np.stack([x, rho * x + math.sqrt(1 - rho**2) * noise], axis=-1).reshape(4, n // 4, 2)


@pytest.mark.parametrize(
    ("rho", "is_flagged"), [(0.0, False), (0.85, False), (-0.85, False), (0.93, True), (-0.97, True)]
)
def test_gaussian_degeneracy(rho, is_flagged):
    pair, combination = degeneracy(examine(correlated(RNG(14), rho)))
    assert pair.flagged == is_flagged and not combination.flagged
    assert abs(pair.value) == pytest.approx(abs(rho), abs=0.05)
    error = (1 - rho**2) / math.sqrt(10_000)
    assert combination.value == pytest.approx(1 - abs(rho), abs=3 * error)  # eigenvalues 1 +- rho
    assert pair.parameter == "p0, p1"


def test_ridge_of_a_product_is_straight_in_the_logarithms():
    """x y = const to 5 %: its powers are 1 and 1."""
    rng = RNG(15)
    log_x = rng.normal(0, 1, 4000)
    chain = np.exp(np.stack([log_x, -log_x + 0.05 * rng.normal(size=4000)], axis=-1)).reshape(4, 1000, 2)
    pair, combination = degeneracy(examine(chain, names=("x", "y")))
    assert pair.flagged and pair.value == pytest.approx(-1, abs=0.01)
    assert "x^1 y^1" in combination.message


def test_a_logarithm_is_not_taken_twice():
    chain = 12 + 0.1 * correlated(RNG(34), 0.5)
    pair, combination = degeneracy(examine(chain, names=("log10_M200", "$\\log c$")))
    assert "logarithms" not in pair.message + combination.message


def test_banana_has_no_correlation_and_is_found():
    rng = RNG(16)
    x = rng.normal(size=8000)
    chain = np.stack([x, x**2 + 0.1 * rng.normal(size=8000)], axis=-1).reshape(4, 2000, 2)
    assert abs(np.corrcoef(chain[..., 0].ravel(), chain[..., 1].ravel())[0, 1]) < 0.1
    pair, _ = degeneracy(examine(chain))
    assert pair.flagged and "along a curve" in pair.message


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.8])
def test_mutual_information_of_a_gaussian(rho):
    """I = -ln(1 - rho^2)/2; cells of finite size lose a few per cent."""
    x, y = correlated(RNG(17), rho, 100_000).reshape(-1, 2).T
    u, v = stats.rankdata(x) / x.size, stats.rankdata(y) / y.size
    assert mutual_information(u, v, x.size) == pytest.approx(-0.5 * math.log(1 - rho**2), rel=0.06, abs=1e-3)


# ------------------------------------------------------------------------------- convergence


def test_converged_chains():
    findings = convergence(examine(ar1(RNG(18), 5, 4, 5000, 2)))
    assert [f.flagged for f in findings] == [False, False]
    assert all("R-hat" in f.message and "ESS" in f.message and "tau" in f.message for f in findings)


def test_chains_that_disagree():
    chain = ar1(RNG(19), 5, 4, 5000)
    chain[2] += 0.5
    (found,) = convergence(examine(chain))
    assert found.flagged and found.message.startswith("p0: R-hat") and found.value > 1.01


def test_short_chains_are_too_short_to_say():
    """N = 100 tau: R-hat passes 1.01 by chance, so it does not flag; the message says so."""
    for seed in range(200):
        (found,) = convergence(examine(ar1(RNG(seed), 10, 8, 1000)))
        if "too short to say" in found.message:
            assert not found.flagged
            return
    pytest.fail("R-hat never passed 1.01")


def test_one_long_chain_that_drifts():
    chain = ar1(RNG(20), 2, 1, 20_000)
    chain[:, 10_000:] += 1.0
    (found,) = convergence(examine(chain, structure="single"))
    assert found.flagged and ("tau" in found.message or "R-hat" in found.message)


def test_ensemble_shorter_than_fifty_tau():
    """N is 32 tau; taking away each walker's own mean hides the part W tau / N of W lags, here some 4 of 19 steps."""
    (found,) = convergence(examine(ar1(RNG(21), 19, 32, 600), structure="ensemble"))
    assert found.flagged and "N = " in found.message and "tau" in found.message
    assert 600 / 19 < found.value < 600 / 14 and found.threshold == 50


def test_walkers_are_no_independent_chains():
    """Walkers that agree or not say nothing by R-hat; their ESS does."""
    (found,) = convergence(examine(ar1(RNG(22), 5, 32, 5000), structure="ensemble"))
    assert not found.flagged and "R-hat" not in found.message


def test_stuck_walkers():
    chain = ar1(RNG(23), 5, 32, 2000)
    chain[7] = chain[7, 0]
    found = by_parameter(convergence(examine(chain, structure="ensemble")))["convergence", None]
    assert found.flagged and "1 of 32" in found.message and "number 7" in found.message


def test_constant_column_and_few_steps():
    chain = ar1(RNG(24), 1, 4, 1000, 2)
    chain[..., 1] = 3.0
    found = by_parameter(convergence(examine(chain)))["convergence", "p1"]
    assert found.flagged and found.value is None and "every sample is 3" in found.message
    (short,) = convergence(examine(chain[:, :5, :1]))
    assert short.flagged and "too few" in short.message and short.value == 5
    assert len(check_posterior(examine(chain, {"p1": Prior(0, 5)}))) > 5  # all other checks have an answer too


def test_weighted_samples_have_an_effective_size():
    chain = independent(RNG(25), 4000).reshape(1, 4000, 1)
    weights = np.zeros(4000)
    weights[:100] = 1.0
    (few,) = convergence(examine(chain, structure="weighted", weights=weights + 1e-12))
    (all_alike,) = convergence(examine(chain, structure="weighted", weights=np.linspace(1, 1.1, 4000)))
    assert few.flagged and few.value == pytest.approx(100, rel=0.01)
    assert not all_alike.flagged and all_alike.value == pytest.approx(4000, rel=0.01)


def test_weights_count_everywhere():
    """Samples of a wide normal density, weighted to a narrow one."""
    chain = RNG(26).normal(0, 2, (1, 40_000, 2))
    weights = np.exp(-0.5 * chain[0, :, 0] ** 2 * (1 - 1 / 4))
    examination = examine(chain, {"p0": Prior(-1, 9), "p1": Prior(-40, 40)}, structure="weighted", weights=weights)
    assert examination.sd("p0") == pytest.approx(1, rel=0.03) and examination.sd("p1") == pytest.approx(2, rel=0.03)
    assert examination.thinned("p0", 5000).std() == pytest.approx(1, rel=0.05)


def test_flattened_walkers_are_seen_and_single_chains_left_alone():
    walkers = ar1(RNG(27), 19, 16, 500, 2)
    flat = walkers.transpose(1, 0, 2).reshape(-1, 2).T
    assert alternating_walkers(flat) == 16
    assert alternating_walkers(ar1(RNG(28), 19, 1, 8000, 2)[0].T) == 1
    assert alternating_walkers(RNG(29).normal(size=(2, 8000))) == 1


@pytest.mark.parametrize("n_chains", [16, 32, 100])
def test_joined_chains_are_seen(n_chains):
    chain = ar1(RNG(33), 19, n_chains, 300, 2)
    assert joined_chains(chain.reshape(-1, 2).T) == n_chains


def metropolis(rng, n, step):
    """A random-walk Metropolis chain of a standard normal density: it stays where it is at most steps."""
    chain, proposals, tests = np.zeros((1, n)), step * rng.normal(size=n), np.log(rng.random(n))
    for i in range(1, n):
        x, y = chain[0, i - 1], chain[0, i - 1] + proposals[i]
        chain[0, i] = y if tests[i] < 0.5 * (x * x - y * y) else x
    return chain


@pytest.mark.parametrize("seed", range(30))
def test_single_chains_are_not_cut(seed):
    """Also those that seldom move, and then far; rows of 7200 can be cut into equal parts in dozens of ways."""
    assert joined_chains(ar1(RNG(seed), 19, 1, 7200, 2)[0].T) == 1
    assert joined_chains(metropolis(RNG(seed), 7200, 20.0)) == 1
    assert joined_chains(RNG(seed).standard_t(2, size=(1, 7200))) == 1


# ------------------------------------------------------------------------------- modes


@pytest.mark.parametrize(("distance", "is_flagged"), [(0, False), (1.5, False), (6, True)])
def test_two_modes(distance, is_flagged):
    chain = independent(RNG(30), 4000)
    chain[:, ::2] += distance
    (found,) = multimodality(examine(chain))
    assert found.flagged == is_flagged
    if is_flagged:
        assert "modes near" in found.message and found.value < 0.01


@pytest.mark.parametrize("step", [0.02, 0.1, 0.5])
def test_few_digits_make_no_modes(step):
    """Saved to a fiftieth, a tenth and half of the error; the dip test alone takes the grid for modes."""
    chain = independent(RNG(32), 40_000)
    (found,) = multimodality(examine(np.round(chain / step) * step))
    assert not found.flagged
    chain[:, ::2] += 6
    (still,) = multimodality(examine(np.round(chain / step) * step))
    assert still.flagged


def test_spreading_ties_keeps_the_order_and_what_is_alone():
    assert spread_ties(np.array([3.0, 1.0, 2.0])).tolist() == [1.0, 2.0, 3.0]
    assert spread_ties(np.array([0.0, 0.0, 1.0, 5.0])).tolist() == [-0.25, 0.25, 1.0, 5.0]


def test_repeated_values_make_no_modes():
    """A chain of 100 tau that stays where it is most of the time: its samples are thinned to the independent ones."""
    chain = np.repeat(RNG(31).normal(size=(1, 400, 1)), 25, axis=1)
    (found,) = multimodality(examine(chain, structure="single"))
    assert not found.flagged


# ------------------------------------------------------------------------------- with a task


def test_structural_degeneracy_is_flagged_where_a_constraint_is_claimed():
    """T1 of [PW]: H0 = 69.99 +- 0.34 within [50, 90]; and an H0 as wide as its prior claims nothing."""
    exact = DeclaredDegeneracy(("H0",), True, "moduli shifted, same likelihood")
    loose = DeclaredDegeneracy(("c",), False, "the disc decides")
    priors = {"H0": Prior(50, 90)}
    claimed, disc = structural(Examination(summary_of(H0=(69.99, 0.34, 0.34), c=(9, 1, 1)), priors), [exact, loose])
    assert claimed.flagged and claimed.value == pytest.approx(0.34 / (40 / math.sqrt(12)))
    assert not disc.flagged and "assumption-dominated" in disc.message
    (honest,) = structural(Examination(summary_of(H0=(70, 11, 11)), priors), [exact])
    assert not honest.flagged
    assert structural(Examination(summary_of(Omega_L=0.7)), [exact]) == []


def test_plausibility():
    ranges = {"c": PlausibleRange(2, 30, "somebody")}
    (low,) = plausibility(Examination(summary_of(c=1.19)), ranges)
    (right,) = plausibility(Examination(summary_of(c=8.0)), ranges)
    assert low.flagged and low.threshold == 2 and "somebody" in low.message
    assert not right.flagged and right.threshold is None


def test_goodness_of_fit():
    assert goodness_of_fit(Fit(631, 43, 2)).flagged  # T2 with the disc as tabulated: chi2/nu 15
    assert not goodness_of_fit(Fit(57, 43, 2, 56)).flagged
    worse = goodness_of_fit(Fit(80, 43, 2, 57))
    assert worse.flagged and worse.value == pytest.approx(23) and worse.threshold == 18
    for none in (goodness_of_fit(Fit(0.0, 58, 58)), goodness_of_fit(None)):
        assert not none.flagged and none.value is None


def test_scale_of_the_break_mass():
    """[PW] B.3: log M_b = 4.939 is ln(139.6), 0.74 sigma from 127 +- 17."""
    known = {"M_br": Literature(127, 17)}
    (found,) = scale({}, known, unclear={"M_br": ("log M_b", 4.939)})
    assert found.flagged and "a natural logarithm" in found.message
    assert found.value == pytest.approx((math.exp(4.939) - 127) / 17) and found.value == pytest.approx(0.74, abs=0.005)
    (taken_as_decimal,) = scale({"M_br": 10**4.939}, known)
    assert taken_as_decimal.flagged and "a natural logarithm read as a decimal one" in taken_as_decimal.message
    (near,) = scale({"M_br": 118.0}, known)
    assert not near.flagged
    (jupiter,) = scale({"M_br": 0.4}, known)
    assert "Jupiter" in jupiter.message
    (unknown,) = scale({"M_br": 203.0}, known)
    assert not unknown.flagged and unknown.value == pytest.approx(76 / 17)


@pytest.mark.parametrize(
    ("value", "known", "words"),
    [
        (0.28, Literature(0.72, 0.02), "one minus"),
        (72.0, Literature(0.72, 0.02), "percent"),
        (12.0e11, Literature(12.1, 0.15), "decimal logarithm is meant"),
        (27.8, Literature(12.1, 0.15), "natural logarithm where the decimal"),
        (0.015, Literature(15.0, 1.0), "Mpc"),
        (70.0, Literature(100.0, 0.5), "units of h"),
    ],
)
def test_scales(value, known, words):
    assert words in explain_scale(value, known)[0].words


@pytest.mark.parametrize(
    ("value", "known"),
    [
        (30.0, Literature(6.8, 2.0)),  # ln 30 is 1.7 sigma from it, and half of it
        (203.0, Literature(127.0, 17.0)),  # times 0.7 is 0.9 sigma from it
        (0.368, Literature(-0.06, 0.07)),
        (12.9, Literature(11.97, 0.15)),
        (1.05, Literature(1.019, 0.008)),
    ],
)
def test_mere_disagreement_is_not_explained_by_a_scale(value, known):
    """The wrong values of [PW] 6.2 that no change of scale made."""
    assert explain_scale(value, known) == []


def test_drift():
    """R-hat across trials: T3's M_br of 127, 203 and 118 with errors of 10 drifts; four equal trials do not."""
    drifting = [Examination(summary_of(M_br=(m, 10, 10))) for m in (127, 203, 118)]
    (found,) = drift(drifting)
    expected = math.sqrt(1 + np.var([127, 203, 118], ddof=1) / 100)
    assert found.flagged and found.value == pytest.approx(expected)
    (steady,) = drift([Examination(summary_of(O=(0.722 + d, 0.019, 0.019))) for d in (0, 0.001, -0.001, 0.0005)])
    assert not steady.flagged and steady.value < 1.01
    (alone,) = drift([Examination(summary_of(a=(1, 1, 1))), Examination(summary_of(b=(1, 1, 1)))])[:1]
    assert not alone.flagged and alone.value is None


def test_facts_of_a_task_together():
    facts = TaskFacts(
        {"c": Literature(6.8, 2.0)},
        {"c": PlausibleRange(2, 30, "s")},
        (DeclaredDegeneracy(("c",), True, "e"),),
        Fit(9, 3, 1),
    )
    found = check_against_task(Examination(summary_of(c=(1.19, 0.14, 0.21))), facts)
    assert [f.check for f in found] == ["structural", "plausibility", "fit", "scale"]
    assert [f.flagged for f in found] == [True, True, True, False]


# ------------------------------------------------------------------------------- PRS


@pytest.mark.parametrize(
    ("value", "known", "score", "deviation"),
    [
        (0.722, Literature(0.72, 0.02), 0.967, 0.1),  # T1
        (1.05, Literature(1.019, 0.008), 0.0, 3.9),  # T4
        (1.19, Literature(6.8, 2.0), 0.065, -2.8),  # T2
        (0.368, Literature(-0.06, 0.07), 0.0, 6.1),  # T3, trial 1
        (203.0, Literature(127.0, 17.0), 0.0, 4.5),  # T3, trial 1
    ],
)
def test_published_recoveries(value, known, score, deviation):
    found = parameter_recovery({"p": Estimate(value, 0.02, 0.02)}, {"p": known})
    assert found.prs == pytest.approx(score, abs=5e-4)
    assert found.parameters[0].deviation == pytest.approx(deviation, abs=0.05)
    combined = (value - known.value) / math.hypot(known.sigma, 0.02)
    assert found.parameters[0].combined_deviation == pytest.approx(combined)


def test_recovery_without_a_parameter_is_missing_with_a_reason():
    found = parameter_recovery({"c": Estimate(6.8)}, {"c": Literature(6.8, 2), "log10_M200": Literature(11.97, 0.15)})
    assert found.prs is None and "log10_M200" in found.reason and found.missing == ("log10_M200",)
    assert found.parameters[0].score == 1.0 and found.parameters[0].combined_deviation is None


# ------------------------------------------------------------------------------- false alarms


def false_alarms(seeds):
    alarms = []
    for seed in seeds:
        posterior, priors = healthy(RNG(seed))
        alarms += [(seed, f.check, f.message) for f in flagged(check_posterior(Examination(posterior, priors)))]
    return alarms


@pytest.mark.slow
def test_no_false_alarm_on_healthy_posteriors():
    """At a rate of 1 % a check, 40 posteriors show two alarms or more in one check with 6 %."""
    alarms = false_alarms(range(40))
    for check in {check for _, check, _ in alarms}:
        assert len({seed for seed, c, _ in alarms if c == check}) <= 1, alarms


@pytest.mark.parametrize("module", [examination_module, names, parameter_recovery_module, scales])
def test_doctests(module):
    assert doctest.testmod(module).failed == 0
