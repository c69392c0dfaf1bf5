"""Finding trials and choosing what is in them: real folders, each trap with a hit and a near miss."""

import json
import os
import pickle

import pytest

from reliability.agent_files import natural
from reliability.errors import InputError, UnknownTaskError
from reliability.trials import choose_code, find_trials, read_texts

KNOWN = [f"t{i:02d}" for i in range(1, 15)]
CSV = "l,TT\n2,1.0\n3,2.0\n"


@pytest.fixture
def make(tmp_path):
    """Write files below a folder of trials: ``make(**{"a/t01/0/result.csv": text})``; an empty folder ends with /."""

    def make(files, root="trials"):
        for name, content in files.items():
            path = tmp_path / root / name
            if name.endswith("/"):
                path.mkdir(parents=True)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            text = content if isinstance(content, str | bytes) else json.dumps(content)
            path.write_bytes(text.encode() if isinstance(text, str) else text)
        return tmp_path / root

    return make


def find(*roots, known_tasks=KNOWN, **options):
    return list(find_trials(roots, known_tasks=known_tasks, **options))


def only(*roots, **options):
    (trial,) = find(*roots, **options)
    return trial


def addresses(trials):
    return [(t.system, t.task, t.condition, t.trial) for t in trials]


# ------------------------------------------------------------------------------------------------------------ layouts


def test_native(make):
    root = make(
        {
            "a/t01/0/trial.json": {
                "status": "ok", "started": "2026-01-01T00:00:00Z", "ended": "2026-01-01T00:01:30+00:00", "exit_code": 0,
                "cost_usd": 0.25, "tokens": 1200, "final_message": "Done.",
            },
            "a/t01/0/code/main.py": "x = 1", "a/t01/0/result.csv": CSV, "a/t01/0/report.md": "All fine.",
            "a/t01@noisy/0/result.csv": CSV,
        }
    )  # fmt: skip
    first, second = find(root)
    assert addresses([first, second]) == [("a", "t01", "", 0), ("a", "t01", "noisy", 0)]
    assert first.layout == "native"
    assert (first.status, first.exit_code, first.cost_usd, first.duration_s) == ("ok", 0, 0.25, 90.0)
    assert first.started == 1767225600.0
    assert [p.name for p in first.code_files] == ["main.py"]
    assert first.output_file == root / "a/t01/0/result.csv"
    assert read_texts(first) == ["All fine.", "Done."]
    assert first.notes == ()
    assert (second.cost_usd, second.duration_s, second.started, second.exit_code, second.code_files) == (None,) * 4 + (
        (),
    )


COST = [
    {"Agent": "engineer", "Cost ($)": 0.25},
    {"Agent": "control", "Cost ($)": 0.5},
    {"Agent": "Total", "Cost ($)": 0.75},
]


def test_public_benchmark(make):
    folder = "prompt_engineer-gpt_4.1_9/trial_3/"
    root = make(
        {folder + "codebase/a.py": "", folder + "data/result.csv": CSV, folder + "cost_report_1.json": COST,
         folder + "timing_report_1.json": {"total_time": 12.5}, "prompt_engineer-gpt_4.1_0/trial_0/": "",
         "prompt_x/trial_0/": "", "notes/trial_1/": ""}
    )  # fmt: skip
    first, second = find(root)
    assert addresses([first, second]) == [("engineer-gpt_4.1", "t01", "", 0), ("engineer-gpt_4.1", "t10", "", 3)]
    assert (second.cost_usd, second.duration_s) == (0.75, 12.5), "the Total row is not added"
    assert second.output_file == root / folder / "data/result.csv"
    assert [p.name for p in second.code_files] == ["a.py"]
    assert (first.output_file, first.code_files, first.cost_usd) == (None, (), None)


