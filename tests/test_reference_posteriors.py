"""The committed posteriors of the inference problems: converged, reproducible, and what right analyses score."""

import json
import shutil

import numpy as np
import pytest

from reliability import inference_references
from reliability.cli import main
from reliability.errors import OutputError, ReferenceSolutionError
from reliability.inference_audit import AUDIT_FILE, render_audit
from reliability.inference_references import (
    analyses_of,
    load_inference_reference,
    posterior_path,
    problems_of,
    write_inference_reference,
)
from reliability.inference_runs import EnsembleRun, combine, sample
from reliability.inference_tasks import load_inference_tasks, read_columns, read_words
from reliability.likelihoods import best_fit, gaussian_problem
from reliability.literature_probes import probe_halo, probe_mass_cut, probe_ratio, scatter_chi2
from reliability.posterior_checks.chain_statistics import chain_statistics
from reliability.posterior_records import Prior
from reliability.posteriors import read_posterior
from reliability.tasks import data_folder

TASKS = load_inference_tasks()
REFERENCES = {task_id: load_inference_reference(task) for task_id, task in TASKS.items()}
POSTERIORS = [(t, name) for t, reference in REFERENCES.items() for name in reference.posteriors]
each_posterior = pytest.mark.parametrize(("task", "name"), POSTERIORS)


def prs(task, analysis):
    (found,) = (result.prs for result in REFERENCES[task].results if result.name == analysis)
    return found


def value(task, analysis, parameter):
    (found,) = (result.estimates[parameter] for result in REFERENCES[task].results if result.name == analysis)
    return found


# -------------------------------------------------------------------------------------------------------- convergence


@each_posterior
def test_convergence_is_proven(task, name):
    proof = REFERENCES[task].posteriors[name].provenance
    assert min(proof["n_taus"]) > 50
    assert proof["r_hat"] < 1.01
    assert len(set(proof["seeds"])) == 2
    assert 0.15 < min(proof["acceptance"]) < 0.85
    assert {"emcee", "numpy", "scipy", "python"} <= set(REFERENCES[task].provenance["versions"])


@each_posterior
def test_the_stored_samples_are_those_of_the_chain(task, name):
    """R-hat of the thinned runs; medians and spreads within five of their own errors (ESS at least a tenth of them)."""
    posterior = REFERENCES[task].posteriors[name]
    assert posterior.chain.shape[0] == 2
    error = 1.25 / np.sqrt(posterior.chain.shape[0] * posterior.chain.shape[1] / 10)
    for i, parameter in enumerate(posterior.names):
        assert chain_statistics(posterior.chain[:, :, i]).r_hat < 1.02, parameter
        column, sd = posterior.samples[parameter], posterior.provenance["sd"][parameter]
        assert abs(np.median(column) - posterior.provenance["median"][parameter]) < 5 * error * sd
        assert np.std(column) == pytest.approx(sd, rel=5 * error)


@each_posterior
def test_the_likelihood_is_the_one_that_was_sampled(task, name):
    """A change of a likelihood that a rerun has not followed shows here."""
    posterior = REFERENCES[task].posteriors[name]
    problem = problems_of(TASKS[task])[name]
    theta = np.array([[posterior.provenance["best_fit"][parameter] for parameter in problem.names]])
    found = problem.log_likelihood(theta)[0]
    assert found == pytest.approx(posterior.provenance["best_log_likelihood"], rel=1e-7, abs=1e-6)
    priors = [[p.kind, p.low, p.high, p.mean, p.sigma] for p in problem.priors]
    assert priors == list(posterior.provenance["priors"].values())
    assert problem.log_likelihood(posterior.chain[0, ::50]).max() <= found + 1e-6


@each_posterior
def test_files_are_small_and_read_like_any_posterior(task, name):
    path = posterior_path(TASKS[task], name)
    assert path.stat().st_size < 300_000
    found = read_posterior(path)
    assert found.names == REFERENCES[task].posteriors[name].names
    assert found.n_samples == REFERENCES[task].posteriors[name].chain[:, :, 0].size


# ------------------------------------------------------------------------------------------------- ceilings, METRICS 7


def test_t1_ceiling():
    """0.98 for 0.721; a median's own error of 0.02 sd is 0.007 in PRS."""
    assert REFERENCES["T1"].named.name == "H0 free"
    assert REFERENCES["T1"].ceiling == pytest.approx(0.98, abs=0.025)
    for analysis in ("H0 free", "offset marginalised"):
        found = value("T1", analysis, "Omega_Lambda")
        assert found.value == pytest.approx(0.722, abs=0.0015)
        assert found.sigma == pytest.approx(0.0195, abs=0.001)
    proof = REFERENCES["T1"].posteriors["H0 free"].provenance
    assert proof["median"]["H0"] == pytest.approx(69.98, abs=0.04)
    assert proof["sd"]["H0"] == pytest.approx(0.35, abs=0.015)


