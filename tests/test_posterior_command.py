"""``reliability posterior`` as a user meets it: exit codes, one-line errors, strict JSON, figures."""

import json
import time
import tracemalloc

import numpy as np
import pytest
from chains import ar1, posterior_of
from matplotlib.figure import Figure

from reliability.cli import main
from reliability.figure_style import save_figure
from reliability.posterior_checks import Examination, check_posterior
from reliability.posterior_figures import figure_corner, figure_traces
from reliability.posterior_records import Literature, Prior

CHECKS = {
    "prior_boundary", "prior_dominated", "degeneracy", "structural", "convergence", "multimodality", "plausibility",
    "fit", "scale", "drift",
}  # fmt: skip


def run(*arguments):
    return main(["posterior", *(str(a) for a in arguments)])


def strict(text):
    def refuse(constant):
        raise ValueError(constant)

    return json.loads(text, parse_constant=refuse)


def as_json(capsys, *arguments):
    assert run(*arguments, "--json") == 0
    return strict(capsys.readouterr().out)


def by_check(content):
    return {(f["check"], f["parameter"]): f for f in content["findings"]}


@pytest.fixture
def chain(tmp_path):
    """Healthy H0, Omega_Lambda cut at 0.72, and a copy of it as z."""
    rng = np.random.default_rng(1)
    array = ar1(rng, 3, 4, 3000, 3)
    array[..., 0] = 70 + 0.35 * array[..., 0]
    array[..., 1] = 0.72 + 0.02 * np.abs(array[..., 1])
    array[..., 2] = array[..., 1] + 0.001 * array[..., 2]
    path = tmp_path / "posterior.npz"
    np.savez(path, chain=array, names=["H0", "Omega_Lambda", "z"])
    return path


@pytest.fixture
def priors(tmp_path):
    path = tmp_path / "priors.json"
    path.write_text(json.dumps({"H0": [50, 90], "Omega_Lambda": [0.72, 1.0], "spare": [0, 1]}))
    return path


def test_json(chain, priors, capsys):
    content = as_json(capsys, chain, "--priors", priors)
    for finding in content["findings"]:
        assert set(finding) == {"check", "parameter", "flagged", "value", "threshold", "message"}
        assert finding["check"] in CHECKS and isinstance(finding["flagged"], bool)
    found = by_check(content)
    assert (
        "pinned" in found["prior_boundary", "Omega_Lambda"]["message"]
        and found["prior_boundary", "Omega_Lambda"]["flagged"]
    )
    assert not found["prior_boundary", "H0"]["flagged"]
    assert found["degeneracy", "Omega_Lambda, z"]["flagged"] and found["degeneracy", "Omega_Lambda, z"]["value"] > 0.99
    assert not found["convergence", "H0"]["flagged"]
    assert any("spare" in note for note in content["notes"])
    assert content["parameters"]["H0"]["median"] == pytest.approx(70, abs=0.05)
    assert (content["structure"], content["n_chains"], content["n_samples"]) == ("chains", 4, 12_000)


def test_with_a_task(chain, priors, capsys):
    content = as_json(capsys, chain, "--priors", priors, "--task", "T1")
    found = by_check(content)
    assert found["structural", "H0"]["flagged"] and "cannot be measured" in found["structural", "H0"]["message"]
    assert found["structural", "H0"]["value"] == pytest.approx(0.35 / (40 / np.sqrt(12)), rel=0.05)
    assert not found["plausibility", "Omega_Lambda"]["flagged"]
    assert not found["fit", None]["flagged"] and found["fit", None]["value"] == pytest.approx(0.97, abs=0.05)
    recovery = content["recovery"]
    deviation = recovery["parameters"]["Omega_Lambda"]["deviation"]
    assert recovery["prs"] == pytest.approx(1 - abs(deviation) / 3) and 0.5 < deviation < 0.9


