"""Tables, summaries and the run folder: round trips, interruption, and text that wants to be a formula."""

import csv
import json
import math
import os
import random
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reliability.errors import InputError, OutputError
from reliability.journal import Journal, sort_keys, trial_key
from reliability.records import ParameterScore, Trial, TrialScore
from reliability.results import build_manifest, content_hash, open_run, read_run
from reliability.statistics import wilson_interval
from reliability.summaries import MEASURES, PAIR_COLUMNS, ScoreColumns, summarise
from reliability.tables import (
    PARAMETER_COLUMNS,
    SCORE_COLUMNS,
    cell,
    clean_text,
    decode_score,
    encode_score,
    parameter_rows,
    read_scores,
    score_row,
    strict_json,
    write_table,
)

GROUPS = {"t01": "single call", "t02": "single call", "t03": "ratio"}


def make_score(system="careful", task="t01", trial=0, **values):
    base = {f.name: None for f in fields(TrialScore)}
    base |= dict.fromkeys(("esr_reason", "code_file", "output_file", "notes", "unscored_reason", "condition"), "")
    base |= {"diagnosis": "", "diagnosis_text": "", "reexecution": ""}
    base |= {"system": system, "task": task, "trial": trial, "parameters": ()}
    good = {"esr": 1, "pas": 0.9, "pas_low": 0.9, "pas_extended": 0.9, "nas": 0.8, "score": 0.72, "mode": "D"}
    good |= {"accurate": 0, "wrong": 1, "silent_failure": 1, "unit_flag": 0, "output_file": "result.csv"}
    return TrialScore(**(base | good | values))


NOTHING_LEFT = {"esr": 0, "pas": 0.0, "pas_low": None, "pas_extended": None, "nas": None, "score": 0.0, "mode": "A"}
NOTHING_LEFT |= {"accurate": 0, "wrong": 0, "silent_failure": None, "output_file": ""}
NO_CODE = {
    "pas": None,
    "pas_low": None,
    "pas_extended": None,
    "score": None,
    "mode": None,
    "unscored_reason": "no code",
}


def many_scores(n_systems=3, n_tasks=3, n_trials=4):
    generator = np.random.default_rng(8)
    scores = []
    for s in range(n_systems):
        for t in range(n_tasks):
            for k in range(n_trials):
                p = ParameterScore("H0", 67.5 + s, 67.5, 0.01 * s, 2.0, "set", 3)
                nas = float(generator.random())
                extra = NOTHING_LEFT if generator.random() < 0.2 else {"nas": nas, "score": 0.9 * nas}
                extra = {**extra, "cost_usd": 0.01 * k, "notes": f"note {k}"}
                scores.append(make_score(f"s{s}", f"t{t + 1:02}", k, parameters=(p,), **extra))
    return scores


def read_csv(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


# ------------------------------------------------------------------------------------------------------- cells


DOCUMENTED_SCORES = """system,task,condition,trial,esr,esr_reason,pas,pas_low,pas_high,pas_effective,pas_extended,nas,
s_nrmse,s_smape,s_ccc,score,mode,unit_flag,accurate,wrong,silent_failure,n_points,cost_usd,duration_s,code_file,
output_file,notes,unscored_reason,diagnosis,diagnosis_text,reexecution""".replace("\n", "")
DOCUMENTED_PARAMETERS = "system,task,trial,parameter,value,reference,eps,weight,state,line,reason"


def test_columns_are_those_of_the_documented_tables():
    assert ",".join(SCORE_COLUMNS) == DOCUMENTED_SCORES
    assert ",".join(PARAMETER_COLUMNS[:11]) == DOCUMENTED_PARAMETERS


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ""),
        (0.1, "0.1"),
        (1e-300, "1e-300"),
        (np.float64(2) / 3, "0.6666666666666666"),
        (np.float32(0.5), "0.5"),
        (np.int64(7), "7"),
        (True, "1"),
        (np.False_, "0"),
        (12, "12"),
        ("plain", "plain"),
        ("a\r\nb\x00c\u2028d", "a b c d"),
        ("\udcff", "\ufffd"),
        ("abc\u202efdc.exe", "abcfdc.exe"),
        ("-3.5", "'-3.5"),
    ],
)
def test_cells(value, expected):
    assert cell(value) == expected


