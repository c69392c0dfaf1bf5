"""A Python environment for each CAMB version, made once by pip and kept in the user's cache.

It holds that CAMB and what agents' scripts import beside it (:data:`PACKAGES`), at the versions that pip chooses. An
environment is used only once it is complete, and two processes that need the same one make it once: the second waits.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path

from reliability.errors import InputError

PACKAGES = ("numpy", "scipy", "pandas", "matplotlib", "astropy")
"""What nearly all scripts that call CAMB import; a script that needs more cannot be run again here."""
CACHE = "RELIABILITY_CACHE"
"""Environment variable that names another folder for the cache."""
COMPLETE = "complete"
"""File that is written when an environment is complete, and not before."""
TIMEOUT_S = 1800.0
_VERSION = re.compile(r"[0-9]+(\.[0-9]+){1,3}((a|b|rc|\.post|\.dev)[0-9]+)?")


def installed_camb() -> str:
    """Version of CAMB in the running interpreter."""
    return metadata.version("camb")


def camb_line(version: str) -> str:
    """The release line of a version: ``1.6`` of ``1.6.6``."""
    return ".".join(version.split(".")[:2])


def check_version(version: str) -> str:
    """The version; raises :class:`InputError` if it is none, such as ``2.0 --index-url x``."""
    if not _VERSION.fullmatch(version):
        raise InputError(f"--camb {version!r}: not a version of CAMB; give e.g. 1.6.6,2.0.5")
    return version


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder of all environments: ``$RELIABILITY_CACHE``, else ``reliability`` in the user's cache folder."""
    if environ.get(CACHE):
        return Path(environ[CACHE]).absolute()
    base = Path(environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    return base.absolute() / "reliability"


def camb_python(version: str, *, say: Callable[[str], object] = lambda _: None) -> Path:
    """The Python that has a version of CAMB: the running one, or one made now or earlier.

    `say` is told when an environment is being made, which takes a minute or two. Raises :class:`InputError`, in one
    line, if there is no such version, no network, no compiler where one is needed, or no room.
    """
    if check_version(version) == installed_camb():
        return Path(sys.executable)
    name = f"camb-{version}-py{sys.version_info.major}.{sys.version_info.minor}"
    place = cache_folder() / "environments" / name
    python = place / "bin" / "python"
    if (place / COMPLETE).is_file():
        return python
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.with_name(f".{name}.lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (place / COMPLETE).is_file():
                say(f"making a Python environment with CAMB {version} in {place} ...")
                _make(place, version)
    except OSError as error:
        raise InputError(f"CAMB {version}: {error.filename or place}: {error.strerror or error}") from None
    return python


def _make(place: Path, version: str) -> None:
    """Make an environment; what an interrupted call has left is removed first."""
    shutil.rmtree(place, ignore_errors=True)
    install = [str(place / "bin" / "python"), "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    try:
        _run([sys.executable, "-m", "venv", str(place)], version)
        _run([*install, f"camb=={version}", *PACKAGES], version)
    except InputError:
        shutil.rmtree(place, ignore_errors=True)
        raise
    (place / COMPLETE).write_text("\n".join((f"camb=={version}", *PACKAGES)) + "\n")


def _run(command: list[str], version: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"CAMB {version}: pip did not end within {TIMEOUT_S:g} s") from None
    if done.returncode:
        raise InputError(f"CAMB {version}: {why_pip_failed(done.stdout, version)}")


def why_pip_failed(said: str, version: str) -> str:
    """What a person can do about a failure of pip, from what it printed."""
    available = re.search(rf"requirement camb=={re.escape(version)} \(from versions: (.*)\)", said)
    if available and available[1] != "none":
        newest = ", ".join(available[1].split(", ")[-6:])
        return f"pip finds no such version for this Python; the newest ones are {newest}"
    if available or re.search(
        r"NewConnectionError|NameResolutionError|Connection(Error| refused)|Temporary failure", said
    ):
        return "pip reaches no package index; connect to the network once, or point pip to an index"
    if re.search(r"gfortran|ifort|ifx|[Nn]o Fortran compiler", said):
        return "pip has no wheel for this machine and no Fortran compiler to build one; install gfortran"
    if re.search(r"error: command .*(gcc|cc|clang)", said):
        return "pip has no wheel for this machine and no C compiler to build one; install gcc and gfortran"
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    return f"pip failed: {(errors or lines or ['without a word'])[-1][:300]}"
