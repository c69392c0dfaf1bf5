"""What CAMB received while a script ran: by the real CAMB, in the sandbox."""

from __future__ import annotations

import camb
import pytest

from reliability.errors import SandboxError
from reliability.recorder import Job, record

MODEL = "import camb\np = camb.set_params(H0=67.5, tau=0.06)\n"


def run(*sources, mode="first", seconds=20.0, **options):
    return record([Job(source) for source in sources], mode=mode, seconds=seconds, **options)


def values(recording, *names, model=-1):
    found = recording.reading.models[model].parameters
    return [(found[name].value, found[name].state) for name in names]


# -------------------------------------------------------------------------------------------------- set or default


@pytest.mark.parametrize(
    ("source", "name", "expected"),
    [
        ("p = camb.set_params(H0=67.5)", "H0", (67.5, "set")),
        ("p = camb.set_params(H0=67.5)", "ns", (0.96, "default")),
        ("p = camb.set_params(H0=67.5)", "mnu", (0.06, "default")),
        ("p = camb.set_params(H0=67.5, mnu=0.1)", "mnu", (0.1, "set")),
        ("p = camb.set_params(H0=67.5, nnu=2.5, neutrino_hierarchy=2)", "neutrino_hierarchy", ("inverted", "set")),
        ("p = camb.CAMBparams(ombh2=0.02, omch2=0.1); p.H0 = 70", "H0", (70.0, "set")),
        ("p = camb.CAMBparams(H0=71.0, ombh2=0.02, omch2=0.1)", "H0", (71.0, "set")),
        ("p = camb.set_params(H0=67.5).copy()", "H0", (67.5, "set")),
        ("import copy; p = copy.deepcopy(camb.set_params(H0=67.5))", "H0", (67.5, "set")),
        ("q = camb.set_params(H0=67.5); p = q.copy(); q.H0 = 1.0", "H0", (67.5, "set")),
        ("p = camb.set_params(H0=67.5); p.set_cosmology(H0=70)", "tau", (None, "default")),
        ("p = camb.set_params(H0=67.5, tau=0.07); p.set_classes(dark_energy_model='ppf')", "tau", (0.07, "set")),
        ("p = camb.set_params(H0=67.5); p.InitPower = camb.InitialPowerLaw(As=1e-9)", "As", (1e-9, "set")),
        ("p = camb.set_params(H0=67.5); p.InitPower.ns = 0.9", "ns", (0.9, "set")),
        ("p = camb.set_params(H0=67.5); p.set_dark_energy(w=-0.9)", "w", (-0.9, "set")),
        ("p = camb.set_params(H0=67.5); setattr(p, 'Alens', 0.5)", "Alens", (0.5, "set")),
        ("p = camb.set_params(H0=67.5); p.set_for_lmax(1000)", "lmax", (1000, "set")),
        ("p = camb.CAMBparams(); p.set_cosmology(H0=67.5)\np.set_matter_power(kmax=3.0)", "kmax", (3.0, "set")),
    ],
)
def test_a_value_and_whether_the_script_told_it(source, name, expected):
    (recording,) = run(f"import camb\n{source}\ncamb.get_results(p)\n")
    assert recording.ended == "first computation", recording.error
    assert recording.camb == camb.__version__
    assert values(recording, name) == [expected]


def test_theta_is_solved_by_camb_without_counting_as_a_model():
    (recording,) = run("import camb\np = camb.set_params(thetastar=0.0104, tau=0.06)\ncamb.get_background(p)\n")
    ((found, state),) = values(recording, "H0")
    assert found == camb.set_params(thetastar=0.0104, tau=0.06).H0
    assert state == "set"
    assert len(recording.reading.models) == 1


def test_lines_and_an_attribute_that_camb_lacks():
    (recording,) = run(MODEL + "p.Reion.ReionizationExponent = 2\ncamb.get_results(p)\n")
    assert recording.reading.models[0].line == 4
    assert recording.reading.models[0].parameters["H0"].line == 2
    (finding,) = recording.reading.findings
    assert (finding.check, finding.line) == ("unknown_attribute", 3)


def test_full_mode_has_every_model_and_what_was_written_after_which():
    source = MODEL + (
        "p.set_for_lmax(200)\n"
        "for i, h in enumerate((60.0, 70.0)):\n"
        "    p.set_cosmology(H0=h)\n"
        "    r = camb.get_background(p)\n"
        "    open(f'{i}.csv', 'w').write(str(r.angular_diameter_distance(1)))\n"
    )
    (recording,) = run(source, mode="full")
    assert recording.ended == "finished", recording.error
    assert [m.parameters["H0"].value for m in recording.reading.models] == [60.0, 70.0]
    assert recording.writes == {"0.csv": 1, "1.csv": 2}


