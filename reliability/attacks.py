"""Attacks on a sandbox, really tried, and judged from outside where that is possible.

What an attack says of itself (see :mod:`reliability._attacker`) is proof only that it was tried, or that it succeeded;
whether something outside was changed, reached or left behind is looked up here. An attack that no sandbox stops does no
harm: it is bounded, calls only this machine, and what it leaves is removed.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from reliability.errors import SandboxError
from reliability.sandbox import MIB, Backend, Ended, Limits, Sandbox, SandboxResult, interpreter_paths

_ATTACKER = Path(__file__).with_name("_attacker.py")
_LIMITS = Limits(
    seconds=8, cpu_seconds=16, memory=200 * MIB, processes=50, file_size=8 * MIB, disk=16 * MIB, files=1000,
    tmp=16 * MIB, output=MIB // 4, printed=4 * MIB,
)  # fmt: skip
"""Small, so that reaching them is fast and harmless."""
_FIRST_PID = 300
"""A process outside with a number above this has none of the few numbers that are used inside a sandbox."""


class Verdict(StrEnum):
    """What came of an attack."""

    CONTAINED = "contained"
    NOT_CONTAINED = "NOT CONTAINED"
    NOT_TRIED = "not tried"


@dataclass(frozen=True, slots=True)
class Finding:
    """One attack, its verdict, and one line that says why."""

    attack: str
    verdict: Verdict
    evidence: str


def run_attacks(backend: Backend, limits: Limits = _LIMITS) -> Iterator[Finding]:
    """Try every attack under a backend."""
    for name, attack in ATTACKS.items():
        try:
            verdict, evidence = attack(backend, limits)
        except (SandboxError, OSError) as error:
            verdict, evidence = Verdict.NOT_TRIED, str(error)
        yield Finding(name, verdict, evidence)


Judgement = tuple[Verdict, str]


@dataclass(frozen=True, slots=True)
class _Tried:
    """What an attack said, and how its run ended."""

    attempts: Mapping[str, str | None]
    result: SandboxResult

    @property
    def successes(self) -> list[str]:
        return [what for what, error in self.attempts.items() if error is None]


def _try(attack: str, backend: Backend, limits: Limits, folder: Path, /, **facts: object) -> _Tried:
    """Run an attack in a work folder."""
    sandbox = Sandbox(folder, limits, (*interpreter_paths(sys.executable), _ATTACKER), backend=backend)
    result = sandbox.run([sys.executable, "-I", "-S", str(_ATTACKER), attack, json.dumps(facts)])
    attempts: dict[str, str | None] = {}
    for line in result.stdout.text.splitlines():
        with suppress(ValueError, KeyError, TypeError):
            said = json.loads(line)
            attempts[said["what"]] = said["error"]
    return _Tried(attempts, result)


def _judge(breaches: list[str], *runs: _Tried, by: Ended = Ended.FINISHED) -> Judgement:
    """The verdict on runs of an attack; `by` is the limit that may end them before they are through."""
    if breaches:
        return Verdict.NOT_CONTAINED, f"it could {breaches[0]}" + _more(len(breaches) - 1)
    evidence: list[str] = []
    for run in runs:
        result = run.result
        if result.ended is not Ended.FINISHED:
            if result.ended is not by:
                return Verdict.NOT_TRIED, f"it was ended at {result.reason} before it was through"
            evidence.insert(0, f"ended after {result.seconds:.2f} s at {result.reason}")
        elif result.exit_code != 0 or not run.attempts:
            said = result.stderr.text.strip().splitlines() or [f"exit code {result.exit_code}"]
            return Verdict.NOT_TRIED, f"it did not run to its end: {said[-1]}"
        evidence += [f"{what}: {error}" for what, error in run.attempts.items() if error is not None]
    if not evidence:
        return Verdict.CONTAINED, "seemed to succeed, but nothing came of it outside"
    return Verdict.CONTAINED, evidence[0] + _more(len(evidence) - 1)


def _more(n: int) -> str:
    return f", and {n} more" if n > 0 else ""


# --------------------------------------------------------------------------- what is outside, to be found or changed


@contextmanager
def _work_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="reliability-doctor-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@contextmanager
def _bystander(token: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process outside with the token in its command line and in its environment."""
    command = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(30)", token]
    process = subprocess.Popen(command, env={"SECRET": token}, start_new_session=True)
    try:
        if process.pid <= _FIRST_PID:
            raise SandboxError("the numbers of processes are too small to tell inside from outside")
        yield process
    finally:
        process.kill()
        process.wait()


def _token() -> str:
    return f"reliability-doctor-{secrets.token_hex(8)}"


# -------------------------------------------------------------------------------------------------- the attacks