def test_an_endless_integer_becomes_a_description():
    assert cell(10**5000) == "an integer of 16610 bits"


def test_what_is_neither_text_nor_number_is_refused():
    with pytest.raises(TypeError, match="not list"):
        cell([1])


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1+1", "\r\n=cmd|' /C calc'!A0", " =1", "＝1+1"])
def test_no_text_of_an_agent_becomes_a_live_formula(text, tmp_path):
    score = make_score(system=text, notes=text, code_file=text)
    write_table(tmp_path / "scores.csv", SCORE_COLUMNS, [score_row(score)])
    (row,) = read_csv(tmp_path / "scores.csv")
    assert all(row[name].startswith("'") for name in ("system", "notes", "code_file"))
    (back,) = read_scores(tmp_path / "scores.csv")
    assert back.system == back.notes == clean_text(text)


def test_numbers_stay_numbers():
    assert cell(-1.5) == "-1.5"  # a negative number is no formula


number = st.none() | st.floats(allow_nan=False, allow_infinity=False)
cells = st.fixed_dictionaries(
    {"pas": number, "nas": number, "accurate": st.none() | st.integers(0, 1), "notes": st.text(max_size=30)}
    | {"mode": st.sampled_from(["A", "B", "C", "D", None]), "trial": st.integers(0, 10**9)}
)


@given(st.text(max_size=30), cells)
def test_scores_survive_the_table(tmp_path_factory, system, values):
    path = tmp_path_factory.mktemp("t") / "scores.csv"
    score = make_score(system, **values)
    write_table(path, SCORE_COLUMNS, [score_row(score)])
    (back,) = read_scores(path)
    assert back == replace(score, system=clean_text(system), notes=clean_text(score.notes))
    once = path.read_bytes()
    write_table(path, SCORE_COLUMNS, [score_row(back)])
    assert path.read_bytes() == once


def test_other_readers_see_the_same_table(tmp_path):
    scores = [make_score(notes='semi;colon, comma "quote"', nas=1 / 3), make_score(trial=1, **NOTHING_LEFT)]
    write_table(tmp_path / "scores.csv", SCORE_COLUMNS, map(score_row, scores))
    assert b"\r" not in (tmp_path / "scores.csv").read_bytes()
    table = pd.read_csv(tmp_path / "scores.csv")
    assert table.nas.tolist()[0] == 1 / 3
    assert table.nas.isna().tolist() == [False, True]
    assert table.notes[0] == scores[0].notes


def test_parameter_rows_tell_flags_from_numbers():
    parameters = (
        ParameterScore("WantTensors", True, True, 0.0, 1.0, "set", 4, is_extended=True),
        ParameterScore("H0", None, 67.5, 1.0, 2.0, "unresolved", None, "computed at run time"),
        ParameterScore("As", math.inf, 2e-9, 1.0, 2.0, "set", 9),
    )
    rows = [[cell(v) for v in row.values()] for row in parameter_rows(make_score(parameters=parameters))]
    assert [row[3:7] for row in rows] == [
        ["WantTensors", "True", "True", "0.0"],
        ["H0", "", "67.5", "1.0"],
        ["As", "inf", "2e-09", "1.0"],
    ]
    assert [row[-1] for row in rows] == ["1", "0", "0"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.replace("pas_low", "paslow", 1), "line 1.*pas_low"),
        (lambda t: t.replace(",0.9,", ",zero,", 1), "line 2, column pas: 'zero' is not a finite number or nothing"),
        (lambda t: t.replace(",0.9,", ",nan,", 1), "line 2, column pas: 'nan'"),
        (lambda t: t.replace(",D,", ",E,"), "column mode: 'E' is not A, B, C, D or nothing"),
        (lambda t: t + "a,b\n", "line 3: 2 cells where 31 are needed"),
        (lambda t: t + '"open', "not a CSV table"),
        (lambda t: "", "line 1"),
    ],
)
def test_a_changed_table_is_refused_with_its_place(tmp_path, change, message):
    path = tmp_path / "scores.csv"
    write_table(path, SCORE_COLUMNS, [score_row(make_score())])
    path.write_text(change(path.read_text()))
    with pytest.raises(InputError, match=message):
        list(read_scores(path))


