"""Attacks on a sandbox from inside: ``python -I -S _attacker.py NAME FACTS``, run by :mod:`reliability.attacks`.

Each attempt is told on stdout, one JSON line: ``{"what": "...", "error": null}`` if it succeeded as far as can be seen
from inside, else with the system's error. All are bounded and harmless where nothing stops them: no existing file of
the user's is changed, only this machine is called, and what is made or started ends by itself or is removed.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

MIB = 2**20
Facts = dict[str, Any]


def attempt(what: str, action: Callable[[], object]) -> None:
    """Try something and tell how it went."""
    try:
        action()
    except (OSError, MemoryError, LookupError) as error:
        tell(what, getattr(error, "strerror", None) or str(error) or type(error).__name__)
    else:
        tell(what, None)


def tell(what: str, error: str | None) -> None:
    """One line at once, so that an end by force loses nothing."""
    os.write(1, json.dumps({"what": what, "error": error}).encode() + b"\n")


def write(path: str, how: int = os.O_WRONLY | os.O_CREAT) -> None:
    descriptor = os.open(path, how, 0o600)
    os.write(descriptor, b"written by an attack of reliability doctor\n")
    os.close(descriptor)


def write_outside(facts: Facts) -> None:
    """Files beside the work folder: made, overwritten, emptied, renamed, deleted, opened up, by name and by links."""
    outside, letter = facts["outside"], facts["letter"]

    def write_linked() -> None:
        os.link(letter, "hard")
        write("hard", os.O_WRONLY)

    os.symlink(letter, "symlink")
    for folder in facts["places"]:
        attempt(f"make a file in {folder}", partial(write, os.path.join(folder, facts["token"])))
    attempt("overwrite a file outside", lambda: write(letter, os.O_WRONLY))
    attempt("write through a symbolic link", lambda: write("symlink", os.O_WRONLY))
    attempt("write through a hard link", write_linked)
    attempt("empty a file outside", lambda: os.truncate(letter, 0))
    attempt("open up a file outside", lambda: os.chmod(letter, 0o777))
    attempt("make a folder outside", lambda: os.mkdir(os.path.join(outside, "folder")))
    attempt("rename a file outside", lambda: os.rename(letter, letter + ".renamed"))
    attempt("delete a file outside", lambda: os.unlink(letter))


def change_interpreter(facts: Facts) -> None:
    """The Python that runs: its standard library and its folders."""
    attempt("open the standard library for writing", lambda: os.close(os.open(os.__file__, os.O_RDWR)))
    for folder in facts["folders"]:
        attempt(f"make a file in {folder}", partial(write, os.path.join(folder, facts["token"])))


def call(facts: Facts) -> None:
    """Listeners of the machine, of several kinds."""

    def send(family: int, kind: int, address: Any) -> None:
        with socket.socket(family, kind) as connection:
            connection.settimeout(1)
            connection.connect(tuple(address) if isinstance(address, list) else address)
            connection.send(facts["token"].encode())

    for family, kind, address in facts["listeners"]:
        where = "/".join(map(str, address)) if isinstance(address, list) else address.replace("\0", "@")
        attempt(f"send to {where}", partial(send, family, kind, address))


def see_processes(facts: Facts) -> None:
    """A process outside: in the list of processes, by its command line, by its number."""
    token = "".join(facts["halves"])  # whole, it would be found in our own command line

    def find() -> None:
        if not any(token in text for text in proc_files("cmdline")):
            raise LookupError("not in the list")

    attempt("find a process in /proc", find)
    attempt("ask for its group", lambda: os.getpgid(facts["pid"]))


def signal_process(facts: Facts) -> None:
    """A process outside, which ends if a signal reaches it."""
    pid = facts["pid"]
    attempt("kill it", lambda: os.kill(pid, signal.SIGTERM))
    attempt("kill its group", lambda: os.killpg(pid, signal.SIGTERM))
    if hasattr(os, "pidfd_open"):
        attempt("kill it by a descriptor", lambda: signal.pidfd_send_signal(os.pidfd_open(pid), signal.SIGTERM))


def read_home(facts: Facts) -> None:
    """A file in the user's home, by its name and in the list."""

    def find() -> None:
        if facts["name"] not in os.listdir(facts["home"]):
            raise LookupError("not in the list")

    attempt("find a file in the home", find)
    attempt(
        "read a file in the home", lambda: os.close(os.open(os.path.join(facts["home"], facts["name"]), os.O_RDONLY))
    )


def read_secrets(facts: Facts) -> None:
    """A secret in the environment: the own, and that of every process that shows one."""
    token = "".join(facts["halves"])

    def find(texts: list[str]) -> None:
        if not any(token in text for text in texts):
            raise LookupError("not there")

    attempt("find a secret in the environment", lambda: find(list(os.environ.values())))
    attempt("find a secret in another process's environment", lambda: find(proc_files("environ")))
    attempt(
        "read another process's environment", lambda: os.close(os.open(f"/proc/{facts['pid']}/environ", os.O_RDONLY))
    )


