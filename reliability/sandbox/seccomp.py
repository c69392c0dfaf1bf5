"""System calls that a sandboxed process may not make, as a filter program for the kernel (seccomp BPF).

Closed in every sandbox: memory that no limit counts (memfd, System V, message queues), the keyrings of the user, new
namespaces and mounts, io_uring (it makes calls that no filter sees), tracing and performance counters, and socket
families that network namespaces do not bind, e.g. vsock to the machine's host.
"""

from __future__ import annotations

import errno
import platform
import socket
import struct
from collections.abc import Iterable

from reliability.errors import SandboxError

_CALLS = {  # name: number on x86_64, on aarch64 (None: there is no such call)
    "add_key": (248, 217), "bpf": (321, 280), "chmod": (90, None), "chown": (92, None), "clone": (56, 220),
    "clone3": (435, 435), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "fchown": (93, 55),
    "fchownat": (260, 54), "file_setattr": (469, 469), "fremovexattr": (199, 16), "fsconfig": (431, 431),
    "fsetxattr": (190, 7), "fsmount": (432, 432), "fsopen": (430, 430), "fspick": (433, 433), "futimesat": (261, None),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "io_uring_setup": (425, 425), "keyctl": (250, 219),
    "lchown": (94, None), "lremovexattr": (198, 15), "lsetxattr": (189, 6), "memfd_create": (319, 279),
    "memfd_secret": (447, 447), "mount": (165, 40), "mount_setattr": (442, 442), "move_mount": (429, 429),
    "mq_open": (240, 180), "msgget": (68, 186), "open_tree": (428, 428), "perf_event_open": (298, 241),
    "pivot_root": (155, 41), "prlimit64": (302, 261), "ptrace": (101, 117), "removexattr": (197, 14),
    "removexattrat": (466, 466), "request_key": (249, 218), "semget": (64, 190), "setns": (308, 268),
    "setxattr": (188, 5), "setxattrat": (463, 463), "shmget": (29, 194), "socket": (41, 198), "truncate": (76, 45),
    "umount2": (166, 39), "unshare": (272, 97), "userfaultfd": (323, 282), "utime": (132, None),
    "utimensat": (280, 88), "utimes": (235, None),
}  # fmt: skip

_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Machine: its column above, and the kernel's name for it (AUDIT_ARCH)."""

_ABSENT = [  # refused as if the kernel did not have them, so that libraries use something else
    "clone3", "io_uring_enter", "io_uring_register", "io_uring_setup", "memfd_create", "memfd_secret", "mq_open",
    "msgget", "semget", "shmget",
]  # fmt: skip
_DENIED = [
    "add_key", "bpf", "fsconfig", "fsmount", "fsopen", "fspick", "keyctl", "mount", "mount_setattr", "move_mount",
    "open_tree", "perf_event_open", "pivot_root", "ptrace", "request_key", "setns", "umount2", "userfaultfd",
]  # fmt: skip
_ATTRIBUTES = [
    "chmod", "chown", "fchmod", "fchmodat", "fchmodat2", "fchown", "fchownat", "file_setattr", "fremovexattr",
    "fsetxattr", "futimesat", "lchown", "lremovexattr", "lsetxattr", "removexattr", "removexattrat", "setxattr",
    "setxattrat", "utime", "utimensat", "utimes",
]  # fmt: skip

_NEW_USER_NAMESPACE = 0x10000000
_X32 = 0x40000000
_FAMILIES = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, getattr(socket, "AF_NETLINK", 16))

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _MACHINE_AT, _ARGUMENT_AT = 0, 4, 16  # offsets in what the kernel shows a filter
_KILL, _ALLOW = 0x80000000, 0x7FFF0000

Program = list[tuple[int, int, int, int]]


def is_known_machine() -> bool:
    """Whether filters can be made for this machine."""
    return platform.machine() in _MACHINES


def filter_program(*, alone: bool, network: bool) -> bytes:
    """The filter as the kernel takes it: an array of ``sock_filter``.

    `alone`: no namespaces help, so that sockets (unless `network`) and limits of other processes are closed too, and a
    change of mode, owner, times or attributes of a file, which no other filter can hold inside the work folder, does
    nothing and reports success (copying files asks for it all the time).
    """
    try:
        column, machine = _MACHINES[platform.machine()]
    except KeyError:
        raise SandboxError(f"system-call filters are known for {' and '.join(_MACHINES)} only") from None

    def when(names: Iterable[str], *block: tuple[int, int, int, int]) -> Program:
        numbers = [number for name in names if (number := _CALLS[name][column]) is not None]
        return [step for n in numbers for step in ((_EQUAL, 0, len(block), n), *block)]

    first_argument = (_LOAD, 0, 0, _ARGUMENT_AT)
    allow = (_RETURN, 0, 0, _ALLOW)
    no_user_namespace = (first_argument, (_ANY_BIT, 0, 1, _NEW_USER_NAMESPACE), _refuse(errno.EPERM), allow)
    families = [step for family in _FAMILIES for step in ((_EQUAL, 0, 1, family), allow)]
    program: Program = [
        (_LOAD, 0, 0, _MACHINE_AT),
        (_EQUAL, 1, 0, machine),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
    ]
    if column == 0:
        program += [(_AT_LEAST, 0, 1, _X32), _refuse(errno.ENOSYS)]
    program += when(_ABSENT, _refuse(errno.ENOSYS))
    program += when(_DENIED, _refuse(errno.EPERM))
    program += when(("clone", "unshare"), *no_user_namespace)
    if alone:
        program += when(_ATTRIBUTES, _refuse(0))
        program += when(("truncate",), _refuse(errno.EPERM))
        program += when(("prlimit64",), first_argument, (_EQUAL, 0, 1, 0), allow, _refuse(errno.EPERM))
    if alone and not network:
        program += when(("socket",), _refuse(errno.EACCES))
    else:
        program += when(("socket",), first_argument, *families, _refuse(errno.EAFNOSUPPORT))
    program.append(allow)
    return b"".join(struct.pack("=HBBI", *step) for step in program)


def _refuse(error: int) -> tuple[int, int, int, int]:
    """Let the call fail with this error; 0: let it do nothing and succeed."""
    return (_RETURN, 0, 0, 0x00050000 | error)