def test_a_table_that_fails_half_way_leaves_the_old_one(tmp_path):
    path = tmp_path / "t.csv"
    write_table(path, ("a",), [{"a": 1}])
    with pytest.raises(KeyError):
        write_table(path, ("a",), [{"a": 2}, {"b": 3}])
    assert path.read_text() == "a\n1\n"
    assert [p.name for p in tmp_path.iterdir()] == ["t.csv"]


# ------------------------------------------------------------------------------------------------------- JSON


def test_strict_json_has_no_nan_and_takes_numpy():
    text = strict_json({"b": math.nan, "a": [np.float64(1.5), np.int64(2), np.True_, Path("x")], "c": math.inf})
    assert json.loads(text, parse_constant=pytest.fail) == {"a": [1.5, 2, True, "x"], "b": None, "c": None}
    assert text.index('"a"') < text.index('"b"')


values = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)


@given(values, st.text(max_size=20), st.none() | st.floats(allow_nan=False))
def test_the_journal_keeps_the_complete_record(value, notes, nas):
    parameter = ParameterScore("p", value, 1.0, 0.5, 2.0, "set", None, "why", True)
    score = make_score(notes=notes, nas=nas, parameters=(parameter,))
    line = encode_score(score)
    assert "\n" not in line
    back = decode_score(json.loads(line, parse_constant=pytest.fail))
    assert (back, back.parameters) == (score, score.parameters)
    assert type(back.parameters[0].value) is type(value)


def test_the_journal_keeps_integers_of_any_length_and_nan():
    values = (10**6000, -(2**2000), -math.inf, math.nan)
    score = make_score(parameters=tuple(ParameterScore("p", v, 1.0, 0.5, 2.0, "set") for v in values))
    *back, nan = (p.value for p in decode_score(json.loads(encode_score(score))).parameters)
    assert tuple(back) == values[:3]
    assert math.isnan(nan)


# ------------------------------------------------------------------------------------------------------- summaries


def summary_of(scores, seed=1):
    return summarise(ScoreColumns(scores), GROUPS, seed)


def test_paper_means_count_missing_output_as_zero_and_scored_means_leave_it_out():
    scores = [make_score(trial=0), make_score(trial=1, **NOTHING_LEFT), make_score(trial=2, **NO_CODE)]
    (row,) = summary_of(scores).systems.rows
    assert (row["attempted"], row["completed"], row["unscored"], row["n_tasks"]) == (3, 2, 1, 1)
    assert (row["esr"], row["esr_n"]) == (2 / 3, 3)
    assert (row["nas"], row["nas_n"]) == (pytest.approx(1.6 / 3), 3)
    assert (row["nas_scored"], row["nas_scored_n"]) == (0.8, 2)
    assert (row["pas"], row["pas_n"]) == (0.45, 2)  # 0.9 and the unparsable 0; the trial without code is missing
    assert (row["pas_scored"], row["pas_scored_n"]) == (0.9, 1)
    assert (row["score"], row["score_n"]) == (0.36, 2)
    assert (row["silent_failure"], row["silent_failure_n"]) == (1.0, 2)
    assert [row[f"n_{m}"] for m in ("A", "B", "C", "D", "unknown")] == [1, 0, 0, 1, 1]
    assert row["share_unknown"] == 1 / 3
    assert (row["cost_usd"], row["cost_usd_n"]) == (None, 0)


def test_system_mean_is_the_mean_of_task_means_beside_the_mean_over_trials():
    scores = [make_score(task="t01", trial=k, nas=1.0) for k in range(8)] + [make_score(task="t03", nas=0.0)]
    (row,) = summary_of(scores).systems.rows
    assert row["nas"] == 0.5
    assert row["nas_trials"] == pytest.approx(8 / 9)
    assert row["nas_low"] <= 0.5 <= row["nas_high"]


