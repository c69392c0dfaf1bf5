"""Scripts by outsiders who had not seen the reader; what each handed to CAMB was recorded by running it."""

import json
import math
from pathlib import Path

import pytest

from reliability.camb_code import read_camb_code

HERE = Path(__file__).parent / "agent_code"
TRUTH = {
    f"{folder}/{script}": parameters
    for folder in ("outsider", "outsider2")
    for script, parameters in json.loads((HERE / folder / "truth.json").read_text()).items()
}

# Right readings among the values that can be known without running; they may only rise.
RESOLVED = {"outsider": (602, 628), "outsider2": (248, 422)}


def same(given, recorded):
    if isinstance(recorded, (str, bool)) or recorded is None or given is None or isinstance(given, (str, bool)):
        return given == recorded
    return math.isclose(given, recorded, rel_tol=1e-8, abs_tol=1e-15)


def last_model(script):
    models = read_camb_code((HERE / script).read_text()).models
    return models[-1].parameters if models else None


def test_every_script_has_its_truth():
    assert {f"{path.parent.name}/{path.name}" for path in HERE.glob("outsider*/*.py")} == set(TRUTH)


@pytest.mark.parametrize("script", TRUTH)
def test_a_computation_is_seen_where_there_is_one(script):
    assert (last_model(script) is not None) == bool(TRUTH[script])


@pytest.mark.parametrize("script", TRUTH)
def test_no_value_is_wrong(script):
    readings = last_model(script) or {}
    wrong = {}
    for name, expected in TRUTH[script].items():
        reading = readings.get(name)
        if reading is None or reading.state == "unresolved":
            continue
        if "value" not in expected or not same(reading.value, expected["value"]):
            wrong[name] = (reading.value, reading.state, expected)
    assert not wrong


@pytest.mark.parametrize("folder", RESOLVED)
def test_share_of_the_resolvable_that_is_resolved(folder):
    right = resolvable = 0
    for script, parameters in TRUTH.items():
        if not script.startswith(f"{folder}/"):
            continue
        readings = last_model(script) or {}
        for name, expected in parameters.items():
            if expected["state"] == "unresolvable":
                continue
            resolvable += 1
            reading = readings.get(name)
            right += reading is not None and reading.state != "unresolved" and same(reading.value, expected["value"])
    assert (right, resolvable) >= RESOLVED[folder]
    assert resolvable == RESOLVED[folder][1]
