"""Scripts written as agents write them: they run, and do what they say."""

from __future__ import annotations

import ast
import random
from dataclasses import replace

import pytest

from reliability.camb_code import read_camb_code
from reliability.corpus import STYLES, Ending, Style, recipe_for, write_corpus, write_script
from reliability.errors import InputError
from reliability.reading_agreement import compare_readings, is_same
from reliability.recorder import Job, record
from reliability.tasks import load_tasks

TASKS = load_tasks()


def recorded(scripts, mode="first"):
    return record([Job(s.text, s.files) for s in scripts], mode=mode, seconds=60.0)


def differences(script, recording):
    """What CAMB received otherwise than the script's truth says, in the models that were recorded."""
    late = script.recipe.told_late if recording.ended == "first computation" else ()
    for got, expected in zip(recording.reading.models, script.models, strict=False):
        for name, said in expected.parameters.items():
            found = got.parameters[name]
            own = said.value is None or found.value is None  # CAMB's own value
            if name in late and (found.state, found.value) != ("default", 1.0):
                yield name, found, said  # told with the cosmology as well: then it would count twice
            if name not in late and not (found.state == said.state and (own or is_same(found.value, said.value))):
                yield name, found, said


def test_there_are_many_styles():
    assert len(STYLES) >= 40


def test_a_seed_gives_the_same_bytes_and_a_longer_corpus_begins_with_the_shorter():
    short, long = [list(write_corpus(n, 3)) for n in (14, 28)]
    assert [s.text for s in short] == [s.text for s in long[:14]]
    assert [s.text for s in short] != [s.text for s in write_corpus(14, 4)]


def test_unknown_option_of_a_style():
    with pytest.raises(InputError, match="style calls='telepathy' is not one of"):
        write_script(recipe_for(TASKS["t01"]), Style(calls="telepathy"), random.Random(0))


def test_a_changed_value_is_in_the_script_and_in_its_truth():
    recipe = recipe_for(TASKS["t05"]).telling(tau=0.0321)
    script = write_script(recipe, Style(), random.Random(0))
    assert "0.0321" in script.text
    assert script.models[-1].parameters["tau"].value == 0.0321
    assert replace(recipe, told={**recipe.told}) == recipe


@pytest.mark.parametrize("task", ["t05", "t10", "t11", "t13"])
def test_every_style_hands_camb_what_its_truth_says(task):
    scripts = [write_script(recipe_for(TASKS[task]), style, random.Random(name)) for name, style in STYLES.items()]
    for name, script, recording in zip(STYLES, scripts, recorded(scripts), strict=True):
        ast.parse(script.text)
        assert recording.ended == "first computation", (name, recording.error, recording.line)
        assert not list(differences(script, recording)), name


def test_nothing_is_read_otherwise_than_camb_had_it():
    scripts = list(write_corpus(140, 0))
    n = {"agree": 0, "unresolved": 0}
    for script, recording in zip(scripts, recorded(scripts), strict=True):
        agreement = compare_readings(read_camb_code(script.text), recording.reading, is_first_only=True)
        assert not agreement.of("wrong"), (script.style, agreement.of("wrong"))
        if not script.style.needs_running:
            for verdict in n:
                n[verdict] += len(agreement.of(verdict))
    assert n["agree"] >= 0.999 * sum(n.values()), n


@pytest.mark.slow
def test_the_full_run_has_every_model_and_writes_the_file():
    tasks = [TASKS[t] for t in ("t08", "t09", "t14", "t05")]
    scripts = list(write_corpus(8, 1, tasks=tasks))
    for script, recording in zip(scripts, recorded(scripts, "full"), strict=True):
        assert recording.ended in ("finished", "exited"), (script.style, recording.error, recording.line)
        assert not recording.error
        assert len(recording.reading.models) == len(script.models)
        assert not list(differences(script, recording))
        assert recording.writes[script.recipe.output] == len(script.models)


def test_an_ending_changes_the_curve_and_how_it_is_saved():
    ending = Ending(
        before=("y = np.round({x} / 100)",),
        instead=('np.savetxt("result.csv", y[:3])',),
        after=("raise SystemExit(4)",),
    )
    recipe = replace(recipe_for(TASKS["t08"]), ending=ending)
    for structure in ("flat", "functions_in_main", "pipeline_class", "retries"):
        script = write_script(recipe, Style(structure=structure), random.Random(0))
        [done] = record([Job(script.text)], keep_bytes=1000)
        assert (done.ended, done.error) == ("exited", "exit code 4")
        assert done.files["result.csv"].split() == [b"0.000000000000000000e+00"] * 3