def test_t2_ceiling_follows_the_disc():
    assert REFERENCES["T2"].ceiling == pytest.approx(0.41, abs=0.005)
    assert prs("T2", "disc M/L 1") == pytest.approx(0.02, abs=0.008)
    assert value("T2", "disc M/L 0.5", "log10_M200").value == pytest.approx(11.66, abs=0.005)
    assert value("T2", "disc M/L 0.5", "c").value == pytest.approx(9.75, abs=0.03)
    assert value("T2", "disc M/L 1", "log10_M200").value == pytest.approx(12.76, abs=0.01)
    assert value("T2", "disc M/L 1", "c").value == pytest.approx(1.09, abs=0.01)


def test_t2_chi2_of_the_best_fits():
    found = {name: p.provenance["best_log_likelihood"] * -2 for name, p in REFERENCES["T2"].posteriors.items()}
    assert found["disc M/L 0.5"] / 41 == pytest.approx(1.39, abs=0.01)
    assert found["disc M/L 1"] / 41 == pytest.approx(15.4, abs=0.1)
    assert found["disc M/L free"] == pytest.approx(55.47, abs=0.02)


def test_t3_ceiling():
    """The model asked for, mass marginalised exactly. A rough fit (scatter in radius only) would score near 0.56."""
    assert REFERENCES["T3"].named.name == "hot inflation"
    assert REFERENCES["T3"].ceiling == pytest.approx(0.70, abs=0.02)
    assert value("T3", "hot inflation", "alpha_N").value == pytest.approx(0.587, abs=0.004)
    assert value("T3", "hot inflation", "alpha_J").value == pytest.approx(0.002, abs=0.005)
    assert value("T3", "hot inflation", "M_br").value == pytest.approx(124.3, abs=2)
    low, high = REFERENCES["T3"].ceiling_range
    assert low < 0.56 < high


def test_t4_ceiling_is_a_matter_of_the_estimator():
    assert REFERENCES["T4"].named.name == "weighted mean"
    assert REFERENCES["T4"].ceiling == pytest.approx(0.63, abs=0.015)
    assert value("T4", "weighted mean", "f").value == pytest.approx(1.028, abs=0.001)
    assert prs("T4", "mean") == prs("T4", "median") == 0
    assert value("T4", "mean", "f").value == pytest.approx(1.061, abs=0.001)
    assert value("T4", "median", "f").value == pytest.approx(1.050, abs=0.001)
    assert prs("T4", "weighted mean, aperture") == pytest.approx(0.75, abs=0.02)


def test_every_task_has_one_named_analysis():
    for task_id, reference in REFERENCES.items():
        assert [r.name for r in reference.results if r.is_named] == [TASKS[task_id].analysis]
        low, high = reference.ceiling_range
        assert 0 <= low <= reference.ceiling <= high <= 1


# ------------------------------------------------------------------------------------------------------------- probes


def test_which_halo_is_the_literature_pair():
    data = read_columns(TASKS["T2"].data)
    critical, virial = (probe_halo(data, 11.97, 6.8, overdensity) for overdensity in (200.0, 97.0))
    assert critical.chi2 > 700
    assert virial.chi2 == pytest.approx(136.2, abs=0.2)
    assert virial.ml_disk == pytest.approx(0.727, abs=0.002)


def test_which_estimator_gives_the_literature_f():
    data, morphology = read_columns(TASKS["T4"].data), read_words(TASKS["T4"].data, "morphology")
    hits = [
        (p.sample, p.exponent, p.estimator)
        for p in probe_ratio(data, morphology)
        if (round(p.estimate.value, 3), round(p.estimate.sigma, 3)) == (1.019, 0.008)
    ]
    assert hits == [("early-type", 0.06, "log-weighted mean")]
    chi2, n = scatter_chi2(data, morphology, "all")
    assert n == 58
    assert chi2 == pytest.approx(157, abs=1)


def test_which_cut_gives_the_literature_slope():
    two, ten = probe_mass_cut(read_columns(TASKS["T3"].data), (2.0, 10.0))
    assert (two.n_planets, ten.n_planets) == (1303, 988)
    assert two.values["alpha_N"] == pytest.approx(0.555, abs=0.003)
    assert ten.values["alpha_N"] == pytest.approx(0.673, abs=0.003)
    assert ten.values["M_br"] == pytest.approx(123, abs=2)


@pytest.mark.slow
def test_the_audit_is_current():
    assert (data_folder("literature_refs") / AUDIT_FILE).read_text() == render_audit()


# ----------------------------------------------------------------------------------------------------------- sampling


