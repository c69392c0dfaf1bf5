"""The fourteen tasks, and that a typo in a task never passes silently."""

import math
import re
import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reliability.errors import TaskError, UnknownTaskError
from reliability.records import Grid
from reliability.tasks import (
    PARAMETER_WORDS,
    data_folder,
    find_task,
    format_number,
    grid_values,
    load_task,
    load_tasks,
    render_prompt,
)

TASKS = load_tasks()
each_task = pytest.mark.parametrize("task", TASKS.values(), ids=TASKS.keys())

BASE = {"H0": 67.5, "ombh2": 0.022, "omch2": 0.122, "mnu": 0.06, "omk": 0, "tau": 0.06, "As": 2e-9, "ns": 0.965}
DIFFERS = {
    # what the public benchmark's adaptation in the paper asks for, beside the base cosmology; None: not stated
    "t01": {"ombh2": 0.02},
    "t02": {"H0": 67.3, "omk": 0.05},
    "t03": {"H0": 70},
    "t04": {"H0": 74},
    "t05": {"tau": 0.04},
    "t06": {"r": 0},
    "t07": {"r": 0.1},
    "t08": {},
    "t09": {},
    "t10": {"r": 0.1, "Alens": 0.9},
    "t11": {"Alens": 0.2},
    "t12": {"tau": 0.1, "ns": 0.95, "As": 1.8e-9 * math.exp(0.2), "mnu": None, "omk": None},
    "t13": {"mnu": 0.11, "omk": None, "tau": None},
    "t14": {},
}


def test_there_are_fourteen():
    assert list(TASKS) == [f"t{i:02d}" for i in range(1, 15)]
    groups = [task.group for task in TASKS.values()]
    assert groups == [
        *["single call"] * 6, "tensor handling", "other module", *["several calls"] * 2, *["delensing"] * 2, "ratio",
        "noise + delensing",
    ]  # fmt: skip


@each_task
def test_truth_is_the_published_one(task):
    expected = {k: v for k, v in (BASE | DIFFERS[task.id]).items() if v is not None}
    truth = {k: v for k, v in task.truth.items() if k != "delensing_efficiency"}
    assert truth == pytest.approx(expected, rel=1e-15)


@each_task
def test_prompt_states_every_parameter_on_its_own_line(task):
    lines = render_prompt(task).splitlines()
    for name, value in task.parameters.items():
        words, unit = PARAMETER_WORDS[name]
        line = next(line for line in lines if f"({name})" in line)
        assert line == f"- {words} ({name}): {format_number(value)}{' ' + unit if unit else ''}"


@each_task
def test_prompt_states_the_settings_the_grid_and_the_columns(task):
    prompt = render_prompt(task, "/somewhere/result.csv")
    if "lmax" in task.settings:
        lmax, accuracy = task.settings["lmax"], task.settings["lens_potential_accuracy"]
        assert f"set_for_lmax({lmax}, lens_potential_accuracy={accuracy})" in prompt
    if "kmax" in task.settings:
        assert f"kmax={task.settings['kmax']}" in prompt
        assert "1/Mpc" in prompt
    for key, value in task.settings.items():
        if isinstance(value, str) and key != "CMB_unit":
            assert value in prompt
    if task.settings.get("raw_cl"):
        assert "without the factor l(l+1)/(2 pi)" in prompt
    if task.grid.kind == "log":
        assert "evenly in the logarithm" in prompt
    assert f"from {format_number(task.grid.start)} to {format_number(task.grid.stop)}" in prompt
    assert all(f"`{column}`" in prompt for column in task.columns)
    assert task.unit in prompt or task.unit == "1"
    assert prompt.rstrip().endswith("/somewhere/result.csv")


def test_a_derived_value_is_never_printed():
    assert "0.9 " not in render_prompt(TASKS["t10"]) and "Alens" not in render_prompt(TASKS["t10"])
    assert not re.search(r"\b0\.2\b|Alens", render_prompt(TASKS["t11"]))
    prompt = render_prompt(TASKS["t12"])
    assert "1.8e-9 * exp(2 * tau)" in prompt
    assert "2.19" not in prompt


