"""The folder that trials go to: one run at a time, trials that appear whole or not at all.

::

    <trials>/.running/lock                     held while a run goes on; the kernel frees it when the run is killed
    <trials>/.running/<system>/<task>/<n>/     a trial being made; removed when a run starts
    <trials>/<system>/run.json                 what the trials of this system depend on
    <trials>/<system>/<task>/<n>/              a finished trial, moved here by one rename
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reliability.errors import InputError, OutputError
from reliability.runner.records import Ask
from reliability.tables import strict_json, write_text
from reliability.trial_reports import RECORD

MANIFEST = "run.json"
SCHEMA = 1
_RUNNING = ".running"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}")
_MAX_MANIFEST = 2**24


def check_system_name(name: str) -> str:
    """The name; raises :class:`InputError` unless it can be a folder's on any machine."""
    if not _NAME.fullmatch(name):
        raise InputError(
            f"--system {name!r}: a name is 1 to 64 letters, digits and . _ + -, and begins with a letter or digit"
        )
    return name


class TrialsFolder:
    """An open folder of trials of one system; made by :func:`open_trials`."""

    def __init__(self, root: Path) -> None:
        """Hold a folder that is locked."""
        self.root = root
        self._running = root / _RUNNING

    def is_finished(self, ask: Ask) -> bool:
        """Whether a trial is there. Raises :class:`OutputError` if something else is in its place."""
        place = self.root / ask.place
        if (place / RECORD).is_file():
            return True
        if os.path.lexists(place):
            raise OutputError(f"{place}: is there, but without {RECORD}; this run did not make it")
        return False

    @contextmanager
    def staging(self, ask: Ask) -> Iterator[Path]:
        """A new hidden folder for one trial, removed at the end."""
        folder = self._running / ask.place
        remove_folder(folder)
        folder.mkdir(parents=True)
        try:
            yield folder
        finally:
            remove_folder(folder)

    def publish(self, trial: Path, ask: Ask) -> Path:
        """Make a trial visible, all at once; return where it is."""
        place = self.root / ask.place
        place.parent.mkdir(parents=True, exist_ok=True)
        trial.rename(place)
        return place

    def clear(self) -> None:
        """Remove what a run that was killed has left half done."""
        for folder in self._running.iterdir():
            if folder.is_dir() and not folder.is_symlink():
                remove_folder(folder)


@contextmanager
def open_trials(root: Path, system: str, manifest: Mapping[str, object]) -> Iterator[TrialsFolder]:
    """The folder of trials, locked, and cleared of what an interrupted run has left.

    Raises :class:`OutputError` if it cannot be written, another run is using it, or trials of this system are there
    that another run made: other settings, or none recorded.
    """
    try:
        (root / _RUNNING).mkdir(parents=True, exist_ok=True)
        lock = (root / _RUNNING / "lock").open("ab")
    except OSError as error:
        raise OutputError(f"{root}: trials cannot be written there: {error.strerror}") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OutputError(f"{root}: another run is writing there; wait for it, or choose another folder") from None
        _check_manifest(root / system, {"schema": SCHEMA, **manifest})
        folder = TrialsFolder(root)
        folder.clear()
        yield folder


def _check_manifest(folder: Path, manifest: Mapping[str, object]) -> None:
    """Write the manifest, or compare it with the one that is there."""
    path = folder / MANIFEST
    wanted = json.loads(strict_json(manifest))
    if not path.exists():
        if folder.is_dir() and any(folder.iterdir()):
            raise OutputError(
                f"{folder}: holds trials that no run made ({MANIFEST} is missing); choose another --system"
            )
        folder.mkdir(parents=True, exist_ok=True)
        write_text(path, strict_json(manifest))
        return
    found = _read_manifest(path)
    for name in sorted((found.keys() | wanted.keys()) - {"versions"}):
        if found.get(name) != wanted.get(name):
            raise OutputError(
                f"{folder}: was begun with other settings: {_difference(name, found.get(name), wanted.get(name))};"
                " choose another folder or --system"
            )


def _read_manifest(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > _MAX_MANIFEST:
            raise ValueError
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        raise OutputError(f"{path}: cannot be read as the manifest of a run") from None
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise OutputError(f"{path}: is not the manifest of a run (schema {SCHEMA})")
    return found


def _difference(name: str, old: Any, new: Any) -> str:
    """The first setting that differs, and how."""
    if isinstance(old, dict) and isinstance(new, dict):
        key = min(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))
        return _difference(f"{name}.{key}", old.get(key), new.get(key))
    return f"{name} was {_short(old)}, is {_short(new)}"


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:77] + "..."


def remove_folder(folder: Path) -> None:
    """Remove a folder that an agent has filled, whatever its depth and permissions; links are not followed."""
    if not os.path.lexists(folder):
        return
    for command in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
        subprocess.run([*command, "--", str(folder)], check=False, stderr=subprocess.DEVNULL)
    if os.path.lexists(folder):
        raise OutputError(f"{folder}: cannot be removed")
