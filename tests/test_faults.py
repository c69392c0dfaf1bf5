"""Seeded faults do what they say, on curves that CAMB computed."""

import ast
import io
import random
from pathlib import Path

import numpy as np
import pytest

from reliability.corpus import Style, recipe_for
from reliability.diagnosis import CATALOGUE
from reliability.errors import InputError
from reliability.faults import FAULTS, KINDS, RIGHT, faulty_recipe, write_fault, write_trial
from reliability.recorder import Job, record
from reliability.tasks import load_tasks
from reliability.trials import find_trials

TASKS = load_tasks()
PLAIN = Style()


def columns(content):
    return np.loadtxt(io.BytesIO(content), delimiter=",", skiprows=1, unpack=True)


@pytest.fixture(scope="module")
def outputs():
    """What the script of every fault on the angular diameter distance writes."""
    names = [name for name, fault in FAULTS.items() if fault.is_slow and faulty_recipe(fault, TASKS["t08"])]
    scripts = [write_fault(FAULTS[name], TASKS["t08"], PLAIN, "seed") for name in names]
    jobs = [Job(script.source, script.files) for script in scripts]
    return dict(zip(names, record(jobs, seconds=60, keep_bytes=2**20), strict=True))


def curve(outputs, name):
    return columns(outputs[name].files["result.csv"])


def test_there_are_many_faults_of_every_kind():
    assert len(FAULTS) >= 40
    assert {fault.kind for fault in FAULTS.values()} == set(KINDS)
    for fault in FAULTS.values():
        assert fault.sentence.endswith(".")
        assert any(faulty_recipe(fault, task) for task in TASKS.values()), fault.id


def test_names_are_rows_of_the_catalogue():
    for fault in FAULTS.values():
        for task in TASKS.values():
            if faulty_recipe(fault, task):
                assert set(fault.names(task)) <= {*CATALOGUE, "unknown"}, (fault.id, task.id)


def test_every_stated_parameter_of_every_task_is_made_wrong_by_some_fault():
    known = {"H0", "ombh2", "omch2", "omk", "mnu", "tau", "As", "ns", "r", "Alens"}
    for task in TASKS.values():
        right = recipe_for(task).told
        wrong = set()
        for fault in FAULTS.values():
            changed = faulty_recipe(fault, task) if fault.kind == "parameter" else None
            wrong |= {name for name in right if changed is not None and changed.told.get(name) != right[name]}
        told = {name for name in known & set(right) if name != "r" or right["r"]}
        assert told <= wrong, (task.id, told - wrong)


def test_a_fault_that_does_not_apply_is_an_error():
    with pytest.raises(InputError, match="the fault gigaparsec does not apply to t01"):
        write_fault(FAULTS["gigaparsec"], TASKS["t01"], PLAIN, "seed")


def test_the_same_seed_gives_the_same_script_and_report():
    a, b, c = (write_fault(FAULTS["unlensed"], TASKS["t05"], PLAIN, seed) for seed in ("1", "1", "2"))
    assert (a.source, a.report) == (b.source, b.report)
    assert a.source != c.source


def test_scripts_parse_but_for_the_one_that_shall_not():
    rng = random.Random(3)
    for fault in FAULTS.values():
        task = rng.choice([t for t in TASKS.values() if faulty_recipe(fault, t)])
        source = write_fault(fault, task, PLAIN, "seed").source
        if fault.id == "does_not_parse":
            with pytest.raises(SyntaxError):
                ast.parse(source)
        else:
            ast.parse(source)


def test_the_curve_is_the_right_one_with_the_fault_in_it(outputs):
    z, right = curve(outputs, RIGHT)
    assert z == pytest.approx(np.linspace(0, 4, 100))
    h = 0.675
    expected = {
        "gigaparsec": right / 1000,
        "kiloparsec": right * 1000,
        "distance_per_h": right * h,
        "comoving_distance": right * (1 + z),
        "luminosity_distance": right * (1 + z) ** 2,
        "sign": -right,
        "twice": 2 * right,
        "mean": np.full(100, right.mean()),
        "maximum": np.full(100, right.max()),
        "last_value": np.full(100, right[-1]),
        "zeros": np.zeros(100),
        "zero_tail": np.where(np.arange(100) < 83, right, 0),
        "x_twice": z,
        "three_digits": [float(f"{v:.2e}") for v in right],
        "H0_3pc_high": None,
    }
    for name, y in expected.items():
        x, found = curve(outputs, name)
        assert x == pytest.approx(z)
        if y is not None:
            assert found == pytest.approx(np.asarray(y), rel=1e-9), name
    assert curve(outputs, "cut_at_80pc")[1] == pytest.approx(right[:80], rel=1e-9)
    assert curve(outputs, "every_third")[0] == pytest.approx(z[::3])
    noise = curve(outputs, "noise_1pc")[1][1:] / right[1:] - 1
    assert 0.008 < noise.std() < 0.012


def test_a_hubble_constant_3_percent_high_shortens_distances_as_it_should(outputs):
    """Densities are fixed, so a nearby distance goes as 1/H0, and a far one less."""
    _, right = curve(outputs, RIGHT)
    ratio = curve(outputs, "H0_3pc_high")[1][1:] / right[1:]
    assert ratio[0] == pytest.approx(1 / 1.03, abs=1e-3)
    assert 1 / 1.03 < ratio[-1] < 1


def test_files_that_hold_no_curve(outputs):
    assert "result.csv" not in outputs["not_saved"].files
    assert "result.csv" not in outputs["crash"].files
    assert outputs["crash"].ended == "stopped"
    assert outputs["empty_file"].files["result.csv"] == b""
    assert outputs["header_only"].files["result.csv"] == b"z,d_A\n"
    assert b"|" in outputs["other_separator"].files["result.csv"]
    assert np.isnan(curve(outputs, "all_nan")[1]).all()
    after = outputs["crash_afterwards"]
    assert after.ended == "stopped"
    assert after.files["result.csv"] == outputs[RIGHT].files["result.csv"]


def test_a_trial_is_found_as_an_agents(tmp_path, outputs):
    script = write_fault(FAULTS[RIGHT], TASKS["t08"], PLAIN, "seed")
    write_trial(tmp_path / "right" / "t08" / "0", script, outputs[RIGHT].files["result.csv"], ended="finished")
    stale = write_fault(FAULTS["stale"], TASKS["t08"], PLAIN, "seed")
    write_trial(tmp_path / "stale" / "t08" / "0", stale, None, ended="stopped")
    right, left_over = find_trials([tmp_path], known_tasks=TASKS)
    assert right.output_file is not None
    assert (right.status, right.exit_code) == ("completed", 0)
    assert Path(left_over.folder, "result.csv").stat().st_size > 1000
    assert left_over.output_file is None
    assert (left_over.status, left_over.exit_code) == ("failed", 1)