def test_prompt_without_output_path_names_none():
    assert "Write the result to" not in render_prompt(TASKS["t01"])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("{{ no_such_number }}", "no_such_number"),
        ("{{ H0", "prompt.md"),
        ("{{ ''.__class__.__mro__[1].__subclasses__() }}", "prompt.md"),
    ],
)
def test_bad_template_is_a_task_error(tmp_path, wrong, message):
    folder = copy_of("t08", tmp_path)
    (folder / "prompt.md").write_text(wrong)
    with pytest.raises(TaskError, match=message) as caught:
        render_prompt(load_task(folder))
    assert "\n" not in str(caught.value)


# ------------------------------------------------------------------------------------------------ finding


@pytest.mark.parametrize("wanted", ["t1", "T01", "t001"])
def test_unknown_id_suggests_both_kinds_of_task(wanted):
    with pytest.raises(UnknownTaskError, match=r"'t01' or 'T1'"):
        find_task(wanted, TASKS)


def test_deep_research_ids_are_reserved(tmp_path):
    with pytest.raises(UnknownTaskError, match="this version scores one-shot tasks"):
        find_task("T1", TASKS)
    edit(copy_of("t08", tmp_path), 'id = "t08"', 'id = "T2"')
    with pytest.raises(TaskError, match="reserved"):
        load_tasks(tmp_path)


def test_known_and_hopeless_ids():
    assert find_task("t07", TASKS) is TASKS["t07"]
    with pytest.raises(UnknownTaskError, match="allowed: t01, t02"):
        find_task("zzz", TASKS)


# ------------------------------------------------------------------------------------------------ strictness


def copy_of(task_id, place, name=None):
    source = TASKS[task_id].folder
    return shutil.copytree(source, place / (name or source.name))


def edit(folder, old, new):
    path = folder / "task.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_a_number_of_the_users_own(tmp_path):
    folder = copy_of("t08", tmp_path)
    path = folder / "task.toml"
    words = '\n[words]\nbeam_fwhm = ["beam width", "arcmin"]\n'
    path.write_text(path.read_text().replace("[parameters]\n", "[parameters]\nbeam_fwhm = 7.1\n") + words)
    task = load_task(folder)
    assert "- beam width (beam_fwhm): 7.1 arcmin" in render_prompt(task)
    assert task.truth["beam_fwhm"] == 7.1
    edit(folder, "beam_fwhm = [", "H0 = [")
    with pytest.raises(TaskError, match=r"\[words\]: 'H0' must be a name of your own"):
        load_task(folder)