def test_task_table_has_a_row_per_task_per_group_and_one_over_all():
    table = summary_of(many_scores(1)).tasks
    assert [(r["level"], r["task"], r["group"]) for r in table.rows] == [
        *(("task", t, GROUPS[t]) for t in ("t01", "t02", "t03")),
        ("group", None, "ratio"),
        ("group", None, "single call"),
        ("all", None, ""),
    ]
    by_task = {r["task"]: r for r in table.rows if r["level"] == "task"}
    single = next(r for r in table.rows if r["group"] == "single call" and r["level"] == "group")
    assert single["nas"] == pytest.approx((by_task["t01"]["nas"] + by_task["t02"]["nas"]) / 2)
    assert single["attempted"] == 8
    assert all(tuple(r) == table.columns for r in table.rows)


def test_pass_k_averages_over_tasks_up_to_the_smallest_number_of_trials():
    scores = [make_score(task="t01", trial=k, accurate=int(k < 3)) for k in range(4)]
    scores += [make_score(task="t02", trial=k, accurate=1) for k in range(2)]
    scores += [make_score(task="t02", trial=2, accurate=None)]  # could not be judged: not among the n
    table = summary_of(scores).systems
    (row,) = table.rows
    assert [c for c in table.columns if c.startswith("pass_")] == ["pass_1", "pass_2"]
    assert row["pass_1"] == pytest.approx((3 / 4 + 1) / 2) == row["accurate"]
    assert row["pass_2"] == pytest.approx((3 / 6 + 1) / 2)


def test_shares_of_one_task_carry_wilson_limits():
    row = summary_of([make_score(trial=k) for k in range(5)]).tasks.rows[0]
    assert (row["esr_low"], row["esr_high"]) == wilson_interval(5, 5)


def test_pairs_hold_every_metric_of_every_two_systems():
    table = summary_of(many_scores()).pairs
    assert table.columns == PAIR_COLUMNS
    assert len(table.rows) == 3 * len(MEASURES)
    systems = {r["system"]: r for r in summary_of(many_scores()).systems.rows}
    for row in table.rows:
        expected = [systems[row[side]][row["metric"]] for side in ("first", "second")]
        if row["n_missing"] == 0:
            assert row["difference"] == pytest.approx(expected[0] - expected[1])


def test_conditions_are_never_averaged_together_nor_paired():
    scores = [make_score(), make_score(condition="rotated", nas=0.1), make_score("other", condition="rotated", nas=0.3)]
    summary = summary_of(scores)
    assert [(r["system"], r["condition"], r["nas"]) for r in summary.systems.rows] == [
        ("careful", "", 0.8),
        ("careful", "rotated", 0.1),
        ("other", "rotated", 0.3),
    ]
    assert {(r["first"], r["second"], r["condition"]) for r in summary.pairs.rows} == {("careful", "other", "rotated")}


def test_systems_without_a_common_task_have_no_difference():
    (row, *_) = summary_of([make_score("a", "t01"), make_score("b", "t02")]).pairs.rows
    assert (row["difference"], row["low"], row["n_tasks"]) == (None, None, 0)


def test_order_of_scoring_and_presence_of_others_leave_no_trace():
    scores = many_scores()
    shuffled = random.Random(3).sample(scores, len(scores))
    assert summary_of(scores) == summary_of(shuffled)
    alone = summary_of([s for s in scores if s.system == "s1"])
    assert alone.systems.rows[0] == summary_of(scores).systems.rows[1]
    assert summary_of(scores, seed=2).systems.rows[0]["nas_low"] != summary_of(scores).systems.rows[0]["nas_low"]


def test_an_empty_run_has_headers():
    summary = summary_of([])
    assert summary.systems.rows == summary.tasks.rows == summary.pairs.rows == []
    assert summary.systems.columns[0] == "system"


# ------------------------------------------------------------------------------------------------------- run folder


def manifest(**changes):
    base = {"inputs": {"trials": ["trials"]}, "options": {"max_bytes": 1}, "tasks": {"t01": "ab"}}
    return build_manifest(**(base | {"references": {"t01": "cd"}, "seed": 5} | changes))


