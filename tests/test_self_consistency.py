"""A right answer must be called right, under both CAMB lines; what is nearly right must not."""

import os
import subprocess
import sys

import numpy as np
import pytest

from reliability.camb_code import read_camb_code
from reliability.failure_modes import failure_mode
from reliability.metrics import numerical_accuracy_score
from reliability.parameter_accuracy import parameter_accuracy
from reliability.references import load_reference, load_variants, render_script
from reliability.right_answers import is_right_answer
from reliability.scoring import Judge, score_trial
from reliability.tasks import load_tasks
from reliability.trials import find_trials

TASKS = load_tasks()
REFERENCES = {task_id: load_reference(task) for task_id, task in TASKS.items()}
VARIANTS = [(task_id, v) for task_id, task in TASKS.items() for v in load_variants(task).values()]


def score(task_id, script, curve_text, tmp_path):
    folder = tmp_path / "plain" / task_id / "0"
    (folder / "code").mkdir(parents=True)
    (folder / "code" / "solve.py").write_text(script)
    (folder / "result.csv").write_text(curve_text)
    (folder / "report.md").write_text("The curve was computed with CAMB.\n")
    (trial,) = find_trials([tmp_path], known_tasks=TASKS)
    return score_trial(trial, Judge(TASKS, REFERENCES))


def csv(task, x, y):
    return "\n".join([",".join(task.columns), *(f"{a!r},{b!r}" for a, b in zip(x.tolist(), y.tolist(), strict=True))])


def assert_right(result):
    assert (result.esr, result.pas, result.mode, result.accurate, result.wrong) == (1, 1.0, "D", 1, 0)
    assert (result.pas_low, result.pas_high, result.pas_extended) == (1.0, 1.0, 1.0)
    assert (result.silent_failure, result.unscored_reason) == (0, "")


@pytest.mark.parametrize("task_id", TASKS)
def test_plain_script_with_the_committed_curve(task_id, tmp_path):
    reference = REFERENCES[task_id]
    result = score(task_id, render_script(TASKS[task_id]), csv(TASKS[task_id], reference.x, reference.y), tmp_path)
    assert_right(result)
    assert result.nas == 1.0


@pytest.mark.parametrize("task_id", TASKS)
def test_plain_script_under_the_older_camb_line(task_id, tmp_path):
    """The committed curve of CAMB 1.6.6 beside the same script, read with that line's signatures and defaults."""
    task = TASKS[task_id]
    (variant,) = (v for v in load_variants(task).values() if v.provenance["versions"]["camb"] == "1.6.6")
    script = render_script(task)
    result = score(task_id, script, csv(task, variant.x, variant.y), tmp_path)
    assert_right(result)
    older = parameter_accuracy(read_camb_code(script, camb_line="1.6"), task)
    assert (older.pas, older.pas_extended) == (1.0, 1.0)


def test_every_task_has_the_variants_that_the_tolerance_needs():
    roles = {task_id: {v.role for t, v in VARIANTS if t == task_id} for task_id in TASKS}
    assert all(found >= {"envelope", "held_back"} for found in roles.values()), roles
    near_misses = {v.name for _, v in VARIANTS if v.role == "near_miss"}
    assert len(near_misses) >= 4


def test_what_no_curve_can_tell_really_is_so():
    """Mistakes called inseparable move the curve less than the other CAMB line, or AccuracyBoost 2, does."""
    inseparable = {(task_id, v.name) for task_id, v in VARIANTS if v.role == "inseparable"}
    assert inseparable == {("t12", "lens_accuracy_ignored"), ("t13", "H0_67.3"), ("t14", "H0_67.3")}
    for task_id, name in inseparable:
        reference, variants = REFERENCES[task_id], load_variants(TASKS[task_id])
        shortfall = {
            key: 1 - numerical_accuracy_score(v.x, v.y, reference.x, reference.y).nas for key, v in variants.items()
        }
        assert shortfall[name] < max(shortfall["camb_other_line"], shortfall["accuracy_boost_2"])


@pytest.mark.parametrize(("task_id", "variant"), VARIANTS, ids=lambda v: v if isinstance(v, str) else v.name)
def test_variants(task_id, variant):
    """Right answers that did not make the tolerance pass, near misses do not; those that made it pass by definition."""
    reference = REFERENCES[task_id]
    scores = numerical_accuracy_score(variant.x, variant.y, reference.x, reference.y)
    assert is_right_answer(scores, variant.y, reference) is (variant.role != "near_miss"), scores
    if variant.role != "near_miss":
        assert failure_mode(1, 1.0, scores.nas) == "D"


@pytest.mark.parametrize("task_id", TASKS)
def test_six_printed_digits_are_accurate(task_id):
    reference = REFERENCES[task_id]
    rounded = np.array([float(f"{v:.5e}") for v in reference.y.tolist()])
    scores = numerical_accuracy_score(reference.x, rounded, reference.x, reference.y)
    assert is_right_answer(scores, rounded, reference)


CLASSIC_ERRORS = {
    "all zero": lambda x, y: 0 * y,
    "constant": lambda x, y: np.full_like(y, y.mean()),
    "dimensionless": lambda x, y: y / 2.7255e6**2,
    "D_l scaled again": lambda x, y: y * x * (x + 1) / (2 * np.pi),
    "percent": lambda x, y: 100 * y,
    "sign": lambda x, y: -y,
    "one per cent": lambda x, y: 1.01 * y,
    "shifted by one": lambda x, y: np.roll(y, 1),
}


@pytest.mark.parametrize("error", CLASSIC_ERRORS)
@pytest.mark.parametrize("task_id", TASKS)
def test_classic_errors_are_not_accurate(task_id, error):
    reference = REFERENCES[task_id]
    y = CLASSIC_ERRORS[error](reference.x, reference.y)
    scores = numerical_accuracy_score(reference.x, y, reference.x, reference.y)
    within = {"one per cent": reference.tolerance.smape > 0.00995}.get(error, False)
    assert is_right_answer(scores, y, reference) is within


@pytest.mark.slow
@pytest.mark.parametrize("task_id", TASKS)
def test_plain_script_really_run(task_id, tmp_path):
    """With the CAMB that made the committed set: ESR = PAS = 1, mode D, accurate, NAS >= 1 - 1e-9."""
    import camb

    task, script = TASKS[task_id], render_script(TASKS[task_id])
    place = tmp_path / "run"
    place.mkdir()
    (place / "solve.py").write_text(script)
    for name in task.files:
        (place / name).write_bytes((task.folder / name).read_bytes())
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "solve.py"], cwd=place, check=True, env=environment, timeout=300)
    result = score(task_id, script, (place / "result.csv").read_text(), tmp_path / "trials")
    assert_right(result)
    if camb.__version__ == REFERENCES[task_id].provenance["versions"]["camb"]:
        assert result.nas >= 1 - 1e-9
