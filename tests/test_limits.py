"""Detection limits against closed forms, real CAMB, and the score path."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from reliability.errors import InputError, ReferenceSolutionError
from reliability.failure_modes import failure_mode
from reliability.limit_figures import figure_detection_limits, percent
from reliability.metrics import WEIGHTS
from reliability.reference_runs import compute_reference
from reliability.reference_scripts import find_script, script_arguments
from reliability.references import curve_text, load_reference, load_variants, render_script
from reliability.scoring import Judge, score_trial
from reliability.tasks import load_tasks
from reliability.trials import find_trials
from reliability.validation import camb_process
from reliability.validation.bracketing import RATIO, bracket, digits, locate, next_size
from reliability.validation.camb_process import CambProcess
from reliability.validation.limits import detection_limits, limit_rows, shifted_parameters
from reliability.validation.noticing import CURVE_SCORES, LEAST_FALL, margins_of, thresholds
from reliability.validation.response import response
from reliability.validation.shifted_runs import ShiftedRuns, judged, read_runs, shifted_value, write_runs
from reliability.validation.stress_answers import telling
from reliability.variants import load_alternatives

TASKS = load_tasks()
COMMITTED = read_runs()
SNAPPED = 1.005
"""Sizes are tried to three digits."""


@pytest.fixture(scope="module")
def committed():
    return detection_limits(TASKS, runs=ShiftedRuns(COMMITTED), compute=False)


def one(limits, task, parameter, sign, score):
    (found,) = (x for x in limits if (x.task, x.parameter, x.sign, x.score) == (task, parameter, sign, score))
    return found


def holds(limit, truth):
    """Whether the true limit lies in the bracket, which is ten per cent wide."""
    return limit.unnoticed / SNAPPED <= truth <= limit.limit * SNAPPED and limit.limit <= RATIO * limit.unnoticed


# ---------------------------------------------------------------------------------------------------- the search


@pytest.mark.parametrize("truth", [3.3e-14, 1e-4, 0.0123, 0.5, 0.99])
def test_a_step_is_located(truth):
    found = locate(lambda size: 1.0 if size > truth else -1.0, 1.0, RATIO)
    assert truth / RATIO < found < truth * RATIO


@pytest.mark.parametrize("guess", [0.0101, 0.02, 0.3, 1e-4])
def test_a_guess_costs_two_trials_if_it_is_good_and_only_more_if_it_is_not(guess):
    margins = {1.0: 4.6}
    while (size := next_size(margins, guess)) is not None:
        margins[size] = math.log(size / 0.01)
    low, high, is_monotone = bracket(margins)
    assert low <= 0.01 <= high <= RATIO * low
    assert is_monotone
    assert len(margins) <= (3 if guess == 0.0101 else 8)


def test_what_is_not_noticed_at_the_end_needs_one_trial():
    assert next_size({1.0: -0.2}, 0.1) is None
    assert locate(lambda _: -1.0, 1.0, RATIO) is None


def test_a_size_that_is_noticed_below_one_that_is_not_does_not_count():
    assert bracket({0.1: 1.0, 0.2: -1.0, 0.4: 1.0}) == (0.2, 0.4, False)


# ------------------------------------------------------------------------------------------------- closed forms


@pytest.mark.parametrize("task_id", TASKS)
def test_the_limit_of_pas_is_that_of_its_equations(task_id, committed):
    """Eq. 2: PAS falls by w eps / sum w; Eq. 1: eps is the relative error, or the absolute one over 1e-12 at 0."""
    task = TASKS[task_id]
    total = sum(WEIGHTS[name] for name in task.truth if name in WEIGHTS)
    for name in shifted_parameters(task):
        for sign in "+-":
            found = one(committed, task_id, name, sign, "pas")
            if name not in WEIGHTS:
                assert (found.status, found.limit) == ("never", None)
                assert "does not count" in found.reason
                continue
            eps = LEAST_FALL * total / WEIGHTS[name]
            assert holds(found, eps if task.truth[name] else 1e-12 * eps), found


def scaled_nas(y, k):
    """NAS of k y against y, worked out by hand from Eqs. 3 to 6."""
    nrmse = abs(k - 1) * math.sqrt(np.mean(y**2)) / np.ptp(y)
    smape = 2 * abs(k - 1) / (k + 1)
    ccc = 2 * k * np.var(y) / ((1 + k**2) * np.var(y) + (1 - k) ** 2 * np.mean(y) ** 2)
    return 0.2 * max(0, 1 - nrmse) + 0.3 * (1 - smape) + 0.5 * ccc


def test_the_amplitude_of_the_linear_power_is_a_scale(committed):
    """P(k) is proportional to As, so NAS and mode follow from a scale; the floor of 2e-4 in SMAPE is a limit below."""
    y = load_reference(TASKS["t09"]).y
    task_threshold = thresholds(TASKS["t09"], load_reference(TASKS["t09"])).nas
    for sign in (1, -1):
        name = "+" if sign > 0 else "-"
        size = brentq(lambda e, s=sign: scaled_nas(y, 1 + s * e) - task_threshold, 1e-7, 0.5)
        assert holds(one(committed, "t09", "As", name, "nas"), size)
        assert one(committed, "t09", "As", name, "accurate").unnoticed >= 1e-4
        assert one(committed, "t09", "As", name, "accurate").limit < size
    size = brentq(lambda e: scaled_nas(y, 1 - e) - 0.5, 0.1, 0.9)
    assert holds(one(committed, "t09", "As", "-", "mode"), size)
    assert scaled_nas(y, 2.0) > 0.5
    assert one(committed, "t09", "As", "+", "mode").status == "never"


def test_the_amplitude_of_a_lensed_spectrum_is_nearly_a_scale(committed):
    """Lensing is not linear in As, but small changes of TT are those of the scale to a few per cent."""
    reference = load_reference(TASKS["t01"])
    size = brentq(lambda e: scaled_nas(reference.y, 1 + e) - (1 - LEAST_FALL), 1e-7, 0.5)
    assert one(committed, "t01", "As", "+", "nas").limit == pytest.approx(size, rel=0.15)


def test_the_response_is_exact_for_a_parabola():
    alternatives = load_alternatives(TASKS["t08"])
    step = next(s for s in alternatives.steps if s.parameter == "H0")
    y = load_reference(TASKS["t08"]).y
    for value, curve in ((67.5, y), (step.low, step.y_low), (step.high, step.y_high)):
        np.testing.assert_allclose(response(y, 67.5, step, value), curve, rtol=1e-14)
    # a distance falls as 1/H0 with all of ombh2, omch2 held fixed only roughly; the parabola is good to third order
    at = response(y, 67.5, step, 67.5 * 1.004)
    run = next(r for r in COMMITTED if (r.task, r.parameter, r.error) == ("t08", "H0", 0.00409))
    assert 1 - judged(load_reference(TASKS["t08"]).x, at, load_reference(TASKS["t08"]))[0].nas == pytest.approx(
        (1 - run.nas) * 0.4 / 0.409, rel=0.03
    )


# ------------------------------------------------------------------------------------------------ what is noticed


@pytest.mark.parametrize("task_id", TASKS)
def test_right_answers_are_never_noticed(task_id):
    task, reference = TASKS[task_id], load_reference(TASKS[task_id])
    limits = thresholds(task, reference)
    right = [v for v in load_variants(task).values() if v.role in ("envelope", "held_back")]
    assert len(right) >= 4
    for variant in right:
        scores, accurate = judged(variant.x, variant.y, reference)
        margins = margins_of(1.0, scores.nas, accurate, limits)
        assert all(margin <= 0 for margin in margins.values()), (variant.name, margins)
    assert limits.nas <= 0.999


def test_a_margin_is_positive_where_the_verdict_says_so():
    limits = thresholds(TASKS["t01"], load_reference(TASKS["t01"]))
    for pas, nas, accurate in ((1.0, 1.0, True), (0.4999, 1.0, True), (0.9, 0.5, False), (0.9, 0.4999, False)):
        margins = margins_of(pas, nas, accurate, limits)
        assert (margins["mode"] > 0) is (failure_mode(1, pas, nas) != "D")
        assert (margins["accurate"] > 0) is not accurate
        assert (margins["pas"] > 0) is (pas < 0.999)


def test_every_limit_is_between_what_was_run(committed):
    assert len(committed) == 8 * sum(len(shifted_parameters(task)) for task in TASKS.values())
    assert len({(r.task, r.key) for r in COMMITTED}) == len(TASKS), "runs of an older task, script or tolerance"
    for limit in committed:
        assert limit.is_monotone, limit
        if limit.status == "found":
            assert limit.limit <= RATIO * limit.unnoticed
        elif limit.status == "never":
            assert limit.reason
            assert limit.limit is None
            assert limit.unnoticed == limit.searched_to
    assert [row["task"] for row in limit_rows(committed)] == [limit.task for limit in committed]


def test_camb_takes_no_r_without_tensors(committed):
    found = one(committed, "t06", "r", "+", "accurate")
    assert (found.status, found.limit, found.searched_to) == ("not computed", None, 0.0)
    assert "r>0 but params.WantTensors = F" in found.reason


def test_distances_know_nothing_of_the_initial_power(committed):
    for name in ("As", "ns", "tau"):
        for score in CURVE_SCORES:
            found = one(committed, "t08", name, "+", score)
            assert (found.status, found.reason) == ("never", "the curve does not depend on it")


def test_accurate_notices_before_nas_and_nas_before_mode(committed):
    """Task 13 aside, where right answers differ by per cents and combinations of their deviations pass as well."""
    sizes = {(x.task, x.parameter, x.sign, x.score): x.limit for x in committed}
    for (task, parameter, sign, score), size in sizes.items():
        coarser = {"accurate": "nas" if task != "t13" else "mode", "nas": "mode"}.get(score)
        above = sizes.get((task, parameter, sign, coarser))
        assert above is None or size is None or size <= above, (task, parameter, sign)


@pytest.mark.slow
def test_a_limit_is_what_scoring_says_of_files(committed, tmp_path):
    """Just below the limit and just above it, as an agent would leave them."""
    task, reference = TASKS["t08"], load_reference(TASKS["t08"])
    script = find_script(task)
    judge = Judge({"t08": task}, {"t08": reference})
    with CambProcess() as process:
        for i, score in enumerate(("accurate", "nas", "pas")):
            found = one(committed, "t08", "H0", "+", score)
            for j, size in enumerate((found.unnoticed, found.limit)):
                value = shifted_value(67.5, size)
                x, y, _ = process.compute(script, {**script_arguments(task, script), "H0": value})
                place = tmp_path / "shifted" / "t08" / str(2 * i + j)
                place.mkdir(parents=True)
                (place / "solve.py").write_text(telling(render_script(task), "H0", value))
                (place / "result.csv").write_text(curve_text(task, x, y))
    scores = [score_trial(trial, judge) for trial in find_trials([tmp_path], known_tasks=TASKS)]
    assert [s.accurate for s in scores[:2]] == [1, 0]
    assert [s.nas > 0.999 for s in scores[2:4]] == [True, False]
    assert [s.pas > 0.999 for s in scores[4:]] == [True, False]
    assert {s.mode for s in scores} == {"D"}


# ------------------------------------------------------------------------------------------------------ real CAMB


@pytest.mark.slow
def test_the_committed_limits_come_back_from_camb(committed):
    new = detection_limits({"t08": TASKS["t08"]}, runs=ShiftedRuns())
    assert new == tuple(limit for limit in committed if limit.task == "t08")


@pytest.mark.slow
def test_committed_runs_come_back_from_camb_and_transfer_functions_are_reused_exactly():
    """t12 with As and ns shifted, by a process that reuses them, against one that computes everything."""
    task, reference = TASKS["t12"], load_reference(TASKS["t12"])
    script = find_script(task)
    arguments = script_arguments(task, script)
    with CambProcess() as process:
        for name in ("As", "ns"):
            run = next(r for r in COMMITTED if (r.task, r.parameter) == ("t12", name) and 0 < r.error < 0.1)
            shifted = {**arguments, name: shifted_value(arguments[name], run.error)}
            x, y, _ = process.compute(script, shifted)
            scores, accurate = judged(x, y, reference)
            assert scores.nas == pytest.approx(run.nas, abs=1e-7)
            assert accurate == run.accurate
        whole = compute_reference(script, shifted)
    np.testing.assert_array_equal(whole.y, y)


@pytest.mark.slow
def test_an_unlensed_spectrum_follows_the_amplitude():
    """Proportional where CAMB computes every multipole, below 20; elsewhere a straight line, off by up to 4e-4."""
    script = find_script(TASKS["t12"])
    arguments = script_arguments(TASKS["t12"], script)
    half, whole, more = (
        compute_reference(script, {**arguments, "As": k * arguments["As"]}, unlensed=True).y for k in (0.5, 1.0, 1.5)
    )
    np.testing.assert_allclose((half - 2 * whole + more) / whole, 0.0, atol=1e-12)
    np.testing.assert_allclose((half / whole)[:18], 0.5, rtol=1e-12)
    np.testing.assert_allclose(half / whole, 0.5, rtol=4e-4)


# --------------------------------------------------------------------------------- runs that fail, tables that lie


def compute_in(tmp_path, body):
    script = tmp_path / "script.py"
    script.write_text(f"import os, time\nimport numpy as np\ndef compute(*, n):\n    {body}\n")
    return script


@pytest.mark.slow
def test_a_script_that_fails_or_takes_the_process_with_it(tmp_path, monkeypatch):
    monkeypatch.setattr(camb_process, "TIMEOUT_S", 120.0)
    with CambProcess() as process:
        for body, said in (
            ("raise ValueError('no\\n such cosmology')", "ValueError: no such cosmology"),
            ("os._exit(3)", "the process died"),
            ("return np.arange(3.0), np.array([1.0, np.nan, 2.0])", "not finite"),
            ("print('noise'); return np.arange(n), 2.0 * np.arange(n)", None),
        ):
            (tmp_path / "s").mkdir(exist_ok=True)
            script = compute_in(tmp_path, body).rename(tmp_path / f"{len(list(tmp_path.iterdir()))}.py")
            if said is None:
                assert process.compute(script, {"n": 3})[1].tolist() == [0.0, 2.0, 4.0]
                continue
            with pytest.raises(ReferenceSolutionError, match=said):
                process.compute(script, {"n": 3})
        monkeypatch.setattr(camb_process, "TIMEOUT_S", 0.3)
        with pytest.raises(ReferenceSolutionError, match="not finished after 0 s"):
            process.compute(compute_in(tmp_path, "time.sleep(60)"), {"n": 3})


def test_without_runs_limits_are_estimated_or_missing_and_say_so():
    found = detection_limits({"t08": TASKS["t08"]}, runs=ShiftedRuns(), compute=False)
    h0 = {x.score: x for x in found if (x.parameter, x.sign) == ("H0", "+")}
    assert (h0["pas"].status, h0["mode"].status) == ("found", "not computed")
    assert h0["mode"].limit is None
    assert h0["nas"].status == "estimated"
    assert h0["nas"].limit == pytest.approx(0.00397, rel=0.05)


def test_runs_are_kept_as_they_are_made_and_read_back(tmp_path):
    path = tmp_path / "runs.csv"
    write_runs(path, COMMITTED[:5])
    assert read_runs(path) == COMMITTED[:5]
    assert read_runs(tmp_path / "none.csv") == []


@pytest.mark.parametrize(
    ("text", "said"), [("task,error\n", "line 1"), (None, "line 3"), ("", "line 1")], ids=["header", "number", "empty"]
)
def test_a_table_that_is_none(tmp_path, text, said):
    path = tmp_path / "runs.csv"
    write_runs(path, COMMITTED[:2])
    path.write_text(path.read_text().replace(f"{COMMITTED[1].error!r},", "much,", 1) if text is None else text)
    with pytest.raises(InputError, match=f"runs.csv, {said}"):
        read_runs(path)


def test_digits_and_per_cents():
    assert digits(0.0123456) == 0.0123
    assert [percent(v) for v in (0.0421, 0.7, 5.1, 52.6, 100.0, 1e-10)] == [".042", ".70", "5.1", "53", "100", "~0"]


def test_the_figure_has_a_cell_for_every_task_parameter_and_score(committed):
    figure = figure_detection_limits(committed)
    panels = figure.axes[:4]
    cells = sum(len(task_parameters) for task_parameters in map(shifted_parameters, TASKS.values()))
    for axes in panels:
        assert len(axes.patches) == cells
    texts = {t.get_text() for t in panels[0].texts}
    assert {".70", "1.4", "~0"} <= texts  # PAS: 0.70 % for weight 2 of 13.5, 1.4 % for weight 1, nothing for omk = 0
    assert "% of the right value" in figure.axes[-1].get_xlabel()


def test_numerical_scores_of_a_shifted_run_are_consistent():
    for run in COMMITTED[::50]:
        if run.nas is not None:
            assert run.nas == pytest.approx(0.2 * run.s_nrmse + 0.3 * run.s_smape + 0.5 * run.s_ccc, abs=1e-12)
