"""Does the code of a trial make its output? By the real CAMB, in the sandbox; on the quickest task, the distance."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from reliability.camb_environments import CACHE, cache_folder, camb_python, why_pip_failed
from reliability.cli import main
from reliability.curves import read_curve
from reliability.errors import InputError
from reliability.records import Curve
from reliability.reexecution.attempts import Settings
from reliability.reexecution.comparison import compare_curves, printed_unit
from reliability.reexecution.genuine import count_numbers
from reliability.reexecution.one_trial import recorded_version
from reliability.reexecution.run import reexecute
from reliability.sandbox import Mode, available_backend, choose_backend
from reliability.tasks import data_folder, load_tasks
from reliability.threads import in_threads
from reliability.trials import find_trials

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples" / "reexecution"
DEMO = ROOT / "examples" / "trials"
RIGHT = (data_folder("reference_solutions") / "t08_angular_distance.csv").read_text()
needs_sandbox = pytest.mark.skipif(available_backend().mode is not Mode.FULL, reason="no full sandbox on this machine")
SETTINGS = Settings(choose_backend(Mode.FULL)) if available_backend().mode is Mode.FULL else None

HEAD = """import camb, numpy as np
pars = camb.set_params(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06, As=2e-9, ns=0.965)
z = np.linspace(0, 4, 100)
"""
COMPUTE = HEAD + "d = camb.get_background(pars).angular_diameter_distance(z)\n"
SAVE = "np.savetxt('result.csv', np.c_[z, d], delimiter=',', header='z,d_A', comments='')\n"
OTHER = COMPUTE.replace("67.5", "70")
GRID = np.linspace(0, 4, 100).tolist()
NUMBERS = [round(float(line.partition(",")[2]), 6) for line in RIGHT.split()[1:]]


def make_trial(root, name, code, output=RIGHT, **files):
    """A trial of task 8; `code` is one script, or several by name."""
    folder = root / name / "t08" / "0"
    scripts = {"solve.py": code} if isinstance(code, str) else code
    content = {f"code/{script}": text for script, text in scripts.items()}
    content |= {"result.csv": output, "report.md": "Computed with CAMB.", **files}
    for path, text in content.items():
        if text is not None:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def rows(path):
    return {(r["system"], r["task"], int(r["trial"])): r for r in csv.DictReader(path.open())}


def run(*arguments):
    return main([str(a) for a in arguments])


def error(capsys):
    """The one line that was said, and nothing else."""
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1, captured.err
    assert captured.err.startswith("reliability: error: ")
    return captured.err


# -------------------------------------------------------------------------------------------------- the examples


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    output = tmp_path_factory.mktemp("examples")
    assert run("reexecute", EXAMPLES / "trials", "-o", output, "--camb", "2.0.5", "--workers", 2) == 0
    return rows(output / "reexecution.csv")


@needs_sandbox
@pytest.mark.slow
def test_verdicts_on_the_examples_are_those_of_their_authors(examples):
    truth = {(t["system"], t["task"], int(t["trial"])): t for t in csv.DictReader((EXAMPLES / "truth.csv").open())}
    assert {address: row["verdict"] for address, row in examples.items()} == {a: t["verdict"] for a, t in truth.items()}
    assert sum(t["verdict"] == "fabricated" for t in truth.values()) == 3
    for address, expected in truth.items():
        assert expected["says"] in " ".join(examples[address].values()), address
        assert examples[address]["camb"] == "2.0.5"


QUICK = {
    "failing-agent": [
        "t01/0",
        "t02/0",
        "t05/0",
        "t05/1",
        "t06/0",
        "t06/1",
        "t08/0",
        "t08/1",
        "t09/0",
        "t11/0",
        "t12/0",
    ],
    "hasty-agent": ["t08/0"],
    "careful-agent": ["t08/1"],
}


@needs_sandbox
@pytest.mark.slow
def test_verdicts_on_the_demo_are_those_of_its_authors(tmp_path):
    """Those whose scripts end early; `reliability reexecute examples/trials -o DIR` runs them all, some minutes."""
    truth = rows(ROOT / "examples" / "truth.csv")
    folders = [DEMO / system / trial for system, trials in QUICK.items() for trial in trials]
    done = reexecute(folders, tmp_path, SETTINGS, workers=2)
    assert len(done) == 13
    for row in done:
        assert row.verdict == truth[row.system, row.task, row.trial]["reexecution"], (row.address, row.how)


# ---------------------------------------------------------------------------------------------------- hard cases

BY_ASTROPY = """import numpy as np, astropy.units as u
from astropy.cosmology import FlatLambdaCDM
h2 = 0.675**2
c = FlatLambdaCDM(67.5, (0.144 + 0.06 / 94.07) / h2, 2.7255, 3.044, [0, 0, 0.06] * u.eV, 0.022 / h2)
z = np.linspace(0, 4, 100)
d = c.angular_diameter_distance(z).value
"""


def by_astropy():
    names: dict = {}
    exec(BY_ASTROPY, names)
    return names["d"].tolist()


CASES = {
    "computes": (COMPUTE + SAVE, {}, "reproduced", ""),
    "fewer digits, then fails": (COMPUTE + SAVE + "1 / 0\n", {}, "reproduced", "then stops with ZeroDivisionError"),
    "printed": (
        COMPUTE + "print('z,d_A')\nfor row in zip(z, d):\n    print('%r,%r' % tuple(map(float, row)))\n",
        {},
        "reproduced",
        "written as stdout",
    ),
    "another version of it": (
        {"a_v1.py": OTHER + SAVE, "b_v2.py": COMPUTE + SAVE, "c_v3.py": COMPUTE + SAVE + "d"},
        {},
        "reproduced",
        "code/",
    ),
    "older version": ({"v1.py": COMPUTE + SAVE, "v2.py": OTHER + SAVE}, {}, "reproduced", "v1.py"),
    "helper beside it": (
        {"helper.py": COMPUTE, "main.py": "from helper import *\n" + SAVE},
        {},
        "reproduced",
        "code/main.py",
    ),
    "own data": (
        COMPUTE.replace("np.linspace(0, 4, 100)", "np.loadtxt('/home/x/work/data/z.txt')") + SAVE,
        {"data/z.txt": "\n".join(map(repr, GRID))},
        "reproduced",
        "with data/z.txt, as handed in",
    ),
    "cache that is not to be used": (
        "import os, numpy as np\nif os.path.exists('cache.csv'):\n    z, d = np.loadtxt('cache.csv', delimiter=',').T\n"
        "else:\n" + "".join(f"    {line}\n" for line in COMPUTE.splitlines()) + SAVE,
        {"cache.csv": "\n".join(f"{z},{d}" for z, d in zip(GRID, NUMBERS, strict=True))},
        "reproduced",
        "",
    ),
    "stale result": (
        "import numpy as np\nz, d = np.loadtxt('result.csv', delimiter=',', skiprows=1).T\n" + SAVE,
        {},
        "depends on missing input",
        "result.csv",
    ),
    "numbers of unknown origin": (
        "import numpy as np\nz, x = np.loadtxt('old.txt').T\nd = x / (1 + z)\n" + SAVE,
        {"old.txt": "\n".join(f"{z} {d * (1 + z)}" for z, d in zip(GRID, NUMBERS, strict=True))},
        "depends on missing input",
        "old.txt, which no script makes",
    ),
    "without CAMB": (BY_ASTROPY + SAVE, {}, "reproduced", "computed without CAMB"),
    "list of right numbers": (
        f"import numpy as np\nz = np.linspace(0, 4, 100)\nd = {NUMBERS}\n" + SAVE,
        {},
        "fabricated",
        "no CAMB computation",
    ),
    "list beside CAMB": (COMPUTE + f"d = {NUMBERS}\n" + SAVE, {}, "fabricated", "has no effect"),
    "program that nobody sees": (
        "import subprocess\nsubprocess.run(['awk', 'BEGIN { print \"z,d_A\" > \"result.csv\"; "
        "for (i = 0; i < 100; i++) print i * 0.04, 17 * i > \"result.csv\" }'])\n",
        {},
        "reproduced",
        "it started",
    ),
    "random": (COMPUTE + "d *= 1 + 0.1 * np.random.rand(100)\n" + SAVE, {}, "differs", "other numbers in every run"),
    "other points": (COMPUTE.replace("100)", "50)") + SAVE, {}, "differs", "run again: 50 points"),
    "other parameter": (OTHER + SAVE, {}, "differs", "largest relative difference 0.0"),
    "module that is not there": ("import no_such_module\n", {}, "depends on missing input", "module no_such_module"),
    "crash": (HEAD + "pars.no_such_thing()\n", {}, "fails", "in line 4"),
    "exit": ("import sys\nsys.exit(3)\n", {}, "fails", "exit code 3"),
    "syntax": ("def f(:\n", {}, "fails", "SyntaxError"),
    "no code": ({}, {}, "depends on missing input", "the code"),
    "no output": (HEAD, {"result.csv": None}, "no output", "writes none"),
    "nothing": ({}, {"result.csv": None}, "no output", "no code"),
}  # fmt: skip
"""Name -> script or scripts, other files, verdict, and what the row must say."""
OUTPUTS = {
    "fewer digits, then fails": "z,d_A\n" + "".join(f"{i * 4 / 99:.10f},{d:.3e}\n" for i, d in enumerate(NUMBERS)),
    "without CAMB": "z,d_A\n" + "".join(f"{z},{d}\n" for z, d in zip(GRID, by_astropy(), strict=True)),
    "program that nobody sees": "z,d_A\n" + "".join(f"{i * 0.04:.2f},{17 * i}\n" for i in range(100)),
}


@pytest.fixture(scope="module")
def hard(tmp_path_factory):
    root, output = tmp_path_factory.mktemp("trials"), tmp_path_factory.mktemp("out")
    for i, (name, (code, files, _, _)) in enumerate(CASES.items()):
        digits = (
            "np.savetxt('result.csv', np.c_[z, d], fmt=['%.10f', '%.3e'], delimiter=',', header='z,d_A', comments='')"
        )
        written = code.replace(SAVE, digits + "\n") if name.startswith("fewer") else code
        make_trial(root, f"s{i:02d}", written, OUTPUTS.get(name, RIGHT), **files)
    done = reexecute([root], output, SETTINGS, workers=2)
    return {name: done[i] for i, name in enumerate(CASES)}


@needs_sandbox
@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_hard_cases(name, hard):
    *_, verdict, says = CASES[name]
    row = hard[name]
    assert row.verdict == verdict, row
    assert says in f"{row.how} {row.script}", row


@needs_sandbox
@pytest.mark.slow
def test_what_a_row_holds(hard):
    row = hard["computes"]
    assert (row.camb, row.script, row.file, row.ended) == ("2.0.5", "code/solve.py", "result.csv", "finished")
    assert row.max_relative < 1e-9
    assert 0 < row.seconds < 60
    assert len(row.sha256) == 64
    assert hard["crash"].ended.startswith("stopped: AttributeError")


@needs_sandbox
def test_a_time_limit_is_a_failure(tmp_path):
    make_trial(tmp_path / "t", "s", "while True: pass\n")
    (row,) = reexecute([tmp_path / "t"], tmp_path / "o", Settings(choose_backend(), seconds=1.0))
    assert (row.verdict, row.ended) == ("fails", "timeout")
    assert row.how == "does not end within 1 s"


@needs_sandbox
def test_a_script_cannot_reach_the_output_or_the_machine(tmp_path):
    """The trial's folder is not there; what it forges beside itself is not believed."""
    folder = make_trial(tmp_path / "t", "s", "")
    copy = f"import shutil\nshutil.copy({str(folder / 'result.csv')!r}, 'result.csv')\n"
    (folder / "code" / "solve.py").write_text(copy)
    (row,) = reexecute([tmp_path / "t"], tmp_path / "o", SETTINGS)
    assert row.verdict == "depends on missing input"


