"""Runs a command under the kernel's limits and filters: ``python -I -S _launcher.py ORDERS_FD CONTROL_FD STATUS_FD``.

A program of its own that starts fast: nothing of this package is imported, and little else. It stays outside of the
limits, adopts every process that the command leaves behind, and ends them all when the command ends, when something
comes over CONTROL_FD, or when nothing can come any more because the program that started it has ended.

Writes JSON lines to STATUS_FD: ``{"child-pid": 7}`` and ``{"exit-code": 1}`` or ``{"signal": 9}``, or ``{"error": 13,
"at": "landlock"}``.
"""

from __future__ import annotations

import ctypes
import errno
import marshal
import os
import resource
import select
import signal
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself takes 3 ms to import
    from reliability.sandbox.landlock import Filters, Orders

_SET_CHILD_SUBREAPER, _SET_NO_NEW_PRIVS, _SET_SECCOMP, _DROP_BOUNDING = 36, 38, 22, 24
_SECCOMP_FILTER = 2
_CAPSET = {"x86_64": 126, "aarch64": 91}
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_PATH_BENEATH = 1

_libc = ctypes.CDLL(None, use_errno=True)


class _RestrictionError(Exception):
    """The kernel refused a restriction: its error number and the restriction."""


def main(orders_fd: int, control_fd: int, status_fd: int) -> None:
    """Run one command by its orders."""
    with os.fdopen(orders_fd, "rb") as stream:
        orders: Orders = marshal.load(stream)
    if sys.platform == "linux":
        _libc.prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    bell, clapper = os.pipe()
    os.set_blocking(clapper, False)
    signal.set_wakeup_fd(clapper)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    os.set_inheritable(control_fd, False)
    os.set_inheritable(status_fd, False)
    child = os.fork()
    if child == 0:
        _become(orders, status_fd)
    _report(status_fd, f'{{"child-pid": {child}}}')
    outcome = None
    while outcome is None:
        ready, _, _ = select.select([bell, control_fd], [], [])
        if control_fd in ready:
            break
        os.read(bell, 512)
        outcome = _reap(child)
    outcome = _end_all(child, outcome)
    if outcome is not None:
        code = os.waitstatus_to_exitcode(outcome)
        _report(status_fd, f'{{"signal": {-code}}}' if code < 0 else f'{{"exit-code": {code}}}')
    if control_fd in ready:  # the caller may have ended, and cannot clean up
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.execv("/bin/rm", ["rm", "-rf", "--", orders["private"]])


def _reap(child: int) -> int | None:
    """Collect all that have ended; the status of `child` if it is among them."""
    outcome = None
    try:
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == child:
                outcome = ended[1]
    except ChildProcessError:
        pass
    return outcome


def _end_all(child: int, outcome: int | None) -> int | None:
    """End all our processes, those that hid in sessions of their own too: orphans become our children."""
    if sys.platform != "linux":  # orphans do not; the best that can be had is the command's own group
        _kill(-child)
    wait = os.WNOHANG
    while True:
        try:
            pid, status = os.waitpid(-1, wait)
        except ChildProcessError:
            return outcome
        if pid == child:
            outcome = status
        wait = os.WNOHANG
        if pid == 0:
            for living in _children():
                _kill(living)
            wait = 0


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass


def _children() -> list[int]:
    listed = _read("/proc/thread-self/children")
    if listed is not None:
        return [int(pid) for pid in listed.split()]
    own = str(os.getpid()).encode()  # the kernel keeps no such list: look at all processes
    found = []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        status = _read(f"/proc/{name}/stat") if name.isdigit() else None
        if status and status[status.rindex(b")") + 1 :].split()[1] == own:
            found.append(int(name))
    return found


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError:
        return None


def _report(status_fd: int, line: str) -> None:
    try:
        os.write(status_fd, line.encode() + b"\n")
    except BrokenPipeError:
        pass


# ------------------------------------------------------------------------------- in the child, before the command


def _become(orders: Orders, status_fd: int) -> None:
    """Become the command."""
    os.setsid()
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # by Python, and what it starts would ignore them too
        signal.signal(ignored, signal.SIG_DFL)
    command = orders["command"]
    try:
        _limit(orders)
        if orders["filters"] is not None:
            _restrict(orders["filters"])
        os.chdir(orders["folder"])
    except _RestrictionError as error:
        _report(status_fd, '{"error": %d, "at": "%s"}' % error.args)
        raise SystemExit(126) from None
    except OSError as error:
        _report(status_fd, f'{{"error": {error.errno}, "at": "limits"}}')
        raise SystemExit(126) from None
    reason = os.strerror(errno.ENOENT)
    for folder in [""] if "/" in command[0] else orders["environment"]["PATH"].split(":"):
        try:
            os.execve(f"{folder}/{command[0]}" if folder else command[0], command, orders["environment"])
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.ENOTDIR):
                reason = os.strerror(error.errno or 0)
    os.write(2, f"{command[0]}: {reason}\n".encode())
    raise SystemExit(127)


def _limit(orders: Orders) -> None:
    if orders["cgroup"]:
        with open(orders["cgroup"], "wb") as stream:
            stream.write(b"0")
    for number, value in orders["limits"]:
        hard = resource.getrlimit(number)[1]
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(number, (bound, bound))


def _restrict(filters: Filters) -> None:
    _check(_libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    for capability in range(64):  # leaves root nothing but its name
        _libc.prctl(_DROP_BOUNDING, capability, 0, 0, 0)
    header = struct.pack("=Ii", 0x20080522, 0)
    _check(_libc.syscall(_CAPSET[os.uname().machine], header, bytes(24)), "capset")
    _landlock(filters["handled"], filters["rules"])
    steps = ctypes.create_string_buffer(filters["calls"], len(filters["calls"]))
    program = struct.pack("@HP", len(filters["calls"]) // 8, ctypes.addressof(steps))
    _check(_libc.prctl(_SET_SECCOMP, _SECCOMP_FILTER, program, 0, 0), "seccomp")


def _landlock(handled: list[int], rules: list[tuple[str, int]]) -> None:
    """Deny what `handled` names (rights on files, on the network, scopes) but for these rights below these paths."""
    attributes = struct.pack("=QQQ", *handled)
    ruleset = _check(_libc.syscall(_LANDLOCK_CREATE, attributes, len(attributes), 0), "landlock")
    for path, rights in rules:
        try:
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        rule = struct.pack("=Qi", rights, descriptor)
        _check(_libc.syscall(_LANDLOCK_ADD, ruleset, _PATH_BENEATH, rule, 0), "landlock rule")
        os.close(descriptor)
    _check(_libc.syscall(_LANDLOCK_RESTRICT, ruleset, 0), "landlock")
    os.close(ruleset)


def _check(result: int, what: str) -> int:
    if result < 0:
        raise _RestrictionError(ctypes.get_errno(), what)
    return result


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
