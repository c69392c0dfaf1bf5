"""The validation: its truth is independent, its counting right, and the judge passes it."""

import ast
import csv
import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest

import reliability.validation.truth as truth_module
from reliability.cli import main
from reliability.corpus import recipe_for
from reliability.faults import FAULTS, RIGHT
from reliability.records import Tolerance, TrialScore
from reliability.tasks import load_tasks
from reliability.validation.cases import all_cases
from reliability.validation.making import Place, make_trials
from reliability.validation.summary import diagnosis_rows, disagreement_rows, fault_rows, kind_rows, mode_rows, rate
from reliability.validation.truth import Truth, parameter_score, shortfalls, true_of
from reliability.validation.verdicts import Verdict, verdict_on

TASKS = load_tasks()
NAMED = {"unit", "normalisation", "spectrum", "tensor", "lensing", "scalar"}
"""Kinds that shall be diagnosed by name."""
LIMIT = Tolerance(0.01, 0.01, 0.001)


# ----------------------------------------------------------------------------------------------------------- truth


def test_the_truth_imports_nothing_of_the_judge():
    tree = ast.parse(Path(truth_module.__file__).read_text())
    checked = [n for n in tree.body if not (isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING")]
    names = {ast.unparse(n) for part in checked for n in ast.walk(part) if isinstance(n, ast.Import | ast.ImportFrom)}
    assert not [name for name in names if "reliability" in name]


def test_parameter_score_by_hand():
    told = recipe_for(TASKS["t01"]).told
    assert parameter_score(told, TASKS["t01"].truth) == 1
    without_tau = {n: v for n, v in told.items() if n != "tau"}
    assert parameter_score(without_tau, TASKS["t01"].truth) == pytest.approx(1 - 1 / 13.5)
    assert parameter_score({**told, "H0": 67.5 * 1.1}, TASKS["t01"].truth) == pytest.approx(1 - 0.2 / 13.5)


def test_shortfalls_in_closed_form():
    """The doubled curve 1..n: SMAPE 2/3, NRMSE rms/(n-1), CCC = 4 var/(5 var + mean^2)."""
    n = 101
    y = np.arange(1.0, n + 1)
    nrmse, smape, ccc = shortfalls(2 * y, y)
    variance, mean = (n**2 - 1) / 12, (n + 1) / 2
    assert smape == pytest.approx(2 / 3)
    assert nrmse == pytest.approx(math.sqrt(variance + mean**2) / (n - 1))
    assert ccc == pytest.approx(1 - 4 * variance / (5 * variance + mean**2))


def truth_of(factor, name="twice", limit=LIMIT):
    x = np.arange(2, 3001)
    right, output = ("l,TT\n" + "".join(f"{a},{b!r}\n" for a, b in zip(x, y.tolist(), strict=True))
                     for y in (1e3 / x, factor * 1e3 / x))  # fmt: skip
    task = TASKS["t01"]
    return true_of(FAULTS[name], task, recipe_for(task), output=output.encode(), right=right.encode(), limit=limit)


def test_size_decides_what_is_accurate():
    assert [truth_of(f).accurate for f in (1 + 1e-6, 1.005, 1.02)] == [True, None, False]
    assert truth_of(1.02).names == ("times_2",)
    assert truth_of(1.005).names == ()
    assert (truth_of(1.02).silent, truth_of(1.005).silent, truth_of(1.02, "zeros_admitted").silent) == (
        True,
        None,
        False,
    )
    assert truth_of(1.02, "right_without_report").silent is None
    assert truth_of(1.02, RIGHT).accurate is True


def test_modes_by_the_papers_rule():
    assert [truth_of(f).mode for f in (1.0, 3.0)] == ["D", "C"]
    assert truth_of(1.0, "made_up").mode == "B"
    assert truth_of(1.0, "empty_file").mode == "A"


# -------------------------------------------------------------------------------------------------------- counting


def verdict(fault="twice", task="t01", number=0, **changed):
    right = Verdict(fault, FAULTS[fault].kind, task, number, "drawn", "full", 1, 1, "C", "C", 0, 0, 1, 1, "times_2",
                    "times_2", 1)  # fmt: skip
    return dataclasses.replace(right, **changed)


def test_rates_count_tasks_and_modes_count_trials():
    some = [verdict(number=k) for k in range(3)] + [verdict(task="t02", number=k, accurate=k % 2) for k in range(2)]
    value, low, high, n = rate(some, "noticed")
    assert (value, n) == (0.75, 2)
    assert (low, high) == pytest.approx((0.19786, 0.97332), abs=1e-4)  # Wilson by hand: 1.5 of 2
    assert rate([dataclasses.replace(v, mode="D") for v in some], "mode_right")[0::3] == (0.0, 5)
    assert rate(some, "false_alarm") == (None, None, None, 0)
    row = fault_rows(some)[0]
    assert (row["fault"], row["n_tasks"], row["n_trials"], row["noticed"]) == ("twice", 2, 5, 0.75)
    assert [row["kind"] for row in kind_rows(some)] == ["normalisation", "all"]


def test_confusion_and_disagreements():
    some = [verdict(), verdict(number=1, mode="D", diagnosis="scale", named=0), verdict(number=2, accurate=1)]
    assert next(row for row in mode_rows(some) if row["true_mode"] == "C") == {
        "true_mode": "C", "A": 0, "B": 0, "C": 2, "D": 1, "unknown": 0
    }  # fmt: skip
    assert [(r["diagnosis"], r["n_trials"], r["is_right"]) for r in diagnosis_rows(some)] == [
        ("times_2", 2, 1),
        ("scale", 1, 0),
    ]
    assert [row["in"] for row in disagreement_rows(some)] == ["mode diagnosis", "accurate"]


def test_a_name_must_speak_of_the_right_parameter():
    case = next(c for c in all_cases(TASKS, seed=0, n_styles=1, is_quick=False) if c.fault.id == "As_5pc_high")
    truth = Truth(1, 0.99, 0.9, "D", False, case.fault.names(TASKS[case.task]), True)

    def named(diagnosis, text):
        values = dict.fromkeys(f.name for f in dataclasses.fields(TrialScore))
        score = TrialScore(**{**values, "diagnosis": diagnosis, "diagnosis_text": text, "parameters": ()})
        return verdict_on(case, "full", truth, score).named

    assert named("parameter", "The curve is what As = 2.1e-09 would give.") == 1
    assert named("parameter", "The curve is what H0 = 71 would give.") == 0
    assert named("scale", "Every value is 1.05 times the right one.") == 1
    assert named("unlensed", "The spectrum is unlensed.") == 0


# ----------------------------------------------------------------------------------------------------------- cases


def test_cases_follow_from_the_seed():
    one, three = (all_cases(TASKS, seed=1, n_styles=n, is_quick=False) for n in (1, 3))
    assert all_cases(TASKS, seed=1, n_styles=1, is_quick=False) == one
    drawn = [c for c in one if c.style_name == "drawn"]
    assert drawn == three[: len(drawn)]
    assert len({c.fault.id for c in one}) >= 40
    assert len({c.place for c in three}) == len(three)
    further = [c for c in three if c.number in (1, 2) and c.fault.is_slow]
    assert sum(c.is_full for c in further) / len(further) == pytest.approx(0.1, abs=0.03)


def test_another_model_than_that_of_number_0_is_run_in_full(tmp_path):
    cases = [c for c in all_cases(TASKS, seed=2, n_styles=3, is_quick=True) if (c.fault.id, c.task) == (RIGHT, "t08")]
    cases = [dataclasses.replace(c, is_full=c.number == 0) for c in cases if c.style_name == "drawn"]
    place = Place(tmp_path)
    make_trials(cases[:1], TASKS, place)
    note = place.note(cases[0])
    make_trials(cases[:2], TASKS, place)
    note.write_text(note.read_text().replace("67.5", "67.6"))
    make_trials(cases, TASKS, place)
    assert [place.read_note(c)["how"] for c in cases] == ["full", "curve of number 0", "full"]


def test_a_trial_is_made_again_if_its_script_is_another(tmp_path):
    case = next(c for c in all_cases(TASKS, seed=2, n_styles=1, is_quick=True) if c.fault.id == "made_up")
    place, made = Place(tmp_path), []
    script = place.trial(case) / "code" / "solution.py"
    for _ in range(2):
        make_trials([case], TASKS, place, progress=lambda done, n: made.append((done, n)))
    right = script.read_text()
    script.write_text("import numpy\n")
    make_trials([case], TASKS, place)
    assert made == [(0, 1), (1, 1), (1, 1)]
    assert script.read_text() == right


# ------------------------------------------------------------------------------------------------------ the judge


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
def test_the_judge_passes_a_quick_validation(tmp_path, capsys):
    command = ["validate", "-o", str(tmp_path / "v"), "--quick", "--workers", "2"]
    assert main(command) == 0
    shown = capsys.readouterr().out
    folder = tmp_path / "v"
    trials = rows_of(folder / "trials.csv")
    assert len({t["fault"] for t in trials}) >= 40
    assert "normalisation" in shown
    for trial in trials:
        if trial["accurate_true"] == "1":
            assert (trial["accurate"], trial["diagnosis"]) == ("1", ""), trial
        if trial["accurate_true"] == "0":
            assert trial["accurate"] == "0", trial
        if trial["silent_true"]:
            assert trial["silent"] == trial["silent_true"], trial
        assert trial["esr"] == trial["esr_true"], trial
    known = [t for t in trials if t["kind"] in NAMED and t["named"]]
    assert sum(t["named"] == "1" for t in known) >= 0.98 * len(known)
    assert sum(t["mode"] == t["mode_true"] for t in trials) >= 0.98 * len(trials)
    assert (folder / "figures" / "kinds.png").stat().st_size > 10_000

    tables = {path.name: path.read_bytes() for path in folder.glob("*.csv")}
    for note in list((folder / "work" / "runs" / "sign").rglob("*.json")):
        note.unlink()
    assert main([*command, "--no-figures"]) == 0
    assert {path.name: path.read_bytes() for path in folder.glob("*.csv")} == tables


def test_a_folder_of_something_else_is_left_alone(tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("precious")
    assert main(["validate", "-o", str(tmp_path), "--quick"]) == 2
    said = capsys.readouterr().err.strip()
    assert said == f"reliability: error: {tmp_path}: is not empty and holds no validation; choose another folder"
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
