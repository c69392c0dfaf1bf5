"""From a trial's files to its record: what decides, and what is said when something cannot be known."""

from pathlib import Path

import pytest

from reliability.references import load_reference, render_script
from reliability.scoring import Judge, score_trial
from reliability.summaries import ScoreColumns, summarise
from reliability.tasks import data_folder, load_tasks
from reliability.trials import find_trials

TASKS = load_tasks()
JUDGE = Judge(TASKS, {"t08": load_reference(TASKS["t08"])})
CURVE = (data_folder("reference_solutions") / "t08_angular_distance.csv").read_text()
SCRIPT = render_script(TASKS["t08"])


def write(root: Path, n=0, code=SCRIPT, output=CURVE, report="Done."):
    folder = root / "agent" / "t08" / str(n)
    folder.mkdir(parents=True)
    for name, text in {"code/solve.py": code, "result.csv": output, "report.md": report}.items():
        if text is not None:
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)


def score(tmp_path, **files):
    write(tmp_path, **files)
    (trial,) = find_trials([tmp_path], known_tasks=TASKS)
    return score_trial(trial, JUDGE)


def readings(result):
    return {p.parameter: (p.value, p.state) for p in result.parameters}


POSITIONAL = """
import camb, numpy as np
pars = camb.CAMBparams()
pars.set_cosmology(67.5, 0.022, 0.122, omk=0, mnu=0.06, tau=0.06)
pars.InitPower.set_params(As=2e-9, ns=0.965)
z = np.linspace(0, 4, 100)
np.savetxt("result.csv", np.c_[z, camb.get_background(pars).angular_diameter_distance(z)], delimiter=",")
"""


def test_a_script_for_the_older_camb_is_read_as_such_if_its_output_is_there(tmp_path):
    """CAMB 2 takes no positional cosmology: the output shows that another CAMB ran."""
    result = score(tmp_path / "with", code=POSITIONAL)
    assert (result.pas, result.mode, result.accurate) == (1.0, "D", 1)
    assert "read as for CAMB 1.6" in result.notes
    without = score(tmp_path / "without", code=POSITIONAL, output=None)
    assert "takes" in without.notes
    assert without.mode == "A"


def test_a_valid_output_contradicts_a_reading_that_stops(tmp_path):
    """What we do not see is not charged unseen: pas_high brackets."""
    code = "import camb\nfrom solver import everything\neverything(camb, 'result.csv')\n"
    result = score(tmp_path, code=code)
    assert result.esr == result.accurate == 1
    assert (result.pas, result.pas_high) == (0.0, 1.0)
    assert {state for _, state in readings(result).values()} == {"unresolved"}


def test_a_script_may_stop_once_it_has_written(tmp_path):
    """A stop before the output is contradicted by the output, one after it is not."""
    code = POSITIONAL.replace("67.5, 0.022, 0.122", "H0=67.5, ombh2=0.022, omch2=0.122")
    stop = "raise RuntimeError('did not converge')\n"
    after = score(tmp_path / "after", code=code + stop)
    assert (after.pas, after.mode, after.accurate) == (1.0, "D", 1)
    before = score(tmp_path / "before", code=code.replace("np.savetxt", stop + "np.savetxt"))
    assert (before.pas, before.pas_high, before.accurate) == (0.0, 1.0, 1)


def test_numbers_without_any_camb_are_charged(tmp_path):
    result = score(tmp_path, code="open('result.csv', 'w').write('z,d_A')\n")
    assert (result.pas, result.pas_high, result.mode) == (0.0, 0.0, "B")
    assert "CAMB" in result.notes


def test_several_models_are_named(tmp_path):
    extra = (
        "pars.set_cosmology(H0=70, ombh2=ombh2, omch2=omch2, mnu=mnu, omk=omk, tau=tau)\ncamb.get_background(pars)\n"
    )
    result = score(tmp_path, code=SCRIPT + extra)
    assert readings(result)["H0"] == (70, "set")
    assert "2 different models" in result.notes
    (h0,) = (p for p in result.parameters if p.parameter == "H0")
    assert "67.5" in h0.reason