def _write_outside(backend: Backend, limits: Limits) -> Judgement:
    token = _token()
    with _work_folder() as outside, _work_folder() as folder:
        letter = outside / "letter"
        letter.write_text("unchanged", encoding="ascii")
        letter.chmod(0o600)
        places = [str(outside), "/", str(Path.home()), "/tmp", "/var/tmp", "/dev/shm", "/etc", "/usr"]
        made = [Path(place, token) for place in places]
        try:
            tried = _try(
                "write_outside", backend, limits, folder,
                outside=str(outside), letter=str(letter), places=places, token=token,
            )  # fmt: skip
            breaches = [f"make {path}" for path in made if path.exists()]
        finally:
            for path in made:
                path.unlink(missing_ok=True)
        if [path.name for path in outside.iterdir()] != ["letter"]:
            breaches.append("rename or delete a file outside")
        elif letter.read_text(encoding="utf-8", errors="replace") != "unchanged":
            breaches.append("change a file outside")
        elif letter.stat().st_mode & 0o777 != 0o600:
            breaches.append("change who may read a file outside")
        return _judge(breaches, tried)


def _change_interpreter(backend: Backend, limits: Limits) -> Judgement:
    token = _token()
    folders = {
        sysconfig.get_path("stdlib"),
        sysconfig.get_path("purelib"),
        sys.prefix,
        str(Path(sys.executable).parent),
    }
    made = [Path(folder, token) for folder in sorted(folders)]
    with _work_folder() as folder:
        try:
            tried = _try("change_interpreter", backend, limits, folder, folders=sorted(folders), token=token)
        finally:
            found = [path for path in made if path.exists()]
            for path in found:
                path.unlink()
    opened = [what for what in tried.successes if what.startswith("open")]
    return _judge([*opened, *(f"make {path}" for path in found)], tried)


def _reach(kinds: Mapping[str, tuple[int, int]]) -> Callable[[Backend, Limits], Judgement]:
    """An attack on listeners of these kinds: name to (family, type)."""

    def attack(backend: Backend, limits: Limits) -> Judgement:
        token = _token()
        with ExitStack() as stack:
            outside, folder = stack.enter_context(_work_folder()), stack.enter_context(_work_folder())
            addresses: dict[str, Any] = {
                "IPv4": ("127.0.0.1", 0),
                "IPv6": ("::1", 0),
                "abstract": f"\0{token}",
                "path": str(outside / "socket"),
            }
            listeners: dict[str, socket.socket] = {}
            for name, (family, kind) in kinds.items():
                listener = stack.enter_context(socket.socket(family, kind))
                try:
                    listener.bind(addresses[name])
                except OSError:
                    continue  # no IPv6 on this machine
                if kind == socket.SOCK_STREAM:
                    listener.listen()
                listener.setblocking(False)
                listeners[name] = listener
            facts = [(*kinds[name], _address(listener)) for name, listener in listeners.items()]
            tried = _try("call", backend, limits, folder, listeners=facts, token=token)
            reached = [f"send to {name} outside" for name, listener in listeners.items() if _received(listener, token)]
            return _judge(reached, tried)

    return attack


def _address(listener: socket.socket) -> object:
    name = listener.getsockname()
    return name.decode() if isinstance(name, bytes) else name


def _received(listener: socket.socket, token: str) -> bool:
    try:
        if listener.type == socket.SOCK_STREAM:
            with listener.accept()[0] as connection:
                connection.settimeout(1)
                return connection.recv(1024).decode() == token
        return listener.recv(1024).decode() == token
    except OSError:
        return False


def _see_processes(backend: Backend, limits: Limits) -> Judgement:
    token = _token()
    with _work_folder() as folder, _bystander(token) as process:
        tried = _try("see_processes", backend, limits, folder, halves=(token[:9], token[9:]), pid=process.pid)
        return _judge(tried.successes, tried)


def _signal_process(backend: Backend, limits: Limits) -> Judgement:
    with _work_folder() as folder, _bystander(_token()) as process:
        tried = _try("signal_process", backend, limits, folder, pid=process.pid)
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
        return _judge([] if process.returncode is None else ["end a process outside"], tried)


def _read_home(backend: Backend, limits: Limits) -> Judgement:
    home = Path.home()
    with ExitStack() as stack:
        folder = stack.enter_context(_work_folder())
        file = stack.enter_context(tempfile.NamedTemporaryFile(prefix=".reliability-doctor-", dir=home))
        tried = _try("read_home", backend, limits, folder, home=str(home), name=Path(file.name).name)
        return _judge(tried.successes, tried)


def _read_secrets(backend: Backend, limits: Limits) -> Judgement:
    token = _token()
    with _work_folder() as folder, _bystander(token) as process:
        os.environ["RELIABILITY_DOCTOR_SECRET"] = token
        try:
            tried = _try("read_secrets", backend, limits, folder, halves=(token[:9], token[9:]), pid=process.pid)
        finally:
            del os.environ["RELIABILITY_DOCTOR_SECRET"]
        return _judge(tried.successes, tried)


