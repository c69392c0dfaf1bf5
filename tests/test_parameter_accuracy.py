"""PAS and its brackets from readings written by hand."""

from pathlib import Path

import pytest

from reliability.parameter_accuracy import parameter_accuracy
from reliability.records import CambModel, CodeReading, Grid, ParameterReading, Task


def task(parameters, derived=None, settings=None):
    return Task(
        id="t99", name="t99_test", folder=Path(), title="", group="", quantity="", unit="", columns=("l", "TT"),
        x_label="", y_label="", grid=Grid("linear", 0, 1, 2), parameters=parameters, formulas={},
        derived=derived or {}, settings=settings or {},
    )  # fmt: skip


def model(**parameters):
    readings = {}
    for name, given in parameters.items():
        value, state = given if isinstance(given, tuple) else (given, "set")
        readings[name] = ParameterReading(name, value, state, line=1, reason="" if state == "set" else "because")
    return CambModel(readings, line=1)


def reading(*models):
    return CodeReading(tuple(models))


def test_every_state_enters_as_documented():
    """Weights 2, 2, 1: H0 set right, ns left to a default that happens to be near, tau unreadable."""
    t = task({"H0": 70.0, "ns": 0.96, "tau": 0.06})
    result = parameter_accuracy(reading(model(H0=70.0, ns=(0.96, "default"), tau=(None, "unresolved"))), t)
    assert result.pas == pytest.approx(1 - (2 + 1) / 5)
    assert result.pas_low == result.pas
    assert result.pas_high == pytest.approx(1 - 2 / 5)
    assert result.pas_effective == pytest.approx(1 - 1 / 5)
    assert [(p.parameter, p.state, p.eps) for p in result.parameters] == [
        ("H0", "set", 0.0), ("ns", "default", 1.0), ("tau", "unresolved", 1.0),
    ]  # fmt: skip


def test_stated_numbers_without_a_weight_do_not_count_but_derived_ones_do():
    t = task({"H0": 67.5, "delensing_efficiency": 0.1}, derived={"Alens": 0.9})
    result = parameter_accuracy(reading(model(H0=67.5, Alens=0.1)), t)
    assert [p.parameter for p in result.parameters] == ["H0", "Alens"]
    assert result.pas == pytest.approx(1 - (0.8 / 0.9) / 3)


def test_zero_reference():
    t = task({"omk": 0.0})
    assert parameter_accuracy(reading(model(omk=0)), t).pas == 1.0
    assert parameter_accuracy(reading(model(omk=0.05)), t).pas == 0.0
    assert parameter_accuracy(reading(model(omk=1e-13)), t).pas == pytest.approx(0.9)


def test_the_last_model_counts():
    t = task({"H0": 67.5})
    assert parameter_accuracy(reading(model(H0=70.0), model(H0=67.5)), t).pas == 1.0
    assert parameter_accuracy(reading(model(H0=67.5), model(H0=675.0)), t).pas == 0.0


def test_extended_adds_r_and_categories_only():
    t = task({"H0": 67.5, "r": 0.1}, settings={"WantTensors": True, "NonLinear": "NonLinear_none", "lmax": 3500})
    code = model(H0=67.5, r=0.1, WantTensors=(False, "default"), NonLinear=("NonLinear_none", "default"))
    result = parameter_accuracy(reading(code), t)
    assert result.pas == 1.0
    assert result.pas_extended == pytest.approx(1 - 1 / 5)  # weights 2 (H0), 1 (r), 1 (tensors), 1 (nonlinear)
    assert {p.parameter for p in result.parameters if p.is_extended} == {"r", "WantTensors", "NonLinear"}


def test_a_ratio_needs_both_hierarchies():
    t = task(
        {"mnu": 0.11}, settings={"neutrino_hierarchy_numerator": "inverted", "neutrino_hierarchy_denominator": "normal"}
    )
    both = reading(model(mnu=0.11, neutrino_hierarchy="normal"), model(mnu=0.11, neutrino_hierarchy="inverted"))
    assert parameter_accuracy(both, t).pas_extended == 1.0
    twice = reading(model(mnu=0.11, neutrino_hierarchy="normal"), model(mnu=0.11, neutrino_hierarchy="normal"))
    result = parameter_accuracy(twice, t)
    assert result.pas_extended == 0.5
    assert result.parameters[-1].value == "normal"


def test_no_code_is_missing_and_broken_code_is_zero():
    t = task({"H0": 67.5})
    missing = parameter_accuracy(None, t, reason="no code")
    assert (missing.pas, missing.reason) == (None, "no code")
    broken = parameter_accuracy(CodeReading((), syntax_error="line 3: unexpected indent"), t)
    assert (broken.pas, broken.pas_extended) == (0.0, None)
    assert "line 3" in broken.reason
    assert parameter_accuracy(CodeReading(()), t).pas == 0.0  # parses, but tells CAMB nothing


def test_a_task_without_weighted_parameters_has_no_pas():
    result = parameter_accuracy(reading(model(H0=67.5)), task({"delensing_efficiency": 0.1}))
    assert result.pas is None
    assert result.reason