@pytest.mark.parametrize("place", ["cost/", ""])
def test_cmbagent_work_directory(make, place):
    work = {
        "codebase/step_1.py": "", "data/result.csv": CSV, f"{place}cost_report_1.json": COST,
        f"{place}cost_report_2.json": [{"Agent": "engineer", "Cost ($)": 1.0}], f"{place}cost_report_3.json": COST,
        "time/timing_report_1.json": {"total_time": 2}, "time/timing_report_2.json": {"total_time": 3},
        "chats/log.json": [{"role": "user", "content": "Go"}, {"name": "engineer", "content": "Done."}],
    }  # fmt: skip
    placed = only(make({f"cmb/t04/2/{name}": content for name, content in work.items()}, root="placed"))
    alone = only(make(work, root="alone_7"), system="cmb", task="t04")
    for trial in (placed, alone):
        assert trial.layout == "cmbagent work directory"
        assert (trial.cost_usd, trial.duration_s) == (1.75, 5.0), "a copy of a report is not a second step"
        assert read_texts(trial) == ["Done."]
        assert trial.output_file.name == "result.csv"
    assert addresses([placed, alone]) == [("cmb", "t04", "", 2), ("cmb", "t04", "", 0)]
    with pytest.raises(InputError, match="give both"):
        find(alone.folder)
    with pytest.raises(InputError, match="give both"):
        find(alone.folder, system="cmb")
    with pytest.raises(UnknownTaskError, match="t04"):
        find(alone.folder, system="cmb", task="t4")


def test_work_directories_side_by_side_are_numbered_in_order_of_names(make):
    root = make(
        {f"{name}/{part}/x": "" for name in ("run_b", "run_a", "run_a10", "run_a9") for part in ("codebase", "data")}
    )
    found = find(root, system="cmb", task="t04")
    assert [(t.folder.name, t.trial) for t in found] == [("run_a", 0), ("run_a9", 1), ("run_a10", 2), ("run_b", 3)]


def test_every_folder_that_cannot_be_used_is_counted(make):
    root = make({"a/t1/0/result.csv": CSV, "a/t2/0/result.csv": CSV, "a/t03/0/result.csv": CSV})
    with pytest.raises(UnknownTaskError, match=r"t01.*and 1 more folders"):
        find(root)


def test_any_folder_on_the_way_may_be_the_root(make):
    root = make({"a/t01/0/result.csv": CSV, "a/t01/1/": "", "a/t02/0/": "", "b/t01/0/": ""})
    assert len(find(root)) == 4
    assert len(find(root.parent)) == 4
    assert addresses(find(root / "a")) == [("a", "t01", "", 0), ("a", "t01", "", 1), ("a", "t02", "", 0)]
    assert addresses(find(root / "a/t01")) == [("a", "t01", "", 0), ("a", "t01", "", 1)]
    assert addresses(find(root / "a/t01/1")) == [("a", "t01", "", 1)]
    assert len(find(root, root / "a", str(root / "a/t01/1"))) == 4, "the same folder twice is one trial"


def test_natural_order_whatever_the_file_system_says(make):
    names = ["a10/t01/0/", "a2/t01/0/", "a2/t01/10/", "a2/t01/9/", "a2/t10/0/", "a2/t02/0/", "B/t01/0/"]
    found = addresses(find(make(dict.fromkeys(names, ""))))
    assert found == [
        ("B", "t01", "", 0), ("a2", "t01", "", 0), ("a2", "t01", "", 9), ("a2", "t01", "", 10), ("a2", "t02", "", 0),
        ("a2", "t10", "", 0), ("a10", "t01", "", 0),
    ]  # fmt: skip
    assert sorted(["x10", "x9", "10", "9a"], key=natural) == ["9a", "10", "x9", "x10"]


def test_trials_are_opened_one_at_a_time_and_again(make):
    trials = find_trials([make({"a/t01/0/": "", "a/t01/1/": ""})], known_tasks=KNOWN)
    assert len(trials) == 2
    assert list(trials) == list(trials)


# ------------------------------------------------------------------------------------------------------- user's errors