def key_of(score):
    trial = Trial(score.system, score.task, score.trial, Path(), "native", score.condition)
    return trial_key(trial, "hash")


def write_run(folder, scores, **changes):
    with open_run(folder, manifest(**changes)) as run:
        for score in scores:
            if not run.is_finished(key_of(score)):
                run.record(key_of(score), score)
        return run.finish(map(key_of, scores), GROUPS)


def contents(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir()}


def test_a_run_leaves_manifest_and_tables(tmp_path):
    scores = many_scores()
    summary = write_run(tmp_path / "new" / "run", scores)
    files = contents(tmp_path / "new" / "run")
    assert sorted(files) == sorted(
        ["manifest.json", "inputs.csv", "scores.csv", "parameters.csv", "tasks.csv", "systems.csv", "pairs.csv"]
    )
    found, back = read_run(tmp_path / "new" / "run")
    assert found == manifest()
    assert list(back) == scores
    assert [r["system"] for r in read_csv(tmp_path / "new" / "run" / "systems.csv")] == ["s0", "s1", "s2"]
    assert len(read_csv(tmp_path / "new" / "run" / "parameters.csv")) == len(scores)
    assert float(read_csv(tmp_path / "new" / "run" / "systems.csv")[0]["nas"]) == summary.systems.rows[0]["nas"]
    json.loads(files["manifest.json"], parse_constant=pytest.fail)


def test_same_input_same_bytes_in_any_order(tmp_path):
    scores = many_scores()
    write_run(tmp_path / "a", scores)
    write_run(tmp_path / "b", random.Random(1).sample(scores, len(scores)))
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    write_run(tmp_path / "a", scores)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_an_interrupted_run_goes_on_and_ends_the_same(tmp_path):
    scores = many_scores()
    write_run(tmp_path / "whole", scores)
    with open_run(tmp_path / "cut", manifest()) as run:
        for score in scores[:20]:
            run.record(key_of(score), score)
    with pytest.raises(InputError, match="interrupted"):
        read_run(tmp_path / "cut")
    with (tmp_path / "cut" / "journal.jsonl").open("ab") as file:
        file.write(b'["torn", [1, 2')
    with open_run(tmp_path / "cut", manifest()) as run:
        assert [run.is_finished(key_of(s)) for s in scores] == [True] * 20 + [False] * (len(scores) - 20)
    write_run(tmp_path / "cut", scores)
    assert contents(tmp_path / "cut") == contents(tmp_path / "whole")


KILLED = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_results import key_of, many_scores, manifest, open_run
run = open_run(Path(sys.argv[1]), manifest())
for score in many_scores()[:7]:
    run.record(key_of(score), score)
