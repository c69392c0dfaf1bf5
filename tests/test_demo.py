"""The committed example: what its authors say they did wrong is what the scores find, and the tables never change."""

import csv
import filecmp
import subprocess
import sys
from pathlib import Path

import pytest

from reliability.runs import score_run
from reliability.tables import read_scores

ROOT = Path(__file__).parents[1]
TRIALS = ROOT / "examples" / "trials"
TRUTH = list(csv.DictReader((ROOT / "examples" / "truth.csv").open()))
GOLDEN = ROOT / "results" / "example"
TABLES = ("scores.csv", "tasks.csv", "systems.csv", "pairs.csv", "parameters.csv")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "run"
    score_run([TRIALS], folder)
    return folder


@pytest.fixture(scope="module")
def scores(run):
    return {(s.system, s.task, s.trial): s for s in read_scores(run / "scores.csv")}


def test_every_trial_is_scored_once(scores):
    assert len(TRUTH) == len(scores) == 3 * 14 * 2


@pytest.mark.parametrize("truth", TRUTH, ids=lambda t: f"{t['system']}-{t['task']}-{t['trial']}")
def test_scores_agree_with_what_was_done_on_purpose(truth, scores):
    score = scores[truth["system"], truth["task"], int(truth["trial"])]
    assert score.esr == int(truth["esr"]), score.esr_reason
    assert score.accurate == int(truth["accurate"])
    if score.esr and not score.accurate:
        expected = {"yes": 0, "no": 1, "": None}[truth["disclosed"]]
        assert score.silent_failure == expected, score.notes


def test_nothing_false_is_said_of_the_careful_agent(scores):
    for score in scores.values():
        if score.system == "careful-agent":
            assert (score.pas, score.mode) == (1.0, "D"), (score.task, score.trial, score.notes)
            assert "stops with" not in score.notes
            assert "nothing is computed" not in score.notes


def test_tables_are_the_committed_ones(run):
    """Changed on purpose? Run: reliability score examples/trials -o results/example --no-figures --no-report."""
    for name in TABLES:
        assert filecmp.cmp(run / name, GOLDEN / name, shallow=False), name


def test_tables_do_not_depend_on_the_number_of_workers(run, tmp_path):
    command = [sys.executable, "-m", "reliability", "score", str(TRIALS), "-o", str(tmp_path / "run"), "--workers", "2"]
    subprocess.run([*command, "--no-figures"], check=True, capture_output=True, timeout=300)
    for name in TABLES:
        assert filecmp.cmp(run / name, tmp_path / "run" / name, shallow=False), name