def test_unknown_task(make):
    root = make({"a/t1/0/result.csv": CSV})
    with pytest.raises(UnknownTaskError) as caught:
        find(root)
    message = str(caught.value)
    assert str(root / "a/t1/0") in message
    assert "'t01'" in message
    assert "'T1'" in message
    assert "\n" not in message


def test_a_number_above_the_systems_is_no_trial(make):
    assert addresses(find(make({"runs/2026/a/t01/0/": ""}))) == [("a", "t01", "", 0)]


def test_missing_root_file_and_nothing_found(make):
    root = make({"a/readme.txt": "", "empty/": ""})
    with pytest.raises(InputError, match="No such file"):
        find(root / "none")
    with pytest.raises(InputError, match="not a folder"):
        find(root / "a/readme.txt")
    for roots in ([root], [root / "empty"], []):
        with pytest.raises(InputError, match=r"no trial in .*looked for .*prompt_<agent>"):
            find(*roots)


def test_same_trial_twice(make):
    first = make({"a/t01/0/": ""}, root="one")
    second = make({"a/t01/00/": ""}, root="two")
    with pytest.raises(InputError, match=r"a/t01/0 is there twice: .*one.* and .*two"):
        find(first, second)


# -------------------------------------------------------------------------------------------------------------- hostile


def test_symlink_loop_and_linked_folders(make):
    root = make({"a/t01/0/result.csv": CSV, "a/t01/0/chats/": ""})
    (root / "a/loop").symlink_to(root)
    (root / "a/t01/0/data").symlink_to("/etc")
    (root / "a/t01/0/code").symlink_to("chats")
    (root / "self").symlink_to("self")
    trial = only(root)
    assert trial.notes == ("data is a link out of the trial folder; not used", "code/ is a link; not followed")
    with pytest.raises(InputError, match="self"):
        find(root / "self")


def test_links_out_of_the_trial_are_refused(make, tmp_path):
    root = make({"a/t01/0/": "", "a/t01/1/inner.csv": CSV, "a/t01/2/": ""})
    secret = tmp_path / "secret.csv"
    secret.write_text(CSV)
    (root / "a/t01/0/result.csv").symlink_to(secret)
    (root / "a/t01/0/report.md").symlink_to("/etc/passwd")
    (root / "a/t01/1/result.csv").symlink_to("inner.csv")
    (root / "a/t01/2/result.csv").symlink_to("../0/../../../../secret.csv")
    outside, inside, climbing = find(root)
    assert outside.output_file is None
    assert outside.text_files == ()
    assert "result.csv is a link out of the trial folder; not used" in outside.notes
    assert inside.output_file is not None
    assert climbing.output_file is None


def test_names_that_cannot_be_printed_are_not_used(make):
    root = make({"a/t01/0/": ""})
    (root / "a/t01/0/code").mkdir()
    (root / "a/t01/0/code" / os.fsdecode(b"\xff\n.py")).touch()
    trial = only(root)
    assert trial.code_files == ()
    assert "not printable" in trial.notes[0]
    assert trial.notes[0].isprintable()


@pytest.mark.parametrize(
    ("content", "note"),
    [
        (b"{", "not readable JSON"),
        (b"\xff\xfe\x00", "not readable JSON"),
        (b"[" * 200_000, "not readable JSON"),
        (b"[]", "not an object"),
        (b'{"cost_usd": "much"}', "cost_usd = 'much' is not usable"),
        (b'{"cost_usd": NaN}', "cost_usd"),
        (b'{"cost_usd": -1}', "cost_usd"),
        (b'{"cost_usd": true}', "cost_usd"),
        (b'{"cost_usd": 1' + b"0" * 400 + b"}", "cost_usd"),
        (b'{"exit_code": "0"}', "exit_code"),
        (b'{"started": "2026-01-01T00:00:00"}', "started"),
        (b'{"status": ["ok"]}', "status"),
        (b'{"cost_usd": ' + b"[" * 900 + b"]" * 900 + b"}", "cost_usd"),
        (b'{"final_message": 3}', "final_message"),
        (b" " * (5 * 2**20), "larger than"),
    ],
)
def test_bad_trial_json_is_a_note(make, content, note):
    trial = only(make({"a/t01/0/trial.json": content, "a/t01/0/result.csv": CSV}))
    assert (trial.cost_usd, trial.started, trial.exit_code, trial.status) == (None, None, None, "")
    assert trial.output_file is not None
    assert note in trial.notes[0]
    assert len(trial.notes) == 1


