"""Running an agent that is a command: what is kept, what is tried again, what survives an interruption."""

import json
import os
import random
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reliability.cli import main
from reliability.errors import InputError, OutputError, SandboxError
from reliability.runner import Surroundings, command_system, run_system, seed_of
from reliability.runner.collect import MAX_OUTPUT, collect, read_usage
from reliability.runner.one_trial import Retries
from reliability.runner.place import open_trials, remove_folder
from reliability.runner.records import Fault
from reliability.runner.surroundings import without
from reliability.sandbox import Limits, Mode, available_backend, choose_backend
from reliability.tasks import load_tasks, render_prompt

TASKS = load_tasks()
PYTHON = shlex.quote(sys.executable)
needs_sandbox = pytest.mark.skipif(available_backend().mode is not Mode.FULL, reason="no full sandbox on this machine")


def surroundings(*, seconds=60.0, mode=Mode.NONE, **more):
    return Surroundings(backend=choose_backend(mode), limits=Limits(seconds=seconds), **more)


def agent(tmp_path, source, arguments="{prompt_file} {task} {seed}", **more):
    """A system that runs this Python source."""
    program = tmp_path / "agent.py"
    program.write_text(source)
    more = {"surroundings": surroundings(), **more}
    return command_system(f"{PYTHON} -I -S {program} {arguments}", **more)


def run(system, output, tasks=("t08",), **more):
    more = {"n_trials": 1, "sleep": lambda _: None, **more}
    return run_system("mine", system, output, tasks=[TASKS[t] for t in tasks], **more)


def record(output, task="t08", trial=0):
    return json.loads((output / "mine" / task / str(trial) / "trial.json").read_text())


# ------------------------------------------------------------------------------------------------- the command


def test_a_prompt_stays_one_word_whatever_it_holds(tmp_path):
    source = "import sys, json; open('result.csv', 'w').write(json.dumps(sys.argv[1:]))"
    system = agent(tmp_path, source, "{prompt} '{task} and {seed}' {workdir}/x '{\"task\": 1}'")
    run(system, tmp_path / "out")
    words = json.loads((tmp_path / "out/mine/t08/0/result.csv").read_text())
    prompt = render_prompt(TASKS["t08"], "result.csv")
    assert len(prompt.split()) > 50
    assert words[0] == prompt
    assert words[1] == f"t08 and {seed_of(0, 'mine', 't08', 0)}"
    assert Path(words[2]).name == "x"
    assert words[3] == '{"task": 1}'
    assert (tmp_path / "out/mine/t08/0/prompt.md").read_text() == prompt


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("", "empty"),
        ("python 'x", "No closing quotation"),
        ("python {promt}", "no placeholder {promt}"),
        ("python agent.py", "never gets its prompt"),
        ("no-such-program {prompt}", "no program 'no-such-program'"),
    ],
)
def test_commands_that_cannot_be_used(command, says):
    with pytest.raises(InputError, match=says):
        command_system(command, surroundings())


def test_seeds_differ_and_never_change():
    seeds = [seed_of(0, "s", f"t{i:02d}", n) for i in range(14) for n in range(10)]
    assert len(set(seeds)) == 140
    assert seed_of(0, "mine", "t08", 0) == 3258255363  # pinned: trials are found again by it
    assert seed_of(1, "s", "t00", 0) != seeds[0] != seed_of(0, "r", "t00", 0)


def test_right_answers_and_other_trials_stay_hidden(tmp_path):
    for name in ("lib/answers/t01.csv", "lib/numpy/x.py", "bin/python"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "lib64").symlink_to("lib")
    shown = without(tmp_path, [tmp_path / "lib" / "answers"])
    assert shown == [tmp_path / "bin", tmp_path / "lib" / "numpy"]
    assert without(tmp_path / "lib" / "answers" / "t01.csv", [tmp_path / "lib" / "answers"]) == []
    assert without(tmp_path / "bin", [tmp_path / "lib"]) == [tmp_path / "bin"]


@needs_sandbox
def test_an_agent_cannot_read_answers_next_to_what_it_may_read(tmp_path):
    answers = tmp_path / "given" / "answers"
    answers.mkdir(parents=True)
    (answers / "t08.csv").write_text("1,2\n")
    hint = tmp_path / "given" / "hint.txt"
    hint.write_text("hint")
    source = f"import os; print(os.path.exists({str(answers / 't08.csv')!r}), open({str(hint)!r}).read())"
    around = surroundings(mode=Mode.FULL, readable=(tmp_path / "given",), hidden=(answers, tmp_path / "out"))
    run(agent(tmp_path, source, surroundings=around), tmp_path / "out")
    assert (tmp_path / "out/mine/t08/0/stdout.txt").read_text() == "False hint\n"


