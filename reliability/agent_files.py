"""Look at an agent's files without trusting them: no link out of the folder, no pipe, a limit on size and depth."""

from __future__ import annotations

import errno
import json
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

MAX_ENTRIES = 100_000  # files looked at in a folder; far above any honest run
MAX_JSON = 4 * 2**20  # bytes


@lru_cache(maxsize=4096)  # systems, tasks and file names come again and again
def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key under which ``trial_2`` comes before ``trial_10``."""
    parts = re.split(r"([0-9]+)", name)
    return tuple((0, int(part), "") if i % 2 else (1, 0, part) for i, part in enumerate(parts))


def read_bytes(path: Path, limit: int) -> bytes:
    """Return at most ``limit + 1`` bytes of a regular file; raises :class:`OSError` for pipes, devices and folders."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        return stream.read(limit + 1)


def load_json(path: Path) -> Any:
    """Return what a JSON file holds; raises :class:`ValueError` with a one-line reason if it is damaged or large."""
    try:
        raw = read_bytes(path, MAX_JSON)
        if len(raw) > MAX_JSON:
            raise ValueError(f"larger than {MAX_JSON} bytes")
        return json.loads(raw)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except OSError as error:
        raise ValueError(error.strerror or str(error)) from None


@dataclass(slots=True)
class Folder:
    """A trial folder, its usable files by folder, and the notes taken so far."""

    path: Path
    notes: list[str] = field(default_factory=list)
    _listed: dict[str, dict[str, Path]] = field(default_factory=dict)

    def files(self, sub: str) -> dict[str, Path]:
        """Return name -> path of what is directly in a subfolder, naturally sorted, without what may not be touched."""
        if sub not in self._listed:
            self._listed[sub] = dict(self._list(sub))
        return self._listed[sub]

    def _list(self, sub: str) -> Iterator[tuple[str, Path]]:
        if sub and sub not in self.files(""):
            return
        folder = self.path / sub
        if sub and folder.is_symlink():
            self.notes.append(f"{sub}/ is a link; not followed")
            return
        try:
            with os.scandir(folder) as entries:
                listed = list(islice(entries, MAX_ENTRIES + 1))
        except NotADirectoryError:
            return
        except OSError as error:
            self.notes.append(f"{sub or 'the folder'} cannot be listed: {error.strerror}")
            return
        if len(listed) > MAX_ENTRIES:
            self.notes.append(f"{sub or 'the folder'} holds more than {MAX_ENTRIES} files; the rest was not looked at")
        for entry in sorted(listed[:MAX_ENTRIES], key=lambda entry: natural(entry.name)):
            shown = f"{sub}/{entry.name}" if sub else entry.name
            if not entry.name.isprintable():
                self.notes.append(f"{shown!a}: name is not printable; not used")
            elif entry.is_symlink() and not self._is_inside(entry.path):
                self.notes.append(f"{shown} is a link out of the trial folder; not used")
            else:
                yield entry.name, folder / entry.name

    def _is_inside(self, path: str) -> bool:
        return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(self.path))

    def find(self, place: str) -> Path | None:
        """Return the file at a place like ``data/result.csv``, if it is there and may be used."""
        sub, _, name = place.rpartition("/")
        return self.files(sub).get(name)

    def shown(self, path: Path) -> str:
        """Return a path as a person is told it: relative to the trial's folder."""
        return path.relative_to(self.path).as_posix()
