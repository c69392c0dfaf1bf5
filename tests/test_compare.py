"""Two runs side by side: the differences are those of the scores, and every change of a verdict has its reasons."""

import csv
import json
import shutil
from pathlib import Path

import pytest

from reliability.cli import main
from reliability.errors import InputError, OutputError
from reliability.report import compare_runs, comparison_text, write_comparison
from reliability.report.comparison import ALL
from reliability.tables import SCORE_COLUMNS, write_table

EXAMPLE = Path(__file__).parents[1] / "results" / "example"


def read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def edit_scores(folder, change):
    """Rewrite the rows of scores.csv; `change` returns the new row, or None to drop it."""
    rows = [new for row in read(folder / "scores.csv") if (new := change(row)) is not None]
    write_table(folder / "scores.csv", SCORE_COLUMNS, rows)


def edit_manifest(folder, part, name, value):
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest[part][name] = value
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.fixture
def second(tmp_path):
    return Path(shutil.copytree(EXAMPLE, tmp_path / "second"))


def mend(row):
    """One wrong and silent trial comes out right."""
    if (row["system"], row["task"], row["trial"]) == ("hasty-agent", "t05", "0"):
        return row | {
            "accurate": "1",
            "wrong": "0",
            "silent_failure": "0",
            "mode": "D",
            "score": "1.0",
            "diagnosis": "",
        }
    return row


def find(found, system, task, metric):
    (row,) = [d for d in found.differences if (d.second, d.task, d.metric) == (system, task, metric)]
    return row


def test_a_run_differs_from_itself_in_nothing():
    found = compare_runs(EXAMPLE, EXAMPLE)
    assert [d for d in found.differences if d.difference] == []
    assert (found.changes, found.n_common, found.n_alone, found.settings) == ([], 84, (0, 0), [])
    assert all(d.low <= 0 <= d.high for d in found.differences if d.low is not None)


def test_one_mended_trial_moves_its_task_by_half_and_all_by_half_a_task(second):
    edit_scores(second, mend)
    found = compare_runs(EXAMPLE, second)
    task, everything = (find(found, "hasty-agent", task, "accurate") for task in ("t05", ALL))
    assert (task.value_first, task.value_second, task.difference, task.n_tasks) == (0.0, 0.5, 0.5, 1)
    assert everything.difference == pytest.approx(0.5 / 14, rel=1e-12)
    assert (everything.n, everything.n_tasks) == (56, 14)
    assert everything.low < 0.5 / 14 < everything.high
    assert find(found, "careful-agent", ALL, "score").difference == 0


def test_systems_of_one_run_differ_as_its_own_table_says():
    """The intervals are drawn anew: a limit may be the next of the values that a mean of 28 flags can have."""
    found = compare_runs(EXAMPLE, EXAMPLE, pairs=[("hasty-agent", "careful-agent")])
    for row in read(EXAMPLE / "pairs.csv"):
        if (row["first"], row["second"]) == ("careful-agent", "hasty-agent"):
            mine = find(found, "careful-agent", ALL, row["metric"])
            assert mine.difference == pytest.approx(float(row["difference"]), abs=1e-12)
            assert (mine.n, mine.interval) == (int(row["n"]), row["interval"])
            assert mine.low == pytest.approx(float(row["low"]), abs=1 / 28 + 1e-9)
            assert mine.high == pytest.approx(float(row["high"]), abs=1 / 28 + 1e-9)


@pytest.mark.parametrize(
    ("part", "name", "value", "reason"),
    [
        ("versions", "camb", "1.6.6", "camb 2.0.5 → 1.6.6"),
        ("versions", "reliability", "9.9", "reliability 0.1.0 → 9.9"),
        ("options", "camb_line", "1.6", "camb_line 2.0 → 1.6"),
        ("tasks", "t05", "0" * 64, "the task differs"),
        ("references", "t05", "0" * 64, "the reference differs"),
    ],
)
def test_a_change_names_what_differs_and_only_that(second, part, name, value, reason):
    edit_scores(second, mend)
    edit_manifest(second, part, name, value)
    (change,) = compare_runs(EXAMPLE, second).changes
    assert change.after.address == ("hasty-agent", "t05", "", 0)
    assert [v.id for v in change.verdicts] == ["silent", "accurate"]
    assert change.reasons == [reason]