def proc_files(name: str) -> list[str]:
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/{name}", "rb") as stream:
                    found.append(stream.read().decode("utf-8", "replace"))
            except OSError:
                pass
    return found


def fork_bomb(facts: Facts) -> None:
    """Many processes at a time, each of which sleeps."""
    for n in range(facts["n"]):
        try:
            child = os.fork()
        except OSError as error:
            tell(f"have {facts['n']} processes", f"{error.strerror} after {n}")
            break
        if child == 0:
            time.sleep(2)
            os.kill(os.getpid(), signal.SIGKILL)
    else:
        time.sleep(0.3)  # long enough to be seen
        tell(f"have {facts['n']} processes", None)


def fill_disk(facts: Facts) -> None:
    """Many files in a folder, of which every second has no name any more."""
    folder, block = os.path.expandvars(facts["folder"]), os.urandom(MIB)
    names: list[str] = []
    held: list[int] = []

    def fill() -> None:
        for n in range(facts["mib"] // 4):
            names.append(os.path.join(folder, f"reliability-doctor-{os.getpid()}-{n}"))
            held.append(os.open(names[-1], os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            if n % 2:
                os.unlink(names.pop())
            for _ in range(4):
                os.write(held[-1], block)
        time.sleep(0.2)  # long enough to be seen

    try:
        attempt(f"write {facts['mib']} MiB in {facts['folder']}", fill)
    finally:
        for descriptor in held:
            os.close(descriptor)
        for name in names:
            with suppress(OSError):
                os.unlink(name)


def one_large_file(facts: Facts) -> None:
    """One file larger than a file may be."""

    def write_all() -> None:
        with open("large", "wb") as stream:
            for _ in range(facts["mib"]):
                stream.write(bytes(MIB))

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    attempt(f"write a file of {facts['mib']} MiB", write_all)


def exhaust_memory(facts: Facts) -> None:
    """Memory of one process, then memory that no process holds."""

    def unheld() -> None:
        descriptor = os.memfd_create("hoard")
        for _ in range(facts["mib"]):
            os.write(descriptor, bytes(MIB))
        time.sleep(0.2)

    def system_v() -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        segment = libc.shmget(0, MIB, 0o1600)
        if segment < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        libc.shmctl(segment, 0, None)  # removes it

    attempt("hold memory in a file without name", unheld)
    attempt("hold memory that outlives its process", system_v)
    attempt(f"hold {facts['mib']} MiB", lambda: hold(bytearray(facts["mib"] * MIB)))


def exhaust_shared_memory(facts: Facts) -> None:
    """Memory that processes share."""
    attempt(f"share {facts['mib']} MiB", lambda: hold(mmap.mmap(-1, facts["mib"] * MIB)))


def exhaust_memory_together(facts: Facts) -> None:
    """Memory of several processes, each below what one may have."""
    done, tell_done = os.pipe()
    for _ in range(facts["n"]):
        if os.fork() == 0:
            held = bytearray(facts["mib"] * MIB)
            hold(held)
            os.write(tell_done, b"1")
            time.sleep(1)
            os.kill(os.getpid(), signal.SIGKILL)
    os.close(tell_done)
    n = 0
    while n < facts["n"] and (some := os.read(done, 64)):
        n += len(some)
    time.sleep(0.2)
    what = f"hold {facts['mib']} MiB in each of {facts['n']} processes"
    tell(what, None if n == facts["n"] else f"{n} of them could")


def hold(memory: bytearray | mmap.mmap) -> None:
    """Touch each page, and stay long enough to be seen."""
    for place in range(0, len(memory), mmap.PAGESIZE):
        memory[place] = 1
    time.sleep(0.2)


def burn_cpu(facts: Facts) -> None:
    """All processors, for a time."""
    end = time.monotonic() + facts["seconds"]
    child = os.fork()
    while time.monotonic() < end:
        pass
    if child == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    tell(f"compute for {facts['seconds']} s on two processors", None)


def flood(facts: Facts) -> None:
    """Output without end, but for ours."""
    for _ in range(facts["mib"]):
        os.write(2, b"x" * MIB)
    tell(f"print {facts['mib']} MiB", None)


def outlive(facts: Facts) -> None:
    """A process in a session of its own, deaf to signals, whose parents have gone: a sign of life in a file each 10 ms.

    `hang`: the command itself does not end. `chain`: it is always a new process.
    """
    if os.fork() == 0:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        if os.fork() == 0:
            end = time.monotonic() + facts["seconds"]
            while time.monotonic() < end:
                write("alive", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
                time.sleep(0.01)
                if facts["chain"] and os.fork():
                    break
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.1)
    tell("leave a process behind", None)
    if facts["hang"]:
        time.sleep(facts["seconds"])


if __name__ == "__main__":
    globals()[sys.argv[1]](json.loads(sys.argv[2]))
