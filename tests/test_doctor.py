"""The doctor: every attack is contained in the full sandbox, and its verdict can fail, with nothing left behind."""

import json
import os
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

from reliability import attacks, doctor
from reliability.attacks import ATTACKS, Finding, Verdict
from reliability.cli import main
from reliability.errors import SandboxError
from reliability.sandbox import (
    GIB,
    Backend,
    Ended,
    Limits,
    Mode,
    Output,
    SandboxResult,
    available_backend,
    choose_backend,
    partial_backend,
)
from reliability.sandbox.landlock import landlock_version

ROOT_CAN_WRITE = os.access(sysconfig.get_path("stdlib"), os.W_OK)
NONE = choose_backend(Mode.NONE)
LENIENT = Limits(
    seconds=30, cpu_seconds=100, memory=4 * GIB, processes=4000, file_size=GIB, disk=GIB, tmp=GIB, output=GIB,
    printed=GIB,
)  # fmt: skip


class NoSandbox:
    """Runs a command as it is: what the attacks can do where nothing stops them."""

    def __init__(self, workdir, *_, **__):
        self.workdir = workdir

    def run(self, command):
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=self.workdir, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            stdout, stderr = process.communicate(timeout=1.5 if "outlive" in command else 20)
            ended, reason = Ended.FINISHED, ""
        except subprocess.TimeoutExpired:
            process.kill()  # and no other
            stdout, stderr = b'{"what": "leave a process behind", "error": null}', b""
            ended, reason = Ended.TIMEOUT, "its time"
        return SandboxResult(
            ended=ended, reason=reason, exit_code=process.returncode, signal=None, stdout=Output(stdout),
            stderr=Output(stderr), seconds=time.perf_counter() - start, cpu_seconds=0, peak_memory=None,
            peak_processes=None, files={}, backend=NONE,
        )  # fmt: skip


def traces():
    """What an attack could leave: files, processes and control groups with its name."""
    places = [Path(place) for place in ("/", "/tmp", "/var/tmp", "/dev/shm", "/etc", "/usr", Path.home())]
    places += [Path(sysconfig.get_path("stdlib")), Path(sys.prefix), Path(sys.executable).parent]
    files = [
        file for place in places if place.is_dir() for file in place.iterdir() if "reliability-doctor" in file.name
    ]
    processes = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and b"reliability-doctor" in (entry / "cmdline").read_bytes():
                processes.append(entry)
        except OSError:
            continue
    return set(files) | set(processes)


@pytest.fixture(autouse=True)
def nothing_left_behind():
    before = traces()
    yield
    left = traces() - before
    deadline = time.monotonic() + 10
    while left and time.monotonic() < deadline:  # tests that run beside this one have traces too, but none that stay
        time.sleep(0.1)
        left &= traces()
    assert not left


def test_every_attack_of_the_issue_is_there():
    words = " ".join(ATTACKS)
    for part in ("write outside", "interpreter", "TCP", "UDP", "local socket", "see other", "signal other", "home",
                 "secrets", "processes without end", "disk", "memory", "processors", "print", "outlive"):  # fmt: skip
        assert part in words


@pytest.mark.parametrize("name", ATTACKS)
def test_full_sandbox_contains(name):
    backend = available_backend()
    if backend.mode is not Mode.FULL:
        assert backend.refused["bubblewrap"]
        pytest.skip(f"this machine refuses it: {backend.refused['bubblewrap']}")
    verdict, evidence = ATTACKS[name](backend, attacks._LIMITS)
    assert verdict is Verdict.CONTAINED, evidence
    assert evidence


@pytest.mark.parametrize("name", ATTACKS)
def test_fallback_contains_all_but_what_it_names(name):
    try:
        backend = partial_backend()
    except SandboxError as error:
        assert landlock_version() == 0 or str(error)
        pytest.skip(f"this machine refuses it: {error}")
    verdict, evidence = ATTACKS[name](backend, attacks._LIMITS)
    open_here = {"see other processes"} | ({"signal other processes"} if landlock_version() < 6 else set())
    if name in open_here:
        assert verdict is Verdict.NOT_CONTAINED
        assert any("processes" in gap for gap in backend.gaps)
    else:
        assert verdict is Verdict.CONTAINED, evidence


@pytest.mark.parametrize("name", ATTACKS)
def test_without_a_sandbox_every_attack_succeeds(name, monkeypatch):
    """Else "contained" would prove nothing."""
    monkeypatch.setattr(attacks, "Sandbox", NoSandbox)
    monkeypatch.setenv("TMPDIR", "/tmp")
    verdict, evidence = ATTACKS[name](NONE, LENIENT)
    if name == "change the interpreter" and not ROOT_CAN_WRITE:
        assert verdict is Verdict.CONTAINED  # by the rights of this user
    else:
        assert verdict is Verdict.NOT_CONTAINED, evidence
        assert evidence.startswith("it could ")


@pytest.mark.parametrize(
    ("attack", "facts", "by", "strict"),
    [
        ("one_large_file", {"mib": 64}, Ended.FINISHED, {"disk": GIB}),
        ("fill_disk", {"folder": ".", "mib": 64}, Ended.DISK, {"file_size": GIB}),
        ("exhaust_shared_memory", {"mib": 600}, Ended.MEMORY, {}),
        ("exhaust_memory_together", {"mib": 150, "n": 4}, Ended.MEMORY, {}),
        ("fork_bomb", {"n": 150}, Ended.PROCESSES, {}),
    ],
)
def test_each_limit_is_what_contains(attack, facts, by, strict):
    """The same attack under the same sandbox: contained at the small limits, not contained at large ones."""
    backend = available_backend() if available_backend().mode is Mode.FULL else NONE
    tried = attacks._limit_attack(attack, by, facts)
    small = attacks._LIMITS if not strict else attacks.replace(attacks._LIMITS, **strict)
    assert tried(backend, small)[0] is Verdict.CONTAINED
    assert tried(backend, LENIENT)[0] is Verdict.NOT_CONTAINED