os._exit(9)
"""


def test_a_killed_process_loses_no_finished_trial(tmp_path):
    write_run(tmp_path / "run", many_scores())
    earlier = contents(tmp_path / "run")
    command = [sys.executable, "-c", KILLED, str(tmp_path / "run"), str(Path(__file__).parent)]
    assert subprocess.run(command, check=False).returncode == 9
    now = contents(tmp_path / "run")
    assert now.pop("journal.jsonl")
    assert now == earlier
    with open_run(tmp_path / "run", manifest()) as run:
        assert len(run.journal) == 7


def test_torn_and_foreign_journals(tmp_path):
    path, score = tmp_path / "journal.jsonl", make_score()
    journal = Journal(path, "run", encode_score, decode_score)
    journal.append("a", score)
    journal.append("b", replace(score, trial=1))
    journal.close()
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b'["a", [broken]]\n' + lines[2] + lines[1][:30])
    journal = Journal(path, "run", encode_score, decode_score)
    assert ("a" in journal, "b" in journal, len(journal)) == (False, True, 1)
    journal.append("c", replace(score, trial=2))
    assert (journal.read("b").trial, journal.read("c").trial) == (1, 2)
    journal.close()
    journal = Journal(path, "run", encode_score, decode_score)
    assert (len(journal), journal.read("c").trial) == (2, 2)
    journal.close()
    journal = Journal(path, "another run", encode_score, decode_score)
    assert len(journal) == 0
    journal.close()


def test_keys_sort_by_number_not_by_letters():
    keys = [key_of(make_score(trial=k)) for k in (10, 9, 2, 10)]
    assert [json.loads(k)[3] for k in sort_keys(keys)] == [2, 9, 10]


def test_another_version_rewrites_the_run_but_takes_no_old_trials(tmp_path):
    with open_run(tmp_path / "run", manifest()) as run:
        run.record(key_of(make_score()), make_score())
    newer = manifest()
    newer["versions"]["camb"] = "9.9"
    with open_run(tmp_path / "run", newer) as run:
        assert len(run.journal) == 0
        run.record(key_of(make_score()), make_score())
        run.finish([key_of(make_score())], GROUPS)
    assert read_run(tmp_path / "run")[0]["versions"]["camb"] == "9.9"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 6}, r"another run \(seed: 5; now: 6\)"),
        ({"options": {"max_bytes": 2}}, r'options: \{"max_bytes": 1\}; now: \{"max_bytes": 2\}'),
        ({"inputs": {"trials": ["x" * 500]}}, r"now: .{100,157}\.\.\.\)"),
        ({"tasks": {"t01": "ef"}}, "tasks"),
    ],
)
def test_the_folder_of_another_run_is_left_alone(tmp_path, changes, message):
    write_run(tmp_path / "run", many_scores())
    before = contents(tmp_path / "run")
    with pytest.raises(OutputError, match=message) as error:
        open_run(tmp_path / "run", manifest(**changes))
    assert "\n" not in str(error.value)
    assert contents(tmp_path / "run") == before


def test_what_is_no_run_folder_is_left_alone(tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").write_text("years of work")
    (tmp_path / "file").write_text("x")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "manifest.json").write_text('{"name": "a web app"}')
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "manifest.json").write_text("{")
    for name, message in [
        ("full", "'thesis.tex' but no manifest.json"),
        ("file", "is not a folder"),
        ("file/below", "cannot be written"),
        ("loop", "is not a folder"),
        ("odd", "not the manifest of a run"),
        ("torn", "is not JSON"),
    ]:
        with pytest.raises(OutputError, match=message):
            open_run(tmp_path / name, manifest())
    assert sorted(p.name for p in (tmp_path / "full").iterdir()) == ["thesis.tex"]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="POSIX permissions")
def test_an_unwritable_parent_is_one_line(tmp_path):
    if os.geteuid() == 0:
        target = Path("/proc/none/run")  # even root cannot write there
    else:
        tmp_path.chmod(0o500)
        target = tmp_path / "run"
    with pytest.raises(OutputError, match="results cannot be written there"):
        open_run(target, manifest())


def test_a_failure_while_finishing_keeps_the_earlier_tables(tmp_path):
    scores = many_scores()
    write_run(tmp_path / "run", scores)
    before = contents(tmp_path / "run")
    with open_run(tmp_path / "run", manifest()) as run, pytest.raises(KeyError):
        run.finish([key_of(s) for s in scores], GROUPS)  # nothing was recorded
    after = contents(tmp_path / "run")
    after.pop("journal.jsonl")
    assert after == before


@pytest.mark.parametrize("name", ["absent", "empty"])
def test_reading_what_is_not_a_run_names_the_cure(tmp_path, name):
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="reliability score"):
        read_run(tmp_path / name)


def test_the_manifest_holds_no_time_and_no_place(tmp_path):
    assert manifest() == manifest()
    assert set(manifest()) == {
        *("schema", "versions", "inputs", "options", "tasks", "references", "seed", "missing_data")
    }


def test_content_hash_sees_names_and_bytes(tmp_path):
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_text("a")
    two.write_text("b")
    both = content_hash([one, two], tmp_path)
    assert both == content_hash([two, one], tmp_path)
    two.write_text("c")
    assert content_hash([one, two], tmp_path) != both
    os.mkfifo(tmp_path / "pipe")
    assert content_hash([tmp_path / "pipe", tmp_path / "absent", tmp_path], tmp_path)  # returns: nothing is opened