@pytest.mark.parametrize(
    ("task_id", "old", "new", "message"),
    [
        ("t08", "ombh2 =", "omhb2 =", r"\[parameters\]: unknown key 'omhb2'; did you mean 'ombh2'\?"),
        ("t08", "H0 =", "h0 =", r"unknown key 'h0'; did you mean 'H0'\?"),
        ("t01", "lens_potential_accuracy", "lens_potential_acuracy", "did you mean 'lens_potential_accuracy'"),
        ("t08", "[grid]", "[gird]", "top level: unknown key 'gird'; did you mean 'grid'"),
        ("t08", 'unit = "Mpc"\n', "", "top level: missing unit"),
        ("t08", 'title = "Angular diameter distance"', "title = 3", "title must be text, found 3"),
        ("t08", "H0 = 67.5", 'H0 = "67.5"', r"\[parameters\]: H0 must be a number, found '67.5'"),
        ("t08", "H0 = 67.5", "H0 = true", r"H0 must be a number, found True"),
        ("t08", "H0 = 67.5", "H0 = nan", "H0 must be finite"),
        ("t08", "H0 = 67.5", "H0 = -inf", "H0 must be finite"),
        ("t08", "H0 = 67.5", "H0 = 1" + "0" * 400, "H0 is too large"),
        ("t08", "H0 = 67.5", "H0 = 67,5", "not valid TOML"),
        ("t08", "H0 = 67.5", "H0 = 67.5\nH0 = 70", "not valid TOML"),
        ("t08", 'columns = ["z", "d_A"]', 'columns = ["z"]', "columns must be two different names"),
        ("t08", 'columns = ["z", "d_A"]', 'columns = "z,d_A"', "columns must be a list of texts"),
        (
            "t08",
            'kind = "linear"',
            'kind = "lin"',
            r"\[grid\]: kind must be 'multipoles', 'linear' or 'log', found 'lin'",
        ),
        ("t08", "n = 100", "n = 100.5", "n must be whole"),
        ("t08", "n = 100", "n = 1", "n must be between 2 and"),
        ("t08", "n = 100", "n = 1000000000", "n must be between 2 and"),
        ("t08", "stop = 4", "stop = -4", "do not make a growing linear grid"),
        ("t09", "start = 1e-4", "start = 0", "do not make a growing log grid"),
        ("t01", "n = 2999", "n = 3000", "n is 3000, but there are 2999 multipoles"),
        ("t01", "start = 2", "start = 2.5", "must be whole numbers"),
        ("t01", "WantTensors = false", "WantTensors = 0", "WantTensors must be true or false, found 0"),
        ("t01", "lmax = 3500", "lmax = 3500.0", "lmax must be a whole number"),
        ("t01", "lmax = 3500", "lmax = -1", "lmax must not be negative"),
        ("t01", '"NonLinear_none"', '"none"', "NonLinear must be one of NonLinear_none, NonLinear_pk"),
        ("t10", "1 - delensing_efficiency", "1 - delensing_eficiency", r"\[derived\]: Alens = .*delensing_eficiency"),
        ("t10", "1 - delensing_efficiency", "__import__('os')", r"\[derived\]: Alens = "),
        ("t10", "1 - delensing_efficiency", "1 / (delensing_efficiency - 0.1)", r"\[derived\]: Alens = "),
        ("t12", "tau = 0.1", "tau = 0.1\nAs = 2e-9", "As is stated in .parameters. too"),
        ("t14", '"noise.csv"', '"nose.csv"', "'nose.csv' does not exist"),
        ("t14", '"noise.csv"', '"../noise.csv"', "must be a plain file name"),
        ("t08", 'id = "t08"', 'id = "a b"', "id 'a b' must be"),
    ],
)
def test_typo_is_one_line_that_names_the_place(tmp_path, task_id, old, new, message):
    folder = copy_of(task_id, tmp_path)
    edit(folder, old, new)
    with pytest.raises(TaskError, match=message) as caught:
        load_task(folder)
    assert "\n" not in str(caught.value)
    assert str(folder / "task.toml") in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (bytes(range(256)), "not UTF-8 text"),
        (b"\x00" * 10, "not valid TOML"),
        (b"#" * (257 * 1024), "larger than"),
        (b"a = " + b"[" * 100_000, "not valid TOML"),
        (b"", "missing id"),
        (b"grid = 3\n", "missing id"),
    ],
)
def test_what_is_no_task_file(tmp_path, content, message):
    folder = copy_of("t08", tmp_path)
    (folder / "task.toml").write_bytes(content)
    with pytest.raises(TaskError, match=message):
        load_task(folder)


def test_table_that_is_no_table(tmp_path):
    folder = copy_of("t08", tmp_path)
    text = (folder / "task.toml").read_text()
    (folder / "task.toml").write_text("settings = 3\n" + text)
    with pytest.raises(TaskError, match=r"\[settings\] must be a table, found 3"):
        load_task(folder)


def test_folders_that_hold_no_tasks(tmp_path):
    with pytest.raises(TaskError, match="no such folder"):
        load_tasks(tmp_path / "nowhere")
    with pytest.raises(TaskError, match="holds no task"):
        load_tasks(tmp_path)
    with pytest.raises(TaskError, match="not a folder"):
        load_task(tmp_path / "nowhere")
    (copy_of("t08", tmp_path) / "prompt.md").unlink()
    with pytest.raises(TaskError, match=r"prompt\.md: missing"):
        load_tasks(tmp_path)