@pytest.mark.parametrize(
    ("task", "summary", "prs", "flagged"),
    [
        ("T1", {"H0": [69.99, 0.34], "Omega_Lambda": [0.722, 0.019]}, 0.967, {("structural", "H0")}),
        (
            "T2",
            {"log10_M200": [12.90, 0.05, 0.06], "c": [1.19, 0.14, 0.21]},
            0.033,
            {("plausibility", "log10_M200"), ("plausibility", "c"), ("fit", None)},
        ),
        (
            "T3",
            {"alpha_N": [0.60, 0.02], "alpha_J": [0.368, 0.03], "M_br": [203, 10]},
            0.178,
            {("plausibility", "alpha_J"), ("plausibility", "M_br")},
        ),
        ("T3", {"alpha_N": [0.60, 0.02], "alpha_J": [0.0, 0.03], "log M_b": 4.939}, None, {("scale", "M_br")}),
        ("T4", {"f": [1.05, 0.01]}, 0.0, set()),
    ],
)
def test_the_papers_trials(tmp_path, capsys, task, summary, prs, flagged):  # noqa: PLR0917 - a table of cases
    """[PW] 6.2 and B, as far as values are printed there."""
    path = tmp_path / "summary.json"
    path.write_text(json.dumps(summary))
    content = as_json(capsys, path, "--task", task)
    assert content["recovery"]["prs"] == (None if prs is None else pytest.approx(prs, abs=5e-4))
    assert {key for key, finding in by_check(content).items() if finding["flagged"]} == flagged


def test_assumption_dominated(tmp_path, capsys):
    path = tmp_path / "summary.json"
    path.write_text(json.dumps({"log10_M200": [12.9, 0.05], "c": [1.19, 0.2]}))
    found = by_check(as_json(capsys, path, "--task", "T2"))["structural", "c"]
    assert "assumption-dominated" in found["message"] and not found["flagged"]


def test_lenses_have_a_parameter_each(tmp_path, capsys):
    path = tmp_path / "summary.json"
    path.write_text(json.dumps({"f": [1.02, 0.01], "sigma_SIS_J0037-0942": [280, 5], "sigma_SIS_J0216-0813": [28, 5]}))
    found = by_check(as_json(capsys, path, "--task", "T4"))
    assert not found["plausibility", "sigma_SIS_J0037-0942"]["flagged"]
    assert found["plausibility", "sigma_SIS_J0216-0813"]["flagged"]


def test_names_that_no_terminal_can_print(tmp_path, capsys):
    (tmp_path / "priors.json").write_text('{"\\ud800\\u001b[2J": [0, 1]}')
    np.savez(tmp_path / "c.npz", chain=ar1(np.random.default_rng(8), 1, 4, 300, 1), names=["a"])
    assert "\x1b" not in json.dumps(as_json(capsys, tmp_path / "c.npz", "--priors", tmp_path / "priors.json"))


def test_for_a_person(chain, priors, tmp_path, capsys):
    assert run(chain, "--priors", priors, "--task", "T1", "-o", tmp_path / "out") == 0
    printed = capsys.readouterr()
    assert "npz: 12000 samples of 4 chains" in printed.out and "PRS" in printed.out
    assert "findings are flagged" in printed.out and "note:" in printed.err
    for name in ("corner.png", "corner.svg", "traces.png", "traces.svg"):
        assert (tmp_path / "out" / name).stat().st_size > 5000


def test_report_at_odds_with_the_chain(chain, tmp_path, capsys):
    report = tmp_path / "report.md"
    report.write_text("We find H0 = 73.2 ± 0.4 km/s/Mpc and Omega_Lambda = 0.733 ± 0.013.\n")
    notes = as_json(capsys, chain, "--report", report)["notes"]
    assert any("the report states H0 = 73.2, the chain has" in note for note in notes)
    assert not any("Omega_Lambda" in note for note in notes)


def test_drift_between_trials(chain, tmp_path, capsys):
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"H0": [73, 0.35], "Omega_Lambda": [0.733, 0.01]}))
    found = by_check(as_json(capsys, chain, "--trial", other))
    assert found["drift", "H0"]["flagged"] and not found["drift", "Omega_Lambda"]["flagged"]
    assert found["drift", "z"]["value"] is None


def test_names_and_burn_in(tmp_path, capsys):
    np.savez(tmp_path / "c.npz", chain=ar1(np.random.default_rng(2), 3, 4, 1000, 2))
    content = as_json(capsys, tmp_path / "c.npz", "--names", "a,b", "--discard", "0.5")
    assert list(content["parameters"]) == ["a", "b"] and content["n_samples"] == 2000