def test_an_amount_of_lensing_told_when_results_are_read():
    source = MODEL + (
        "p.set_for_lmax(200)\nr = camb.get_results(p)\n"
        "a = r.get_partially_lensed_cls(0.3, lmax=100)\nb = r.get_partially_lensed_cls(0.5, lmax=100)\n"
    )
    (recording,) = run(source, mode="full")
    assert [m.parameters["Alens"].value for m in recording.reading.models] == [0.3, 0.5]


# ------------------------------------------------------------------------------------------------------- how it ends


@pytest.mark.parametrize(
    ("source", "ended", "error", "line"),
    [
        ("x = 1\n", "finished", "", None),
        ("import sys\nsys.exit(3)\n", "exited", "exit code 3", None),
        ("x = 1\ny = 1 / 0\n", "stopped", "ZeroDivisionError", 2),
        ("x = 1\nif True\n", "stopped", "SyntaxError", 2),
        (b"x = 1\nz = '\xff'\n", "stopped", "SyntaxError", None),
        (b"x = 1\0\n", "stopped", "null bytes", None),
        ("import no_such_module\n", "stopped", "ModuleNotFoundError", 1),
        (MODEL + "p.set_cosmologee(H0=1)\n", "stopped", "AttributeError", 3),
        ("import os\nos._exit(4)\n", "exited", "exit code 4", None),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n", "killed", "signal 15", None),
    ],
)
def test_how_a_script_ends(source, ended, error, line):
    (recording,) = run(source, mode="full")
    assert recording.ended == ended
    assert error in recording.error
    if line is not None:
        assert recording.line == line
    assert recording.reading.models == ()