def test_a_change_of_another_task_is_no_reason(second):
    edit_scores(second, mend)
    edit_manifest(second, "tasks", "t06", "0" * 64)
    (change,) = compare_runs(EXAMPLE, second).changes
    assert change.reasons == []
    assert any("nothing that was recorded" in line for line in comparison_text(compare_runs(EXAMPLE, second)))


def test_changed_files_come_first_and_unrecorded_ones_are_not_called_the_same(second):
    edit_scores(second, mend)
    edit_manifest(second, "versions", "camb", "1.6.6")
    text = (second / "inputs.csv").read_text()
    line = next(line for line in text.splitlines() if line.startswith("hasty-agent,t05,,0,"))
    (second / "inputs.csv").write_text(text.replace(line, "hasty-agent,t05,,0," + "0" * 64))
    (change,) = compare_runs(EXAMPLE, second).changes
    assert change.reasons == ["the agent's files differ", "camb 2.0.5 → 1.6.6"]
    (second / "inputs.csv").unlink()
    (change,) = compare_runs(EXAMPLE, second).changes
    assert change.reasons[0] == "whether the agent's files differ was not recorded"


def test_systems_may_be_renamed_and_trials_may_be_missing(second):
    def change(row):
        return None if row["system"] != "hasty-agent" or row["trial"] == "1" else row | {"system": "new"}

    edit_scores(second, change)
    with pytest.raises(InputError, match=r"no system in common .*--pair"):
        compare_runs(EXAMPLE, second)
    with pytest.raises(InputError, match="has no system 'newer'; it has new"):
        compare_runs(EXAMPLE, second, pairs=[("hasty-agent", "newer")])
    found = compare_runs(EXAMPLE, second, pairs=[("hasty-agent", "new")])
    assert (found.n_common, found.n_alone) == (14, (14, 0))
    only = shutil.copytree(EXAMPLE, second.parent / "only")
    edit_scores(only, lambda row: row if row["system"] == "hasty-agent" else None)
    assert compare_runs(only, second).pairs == [("hasty-agent", "new")]


def test_text_tables_and_page_agree(second, tmp_path, capsys):
    edit_scores(second, mend)
    edit_manifest(second, "versions", "camb", "1.6.6")
    assert main(["compare", str(EXAMPLE), str(second), "-o", str(tmp_path / "out")]) == 0
    printed = capsys.readouterr().out
    assert printed == (tmp_path / "out" / "compare.txt").read_text()
    assert "hasty-agent    14     accurate        0.179  0.214   0.036" in printed
    (row,) = read(tmp_path / "out" / "changes.csv")
    assert (row["task"], row["verdict_second"], row["differs"]) == ("t05", "accurate", "camb 2.0.5 → 1.6.6")
    assert len(read(tmp_path / "out" / "differences.csv")) == 3 * 15 * 9
    page = (tmp_path / "out" / "compare.html").read_text()
    assert "of 84 common trials 1 came to something better, 0 to something worse" in page
    before = {p.name: p.read_bytes() for p in (tmp_path / "out").iterdir()}
    write_comparison(compare_runs(EXAMPLE, second), tmp_path / "out")
    assert {p.name: p.read_bytes() for p in (tmp_path / "out").iterdir()} == before


def test_bad_input_is_one_line_and_replaces_nothing(tmp_path, capsys):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("mine")
    with pytest.raises(OutputError, match="holds something that is no comparison"):
        write_comparison(compare_runs(EXAMPLE, EXAMPLE), tmp_path / "mine")
    assert [p.name for p in (tmp_path / "mine").iterdir()] == ["thesis.tex"]
    assert main(["compare", str(EXAMPLE), str(tmp_path / "mine")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "no manifest.json there" in said.err
