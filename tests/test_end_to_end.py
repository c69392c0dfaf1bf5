"""An agent that is a real program, from ``run`` over ``score`` to ``reexecute``, by the command line alone."""

import csv
import json
import shlex
import sys
from pathlib import Path

import pytest

from reliability.cli import main
from reliability.sandbox import Mode, available_backend

AGENT = Path(__file__).parent / "agents" / "three_of_six.py"
TASKS = ("t01", "t04", "t05", "t06", "t08", "t09")
SOLVED = {"t01", "t08", "t09"}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(available_backend().mode is not Mode.FULL, reason="no full sandbox on this machine"),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Where the agent ran: it solves three tasks, fails one, hangs on one and tries to escape in one."""
    place, before = tmp_path_factory.mktemp("agent"), AGENT.read_text()
    command = f"{shlex.quote(sys.executable)} {AGENT} {{task}} {place / 'outside'} {{prompt_file}}"
    tasks = [word for task in TASKS for word in ("--task", task)]
    arguments = ["--command", command, "-o", place / "trials", "--trials", 1, "--timeout", 30, "--workers", 2, *tasks]
    assert run("run", "--system", "mine", *arguments) == 0
    assert AGENT.read_text() == before
    return place


@pytest.fixture(scope="module")
def verdicts(place):
    assert run("reexecute", place / "trials", "-o", place / "again", "--workers", 2) == 0
    return table(place / "again" / "reexecution.csv")


def run(*arguments):
    return main([str(a) for a in arguments])


def table(path):
    with path.open() as file:
        return {row["task"]: row for row in csv.DictReader(file)}


def test_run_keeps_what_the_agent_did_and_holds_it(place):
    assert not (place / "outside").exists()
    trials = place / "trials" / "mine"
    found = {task: json.loads((trials / task / "0" / "trial.json").read_text()) for task in TASKS}
    assert {task: record["failure"] for task, record in found.items()} == {
        "t01": "", "t04": "crash", "t05": "timeout", "t06": "no output", "t08": "", "t09": "",
    }  # fmt: skip
    assert found["t01"]["sandbox"]["mode"] == "full"
    assert found["t01"]["tokens"] == {"prompt": 700, "completion": 200}
    said = (trials / "t06" / "0" / "stdout.txt").read_text()
    assert said.count("held: ") == 2
    assert "not held" not in said
    assert "no idea how to do this" in (trials / "t04" / "0" / "stderr.txt").read_text()


def test_reexecute_makes_the_three_outputs_again(verdicts):
    assert {task for task, row in verdicts.items() if row["verdict"] == "reproduced"} == SOLVED
    assert {verdicts[task]["verdict"] for task in set(TASKS) - SOLVED} == {"no output"}
    for task in SOLVED:
        assert (verdicts[task]["script"], verdicts[task]["file"]) == ("code/solve.py", "result.csv")
        assert float(verdicts[task]["max_relative"]) < 1e-9


def test_score_knows_what_is_right_and_what_was_made_again(place, verdicts):
    given = ["--reexecution", place / "again" / "reexecution.csv"]
    assert run("score", place / "trials", "-o", place / "run", "--no-figures", "--workers", 1, *given) == 0
    rows = table(place / "run" / "scores.csv")
    solved = {task for task, row in rows.items() if row["esr"] == "1"}
    assert solved == {task for task, row in rows.items() if row["accurate"] == "1"} == SOLVED
    assert {rows[task]["pas"] for task in solved} == {"1.0"}
    assert {task: row["reexecution"] for task, row in rows.items()} == {t: r["verdict"] for t, r in verdicts.items()}
    assert rows["t01"]["cost_usd"] == "0.01"