# ------------------------------------------------------------------------------------------------- how it ends


@pytest.mark.parametrize(
    ("source", "status", "failure", "code"),
    [
        ("open('result.csv', 'w').write('z,d\\n0,0\\n')", "completed", "", 0),
        ("pass", "completed", "no output", 0),
        ("raise SystemExit(3)", "failed", "crash", 3),
        ("import time; print('on', flush=True); time.sleep(99)", "timeout", "timeout", None),
        ("import os; os.kill(os.getpid(), 11)", "failed", "crash", None),
    ],
)
def test_an_agents_failure_is_data_and_never_tried_again(tmp_path, source, status, failure, code):
    system = agent(tmp_path, source, surroundings=surroundings(seconds=1.5))
    state = run(system, tmp_path / "out", sleep=lambda _: pytest.fail("was tried again"))
    found = record(tmp_path / "out")
    assert (found["status"], found["failure"], found["exit_code"]) == (status, failure, code)
    assert (state.n_done, state.unmade, found["faults"]) == (1, [], [])
    assert found["cost_usd"] is None
    assert found["cost_reason"] == "the agent left no usage.json"


def test_faults_are_tried_again_and_kept_apart(tmp_path):
    marks = tmp_path / "marks"
    source = f"""
import sys
with open({str(marks)!r}, 'a') as file: file.write('x')
if len(open({str(marks)!r}).read()) < 3:
    sys.stderr.write('overloaded\\n')
    sys.exit(75)
open('result.csv', 'w').write('z,d\\n0,0\\n')
"""
    waits = []
    state = run(agent(tmp_path, source), tmp_path / "out", sleep=waits.append)
    found = record(tmp_path / "out")
    assert (state.n_done, found["status"]) == (1, "completed")
    assert found["faults"] == ["the agent ended with exit code 75: 'overloaded'"] * 2
    assert 0.5 <= waits[0] <= 1.0 <= waits[1] <= 2.0


def test_a_trial_of_faults_alone_is_not_made_and_the_next_run_makes_it(tmp_path, monkeypatch):
    system = agent(tmp_path, "open('result.csv', 'w').write('z,d\\n0,0\\n')")

    def broken(*_, **__):
        raise SandboxError("no namespaces left")

    with monkeypatch.context() as patch:
        patch.setattr(Surroundings, "run", broken)
        state = run(system, tmp_path / "out", retries=2)
    assert (state.n_done, state.unmade[0].faults) == (0, ("no namespaces left",) * 3)
    assert not (tmp_path / "out/mine/t08").exists()
    assert run(system, tmp_path / "out").n_done == 1


def test_waits_double_up_to_a_bound_and_grant_what_is_asked():
    retries, rng = Retries(9, print), random.Random(1)
    waits = [retries.wait_before(n, Fault("busy"), rng) for n in range(9)]
    assert all(0.5 * min(60, 2**n) <= wait <= min(60, 2**n) for n, wait in enumerate(waits))
    assert len(set(waits)) == 9
    assert retries.wait_before(0, Fault("busy", 30.0), rng) == 30.0
    assert retries.wait_before(0, Fault("busy", 1e9), rng) == 900.0


def test_what_is_passed_on_is_not_written_down(tmp_path):
    source = "import os; print(os.environ['MY_KEY']); open('report.md', 'w').write(os.environ['MY_KEY'])"
    run(agent(tmp_path, source, passed={"MY_KEY": "sk-very-secret"}), tmp_path / "out")
    assert (tmp_path / "out/mine/t08/0/stdout.txt").read_text() == "[MY_KEY]\n"
    for path in (tmp_path / "out").rglob("*"):
        assert path.is_dir() or b"sk-very-secret" not in path.read_bytes(), path


# ------------------------------------------------------------------------------------------------- what is collected


def collected(tmp_path, given=frozenset()):
    (tmp_path / "trial").mkdir()
    found = collect(tmp_path / "work", tmp_path / "trial", given=given, secrets={})
    kept = {p.relative_to(tmp_path / "trial").as_posix() for p in (tmp_path / "trial").rglob("*") if p.is_file()}
    return found, kept