def test_flagged_or_not_the_exit_code_is_0_and_what_has_no_value_is_null(tmp_path, capsys):
    np.savez(tmp_path / "c.npz", chain=np.ones((4, 100, 2)), names=["a", "b"])
    content = as_json(capsys, tmp_path / "c.npz")
    assert by_check(content)["convergence", "a"] == {
        "check": "convergence", "parameter": "a", "flagged": True, "value": None, "threshold": None,
        "message": "a: every sample is 1: R-hat, ESS and tau have no value",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["none.npz"], "No such file"),
        (["posterior.npz", "--task", "T9"], "T1, T2, T3, T4"),
        (["posterior.npz", "--priors", "none.json"], "none.json"),
        (["posterior.npz", "--report", "none.md"], "none.md"),
        (["posterior.npz", "--names", "a,b"], "2 names do not match 3 parameters"),
        (["posterior.npz", "--discard", "2"], "share to discard"),
        (["posterior.npz", "--trial", "none.npz"], "none.npz"),
    ],
)
def test_bad_input_is_one_line(chain, arguments, words, capsys):
    arguments = [chain.parent / a if "." in a and not a[0].isdigit() else a for a in arguments]
    assert run(*arguments, "--json") == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1 and words in printed.err


def test_hostile_names_do_not_steer_the_terminal_or_stop_the_drawing(tmp_path, capsys):
    names = ["$\\frac{1}{0}$", "a" * 90, "_x^2_", "<b>&amp;"]
    np.savez(tmp_path / "c.npz", chain=ar1(np.random.default_rng(3), 1, 4, 300, 4), names=names)
    assert run(tmp_path / "c.npz", "-o", tmp_path / "out") == 0
    assert "\x1b" not in capsys.readouterr().out


# ------------------------------------------------------------------------------- figures


def test_figures_show_priors_and_flags():
    chain = ar1(np.random.default_rng(4), 3, 4, 1000, 10)
    chain[..., 9] = np.abs(chain[..., 9])
    examination = Examination(posterior_of(chain), {"p9": Prior(0, 9), "p0": Prior(low=-2)})
    findings = check_posterior(examination)
    corner, traces = figure_corner(examination, findings), figure_traces(examination, findings)
    assert isinstance(corner, Figure) and isinstance(traces, Figure)
    titles = [axes.get_title() for axes in corner.axes]
    assert "prior_boundary" in titles  # p9 is flagged, so it is among the eight that are drawn
    labels = [axes.get_xlabel() for axes in corner.axes]
    assert "p9" in labels and "2 more parameters are not drawn" in corner.get_suptitle()
    assert len(traces.axes) == 8


def test_published_values_are_drawn_or_pointed_at():
    examination = Examination(posterior_of(ar1(np.random.default_rng(9), 3, 4, 1000, 2), names=("near", "far")))
    corner = figure_corner(examination, literature={"near": Literature(0.5, 0.2), "far": Literature(40, 2)})
    near, far = corner.axes[0], corner.axes[3]
    band = near.patches[-1].get_extents().transformed(near.transData.inverted())
    assert (band.x0, band.x1) == pytest.approx((0.3, 0.7))
    assert [text.get_text() for text in far.texts] == ["40 →"]


def test_figures_of_what_does_not_vary_or_is_no_chain():
    still = Examination(posterior_of(np.ones((2, 30, 2))))
    assert figure_corner(still) is None and figure_traces(still) is None
    weights = np.linspace(0, 1, 300)
    points = posterior_of(np.random.default_rng(5).normal(size=(1, 300, 2)), structure="weighted", weights=weights)
    assert figure_traces(Examination(points)) is None and figure_corner(Examination(points)) is not None


def test_the_same_figure_is_the_same_bytes(tmp_path):
    examination = Examination(posterior_of(ar1(np.random.default_rng(6), 3, 4, 300, 2)))
    for name in ("a", "b"):
        save_figure(figure_corner(examination), tmp_path / name)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


# ------------------------------------------------------------------------------- speed


@pytest.mark.slow
def test_a_million_samples_of_ten_parameters_take_below_25_seconds_and_a_gigabyte():
    posterior = posterior_of(ar1(np.random.default_rng(7), 19, 4, 250_000, 10))
    priors = {name: Prior(-9, 9) for name in posterior.names}
    tracemalloc.start()
    start = time.process_time()
    findings = check_posterior(Examination(posterior, priors))
    seconds, (_, peak) = time.process_time() - start, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(findings) > 40 and seconds < 25
    assert peak + posterior.samples.nbytes < 1e9
