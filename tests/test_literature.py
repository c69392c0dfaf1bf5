"""The literature values: the printed ones, each with a source that exists; a typo never passes silently."""

import re
import shutil

import pytest

from reliability.errors import TaskError, UndefinedScore
from reliability.literature import BIBLIOGRAPHY, bibliography_keys, load_literature
from reliability.tasks import DEEP_RESEARCH_IDS, data_folder

FOLDER = data_folder("literature_refs")
LITERATURE = {task: load_literature(task) for task in DEEP_RESEARCH_IDS}


def test_values_are_those_of_table_1():
    found = {(t, v.parameter): (v.value, v.sigma) for t, table in LITERATURE.items() for v in table.values}
    assert found == {
        ("T1", "Omega_Lambda"): (0.72, 0.02),
        ("T2", "log10_M200"): (11.97, 0.15),
        ("T2", "c"): (6.8, 2.0),
        ("T3", "alpha_N"): (0.67, 0.05),
        ("T3", "alpha_J"): (-0.06, 0.07),
        ("T3", "M_br"): (127, 17),
        ("T4", "f"): (1.019, 0.008),
    }


def test_plausible_ranges_hold_the_published_values():
    for table in LITERATURE.values():
        for value in table.values:
            assert table.plausible[value.parameter].low < value.value < table.plausible[value.parameter].high
    assert (LITERATURE["T2"].plausible["c"].low, LITERATURE["T2"].plausible["c"].high) == (2, 30)


def test_recovery_is_the_printed_one():
    assert LITERATURE["T1"].recovery({"Omega_Lambda": 0.722}) == pytest.approx(0.967, abs=5e-4)
    assert LITERATURE["T4"].recovery({"f": 1.05}) == 0
    with pytest.raises(UndefinedScore, match="log10_M200"):
        LITERATURE["T2"].recovery({"c": 1.19})


def test_every_entry_of_the_bibliography_is_complete_and_unique():
    text = (FOLDER / BIBLIOGRAPHY).read_text()
    entries = re.findall(r"^@(\w+)\{(\w+),\n(.*?)^\}", text, re.MULTILINE | re.DOTALL)
    assert len(entries) == len(bibliography_keys(FOLDER)) == text.count("\n@") + 1
    for kind, key, body in entries:
        needed = {"author", "title", "year"} | ({"journal", "volume", "pages"} if kind == "article" else set())
        if key != "RawatFlek":
            assert needed <= set(re.findall(r"^  (\w+) = ", body, re.MULTILINE)), key
        assert body.count("{") == body.count("}"), key


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('key = "Karukes2015"', 'key = "Karukes2016"', "did you mean 'Karukes2015'"),
        ("sigma = 0.15", "sigma = 0", "above 0"),
        ("sigma = 0.15", "sigma = inf", "must be finite"),
        ("low = 2\n", "low = 40\n", "low < high"),
        ('sources = ["Moster2013", "Li2020"]', "sources = []", "at least one source"),
        ('task = "T2"', 'task = "T3"', "task must be 'T2'"),
        ("place = ", "plaice = ", "did you mean 'place'"),
    ],
)
def test_a_typo_is_refused_in_one_line(tmp_path, old, new, message):
    shutil.copytree(FOLDER, tmp_path / "refs")
    path = tmp_path / "refs" / "T2.toml"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(TaskError, match=message) as caught:
        load_literature("T2", tmp_path / "refs")
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