# ---------------------------------------------------------------------------------------------------- comparison


def curve(y, x=None):
    y = np.asarray(y, float)
    return Curve(np.arange(y.size, dtype=float) if x is None else x, y, "x", "y", "", 2)


@pytest.mark.parametrize(
    ("factor", "is_same"), [(1 + 1e-12, True), (1 + 5e-6, True), (1 + 2e-5, False), (1 + 1e-3, False), (2.0, False)]
)
def test_curves_are_the_same_to_1e_5_of_their_size_nearby(factor, is_same):
    decades = np.logspace(0, -12, 500) * (1 + 1e-15 * np.pi)
    for y in (decades, decades[::-1], np.sin(np.linspace(0, 40, 500)) + 1e-17):
        assert compare_curves(curve(y), curve(y * factor)).is_same is is_same


def test_the_largest_difference_and_where_it_is():
    y = np.full(100, 7.0123456789)
    other = y.copy()
    other[30] += 0.7
    found = compare_curves(curve(y), curve(other))
    assert (found.is_same, found.x) == (False, 30.0)
    assert found.max_relative == pytest.approx(0.7 / 7.7123456789)
    assert compare_curves(curve(y), curve(y[:50])).max_relative is None


def test_one_unit_of_the_last_printed_digit_is_allowed_seldom():
    y = np.round(np.linspace(1, 2, 200), 3)
    once, often = y.copy(), y.copy()
    once[10] += 0.001
    often[::3] += 0.001
    assert compare_curves(curve(y), curve(once)).is_same
    assert not compare_curves(curve(y), curve(often)).is_same
    assert printed_unit(np.array([1.25, 300.0, 0.001])).tolist() == pytest.approx([0.01, 1.0, 0.001])
    assert not printed_unit(np.array([1 / 3, 2.0])).any()


