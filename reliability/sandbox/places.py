"""Which places of the machine a sandbox shows: the system, an interpreter, and no more."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from reliability.errors import SandboxError

SYSTEM = [Path(p) for p in ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")]
SETTINGS = [
    Path("/etc", name)
    for name in ("alternatives", "fonts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "python3")
]
"""What programs read in /etc to find libraries and fonts; nothing about users or the network."""
NETWORK_SETTINGS = [
    Path("/etc", name)
    for name in ("ca-certificates", "gai.conf", "hosts", "nsswitch.conf", "pki", "protocols", "resolv.conf", "services")
] + [Path("/etc/ssl/certs"), Path("/etc/ssl/openssl.cnf")]
CPU_LIST = Path("/sys/devices/system/cpu")
PRIVATE_TMP, PRIVATE_HOME = "/tmp", "/tmp/home"
"""Where TMPDIR and HOME are in the full sandbox."""


def interpreter_paths(python: Path | str) -> tuple[Path, ...]:
    """What a Python interpreter needs to be readable: its virtual environment, its installation, the links between.

    `python` is trusted: never ask for an interpreter that an agent left in its work folder. Packages installed
    "editable" lie elsewhere and are not found.
    """
    found: dict[Path, None] = {}
    to_follow, seen = [Path.cwd() / python], set()
    while to_follow:
        file = to_follow.pop()
        if file in seen or not file.exists():
            continue
        seen.add(file)
        found.update(dict.fromkeys(_installation(file)))
        if file.is_symlink():
            target = file.readlink()
            to_follow += [Path(os.path.normpath(folder / target)) for folder in (file.parent, file.parent.resolve())]
        to_follow.append(file.resolve())
    return tuple(path for path in found if not is_within(path, SYSTEM))


def _installation(python: Path) -> list[Path]:
    """The folders of the installation or environment whose ``bin/python`` this is; the file alone if it is a link."""
    prefix = python.parent.parent
    if not (prefix / "pyvenv.cfg").is_file() and not any((prefix / "lib").glob("python3*/os.py")):
        return [python]
    if is_within(Path.home(), [prefix]):  # installed over a home: its other folders are nobody's business
        return [folder for name in ("bin", "lib", "lib64") if (folder := prefix / name).is_dir()]
    return [prefix]


def check_work_folder(folder: Path, readable: Iterable[Path]) -> Path:
    """The work folder's real path; raises :class:`SandboxError` if writing there would change what is read-only."""
    if not folder.is_dir():
        raise SandboxError(f"{folder}: the work folder is not a folder")
    real = folder.resolve()
    for path in (*SYSTEM, *SETTINGS, Path("/proc"), Path("/dev"), Path("/tmp"), Path.home(), *readable):
        if is_within(path.resolve(), [real]):
            raise SandboxError(f"{folder}: not usable as a work folder, which is writable, because {path} is in it")
    return real


def is_within(path: Path, folders: Iterable[Path]) -> bool:
    """Whether a path is one of the folders or in one of them, by name."""
    return any(path.is_relative_to(folder) for folder in folders)