@pytest.mark.parametrize(
    ("content", "cost", "has_note"),
    [
        (json.dumps(COST), 0.75, False),
        ('[{"Agent": "engineer", "Cost ($)": NaN}, {"Agent": "Total", "Cost ($)": NaN}]', None, True),
        ('[{"Agent": "engineer", "Cost ($)": 1}, {"Agent": "Total", "Cost ($)": NaN}]', 1.0, False),
        ('[{"Agent": "engineer"}]', None, True),
        ('{"total": 3}', None, True),
        ("[1]", None, True),
        ("[]", None, False),
        ("[", None, True),
        ('[{"Agent": ' + "[" * 900 + "]" * 900 + "}]", None, True),
    ],
)
def test_cost_report(make, content, cost, has_note):
    trial = only(make({"prompt_a_0/trial_0/cost_report_1.json": content}))
    assert trial.cost_usd == cost
    assert bool(trial.notes) is has_note


def test_one_damaged_report_makes_the_sum_unknown(make):
    folder = "prompt_a_0/trial_0/"
    trial = only(make({folder + "cost_report_1.json": COST, folder + "cost_report_2.json": "[", folder + "time/": ""}))
    assert trial.cost_usd is None
    assert any("cost missing" in note for note in trial.notes)


# --------------------------------------------------------------------------------------------------------------- output


def test_output_choice(make):
    root = make(
        {
            "a/t01/0/result.csv": CSV, "a/t01/0/data/result.csv": CSV, "a/t01/0/data/other.csv": CSV,
            "a/t01/1/data/result.csv": CSV,
            "a/t01/2/data/spectrum.npy": b"", "a/t01/2/data/plot.png": b"",
            "a/t01/3/data/b10.csv": CSV, "a/t01/3/data/b9.dat": CSV,
            "a/t01/4/data/plot.png": b"",
            "a/t01/5/result.csv/": "",
        }
    )  # fmt: skip
    trials = find(root)
    chosen = [t.output_file and t.output_file.relative_to(t.folder).as_posix() for t in trials]
    assert chosen == ["result.csv", "data/result.csv", "data/spectrum.npy", "data/b9.dat", None, "result.csv"]
    assert [bool(t.notes) for t in trials] == [False, False, True, True, False, False]
    assert trials[3].notes == ("ambiguous output: no result.csv; data/b9.dat chosen, others data/b10.csv",)


def test_output_left_over_from_an_earlier_run(make):
    record = {"started": 1_700_000_000, "status": "failed"}
    root = make({f"a/t01/{i}/result.csv": CSV for i in range(3)} | {f"a/t01/{i}/trial.json": record for i in range(3)})
    for i, shift in enumerate((-3600, 3600, -1)):
        os.utime(root / f"a/t01/{i}/result.csv", (1_700_000_000 + shift,) * 2)
    old, new, same_moment = find(root)
    assert old.output_file is None
    assert old.notes == ("result.csv is older than the trial's start: left over",)
    assert new.output_file is not None
    assert new.notes == ("output kept although the run ended with failed",)
    assert same_moment.output_file is not None


def test_pickles_stay_closed(make, tmp_path):
    class Bomb:
        def __reduce__(self):
            return (os.mkdir, (str(tmp_path / "exploded"),))

    trial = only(make({"a/t01/0/data/results.pkl": pickle.dumps(Bomb())}))
    assert trial.output_file is None
    assert trial.notes == ("results.pkl was not opened: pickles can run code",)
    assert not (tmp_path / "exploded").exists()