HOSTILE = {
    "loops": "while True: pass\n",
    "ignores signals": "import signal, time\nfor s in range(1, 32):\n"
    "    try: signal.signal(s, signal.SIG_IGN)\n    except (OSError, ValueError): pass\ntime.sleep(100)\n",
    "kills its recorder": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nimport time\ntime.sleep(9)\n",
    "kills all": "import os, signal\nos.kill(-1, signal.SIGKILL)\n",
    "children outlive it": "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(100)\n",
    "huge output": "import sys\nfor i in range(20000): print('x' * 1000)\n",
    "fork bomb": "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass\n",
    "recursion": "import sys\nsys.setrecursionlimit(10**9)\ndef f(): f()\nf()\n",
    "eats memory": "x = bytearray(10**11)\n",
    "own camb": "import sys, types\nsys.modules['camb'] = types.ModuleType('camb')\nimport camb\ncamb.H0 = 1\n",
    "writes to every descriptor": "import os\nfor i in range(3, 60):\n"
    "    try: os.write(i, b'{\"kind\": 1}\\n[]\\nnull\\n\\xff\\n')\n    except OSError: pass\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_script_harms_no_other(name):
    """The scripts before and after it are recorded as ever."""
    before, hostile, after = run(
        MODEL + "camb.get_results(p)\n", HOSTILE[name], MODEL + "camb.get_background(p)\n", seconds=3.0
    )
    assert values(before, "H0") == values(after, "H0") == [(67.5, "set")]
    assert hostile.reading.models == ()
    assert hostile.ended in ("finished", "exited", "stopped", "timeout", "killed")
    if name in ("loops", "ignores signals"):
        assert hostile.ended == "timeout"


def test_forged_records_of_a_wrong_form_are_passed_over():
    forged = (
        "import os\nfor i in range(3, 60):\n"
        '    for line in (b\'{"kind": "model"}\', b\'{"kind": "model", "parameters": 3, "line": "x"}\',\n'
        '                 b\'{"kind": "end", "ended": 7}\', b\'{"kind": "writes", "file": []}\',\n'
        '                 b\'{"kind": "model", "parameters": {"H0": [1]}, "line": 1}\', b\'{"kind": "unknown"}\'):\n'
        "        try: os.write(i, line + b'\\n')\n        except OSError: pass\n"
    )
    first, second = run(forged, MODEL + "camb.get_results(p)\n")
    assert first.reading.models == ()
    assert first.ended in ("finished", "killed")
    assert values(second, "H0") == [(67.5, "set")]


def test_an_interpreter_without_camb_is_an_error_that_names_it(tmp_path):
    with pytest.raises(SandboxError, match="the recorder does not start"):
        run("x = 1\n", python="/usr/bin/python3")


def test_what_a_script_wrote_is_given_back_if_asked():
    source = "import os\nopen('a.csv', 'w').write('1,2\\n')\nopen('b.csv', 'w').write('x' * 99)\n"
    source += "os.symlink('/etc/hostname', 'c.csv')\ntry:\n    open('c.csv', 'a')\nexcept OSError:\n    pass\n"
    [kept] = record([Job(source)], keep_bytes=50)
    assert set(kept.writes) == {"a.csv", "b.csv", "c.csv"}
    assert kept.files == {"a.csv": b"1,2\n"}
    [not_kept] = record([Job(source)])
    assert not_kept.files == {}


# ------------------------------------------------------------------------------- scripts written for another place


def moved(*sources, **files):
    jobs = [Job(source, {**files}, "code/solve.py") for source in sources]
    return record(jobs, seconds=60.0, keep_bytes=1000, is_moved=True)


WRITERS = {
    "open('/home/x/project/result.csv', 'w').write('1,2')": "outside/home/x/project/result.csv",
    "import pathlib; pathlib.Path('/data/x/r.csv').write_text('1,2')": "outside/data/x/r.csv",
    "import os; os.makedirs('/home/x/o'); open('/home/x/o/r.csv', 'w').write('1,2')": "outside/home/x/o/r.csv",
    "import os; os.chdir('/content/x'); open('r.csv', 'w').write('1,2')": "outside/content/x/r.csv",
    "open('/tmp/r.csv', 'w').write('1,2')": "outside/tmp/r.csv",
    "import os; open(os.path.expanduser('~/r.csv'), 'w').write('1,2')": "outside/tmp/home/r.csv",
    "import numpy; numpy.savetxt('/home/x/r.csv', [[1, 2]], '%d', ',', '')": "outside/home/x/r.csv",
    "open('t', 'w').write('1,2'); import os; os.replace('t', '/home/x/r.csv')": "outside/home/x/r.csv",
    "print('1,2', end='')": "stdout",
    "import subprocess; subprocess.run(['python', '-c', 'open(\"r.csv\", \"w\").write(\"1,2\")'])": "r.csv",
}


def test_what_is_written_for_another_machine_is_given_back():
    for recording, file in zip(moved(*WRITERS), WRITERS.values(), strict=True):
        assert (recording.ended, recording.error) == ("finished", "")
        assert recording.files == {file: b"1,2"}


def test_what_is_read_is_found_by_the_end_of_its_path():
    paths = ["noise.csv", "/home/x/p/noise.csv", "data/noise.csv", "../noise.csv"]
    sources = [f"import numpy as np\nopen('r.csv', 'w').write(str(np.loadtxt({path!r})))\n" for path in paths]
    for recording in moved(*sources, **{"noise.csv": b"7"}):
        assert recording.files == {"r.csv": b"7.0"}, recording.error


def test_a_missing_file_is_told_and_a_missing_folder_stays_a_mistake():
    read = "import numpy as np\nnp.loadtxt('/home/x/noise.csv')\n"
    missing_file, missing_folder = moved(read, "open('results/r.csv', 'w')\n")
    assert (missing_file.ended, missing_file.line) == ("stopped", 2)
    assert "/home/x/noise.csv" in missing_file.missed
    assert missing_folder.error.startswith("FileNotFoundError")
    assert missing_folder.files == {}


MODEL_AND_FILE = MODEL + "d = camb.get_background(p).angular_diameter_distance(1.0)\nopen('r.csv', 'w').write(f'{d}')\n"
PROCESS = "import multiprocessing as m, runpy\nif __name__ == '__main__':\n    q = m.get_context({!r}).Process(target="
PROCESS += "runpy.run_path, args=('code/other.py',))\n    q.start()\n    q.join()\n"


def test_what_camb_receives_in_processes_that_the_script_starts():
    starts = [
        "import subprocess, sys; subprocess.run([sys.executable, 'code/other.py'])",
        "import os; os.system('python code/other.py')",
        PROCESS.format("fork"),
        PROCESS.format("spawn"),
    ]
    right = camb.get_background(camb.set_params(H0=67.5, tau=0.06)).angular_diameter_distance(1.0)
    for recording in moved(*starts, **{"code/other.py": MODEL_AND_FILE.encode()}):
        assert recording.ended == "finished", recording.error
        assert values(recording, "H0") == [(67.5, "set")]
        assert float(recording.files["r.csv"]) == pytest.approx(right, rel=1e-9)


def test_programs_are_told():
    [recording] = moved("import subprocess; subprocess.run(['echo', 'x'])")
    assert recording.programs == ("echo x",)


def test_camb_computes_something_else_if_it_shall_and_the_script_does_not_notice():
    source = MODEL_AND_FILE + "open('h.csv', 'w').write(str(p.H0))\n"
    plain, altered = record([Job(source), Job(source, is_altered=True)], keep_bytes=99)
    assert plain.files["h.csv"] == altered.files["h.csv"] == b"67.5"
    assert float(plain.files["r.csv"]) > 1.02 * float(altered.files["r.csv"])