def _limit_attack(name: str, by: Ended, *runs: Mapping[str, object]) -> Callable[[Backend, Limits], Judgement]:
    """An attack that tries, with each of these facts, to use more than it may; `by` is the limit that may end it."""

    def attack(backend: Backend, limits: Limits) -> Judgement:
        tried = []
        for facts in runs:
            with _work_folder() as folder:
                tried.append(_try(name, backend, limits, folder, **facts))
        return _judge([what for run in tried for what in run.successes], *tried, by=by)

    return attack


def _together(*attacks: Callable[[Backend, Limits], Judgement]) -> Callable[[Backend, Limits], Judgement]:
    """Several attacks as one: its verdict is the worst of theirs."""

    def attack(backend: Backend, limits: Limits) -> Judgement:
        judgements = [each(backend, limits) for each in attacks]
        for verdict in (Verdict.NOT_CONTAINED, Verdict.NOT_TRIED):
            for judgement in judgements:
                if judgement[0] is verdict:
                    return judgement
        return Verdict.CONTAINED, "; ".join(evidence for _, evidence in judgements)

    return attack


def _burn_cpu(backend: Backend, limits: Limits) -> Judgement:
    short = replace(limits, cpu_seconds=min(1, limits.cpu_seconds))
    return _limit_attack("burn_cpu", Ended.CPU, {"seconds": 2})(backend, short)


def _flood(backend: Backend, limits: Limits) -> Judgement:
    with _work_folder() as folder:
        tried = _try("flood", backend, limits, folder, mib=64)
    kept = tried.result.stderr
    too_much = ["have more kept than allowed"] if len(kept.head + kept.tail) > limits.output else []
    return _judge([*tried.successes, *too_much], tried, by=Ended.OUTPUT)


def _outlive(backend: Backend, limits: Limits, *, hang: bool, chain: bool) -> Judgement:
    token = _token()
    short = replace(limits, seconds=min(1, limits.seconds))
    with _work_folder() as folder:
        tried = _try("outlive", backend, short, folder, seconds=3, hang=hang, chain=chain, token=token)
        alive = folder / "alive"
        before = alive.stat().st_size if alive.exists() else 0
        time.sleep(0.1)
        lives = before > 0 and (alive.stat().st_size > before or bool(_processes(token)))
        _end_processes(token)
    if before == 0:
        return Verdict.NOT_TRIED, "the process that should be left behind did not start"
    verdict, evidence = _judge(["leave a process behind"] if lives else [], tried, by=Ended.TIMEOUT)
    return verdict, evidence if lives or hang else "the process left behind ended with the command"


def _end_processes(token: str) -> None:
    """End what an attack left behind: the processes with its token in their command line."""
    for pid in _processes(token):
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def _processes(token: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir() if Path("/proc").is_dir() else ():
        with suppress(OSError):
            if entry.name.isdigit() and token.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


ATTACKS: Mapping[str, Callable[[Backend, Limits], Judgement]] = {
    "write outside the work folder": _write_outside,
    "change the interpreter": _change_interpreter,
    "reach the network by TCP": _reach(
        {"IPv4": (socket.AF_INET, socket.SOCK_STREAM), "IPv6": (socket.AF_INET6, socket.SOCK_STREAM)}
    ),
    "reach the network by UDP": _reach(
        {"IPv4": (socket.AF_INET, socket.SOCK_DGRAM), "IPv6": (socket.AF_INET6, socket.SOCK_DGRAM)}
    ),
    "reach a service by a local socket": _reach(
        {"abstract": (socket.AF_UNIX, socket.SOCK_STREAM), "path": (socket.AF_UNIX, socket.SOCK_STREAM)}
    ),
    "see other processes": _see_processes,
    "signal other processes": _signal_process,
    "read the user's home": _read_home,
    "read secrets in the environment": _read_secrets,
    "make processes without end": _limit_attack("fork_bomb", Ended.PROCESSES, {"n": 150}),
    "fill the disk": _together(
        _limit_attack("one_large_file", Ended.FINISHED, {"mib": 64}),
        _limit_attack(
            "fill_disk", Ended.DISK,
            {"folder": ".", "mib": 256}, {"folder": "$TMPDIR", "mib": 64}, {"folder": "/dev/shm", "mib": 64},
        ),
    ),
    "exhaust the memory": _together(
        _limit_attack("exhaust_memory", Ended.MEMORY, {"mib": 600}),
        _limit_attack("exhaust_shared_memory", Ended.MEMORY, {"mib": 600}),
        _limit_attack("exhaust_memory_together", Ended.MEMORY, {"mib": 150, "n": 4}),
    ),
    "use the processors without end": _burn_cpu,
    "print without end": _flood,
    "outlive its limit": _together(
        partial(_outlive, hang=True, chain=False),
        partial(_outlive, hang=False, chain=False),
        partial(_outlive, hang=True, chain=True),
    ),
}  # fmt: skip