# ----------------------------------------------------------------------------------------------------------------- code

WRITER = "import numpy as np\nnp.savetxt('result.csv', [[1, 2]], delimiter=',')\n"
READER = "import pandas as pd\nd = pd.read_csv('result.csv')\nprint(d)\n"
NEITHER = "import numpy as np\nprint(np.pi)\n"
NAMED = "import pandas as pd\npd.DataFrame({'l': range(2, 4), 'TT': [1, 2]}).to_csv('result.csv', index=False)\n"


@pytest.mark.parametrize(
    ("scripts", "chosen", "note"),
    [
        ({"a.py": WRITER}, "a.py", ""),
        ({"a.py": WRITER, "b.py": READER, "c.py": NEITHER}, "a.py", ""),
        ({"a.py": NEITHER}, "a.py", ""),
        ({"a.py": NEITHER, "b.py": READER}, "a.py", ""),
        ({"a.py": "def f(:\n"}, "a.py", ""),
        ({"a.py": b"\x00\xff"}, "a.py", ""),
        ({"a.py": "def f(:\n", "b.py": WRITER}, "b.py", ""),
        ({"step_2.py": WRITER, "step_10.py": WRITER}, "step_10.py", "chose code/step_10.py, others code/step_2.py"),
        ({"a.py": NAMED, "b.py": WRITER, "c.py": WRITER}, "a.py", "ambiguous script: chose code/a.py"),
        ({"a.py": NEITHER, "b.py": NEITHER}, "b.py", "ambiguous script"),
    ],
)
def test_choice_of_script(make, scripts, chosen, note):
    trial = only(make({f"a/t01/0/code/{name}": text for name, text in scripts.items()} | {"a/t01/0/result.csv": CSV}))
    choice = choose_code(trial, output_name="result.csv")
    assert choice.path == trial.folder / "code" / chosen
    assert choice.source == choice.path.read_bytes()
    assert choice.reason == ""
    assert (note in choice.notes[0]) if note else choice.notes == ()


def test_no_script(make):
    root = make({"a/t01/0/": "", "a/t01/1/code/plot.py": READER, "a/t01/2/code/big.py": b"#" * (2**21 + 1)})
    nothing, reader, big = (choose_code(trial, output_name="result.csv") for trial in find(root))
    assert (nothing.path, nothing.source, nothing.reason) == (None, None, "no code")
    assert (reader.path, reader.reason) == (None, "no script writes result.csv; only read by code/plot.py")
    assert (big.path, big.reason) == (None, "no readable code")
    assert "larger than" in big.notes[0]


def test_scripts_are_never_run(make, tmp_path):
    mark = tmp_path / "ran"
    trial = only(make({"a/t01/0/code/a.py": f"import os\nos.mkdir({str(mark)!r})\nopen('result.csv', 'w')\n"}))
    assert choose_code(trial, output_name="result.csv").path is not None
    assert not mark.exists()


# ---------------------------------------------------------------------------------------------------------------- texts


def test_texts_in_order_and_bounded(make):
    chat = [
        {"role": "assistant", "content": "first"},
        {"role": "assistant", "content": "last"},
        {"role": "user", "content": "ok"},
    ]
    trial = only(make({
        "a/t01/0/report.md": "r" * 2**20,
        "a/t01/0/trial.json": {"final_message": "final"}, "a/t01/0/chats/2.md": "x" * 2**20,
        "a/t01/0/chats/10.json": chat, "a/t01/0/chats/11.json": "[" * 10**5, "a/t01/0/chats/pic.png": b"",
    }))  # fmt: skip
    report, final, log, last = read_texts(trial)
    assert set(report) == {"r"}
    assert len(report) < 2**20
    assert final == "final"
    assert len(log) == 16 * 1024, "only the end of a log speaks about the result"
    assert last == "last"


def test_no_text(make):
    assert read_texts(only(make({"a/t01/0/report.md": " \n", "a/t01/0/chats/1.json": {"messages": 3}}))) == []