def test_duplicate_x_with_different_y_is_valid_but_not_accurate(tmp_path):
    result = score(tmp_path, output=CURVE + CURVE.splitlines()[-1].split(",")[0] + ",1\n")
    assert (result.esr, result.accurate, result.wrong) == (1, 0, 1)


@pytest.mark.parametrize(
    ("report", "silent"), [("All done.", 1), ("The result is wrong: do not trust it.", 0), (None, None)]
)
def test_silent_failure(tmp_path, report, silent):
    wrong = "z,d_A\n" + "\n".join(f"{z / 25},{z}" for z in range(101))
    result = score(tmp_path, output=wrong, report=report)
    assert (result.esr, result.wrong) == (1, 1)
    assert result.silent_failure == silent
    assert ("no text kept" in result.notes) == (report is None)


def test_no_mean_score_where_only_failures_have_one(tmp_path):
    write(tmp_path, n=0, code=None)
    write(tmp_path, n=1, code=None, output=None)
    columns = ScoreColumns(score_trial(t, JUDGE) for t in find_trials([tmp_path], known_tasks=TASKS))
    (row,) = summarise(columns, {}, 0).systems.rows
    assert (row["score"], row["score_n"], row["unscored"], row["esr"]) == (None, 0, 1, 0.5)
    assert row["n_unknown"] == row["n_A"] == 1


def test_camb_in_a_file_beside_the_one_that_writes_is_not_charged_unseen(tmp_path):
    write(tmp_path, code="from cosmo import make\nopen('result.csv', 'w').write(make())\n")
    (tmp_path / "agent/t08/0/code/cosmo.py").write_text("import camb\n\ndef make():\n    return ''\n")
    (trial,) = find_trials([tmp_path], known_tasks=TASKS)
    result = score_trial(trial, JUDGE)
    assert (result.pas, result.pas_high, result.accurate) == (0.0, 1.0, 1)


def test_several_tasks_of_which_only_failures_have_scores(tmp_path):
    """The mean over tasks must not come from the failures of another task alone."""
    write(tmp_path, n=0, code=None)
    write(tmp_path / "more", n=1, code=None, output=None)
    (tmp_path / "more/agent/t08").rename(tmp_path / "agent/t09")
    judge = Judge(TASKS, {**JUDGE.references, "t09": load_reference(TASKS["t09"])})
    columns = ScoreColumns(score_trial(t, judge) for t in find_trials([tmp_path / "agent"], known_tasks=TASKS))
    summary = summarise(columns, {}, 0)
    assert summary.systems.rows[0]["score"] is None
    assert {row["task"]: row["score"] for row in summary.tasks.rows if row["task"]} == {"t08": None, "t09": 0.0}


def test_the_last_digit_of_a_parameter_is_no_explanation(tmp_path):
    """0.5 + 0.022 - 0.5 is not 0.022 to the last digit; a curve that nobody can explain stays unexplained."""
    code = SCRIPT.replace("ombh2 = 0.022", "ombh2 = 0.5 + 0.022 - 0.5")
    assert code != SCRIPT
    rows = [line.split(",") for line in CURVE.splitlines()]
    bent = [rows[0], *([z, repr(float(d) * (1.2 if i % 7 else 0.8))] for i, (z, d) in enumerate(rows[1:]))]
    output = "".join(f"{a},{b}\n" for a, b in bent)
    assert score(tmp_path / "same", code=code, output=output).diagnosis == "unknown"
    other = score(tmp_path / "other", code=SCRIPT.replace("ombh2 = 0.022", "ombh2 = 0.03"), output=output)
    assert other.diagnosis == "parameters_in_code"
    assert "ombh2 = 0.03 (0.022 was asked for)" in other.diagnosis_text