def test_code_is_found_wherever_it_is(tmp_path):
    for name in ("solve.py", "code/solve.py", "codebase/plot.py", "lib/tools.py", "noise.csv", ".venv/x.py", "fig.png"):
        (tmp_path / "work" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "work" / name).write_text(name)
    found, kept = collected(tmp_path, frozenset({"noise.csv"}))
    assert kept == {"code/solve.py", "code/also/code/solve.py", "code/plot.py", "code/lib/tools.py"}
    assert (tmp_path / "trial/code/solve.py").read_text() == "solve.py"
    assert (found.n_left, found.bytes_left, found.left) == (1, 7, ["fig.png"])
    assert found.notes == [".venv/ was not looked into"]


def test_a_hostile_folder_is_collected_safely(tmp_path):
    work, secret = tmp_path / "work", tmp_path / "secret"
    work.mkdir()
    secret.write_text("the user's own")
    (work / "result.csv").symlink_to(secret)
    os.mkfifo(work / "report.md")
    (work / "usage.json").mkdir()
    (work / "link.py").symlink_to(secret)
    (work / "loop").symlink_to(work)
    os.mkfifo(work / "pipe.py")
    with (work / "huge.py").open("wb") as file:
        file.truncate(2**40)
    (work / "a\x1b[2J.py").write_text("x")
    Path(os.fsdecode(os.fsencode(work) + b"/\xff\xfe.py")).write_text("x")
    folder = work
    for _ in range(300):
        folder = folder / "d"
    folder.mkdir(parents=True)
    (work / "good.py").write_text("print(1)")
    start = time.monotonic()
    found, kept = collected(tmp_path)
    assert time.monotonic() - start < 2
    assert kept == {"code/good.py"}
    assert not found.has_output
    told = "\n".join(found.notes)
    for what in ("result.csv is a link", "report.md is a pipe", "usage.json", "link.py is a link", "pipe.py is a pipe",
                 "nested more than 8 deep", r"a\x1b[2J.py", r"\udcff\udcfe.py"):  # fmt: skip
        assert what in told, what
    assert "huge.py" in found.left
    assert found.bytes_left >= 2**40
    remove_folder(work)
    assert not work.exists()
    assert secret.read_text() == "the user's own"


def test_a_huge_output_is_not_kept(tmp_path):
    (tmp_path / "work").mkdir()
    with (tmp_path / "work" / "result.csv").open("wb") as file:
        file.truncate(MAX_OUTPUT + 1)
    found, kept = collected(tmp_path)
    assert (found.has_output, kept) == (False, set())
    assert found.notes == ["result.csv is larger than 64 MiB; not taken"]


def test_a_folder_that_was_closed_can_be_removed(tmp_path):
    folder = tmp_path
    for _ in range(1500):
        folder = folder / "d"
    subprocess.run(["mkdir", "-p", str(folder)[:4000]], check=True)
    (tmp_path / "d").chmod(0)
    remove_folder(tmp_path / "d")
    assert not (tmp_path / "d").exists()


@pytest.mark.parametrize(
    ("text", "cost", "tokens", "n_notes"),
    [
        (b'{"cost_usd": 0.5, "tokens": {"prompt": 7, "completion": 2}}', 0.5, {"prompt": 7, "completion": 2}, 0),
        (b'{"cost_usd": 0}', 0, {}, 0),
        (b'{"cost_usd": NaN, "tokens": {"prompt": -1, "x": 3}}', None, {}, 2),
        (b'{"cost_usd": true}', None, {}, 0),
        (b"[]", None, {}, 1),
        (b"[" * 100_000, None, {}, 1),
    ],
)
def test_usage_that_an_agent_reports(text, cost, tokens, n_notes):
    notes = []
    usage = read_usage(text, notes)
    assert (usage.cost_usd, dict(usage.tokens), len(notes)) == (cost, tokens, n_notes)
    assert (usage.reason == "") is (cost is not None)


# ------------------------------------------------------------------------------------------------- resuming

COUNTING = """
import sys, time
open(sys.argv[4], 'a').write(sys.argv[2] + ' ' + sys.argv[3] + chr(10))
time.sleep(0.15)
open('result.csv', 'w').write('x,y' + chr(10) + '1,' + sys.argv[3] + chr(10))
"""


