"""The stress test: edits that change nothing change no score, others do, and better answers outscore worse ones."""

import ast
import contextlib
import io
import math
import os
import subprocess
import sys

import numpy as np
import pytest

from reliability.references import load_reference, render_script
from reliability.statistics import wilson_interval
from reliability.stress_figures import figure_edit_effects, figure_ordering
from reliability.tasks import load_tasks
from reliability.validation.stress import (
    ALL,
    STRESSED,
    EditEffect,
    OrderedPair,
    Stress,
    edit_rows,
    evaluator_stress,
    order_rows,
    outscores,
    stress_task,
    surprises,
)
from reliability.validation.stress_answers import (
    BASES,
    MATTERING,
    ORDERED,
    Setting,
    ordered_pairs,
    right_answer,
    shifted,
)
from reliability.validation.stress_edits import SAME_CODE, SAME_OUTPUT
from reliability.variants import load_alternatives

TASKS = load_tasks()


def setting(task_id, seed=1):
    task = TASKS[task_id]
    return Setting(task, load_reference(task), load_alternatives(task), np.random.default_rng(seed))


@pytest.fixture(scope="module")
def small():
    """Two tasks on small grids."""
    found = [stress_task(TASKS[task_id], 0) for task_id in ("t09", "t12")]
    return Stress(tuple(e for f in found for e in f.effects), tuple(p for f in found for p in f.pairs))


# ------------------------------------------------------------------------------------------------------- the edits


@pytest.mark.parametrize("name", SAME_OUTPUT)
def test_an_edit_of_the_output_keeps_its_numbers_but_not_its_bytes(name):
    s = setting("t09")
    answer = right_answer(s)
    edited = SAME_OUTPUT[name](answer, s)
    assert edited.file != render(answer, s) or edited.output_name != answer.output_name
    cells = edited.file.decode("utf-8-sig").replace('"', " ").replace("D", "e")
    for mark in ",;\t":
        cells = cells.replace(mark, " ")
    words = set()
    for word in cells.split():
        with contextlib.suppress(ValueError):
            words.add(float(word))
    assert words >= {*answer.x.tolist(), *answer.y.tolist()}


def render(answer, s):
    from reliability.validation.stress_answers import plain_csv

    return plain_csv(answer, s).encode()


@pytest.mark.parametrize("name", [n for n in SAME_CODE if n != "code in another file"])
def test_an_edit_of_the_code_is_one_in_every_task_and_still_parses(name):
    for task_id in TASKS:
        s = setting(task_id)
        code = SAME_CODE[name](right_answer(s), s).code
        assert code != render_script(TASKS[task_id])
        ast.parse(code)


@pytest.mark.slow
def test_edited_code_computes_the_same(tmp_path):
    """Every edited script of the distance task, really run."""
    s = setting("t08")
    answer = right_answer(s)
    runner = ["import runpy, os"]
    for i, edit in enumerate(SAME_CODE.values()):
        place = tmp_path / str(i)
        place.mkdir()
        (place / "solve.py").write_bytes(edit(answer, s).code.encode())
        runner += [f"os.chdir({str(place)!r})", "runpy.run_path('solve.py', run_name='__main__')"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "-c", "\n".join(runner)], check=True, env=environment, timeout=300)
    outputs = [(tmp_path / str(i) / "result.csv").read_text() for i in range(len(SAME_CODE))]
    assert set(outputs) == {outputs[0]}
    y = np.loadtxt(io.StringIO(outputs[0]), delimiter=",", skiprows=1)[:, 1]
    np.testing.assert_allclose(y, answer.y, rtol=1e-9)


def test_a_shifted_answer_says_the_same_in_code_and_curve():
    """P(k) is proportional to As: the curve of an As 1 per cent too large is 1.01 times the right one."""
    s = setting("t09")
    answer = shifted(s, "As", 0.01)
    np.testing.assert_allclose(answer.y, 1.01 * s.reference.y, rtol=1e-7)
    assert "As = 2.02e-09" in answer.code
    assert shifted(s, "omk", 0.01) is None  # its right value is 0


# ------------------------------------------------------------------------------------------------------ the scores


def test_what_changes_nothing_changes_no_score(small):
    assert not [e for e in surprises(small) if e.target != "answer"]
    same = [e for e in small.effects if e.target != "answer"]
    assert len(same) == 2 * len(BASES) * (len(SAME_OUTPUT) + len(SAME_CODE)) * len(STRESSED)


@pytest.mark.slow
@pytest.mark.parametrize("task_id", ["t07", "t13"])
def test_what_changes_nothing_changes_no_score_elsewhere(task_id):
    assert not [e for e in surprises(stress_task(TASKS[task_id], 0)) if e.target != "answer"]