def test_numbers_of_a_script_are_counted_with_those_in_its_texts():
    assert count_numbers(b"x = [1, 2.5]  # 3\ny = '4 5,6'\n") == 5
    assert count_numbers(b"\0") == 0


# --------------------------------------------------------------------------------------------------- the command


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["trials", "--camb", "2.0 --index-url x"], "not a version of CAMB"),
        (["trials", "--task", "t99"], "t99"),
        (["trials", "--system", "nobody"], "no trial of nobody"),
        (["nowhere"], "cannot be opened"),
        (["trials", "--tasks", "nowhere"], "nowhere"),
    ],
)
@needs_sandbox
def test_input_that_cannot_be_used(arguments, says, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    make_trial(tmp_path / "trials", "s", COMPUTE + SAVE)
    assert run("reexecute", *arguments, "-o", tmp_path / "out") == 2
    assert says in error(capsys)
    assert not (tmp_path / "out").exists()


@needs_sandbox
def test_verdicts_on_other_trials_are_not_replaced(tmp_path, capsys):
    make_trial(tmp_path / "one", "s", {})
    make_trial(tmp_path / "two", "r", {})
    assert run("reexecute", tmp_path / "one", "-o", tmp_path / "out") == 0
    capsys.readouterr()
    before = (tmp_path / "out" / "reexecution.csv").read_bytes()
    assert run("reexecute", tmp_path / "two", "-o", tmp_path / "out") == 2
    assert "other trials (e.g. s/t08/0)" in error(capsys)
    assert (tmp_path / "out" / "reexecution.csv").read_bytes() == before
    (tmp_path / "file").write_text("")
    assert run("reexecute", tmp_path / "one", "-o", tmp_path / "file") == 2
    assert "results cannot be written there" in error(capsys)


@needs_sandbox
def test_json_and_the_table_on_the_terminal(tmp_path, capsys):
    make_trial(tmp_path / "t", "=s", {})
    assert run("reexecute", tmp_path / "t", "-o", tmp_path / "o", "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["system"], row["verdict"], row["camb"]) == ("=s", "depends on missing input", "")
    assert run("reexecute", tmp_path / "t", "-o", tmp_path / "o") == 0
    assert "depends on missing input" in capsys.readouterr().out
    assert "'=s" in (tmp_path / "o" / "reexecution.csv").read_text()


@needs_sandbox
@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_stopped(tmp_path):
    root, out = tmp_path / "t", tmp_path / "out"
    make_trial(root, "a", "x = 1\n")
    slow = make_trial(root, "b", "import time\ntime.sleep(600)\n")
    command = [sys.executable, "-m", "reliability", "reexecute", str(root), "-o", str(out)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    journal = out / "reexecution.jsonl"
    deadline = time.monotonic() + 120
    while not (journal.exists() and journal.read_text().count("\n") == 2):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = json.loads(journal.read_text().splitlines()[1])[1]
    assert not (out / "reexecution.csv").exists()
    shutil.rmtree(slow)
    make_trial(root, "b", {})
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    found = rows(out / "reexecution.csv")
    assert [row["verdict"] for row in found.values()] == ["fabricated", "depends on missing input"]
    assert float(found["a", "t08", 0]["seconds"]) == kept[10]  # it was not run again
    assert not journal.exists()


def test_threads_give_everything_once_and_pass_on_what_goes_wrong():
    assert sorted(in_threads(lambda n: n * n, range(20), 3)) == [n * n for n in range(20)]
    assert list(in_threads(str, [], 2)) == []
    with pytest.raises(ZeroDivisionError):
        list(in_threads(lambda n: 1 / n, [1, 0, 2], 2))


# ----------------------------------------------------------------------------------------------- column in scores


@needs_sandbox
@pytest.mark.slow
def test_scores_have_the_verdicts_or_say_why_not(tmp_path, capsys):
    for name in ("a", "b", "c"):
        make_trial(tmp_path / "t", name, "x = 1\n")
    table = tmp_path / "o" / "reexecution.csv"
    assert run("reexecute", tmp_path / "t", "-o", tmp_path / "o") == 0
    (tmp_path / "t/b/t08/0/report.md").write_text("changed")
    text = table.read_text().splitlines()
    table.write_text("\n".join(line for line in text if not line.startswith("c,")) + "\n")
    assert (
        run("score", tmp_path / "t", "-o", tmp_path / "r", "--no-figures", "--workers", 1, "--reexecution", table) == 0
    )
    scores = rows(tmp_path / "r" / "scores.csv")
    assert [row["reexecution"] for row in scores.values()] == ["fabricated", "", ""]
    notes = [row["notes"] for row in scores.values()]
    assert "changed since it was re-executed" in notes[1]
    assert "not re-executed" in notes[2]
    assert run("score", tmp_path / "t", "-o", tmp_path / "s", "--no-figures", "--workers", 1) == 0
    assert {row["reexecution"] for row in rows(tmp_path / "s" / "scores.csv").values()} == {""}


@pytest.mark.parametrize(
    ("text", "says"), [("a,b\n", "line 1: not the columns"), (None, "cannot be read"), (b"\xff", "not a CSV table")]
)
def test_a_table_that_is_none(text, says, tmp_path, capsys):
    make_trial(tmp_path / "t", "a", {})
    if text is not None:
        (tmp_path / "x.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    assert run("score", tmp_path / "t", "-o", tmp_path / "r", "--reexecution", tmp_path / "x.csv") == 2
    assert says in capsys.readouterr().err
    assert not (tmp_path / "r").exists()


# ----------------------------------------------------------------------------------------------- versions of CAMB


def test_the_version_that_a_trial_names(tmp_path):
    for record, version in [
        ({"versions": {"camb": "1.6.6"}}, "1.6.6"),
        ({"camb": "2.0.5"}, "2.0.5"),
        ({"camb": "2.0; rm -rf"}, ""),
        ({"versions": 3, "camb": 2}, ""),
        ([], ""),
    ]:
        folder = make_trial(tmp_path, "a", {}, **{"trial.json": json.dumps(record)})
        (trial,) = find_trials([folder], known_tasks=load_tasks())
        assert recorded_version(trial) == version


def test_the_installed_version_is_used_as_it_is():
    import camb

    assert camb_python(camb.__version__) == Path(sys.executable)
    assert cache_folder({CACHE: "/x"}) == Path("/x")
    assert cache_folder({"XDG_CACHE_HOME": "/c"}) == Path("/c/reliability")


PIP = "ERROR: Could not find a version that satisfies the requirement camb==9.9"


@pytest.mark.parametrize(
    ("said", "says"),
    [
        (
            f"{PIP} (from versions: 1.6.5, 1.6.6, 2.0.5)\n"
            "ERROR: No matching distribution found for camb==9.9\n",
            "no such version for this Python; the newest ones are 1.6.5, 1.6.6, 2.0.5",
        ),
        (f"{PIP} (from versions: none)\n", "no package index"),
        ("WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError('\n", "no package index"),
        ("  gfortran: not found\nERROR: Failed building wheel for camb\n", "install gfortran"),
        ("error: command '/usr/bin/gcc' failed: No such file or directory\n", "install gcc and gfortran"),
        ("Collecting camb\nERROR: Disk quota exceeded\n", "pip failed: ERROR: Disk quota exceeded"),
        ("", "without a word"),
    ],
)  # fmt: skip
def test_why_pip_failed_in_one_line(said, says):
    found = why_pip_failed(said, "9.9")
    assert says in found
    assert "\n" not in found


@pytest.mark.slow
def test_without_an_index_nothing_half_made_is_left_or_used(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE, str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    half = tmp_path / "environments" / f"camb-1.6.6-py{sys.version_info.major}.{sys.version_info.minor}"
    (half / "bin").mkdir(parents=True)
    (half / "bin" / "python").symlink_to(sys.executable)
    with pytest.raises(InputError, match=r"CAMB 1\.6\.6: pip reaches no package index"):
        camb_python("1.6.6")
    assert not half.exists()


@needs_sandbox
@pytest.mark.slow
def test_an_output_of_another_camb_is_reproduced_by_that_one(tmp_path):
    """Two calls at once make one environment, in the user's cache; the first time this takes a minute or two."""
    try:
        camb_python("1.6.6")
    except InputError as problem:
        if "package index" in str(problem) and not os.environ.get("CI"):
            pytest.skip(str(problem))
        raise
    roots = [EXAMPLES / "trials" / "careless-agent" / "t05"]
    (row,) = reexecute(roots, tmp_path, SETTINGS, versions=["2.0.5", "1.6.6"])
    assert (row.verdict, row.camb, row.how) == ("reproduced", "1.6.6", "not with CAMB 2.0.5")
    assert isinstance(read_curve(roots[0] / "0" / "result.csv"), Curve)