def test_sampling_a_normal_distribution():
    """Known answer: means 3 and -1, standard deviations 0.5 and 2."""
    mean, sd = np.array([3.0, -1.0]), np.array([0.5, 2.0])
    problem = gaussian_problem(
        ("a", "b"), (Prior(-20, 20), Prior(-20, 20)), (1.0, 1.0), lambda theta: (theta - mean) / sd, 2
    )
    runs = tuple(sample(problem, seed, n_taus=20) for seed in (1, 2))
    found = combine(problem, "normal", runs)
    ess = sum(run.n_taus * run.chain.shape[1] for run in runs)
    medians = np.array(list(found.provenance["median"].values()))
    assert np.all(np.abs(medians - mean) < 4 * 1.25 * sd / np.sqrt(ess))
    assert list(found.provenance["sd"].values()) == pytest.approx(sd, rel=4 / np.sqrt(2 * ess))
    assert found.provenance["r_hat"] < 1.01
    assert found.provenance["best_fit"] == pytest.approx({"a": 3, "b": -1})
    again = sample(problem, 1, n_taus=20)
    np.testing.assert_array_equal(again.chain, runs[0].chain)


@pytest.mark.parametrize("task", ["T2", "T4"])
def test_a_short_chain_agrees_with_the_committed_one(task):
    """Ten autocorrelation times of 32 walkers: an error of 0.07 sd; half a sd is far outside."""
    name = {"T2": "disc M/L 0.5", "T4": "population"}[task]
    run = sample(problems_of(TASKS[task])[name], seed=7, n_taus=10)
    committed = REFERENCES[task].posteriors[name]
    for i, parameter in enumerate(committed.names):
        shift = np.median(run.chain[:, :, i]) - committed.provenance["median"][parameter]
        assert abs(shift) < 0.3 * committed.provenance["sd"][parameter]


def test_a_chain_that_does_not_converge_is_an_error():
    problem = problems_of(TASKS["T2"])["disc M/L 0.5"]
    with pytest.raises(ReferenceSolutionError, match="not converged after 1000 steps"):
        sample(problem, seed=1, max_steps=1000)


@pytest.mark.slow
def test_the_command_samples_again_and_compares(capsys, tmp_path):
    assert main(["references", "T2", "--check", "--json", "--out", str(tmp_path)]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["problem"] for row in rows] == list(REFERENCES["T2"].posteriors)
    assert {row["verdict"] for row in rows} == {"reproduced"}
    assert {path.name for path in tmp_path.iterdir()} == {
        "T2_ngc3198.json",
        *(posterior_path(TASKS["T2"], name).name for name in REFERENCES["T2"].posteriors),
    }


# ------------------------------------------------------------------------------------------------------------- refusal


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """The reference solutions in a folder of their own."""
    for path in data_folder("reference_solutions").glob("T2*"):
        shutil.copy(path, tmp_path)
    monkeypatch.setattr(inference_references, "data_folder", lambda _: tmp_path)
    return tmp_path


@pytest.mark.parametrize("ending", [".py", "__disc_m_l_1.npz"])
def test_a_changed_file_is_refused(copied, ending):
    (path,) = copied.glob(f"T2*{ending}")
    path.write_bytes(path.read_bytes() + b"\n# changed")
    with pytest.raises(ReferenceSolutionError, match=r"make it again|changed since it was made") as caught:
        load_inference_reference(TASKS["T2"])
    assert "reliability references T2" in str(caught.value)


def test_a_missing_posterior_is_named(copied):
    (copied / "T2_ngc3198__disc_m_l_1.npz").unlink()
    with pytest.raises(ReferenceSolutionError, match=r"disc_m_l_1\.npz: missing"):
        load_inference_reference(TASKS["T2"])
    (copied / "T2_ngc3198.py").unlink()
    with pytest.raises(ReferenceSolutionError, match="no reference script of T2"):
        analyses_of(TASKS["T2"])


def test_written_and_read_again(copied):
    reference = load_inference_reference(TASKS["T2"])
    write_inference_reference(TASKS["T2"], reference.posteriors, copied, {"emcee": "1"})
    again = load_inference_reference(TASKS["T2"])
    assert again.results == reference.results
    assert again.provenance["versions"] == {"emcee": "1"}
    (copied / "file").write_text("mine")
    with pytest.raises(OutputError, match="cannot be written"):
        write_inference_reference(TASKS["T2"], reference.posteriors, copied / "file", {})


def test_inference_problems_and_others_do_not_mix(capsys):
    for arguments in (["T2", "t01"], ["--deep", "--script", "t01"], ["T2", "--tasks", "elsewhere"]):
        assert main(["references", *arguments]) == 2
        message = capsys.readouterr().err
        assert "inference problems" in message
        assert message.count("\n") == 1


def test_ensemble_length_is_that_of_the_slowest_parameter():
    run = EnsembleRun(np.zeros((100, 4, 2)), every=20, tau=np.array([10.0, 40.0]), acceptance=0.3, seed=1)
    assert run.n_taus == 50


def test_best_fit_keeps_to_the_bounds():
    problem = gaussian_problem(("a",), (Prior(0, 1),), (0.5,), lambda theta: theta - 3, 1)
    assert best_fit(problem).theta == pytest.approx([1.0])