def test_the_bases_are_what_they_say(small):
    before = {(e.task, e.base, e.score): e.before for e in small.effects}
    for task in ("t09", "t12"):
        assert before[task, "right", "accurate"] == 1
        assert before[task, "right", "diagnosis"] == ""
        assert before[task, "wrong parameter", "accurate"] == 0
        assert before[task, "wrong parameter", "pas"] < 1
        assert before[task, "wrong unit", "pas"] == 1
        assert before[task, "wrong unit", "mode"] == "C"
        assert before[task, "wrong unit", "diagnosis"] == "times_1e6"


def test_what_matters_changes_what_it_should(small):
    assert not [e for e in surprises(small) if e.target == "answer"]
    assert {e.edit for e in small.effects if e.target == "answer"} == set(MATTERING)


def test_the_fall_of_nas_under_a_factor_is_that_of_its_equations(small):
    y = load_reference(TASKS["t09"]).y
    nrmse = math.sqrt(np.mean(y**2)) / np.ptp(y)
    ccc = 4 * np.var(y) / (5 * np.var(y) + np.mean(y) ** 2)
    nas = 0.2 * (1 - nrmse) + 0.3 * (1 - 2 / 3) + 0.5 * ccc
    (effect,) = (e for e in small.effects if (e.task, e.edit, e.score) == ("t09", "times 2", "nas"))
    assert effect.after == pytest.approx(nas, abs=1e-12)
    assert effect.size == pytest.approx(1 - nas, abs=1e-12)


# ------------------------------------------------------------------------------------------------------- the order


def test_no_worse_answer_outscores_a_better_one(small):
    """By the scores that see the curve whole; in a family that a score cannot see all pairs are ties."""
    rows = {(r["family"], r["score"]): r for r in order_rows(small.pairs)}
    assert {family for family, _ in rows} == {*ORDERED, ALL}
    for family in ("scale", "noise", "error in H0", "error in As"):
        assert rows[family, "nas"]["probability"] == 1.0
        assert rows[family, "accurate"]["n_worse"] == 0
    for family in ("scale", "noise", "printed digits"):
        assert (rows[family, "pas"]["n_better"], rows[family, "pas"]["n_worse"]) == (0, 0)
        assert rows[family, "pas"]["probability"] == 0.5
    assert rows["parameters not told", "pas"]["probability"] == 1.0
    assert rows["parameters not told", "nas"]["probability"] == 0.5


def test_counts_and_interval_of_a_hand_made_table():
    verdicts = {"t01": (1.0, 1.0, 0.5), "t02": (0.0, 1.0, None)}
    pairs = [OrderedPair(t, "f", 0, i + 1, "nas", v) for t, vs in verdicts.items() for i, v in enumerate(vs)]
    row = order_rows(pairs)[0]
    assert (row["n_pairs"], row["n_missing"], row["n_tasks"]) == (6, 1, 2)
    assert (row["n_better"], row["n_ties"], row["n_worse"]) == (3, 1, 1)
    assert row["probability"] == 0.7
    assert (row["probability_low"], row["probability_high"]) == wilson_interval(1.4, 2)


def test_counts_of_changes_of_a_hand_made_table():
    values = [(1.0, 1.0), (1.0, 0.5), (1.0, None)]
    effects = [EditEffect("t01", "right", "e", "output", "nas", False, a, b) for a, b in values]
    (row,) = edit_rows(effects)
    assert (row["n"], row["n_changed"], row["share"]) == (3, 2, 2 / 3)
    assert (row["mean_change"], row["largest_change"]) == (0.25, 0.5)
    assert len(surprises(Stress(tuple(effects), ()))) == 2


def test_which_of_two_is_better():
    assert [outscores(a, b) for a, b in ((1, 0), (0.2, 0.3), ("D", "A"), ("B", "B"), (None, "A"))] == [
        1.0, 0.0, 1.0, 0.5, None,
    ]  # fmt: skip
    assert len(ordered_pairs(6)) == 15


@pytest.mark.slow
def test_the_same_seed_gives_the_same_whatever_the_workers():
    two = {task_id: TASKS[task_id] for task_id in ("t08", "t14")}
    done = []
    first = evaluator_stress(two, seed=3, workers=2, on_done=lambda n, of: done.append((n, of)))
    assert done == [(1, 2), (2, 2)]
    assert first.effects == tuple(e for task in two.values() for e in stress_task(task, 3).effects)


def test_figures_show_every_row(small):
    edits, orders = edit_rows(small.effects), order_rows(small.pairs)
    left, right, bar = figure_edit_effects(edits).axes
    assert len(left.texts) == (len(SAME_OUTPUT) + len(SAME_CODE)) * len(STRESSED)
    assert len(right.texts) == len(MATTERING) * len(STRESSED)
    assert len(right.patches) == sum(len(must) for must, _ in MATTERING.values())
    assert "%" in bar.get_xlabel()
    (axes,) = figure_ordering(orders).axes
    assert [t.get_text() for t in axes.get_yticklabels()] == [*ORDERED, "all pairs"]