def test_an_attack_that_was_stopped_by_something_else_is_not_contained_but_not_tried():
    for name in ("write outside the work folder", "read the user's home", "make processes without end"):
        verdict, evidence = ATTACKS[name](NONE, attacks.replace(attacks._LIMITS, seconds=0.001))
        assert verdict is Verdict.NOT_TRIED
        assert "before it was through" in evidence


def test_an_attack_that_cannot_run_is_not_tried(monkeypatch):
    broken = Path(attacks.__file__).with_name("no_such_file.py")
    monkeypatch.setattr(attacks, "_ATTACKER", broken)
    for name, attack in ATTACKS.items():
        verdict, evidence = attack(NONE, attacks._LIMITS)
        assert verdict is Verdict.NOT_TRIED, name
        assert evidence


def test_a_sandbox_that_breaks_is_not_tried_with_the_reason(monkeypatch):
    class Broken(NoSandbox):
        def run(self, command):
            raise SandboxError("it broke")

    monkeypatch.setattr(attacks, "Sandbox", Broken)
    findings = list(attacks.run_attacks(NONE))
    assert [f.verdict for f in findings] == [Verdict.NOT_TRIED] * len(ATTACKS)
    assert {f.evidence for f in findings} == {"it broke"}


# ------------------------------------------------------------------------------------------------ the command


def test_command_says_per_attack_what_came_of_it(capsys):
    start = time.perf_counter()
    code = main(["doctor"])
    assert time.perf_counter() - start < 30
    out = capsys.readouterr().out
    lines = {line.split("  ")[0]: line for line in out.splitlines()}
    assert set(ATTACKS) <= set(lines)
    assert "camb     " in out and "fonts    " in out and "browser  " in out
    if available_backend().mode is Mode.FULL:
        assert code == 0
        assert out.count(" contained ") == len(ATTACKS)
        assert "NOT CONTAINED" not in out
    else:
        assert code == 1
        assert "refused  bubblewrap: " in out


def test_command_in_json(capsys):
    code = main(["doctor", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["contained"] == (code == 0)
    assert [f["attack"] for f in found["findings"]] == list(ATTACKS)
    assert {f["verdict"] for f in found["findings"]} <= set(Verdict)
    assert found["backend"]["name"] == available_backend().name
    assert set(found) == {"backend", "findings", "camb", "fonts", "browser", "contained"}


def test_command_on_the_fallback_and_on_nothing_ends_with_1(capsys, monkeypatch):
    findings = [Finding("a", Verdict.CONTAINED, "x"), Finding("b", Verdict.NOT_CONTAINED, "y")]
    monkeypatch.setattr(doctor, "run_attacks", lambda backend: findings)
    assert main(["doctor", "--sandbox", "none"]) == 1
    assert "NOT CONTAINED" in capsys.readouterr().out
    if landlock_version():
        assert main(["doctor", "--sandbox", "partial"]) == 1
        assert "open     other processes can be seen to exist" in capsys.readouterr().out
    findings[1] = Finding("b", Verdict.NOT_TRIED, "z")
    assert main(["doctor", "--sandbox", "none"]) == 1
    findings.pop()
    assert main(["doctor", "--sandbox", "none"]) == 0


def test_command_without_any_sandbox_tries_nothing(capsys, monkeypatch):
    nothing = Backend("none", Mode.NONE, ("everything",), {"bubblewrap": "no namespaces", "landlock": "no Landlock"})
    monkeypatch.setattr(doctor, "available_backend", lambda: nothing)
    monkeypatch.setattr(doctor, "run_attacks", lambda backend: pytest.fail("an attack ran without a sandbox"))
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert out.count("not tried") == len(ATTACKS)
    assert "refused  bubblewrap: no namespaces" in out and "refused  landlock: no Landlock" in out


def test_a_sandbox_asked_for_and_refused_is_one_line_and_exit_code_2(capsys, monkeypatch):
    def refuse(mode):
        raise SandboxError("no full sandbox on this machine (bubblewrap: no namespaces)")

    monkeypatch.setattr(doctor, "choose_backend", refuse)
    assert main(["doctor", "--sandbox", "full"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "reliability: error: no full sandbox on this machine (bubblewrap: no namespaces)\n"


def test_what_is_absent_is_said_and_is_no_failure(capsys, monkeypatch):
    monkeypatch.setattr(doctor, "run_attacks", lambda backend: [Finding("a", Verdict.CONTAINED, "x")])
    monkeypatch.setattr(doctor.shutil, "which", lambda name: None)

    def missing(name):
        raise doctor.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(doctor.metadata, "version", missing)
    assert main(["doctor", "--sandbox", "none"]) == 0
    out = capsys.readouterr().out
    assert [line.split()[1] for line in out.splitlines() if line.startswith(("camb", "fonts", "browser"))] == [
        "absent"
    ] * 3


def test_fonts_are_counted_by_family(monkeypatch, tmp_path):
    program = tmp_path / "fc-list"
    program.write_text("#!/bin/sh\nprintf 'DejaVu Sans\\nDejaVu Sans\\nLiberation\\n'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert doctor._n_fonts() == 2
    program.write_text("#!/bin/sh\nexit 1\n")
    assert doctor._n_fonts() is None
