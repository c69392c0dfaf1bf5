"""The four inference problems: their files, the prompt and its data; that a typo never passes silently."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from astropy.table import Table

from reliability.cli import main
from reliability.errors import TaskError
from reliability.inference_tasks import (
    load_inference_tasks,
    read_columns,
    read_inference_task,
    read_words,
    render_inference_prompt,
)
from reliability.posterior_records import Estimate, Posterior
from reliability.posteriors import match_names
from reliability.tasks import DEEP_RESEARCH_IDS, data_folder

TASKS = load_inference_tasks()
each_task = pytest.mark.parametrize("task", TASKS.values(), ids=TASKS.keys())
GIVEN_AWAY = re.compile(
    r"degenera|absolute magnitude|no independent information|mass-to-light|aperture correction", re.I
)


def test_there_are_four():
    assert tuple(TASKS) == DEEP_RESEARCH_IDS
    assert [t.label for t in TASKS.values()] == ["under-constrained"] * 2 + ["compositional"] * 2
    columns = {"T1": "z", "T2": "v_obs", "T3": "mass", "T4": "z_lens"}
    sizes = [read_columns(TASKS[task].data)[column].size for task, column in columns.items()]
    assert sizes == [580, 43, 1439, 63]


@each_task
def test_data_have_units_and_a_citation(task):
    table = Table.read(task.data, format="ascii.ecsv")
    assert re.search(r"\b(19|20)\d\d\b", table.meta["citation"])
    without = {name for name in table.colnames if table[name].dtype.kind in "fiu" and table[name].unit is None}
    assert without <= {"z", "z_lens", "z_source", "p_low_mass"}
    assert all(table[name].description for name in table.colnames)


@each_task
def test_prompt_names_the_columns_that_exist_and_no_other(task):
    prompt = render_inference_prompt(task)
    columns = Table.read(task.data, format="ascii.ecsv").colnames
    assert re.findall(r"^- `(\w+)`", prompt.split("What to leave behind")[0], re.MULTILINE) == columns
    for absent in ("discovery method", "metallicity", "orbital period", "semi-major", "distance (pc)"):
        assert absent not in prompt


@each_task
def test_prompt_ends_with_the_output_contract(task):
    contract = render_inference_prompt(task, "/somewhere").split("What to leave behind in /somewhere:")[1]
    for name in ("posterior.npz", "priors.json", "summary.json", "report.md"):
        assert f"`{name}`" in contract
    for parameter in task.parameters:
        assert f"- `{parameter.name}`" in contract


@each_task
def test_prompt_does_not_give_the_trap_away(task):
    assert not GIVEN_AWAY.search(render_inference_prompt(task).replace("not aperture corrected", ""))
    assert task.analysis not in render_inference_prompt(task)


def test_missing_entries_are_nan_and_columns_cannot_be_changed():
    planets, lenses = read_columns(TASKS["T3"].data), read_columns(TASKS["T4"].data)
    assert np.isnan(planets["t_eq"]).sum() == 383
    assert np.isnan(lenses["sigma_kms"]).sum() == 5
    with pytest.raises(ValueError, match="read-only"):
        planets["mass"][0] = 1
    assert read_words(TASKS["T4"].data)[1] == "J0029-0055"


def test_the_names_are_understood_by_the_readers_of_posteriors():
    """What agents have called these parameters, and the conversion each needs."""
    theirs = {
        "T1": {"Omega_m": (0.28, "Omega_Lambda", 0.72), "h": (0.7, "H0", 70.0)},
        "T2": {"M200": (10**11.97, "log10_M200", 11.97), "concentration": (6.8, "c", 6.8)},
        "T3": {"ln_M_br": (np.log(140), "log10_M_br", np.log10(140)), "slope_low": (0.6, "alpha_N", 0.6)},
        "T4": {"mean_f": (1.05, "f", 1.05)},
    }
    for task_id, names in theirs.items():
        task = TASKS[task_id]
        estimates = {name: Estimate(value) for name, (value, _, _) in names.items()}
        posterior = Posterior(tuple(names), "summary", estimates)
        aliases = {p.name: p.aliases for p in task.parameters}
        matched = match_names(posterior, [p.name for p in task.parameters], aliases=aliases)
        for name, (_, ours, expected) in names.items():
            assert matched.used[ours] == name
            assert matched.posterior.estimates[ours].value == pytest.approx(expected)


# ------------------------------------------------------------------------------------------------------- bad folders


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('id = "T2"', 'id = "t2"', "must be T and a number"),
        ("minutes = 5", "minuets = 5", "did you mean 'minutes'"),
        ("minutes = 5", "minutes = nan", "must be finite"),
        ("minutes = 5", "", "missing minutes"),
        ("minutes = 5", "minutes = ", "not valid TOML"),
        ('kind = "assumption"', 'kind = "hunch"', "'exact' or 'assumption'"),
        ('label = "under-constrained"', 'label = "hard"', "label must be"),
        ('aliases = ["lgM200"]', 'aliases = "lgM200"', "must be a list"),
        ('aliases = ["lgM200"]', "aliases = [200]", "must be text"),
        ('data = "data.ecsv"', 'data = "../../secret.ecsv"', "missing"),
        ('words = "concentration of the halo"', 'words = " "', "must be text"),
    ],
)
def test_a_typo_is_refused_in_one_line(tmp_path, old, new, message):
    folder = tmp_path / "t2_ngc3198"
    shutil.copytree(TASKS["T2"].folder, folder)
    text = (folder / "task.toml").read_text()
    assert old in text
    (folder / "task.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(TaskError, match=message) as caught:
        read_inference_task(folder)
    assert str(folder) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_broken_data_are_named(tmp_path):
    (tmp_path / "data.ecsv").write_text("not a table at all\x00")
    with pytest.raises(TaskError, match=r"data\.ecsv: cannot be read as ECSV"):
        read_columns(tmp_path / "data.ecsv")


def test_an_empty_folder_holds_no_task(tmp_path):
    with pytest.raises(TaskError, match="holds no inference task"):
        load_inference_tasks(tmp_path)


# ------------------------------------------------------------------------------------------------------ command line


def test_prompt_copies_the_data_and_overwrites_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["prompt", "T2"]) == 0
    assert capsys.readouterr().out == render_inference_prompt(TASKS["T2"])
    assert Path("data.ecsv").read_bytes() == TASKS["T2"].data.read_bytes()
    assert main(["prompt", "T2"]) == 0  # the same file again is no harm
    capsys.readouterr()
    assert main(["prompt", "T3"]) == 2
    assert "not the data of T3" in capsys.readouterr().err
    assert Path("data.ecsv").read_bytes() == TASKS["T2"].data.read_bytes()


def test_prompt_into_a_folder_as_json(tmp_path, capsys):
    assert main(["prompt", "T4", "--output", str(tmp_path / "work"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["files"] == [str(tmp_path / "work" / "data.ecsv")]
    assert f"in {tmp_path / 'work'}" in found["prompt"]
    assert (tmp_path / "work" / "data.ecsv").is_file()


def test_prompt_into_a_file_is_refused(tmp_path, capsys):
    (tmp_path / "work").write_text("mine")
    assert main(["prompt", "T4", "--output", str(tmp_path / "work")]) == 2
    message = capsys.readouterr().err
    assert str(tmp_path) in message
    assert message.count("\n") == 1


def test_ids_are_case_sensitive(capsys):
    assert main(["prompt", "t2"]) == 2
    assert "'t02' or 'T2'" in capsys.readouterr().err


def test_tasks_lists_both_kinds(capsys):
    assert main(["tasks"]) == 0
    listed = capsys.readouterr().out
    assert re.search(r"^t14 ", listed, re.MULTILINE)
    assert re.search(r"^T4 .*compositional", listed, re.MULTILINE)
    assert main(["tasks", "--tasks", str(data_folder("tasks_oneshot"))]) == 0
    assert "compositional" not in capsys.readouterr().out