def counting_command(tmp_path, name, workers):
    """The command line of a run of 3 tasks x 4 trials, whose agent logs every start."""
    program = tmp_path / "agent.py"
    program.write_text(COUNTING)
    command = f"{PYTHON} -I -S {program} {{prompt_file}} {{task}} {{seed}} {tmp_path / 'log'}"
    return [
        *(sys.executable, "-m", "reliability", "run", "--system", "mine", "--command", command, "--no-sandbox"),
        *("-o", str(tmp_path / name), "--trials", "4", "--task", "t01", "--task", "t08", "--task", "t14"),
        *("--workers", str(workers), "--json"),
    ]


def content(folder):
    """All that is in a folder of trials, but for times and what is measured."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and ".running" not in path.parts:
            data = path.read_bytes()
            if path.name == "trial.json":
                measured = ("started", "ended", "duration_s", "cpu_seconds", "peak_memory_bytes")
                data = {k: v for k, v in json.loads(data).items() if k not in measured}
            found[path.relative_to(folder).as_posix()] = data
    return found


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_run_goes_on_and_equals_an_uninterrupted_one(tmp_path, workers):
    command = counting_command(tmp_path, "killed", workers)
    n_kills = 0
    for wait_for in (2, 6):  # at these numbers of finished trials
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while len(list((tmp_path / "killed").glob("mine/*/*/trial.json"))) < wait_for and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        n_kills += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert n_kills == 2
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["trials"] == 12
    starts = (tmp_path / "log").read_text().split("\n")[:-1]
    assert len(set(starts)) == 12
    assert len(starts) <= 12 + 2 * workers  # only trials that were under way are made again
    (tmp_path / "log").unlink()
    subprocess.run(counting_command(tmp_path, "whole", 1), capture_output=True, check=True)
    assert content(tmp_path / "killed") == content(tmp_path / "whole")
    assert len(content(tmp_path / "whole")) == 1 + 12 * 5
    assert not any(p.name != "lock" for p in (tmp_path / "killed" / ".running").glob("mine/*/*"))


def test_a_finished_run_runs_nothing_again(tmp_path):
    system = agent(tmp_path, "open('result.csv', 'w').write('z,d\\n0,0\\n')")
    assert run(system, tmp_path / "out", n_trials=2).n_made == 2
    again = run(system, tmp_path / "out", n_trials=2)
    assert (again.n_made, again.n_done) == (0, 2)


def test_two_runs_cannot_use_one_folder(tmp_path):
    with open_trials(tmp_path, "mine", {}), pytest.raises(OutputError, match="another run"):
        run(agent(tmp_path, "pass"), tmp_path)


def test_other_settings_are_refused_in_one_line(tmp_path, capsys):
    (tmp_path / "agent.py").write_text("pass")
    base = ["run", "--system", "mine", "-o", str(tmp_path / "out"), "--task", "t08", "--trials", "1", "--no-sandbox"]
    command = f"{PYTHON} -I -S {tmp_path / 'agent.py'} {{prompt_file}}"
    assert main([*base, "--command", command]) == 0
    capsys.readouterr()
    for more, says in (
        (["--command", command + " x"], "system.command was"),
        (["--command", command, "--seed", "1"], "settings.seed was 0, is 1"),
        (["--command", command, "--timeout", "5"], "settings.timeout was 1800.0, is 5.0"),
        (["--command", command, "--trials", "2"], "settings.trials was 1, is 2"),
        (["--command", command, "--task", "t01"], "tasks.t01 was null"),
    ):
        assert main([*base, *more]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert says in said


def test_folders_of_others_are_left_alone(tmp_path):
    (tmp_path / "out" / "mine" / "t08" / "0").mkdir(parents=True)
    with pytest.raises(OutputError, match="no run made"):
        run(agent(tmp_path, "pass"), tmp_path / "out")
    with pytest.raises(InputError, match="a name is"):
        run_system("../mine", agent(tmp_path, "pass"), tmp_path / "out", tasks=[TASKS["t08"]])


def test_a_run_with_faults_only_ends_with_one(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda _: None)
    (tmp_path / "agent.py").write_text("raise SystemExit(75)")
    command = f"{PYTHON} -I -S {tmp_path / 'agent.py'} {{prompt_file}}"
    arguments = ["--command", command, "-o", str(tmp_path / "out"), "--task", "t08", "--trials", "1", "--no-sandbox"]
    assert main(["run", "--system", "mine", *arguments, "--retries", "0", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["trials"], told["not_made"], told["unmade"][0]["trial"]) == (0, 1, "mine/t08/0")
