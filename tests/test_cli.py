"""The command line as a user meets it: exit codes, one-line errors, strict JSON, nothing lost."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reliability.cli import main
from reliability.references import render_script
from reliability.tasks import data_folder, load_tasks

ROOT = Path(__file__).parents[1]
TASKS = load_tasks()
CURVE = data_folder("reference_solutions") / "t08_angular_distance.csv"


def make_trial(root, system="agent", task="t08", n=0, **files):
    """A right trial of task 8, in which `files` replace or add files; ``None`` leaves one out."""
    folder = root / system / task / str(n)
    content = {
        "code/solve.py": render_script(TASKS["t08"]),
        "result.csv": CURVE.read_text(),
        "report.md": "The distance was computed with CAMB.",
        **{name.replace("__", "/").replace("_", "."): text for name, text in files.items()},
    }
    for name, text in content.items():
        if text is not None:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


@pytest.fixture
def trials(tmp_path):
    make_trial(tmp_path / "trials")
    return tmp_path / "trials"


def run(*arguments):
    return main([str(a) for a in arguments])


def score(trials, output, *more):
    return run("score", trials, "-o", output, "--no-figures", "--no-report", "--workers", 1, *more)


def rows(output, name="scores.csv"):
    return list(csv.DictReader((output / name).open()))


def error(capsys):
    """The one line that was said, and nothing else."""
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1, captured.err
    assert "Traceback" not in captured.err
    assert captured.err.startswith("reliability: error: ")
    return captured.err


# ------------------------------------------------------------------------------------------- what users ask for


def test_score_writes_every_table(trials, tmp_path, capsys):
    assert score(trials, tmp_path / "run") == 0
    assert {p.name for p in (tmp_path / "run").iterdir()} == {
        "manifest.json", "inputs.csv", "scores.csv", "parameters.csv", "tasks.csv", "systems.csv", "pairs.csv",
    }  # fmt: skip
    (row,) = rows(tmp_path / "run")
    assert list(row)[:8] == ["system", "task", "condition", "trial", "esr", "esr_reason", "pas", "pas_low"]
    assert (row["esr"], row["pas"], row["nas"], row["mode"], row["accurate"]) == ("1", "1.0", "1.0", "D", "1")
    assert "agent" in capsys.readouterr().out


def test_json_is_strict_and_alone_on_stdout(trials, tmp_path, capsys):
    def strict(text):
        return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))

    make_trial(trials, n=1, result_csv="z,d_A\n")
    assert score(trials, tmp_path / "run", "--json") == 0
    assert strict(capsys.readouterr().out)["systems"][0]["attempted"] == 2
    assert run("figures", tmp_path / "run", "--curve", "agent/t08/1", "--json") == 0
    assert len(strict(capsys.readouterr().out)["figures"]) == 8
    assert run("tasks", "--json") == 0
    assert len(strict(capsys.readouterr().out)) == 18
    assert run("prompt", "t10", "--output", "out.csv", "--json") == 0
    assert "out.csv" in strict(capsys.readouterr().out)["prompt"]
    assert run("references", "--script", "t08", "--json") == 0
    assert "set_cosmology" in strict(capsys.readouterr().out)["script"]


@pytest.mark.slow
def test_references_check(tmp_path, capsys):
    assert run("references", "t08", "--check", "--out", tmp_path, "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["verdict"] == "reproduced"
    assert (tmp_path / "t08_angular_distance.csv").read_text().startswith("z,d_A\n")


def test_two_runs_of_the_same_trials_are_the_same_bytes_and_rerunning_is_allowed(trials, tmp_path):
    make_trial(trials, n=1, result_csv=None)
    for _ in range(2):
        assert score(trials, tmp_path / "one") == 0
    assert score(trials, tmp_path / "two") == 0
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_trials_may_be_added_to_a_run(trials, tmp_path):
    assert score(trials, tmp_path / "run") == 0
    make_trial(trials, n=1)
    assert score(trials, tmp_path / "run") == 0
    assert len(rows(tmp_path / "run")) == 2


def test_a_changed_output_is_scored_again(trials, tmp_path):
    assert score(trials, tmp_path / "run") == 0
    make_trial(trials, result_csv="z,d_A\n0,0\n4,1\n")
    assert score(trials, tmp_path / "run") == 0
    assert rows(tmp_path / "run")[0]["esr"] == "0"


@pytest.mark.parametrize("ask", [["--help"], ["score", "--help"], ["--version"]])
def test_help(ask, capsys):
    with pytest.raises(SystemExit) as stop:
        main(ask)
    assert stop.value.code == 0
    assert "reliability" in capsys.readouterr().out


def test_import_is_light():
    """Nothing heavy is imported with the package; that is what keeps it far below half a second."""
    code = "import sys, reliability, reliability.cli; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "scipy", "matplotlib", "camb", "astropy", "jinja2", "pandas"} & set(done.stdout.split())


# ------------------------------------------------------------------------------------------- input that cannot be used


def test_missing_folder(tmp_path, capsys):
    assert score(tmp_path / "nowhere", tmp_path / "run") == 2
    assert "nowhere" in error(capsys)
    assert not (tmp_path / "run").exists()


def test_empty_folder(tmp_path, capsys):
    (tmp_path / "trials").mkdir()
    assert score(tmp_path / "trials", tmp_path / "run") == 2
    assert "no trial" in error(capsys)


def test_unknown_task_suggests(tmp_path, capsys):
    make_trial(tmp_path / "trials", task="t1")
    assert score(tmp_path / "trials", tmp_path / "run") == 2
    message = error(capsys)
    assert "'t01'" in message
    assert "'T1'" in message
    assert run("prompt", "t1") == 2
    message = error(capsys)
    assert "'t01'" in message
    assert "'T1'" in message


def test_output_that_is_not_ours(trials, tmp_path, capsys):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("years of work")
    (tmp_path / "file").write_text("x")
    for output in (tmp_path / "mine", tmp_path / "file", tmp_path / "file" / "below"):
        assert score(trials, output) == 2
        assert str(output) in error(capsys)
    assert [p.name for p in (tmp_path / "mine").iterdir()] == ["thesis.tex"]


def test_unwritable_output(trials, capsys):
    """/proc takes no new folders, not even from root."""
    assert score(trials, "/proc/run") == 2
    assert "/proc/run" in error(capsys)


def test_another_run_is_not_replaced(trials, tmp_path, capsys):
    assert score(trials, tmp_path / "run") == 0
    before = {p.name: p.read_bytes() for p in (tmp_path / "run").iterdir()}
    make_trial(tmp_path / "others", system="other")
    capsys.readouterr()
    assert score(tmp_path / "others", tmp_path / "run") == 2
    assert "another run" in error(capsys)
    (trials / "agent" / "t08" / "0").rename(trials / "agent" / "t08" / "1")
    assert score(trials, tmp_path / "run") == 2
    assert "agent/t08/0" in error(capsys)
    assert {p.name: p.read_bytes() for p in (tmp_path / "run").iterdir()} == before


def test_task_file_with_a_typo(tmp_path, capsys):
    import shutil

    shutil.copytree(data_folder("tasks_oneshot") / "t08_angular_distance", tmp_path / "tasks" / "t08_angular_distance")
    path = tmp_path / "tasks" / "t08_angular_distance" / "task.toml"
    path.write_text(path.read_text().replace("ombh2", "ombh3", 1))
    assert run("tasks", "--tasks", tmp_path / "tasks") == 2
    message = error(capsys)
    assert "task.toml" in message
    assert "ombh3" in message
    assert "ombh2" in message
    path.write_text("= broken")
    assert run("tasks", "--tasks", tmp_path / "tasks") == 2
    assert "task.toml" in error(capsys)


def test_figures_of_no_run(tmp_path, capsys):
    assert run("figures", tmp_path / "nowhere") == 2
    assert "nowhere" in error(capsys)
    assert run("figures", tmp_path) == 2
    assert "manifest.json" in error(capsys)


def test_figures_that_cannot_be_written(trials, tmp_path, capsys):
    assert score(trials, tmp_path / "run") == 0
    (tmp_path / "run" / "figures").write_text("not a folder")
    capsys.readouterr()
    assert run("figures", tmp_path / "run") == 2
    assert "figures: File exists" in error(capsys)


def test_a_full_disk_under_stdout():
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "reliability", "tasks"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "reliability: error: the output: No space left on device\n")


def test_curve_of_no_trial(trials, tmp_path, capsys):
    assert score(trials, tmp_path / "run") == 0
    capsys.readouterr()
    assert run("figures", tmp_path / "run", "--curve", "agent/t08/7") == 2
    assert "agent/t08/7" in error(capsys)


def test_bad_options_are_one_line(trials, tmp_path, capsys):
    for bad in (["--workers", "0"], ["--workers", "x"], ["--max-mib", "-1"], ["--seed", "1.5"]):
        with pytest.raises(SystemExit) as stop:
            run("score", trials, "-o", tmp_path / "run", *bad)
        assert stop.value.code == 2
        assert "Traceback" not in capsys.readouterr().err


# ------------------------------------------------------------------------------------------- agents' failures are data


DEEP = "x = " + "(" * 100_000 + ")" * 100_000


@pytest.mark.parametrize(
    ("files", "esr", "said"),
    [
        ({"result_csv": b"\x00\x01\xff\xfe" * 5000}, "0", "esr_reason"),
        ({"result_csv": ""}, "0", "esr_reason"),
        ({"result_csv": "z,d_A\n"}, "0", "esr_reason"),
        ({"result_csv": None}, "0", "esr_reason"),
        ({"result_csv": None, "code__solve_py": None, "report_md": None, "trial_json": "{}"}, "0", "esr_reason"),
        ({"code__solve_py": DEEP}, "1", "notes"),
        ({"code__solve_py": b"import camb\x00"}, "1", "notes"),
        ({"code__solve_py": "def f():\nreturn 1"}, "1", "notes"),
        ({"code__solve_py": None}, "1", "unscored_reason"),
        ({"trial_json": "[" * 100_000}, "1", "notes"),
        ({"trial_json": '{"cost_usd": NaN}'}, "1", "notes"),
        ({"results_pkl": b"cos\nsystem\n(S'touch /tmp/mark'\ntR."}, "1", "notes"),
    ],
    ids=["binary", "empty", "header", "none", "nothing", "deep", "nul", "indent", "no code", "json", "nan", "pickle"],
)
def test_agent_failures(tmp_path, files, esr, said):
    make_trial(tmp_path / "trials", **files)
    assert score(tmp_path / "trials", tmp_path / "run") == 0
    (row,) = rows(tmp_path / "run")
    assert row["esr"] == esr
    assert row[said] != ""
    assert "internal error" not in row["unscored_reason"]


def test_output_that_is_a_folder_a_pipe_or_huge(tmp_path):
    (make_trial(tmp_path / "trials", n=0, result_csv=None) / "result.csv").mkdir()
    os.mkfifo(make_trial(tmp_path / "trials", n=1, result_csv=None) / "result.csv")
    huge = make_trial(tmp_path / "trials", n=2, result_csv=None) / "result.csv"
    with huge.open("wb") as file:
        file.truncate(2**30)  # 1 GiB, without taking the disk
    assert score(tmp_path / "trials", tmp_path / "run") == 0
    found = rows(tmp_path / "run")
    assert [row["esr"] for row in found] == ["0", "0", "0"]
    assert "limit" in found[2]["esr_reason"]
    assert all(row["esr_reason"] or row["notes"] for row in found)


def test_symlinks_are_not_followed_out_of_a_trial_or_in_circles(tmp_path):
    folder = make_trial(tmp_path / "trials", result_csv=None)
    (tmp_path / "secret.csv").write_text(CURVE.read_text())
    (folder / "result.csv").symlink_to(tmp_path / "secret.csv")
    (folder / "code" / "again").symlink_to(tmp_path / "trials")
    (tmp_path / "trials" / "loop").symlink_to(tmp_path / "trials")
    assert score(tmp_path / "trials", tmp_path / "run") == 0
    (row,) = rows(tmp_path / "run")
    assert row["esr"] == "0"


def test_hostile_names_stay_in_their_cells(tmp_path):
    make_trial(tmp_path / "trials", system="=cmd|'calc'!A0")
    make_trial(tmp_path / "trials", system='quo"te,comma')
    assert score(tmp_path / "trials", tmp_path / "run") == 0
    assert sorted(row["system"] for row in rows(tmp_path / "run")) == ["'=cmd|'calc'!A0", 'quo"te,comma']
    assert rows(tmp_path / "run", "systems.csv")


# ------------------------------------------------------------------------------------------- interruption


@pytest.mark.parametrize("stop_with", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_run_goes_on_and_ends_the_same(tmp_path, stop_with):
    for n in range(300):
        make_trial(tmp_path / "trials", n=n)
    whole = tmp_path / "whole"
    assert score(tmp_path / "trials", whole) == 0
    command = [sys.executable, "-m", "reliability", "score", str(tmp_path / "trials"), "--no-figures", "--no-report"]
    command += ["--workers", "2"]
    part = tmp_path / "part"
    child = subprocess.Popen([*command, "-o", str(part)], stderr=subprocess.PIPE, text=True, start_new_session=True)
    journal = part / "journal.jsonl"
    while child.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") > 20):
        time.sleep(0.005)
    os.killpg(child.pid, stop_with)
    said = child.communicate(timeout=60)[1]
    assert child.returncode in (130, -signal.SIGKILL), said
    assert "Traceback" not in said
    n_kept = journal.read_bytes().count(b"\n") - 1
    assert 0 < n_kept < 300
    assert subprocess.run([*command, "-o", str(part)], capture_output=True, check=False).returncode == 0
    for path in whole.iterdir():
        assert path.read_bytes() == (part / path.name).read_bytes(), path.name


# ------------------------------------------------------------------------------------------- what a script tells CAMB


def test_params(tmp_path, capsys):
    script = tmp_path / "solve.py"
    script.write_text(render_script(TASKS["t08"]))
    assert run("params", script) == 0
    shown = capsys.readouterr().out
    assert [line.split()[:3] for line in shown.splitlines() if line.startswith("H0 ")] == [["H0", "67.5", "set"]]
    assert run("params", script, "--json") == 0
    (model,) = json.loads(capsys.readouterr().out)["models"]
    values = {p["name"]: (p["value"], p["state"]) for p in model["parameters"]}
    assert values["ombh2"] == (0.022, "set")
    assert values["w"] == (-1.0, "default")


def test_params_with_pas_and_how_results_are_read(tmp_path, capsys):
    script = tmp_path / "solve.py"
    script.write_text(render_script(TASKS["t05"]))
    assert run("params", script, "--task", "t05") == 0
    shown = capsys.readouterr().out
    assert "pas  1.0000" in shown
    assert "results are read by" in shown
    assert run("params", script, "--task", "t05", "--json") == 0
    read = json.loads(capsys.readouterr().out)
    assert (read["pas"], read["pas_low"], read["pas_high"]) == (1.0, 1.0, 1.0)
    assert read["results"][0]["spectra"] == ["EE"]
    assert "pas_traced" not in read


@pytest.mark.slow
def test_params_run_shows_what_camb_received(tmp_path, capsys):
    script = tmp_path / "solve.py"
    (tmp_path / "tau.txt").write_text(str(TASKS["t05"].truth["tau"]))
    source, n = re.subn(r"(?m)^tau = [\d.]+", "tau = float(open('tau.txt').read())", render_script(TASKS["t05"]))
    assert n == 1
    script.write_text(source)
    assert run("params", script, "--task", "t05", "--run", "--mode", "first", "--beside", tmp_path / "tau.txt") == 0
    shown = capsys.readouterr().out
    row = next(line.split() for line in shown.splitlines() if line.startswith("1 ") and " tau " in line)
    assert row == ["1", "tau", "None", "unresolved", str(TASKS["t05"].truth["tau"]), "set", "unresolved"]
    assert "first computation" in shown
    assert "pas_traced  1.0000" in shown
    assert run("params", script, "--task", "t05", "--run", "--json") == 0  # the file is not there
    found = json.loads(capsys.readouterr().out)
    assert found["run"]["ended"] == "stopped"
    assert "tau.txt" in found["run"]["error"]
    assert found["pas_traced"] is None
    assert found["pas_low"] < found["pas_high"] == 1.0


def test_params_of_what_is_no_script(tmp_path, capsys):
    assert run("params", tmp_path / "nowhere.py") == 2
    assert "nowhere.py" in error(capsys)
    assert run("params", tmp_path) == 2
    assert str(tmp_path) in error(capsys)
    (tmp_path / "broken.py").write_text("def f(:\n")
    assert run("params", tmp_path / "broken.py") == 0
    assert re.fullmatch(r".*broken\.py: does not parse: line 1.*\n", capsys.readouterr().out)
    os.mkfifo(tmp_path / "pipe")
    assert run("params", tmp_path / "pipe") == 2
    assert "pipe: cannot be read: not a regular file" in error(capsys)
    (tmp_path / "notebook.ipynb").write_text('{"cells": []}')
    assert run("params", tmp_path / "notebook.ipynb") == 2
    assert "export it" in error(capsys)


def test_params_options_that_do_not_fit(tmp_path, capsys):
    script = tmp_path / "x.py"
    script.write_text("import camb\ncamb.get_results(camb.set_params(H0='\\ud800'))\n")
    for options in (["--task", ""], ["--mode", "first"], ["--beside", script], ["--no-sandbox"]):
        assert run("params", script, *options) == 2
        assert error(capsys)
    (tmp_path / "camb.py").write_text("")
    assert run("params", script, "--run", "--beside", tmp_path / "camb.py") == 2
    assert "cannot stand beside" in error(capsys)
    assert run("params", script, "--json") == 0  # text that UTF-8 cannot hold
    json.loads(capsys.readouterr().out.encode())