def test_an_id_is_taken_once(tmp_path):
    copy_of("t08", tmp_path, "a")
    copy_of("t08", tmp_path, "b")
    with pytest.raises(TaskError, match="'t08' is already taken"):
        load_tasks(tmp_path)


def test_windows_line_ends_and_byte_order_mark_are_fine(tmp_path):
    folder = copy_of("t12", tmp_path)
    text = (folder / "task.toml").read_text()
    (folder / "task.toml").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert load_task(folder).truth == TASKS["t12"].truth


# ------------------------------------------------------------------------------------------------ numbers and grids


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_format_number_gives_the_number_back(value):
    assert float(format_number(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2e-9, "2e-9"),
        (67.5, "67.5"),
        (70.0, "70"),
        (70, "70"),
        (1e-10, "1e-10"),
        (1e22, "1e22"),
        (True, "True"),
        (0, "0"),
    ],
)
def test_format_number_as_a_person_writes_it(value, text):
    assert format_number(value) == text


def test_grids():
    np.testing.assert_array_equal(grid_values(Grid("multipoles", 2, 5, 4)), [2, 3, 4, 5])
    np.testing.assert_array_equal(grid_values(Grid("linear", 0, 4, 5)), [0, 1, 2, 3, 4])
    np.testing.assert_allclose(grid_values(Grid("log", 1e-4, 1, 5)), [1e-4, 1e-3, 1e-2, 1e-1, 1], rtol=1e-15)


@each_task
def test_grid_has_its_ends_and_length(task):
    x = grid_values(task.grid)
    assert (x[0], x[-1], x.size) == (task.grid.start, task.grid.stop, task.grid.n)
    assert np.all(np.diff(x) > 0)


# ------------------------------------------------------------------------------------------------ task 14's input


def read_noise():
    return np.loadtxt(
        data_folder("tasks_oneshot") / "t14_delensing_efficiency" / "noise.csv", delimiter=",", skiprows=1
    )


def test_noise_covers_the_potential_and_rises_smoothly():
    ell, noise = read_noise().T
    np.testing.assert_array_equal(ell, np.arange(2, 3001))
    assert ell[-1] >= TASKS["t14"].settings["lmax"]
    assert np.all(noise > 0)
    assert np.abs(np.diff(np.log(noise[8:]))).max() < 0.05


@pytest.mark.slow
def test_noise_against_a_cartesian_integral():
    """The same quadratic-estimator noise by another quadrature: a square grid of l1 instead of rings and angles."""
    import camb

    pars = camb.CAMBparams()
    pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06)
    pars.InitPower.set_params(As=2e-9, ns=0.965)
    pars.set_for_lmax(4000, lens_potential_accuracy=1)
    cl = camb.get_results(pars).get_lensed_scalar_cls(lmax=3000, CMB_unit="muK", raw_cl=True)
    ell = np.arange(3001)
    arcmin = np.pi / 10800
    white = (3.0 * arcmin) ** 2 * np.exp(ell * (ell + 1) * (1.4 * arcmin) ** 2 / (8 * np.log(2)))
    step = 6.0
    axis = np.arange(-3000, 3000, step) + step / 2
    lx, ly = np.meshgrid(axis, axis)
    l1 = np.hypot(lx, ly)
    tabulated = dict(read_noise())
    for big_l in (60, 400, 1200):
        l2 = np.hypot(big_l - lx, -ly)
        inside = (l1 >= 30) & (l1 <= 3000) & (l2 >= 30) & (l2 <= 3000)
        angle = np.arctan2(ly, lx) - np.arctan2(-ly, big_l - lx)
        ee = np.interp(l1, ell, cl[:, 1])
        top = (big_l * lx * ee * np.sin(2 * angle)) ** 2
        down = np.interp(l1, ell, cl[:, 1] + white) * np.interp(l2, ell, cl[:, 2] + white)
        integral = np.sum(np.where(inside, top / down, 0)) * step**2 / (2 * np.pi) ** 2
        expected = (big_l * (big_l + 1)) ** 2 / (2 * np.pi) / integral
        assert tabulated[big_l] == pytest.approx(expected, rel=0.01)  # the square grid's own error at step 6
