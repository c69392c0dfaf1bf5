"""The fallback where new namespaces are refused: the kernel's file filter (Landlock) and system-call filter.

It shows the same places as the full sandbox, makes no socket, and signals nobody outside (from Linux 6.12). Its
gaps are in :func:`gaps`. What is private in the full sandbox, /tmp and /dev/shm, is closed here: temporary files go to
TMPDIR, and multiprocessing cannot make its locks. Without the filters the same program runs code under limits alone.
"""

from __future__ import annotations

import ctypes
import marshal
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TypedDict, cast

from reliability.sandbox import cgroups
from reliability.sandbox.places import CPU_LIST, NETWORK_SETTINGS, PRIVATE_HOME, PRIVATE_TMP, SETTINGS, SYSTEM
from reliability.sandbox.records import Mode
from reliability.sandbox.seccomp import filter_program
from reliability.sandbox.started import Job, Started, finish, holding, pipe, process_limits
from reliability.sandbox.watch import n_tasks_of_user

_CREATE_RULESET = 444
_VERSION = 1  # flag: tell the version instead

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_MAKE_DEVICES = 1 << 6 | 1 << 11
_TRUNCATE, _IOCTL_DEVICE = 1 << 14, 1 << 15
_RIGHTS_ON_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEVICE
_RIGHTS_BY_VERSION = {1: 13, 2: 14, 3: 15, 5: 16}
"""Version of Landlock: how many rights on files it knows."""
_BIND_AND_CONNECT = 0b11
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11

_DEVICES = [Path("/dev", name) for name in ("full", "null", "random", "urandom", "zero")]
_PROC = [Path("/proc", name) for name in ("cpuinfo", "meminfo", "sys/vm/overcommit_memory")]


class Filters(TypedDict):
    """What the launcher closes."""

    handled: list[int]
    """Rights on files, rights on the network, scopes: all these are denied."""
    rules: list[tuple[str, int]]
    """Path, and the rights below it that are left."""
    calls: bytes
    """The filter of system calls."""


class Orders(TypedDict):
    """What the launcher is to run."""

    command: list[str]
    folder: str
    private: str
    """Folder of temporary files and the home, to be removed at the end."""
    environment: dict[str, str]
    limits: list[tuple[int, int]]
    cgroup: str | None
    """File to write 0 to, for joining a control group."""
    filters: Filters | None


def landlock_version() -> int:
    """The version of Landlock (its ABI) that this kernel has; 0 if it has none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(ctypes.CDLL(None).syscall(_CREATE_RULESET, None, 0, _VERSION)))


def gaps(version: int) -> tuple[str, ...]:
    """What stays open under this version of Landlock."""
    found = ["other processes can be seen to exist"]
    if version < 6:
        found.append("the user's other processes can be signalled, also the one that ends the command at its limits")
    return tuple(found)


@contextmanager
def start(job: Job) -> Iterator[Started]:
    """Run a job under the kernel's filters, or under limits alone if its backend is ``none``."""
    with ExitStack() as stack:
        private = Path(tempfile.mkdtemp(prefix="reliability-")).resolve()
        stack.callback(_remove, private)
        places = {PRIVATE_TMP: str(private), PRIVATE_HOME: str(private / "home")}
        (private / "home").mkdir()
        status, status_to_write = pipe(stack)
        control, control_to_close = pipe(stack)
        group = stack.enter_context(cgroups.process_limit(job.limits.processes))
        tasks = None if os.geteuid() == 0 else n_tasks_of_user()
        orders = Orders(
            command=list(job.command),
            folder=str(job.folder),
            private=str(private),
            environment={name: places.get(value, value) for name, value in job.environment.items()},
            limits=process_limits(job.limits, None if tasks is None else tasks + job.limits.processes),
            cgroup=str(group) if group else None,
            filters=None if job.backend.mode is Mode.NONE else _filters(job, private),
        )
        orders_fd = holding(marshal.dumps(cast(dict[str, Any], orders)), stack)
        ours = (orders_fd, control.fileno(), status_to_write.fileno())
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(Path(__file__).with_name("_launcher.py")), *map(str, ours)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={},
            pass_fds=(*ours, *job.pass_fds),
            start_new_session=True,
        )
        stack.callback(finish, process)
        stack.callback(control_to_close.close)  # the launcher ends all processes and then itself
        status_to_write.close()
        control.close()
        started = Started(
            process=process,
            status=status,
            top=process.pid,
            end_all=control_to_close.close,
            folders=[job.folder, private],
        )
        started.wait_for("child-pid")
        yield started


def _filters(job: Job, private: Path) -> Filters:
    version = landlock_version()
    known = (1 << max(n for v, n in _RIGHTS_BY_VERSION.items() if v <= version)) - 1
    handled = [
        known,
        _BIND_AND_CONNECT if version >= 4 and not job.network else 0,
        _ABSTRACT_SOCKETS_AND_SIGNALS if version >= 6 else 0,
    ]
    settings = (*SETTINGS, *(NETWORK_SETTINGS if job.network else ()))
    rights = dict.fromkeys((*SYSTEM, *settings, CPU_LIST, *_PROC, *job.readable), _EXECUTE | _READ_FILE | _READ_DIR)
    rights |= dict.fromkeys(_DEVICES, _READ_FILE | _WRITE_FILE | _TRUNCATE)
    rights |= dict.fromkeys((job.folder, private), known & ~_MAKE_DEVICES & ~_IOCTL_DEVICE)
    rules = [(str(p), r & known & (~0 if p.is_dir() else _RIGHTS_ON_FILES)) for p, r in rights.items() if p.exists()]
    return Filters(handled=handled, rules=rules, calls=filter_program(alone=True, network=job.network))


def _remove(folder: Path) -> None:
    """Remove a folder that an agent has filled, however deep; what cannot be removed stays."""
    with suppress(RecursionError):
        shutil.rmtree(folder, onerror=_open_up)
    if folder.exists():
        subprocess.run(["rm", "-rf", "--", str(folder)], check=False, stderr=subprocess.DEVNULL)


def _open_up(_: object, path: str, __: object) -> None:
    with suppress(OSError):
        if stat.S_ISDIR(os.lstat(path).st_mode):
            Path(path).chmod(0o700)
