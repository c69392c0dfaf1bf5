"""Where the paths of a script lead, when it runs in another place than it was written for.

A script names paths of the machine it was written on (``/home/someone/project/result.csv``).  What it writes to a
folder that is not there goes below ``outside/`` in its own folder; what it reads from there is found again, or by the
end of its path in its own folder.  A file that is found nowhere is told.  A relative path into a missing folder stays
what it is, a mistake.  Only Python's own calls are led; standard library only.
"""

from __future__ import annotations

import functools
import gc
import io
import os
import sys
from collections.abc import Callable
from typing import Any

OUTSIDE = "outside"
MAX_MISSED = 200
STAT = os.stat
INSTALLED = tuple(os.path.join(prefix, "") for prefix in {sys.prefix, sys.base_prefix})
"""Libraries look there for much that need not be there; none of it is a script's input."""


class Places:
    """The paths of one process."""

    def __init__(self, folder: str, script_folder: str, missed: Callable[[str], None]) -> None:
        self.folder, self.outside = folder, os.path.join(folder, OUTSIDE)
        self.roots = tuple(dict.fromkeys((folder, script_folder, os.path.join(folder, "data"))))
        self.missed, self.told = missed, set[str]()

    def to_write(self, path: Any) -> Any:
        """The path at which to write."""
        text = as_text(path)
        if text is None:
            return path
        full = os.path.abspath(text)
        if full.startswith(self.folder + os.sep) or os.access(full, os.W_OK):
            return path
        if not is_there(full) and os.access(os.path.dirname(full), os.W_OK):
            return path
        moved = self.outside + full
        make_folders(os.path.dirname(moved))
        return moved

    def to_read(self, path: Any) -> Any:
        """The path at which to read; the same one, if it is there or nothing like it is."""
        text = as_text(path)
        if not text or is_there(text):
            return path
        full = os.path.abspath(text)
        if full.startswith(INSTALLED):
            return path
        if is_there(self.outside + full):
            return self.outside + full
        parts = full.split(os.sep)
        for i in range(1, len(parts)):
            for root in self.roots:
                place = os.path.join(root, *parts[i:])
                if parts[i] and is_file(place):
                    return place
        if len(self.told) < MAX_MISSED and text not in self.told:
            self.told.add(text)
            self.missed(text)
        return path

    def follow(self) -> None:
        """From now on Python's calls use these places."""
        replace_everywhere(io.open, self._opening(io.open))
        os.open = self._os_opening(os.open)
        os.stat = self._reading(os.stat)
        os.mkdir = self._writing(os.mkdir)
        os.chdir = self._changing(os.chdir)
        for name in ("rename", "replace"):
            setattr(os, name, self._moving(getattr(os, name)))

    def _opening(self, plain: Any) -> Any:
        def open_(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
            writes = isinstance(mode, str) and set("wax") & set(mode)
            return plain(self.to_write(file) if writes else self.to_read(file), mode, *args, **kwargs)

        return open_

    def _os_opening(self, plain: Any) -> Any:
        @functools.wraps(plain)
        def open_(path: Any, flags: int, *args: Any, **kwargs: Any) -> Any:
            if kwargs.get("dir_fd") is None:
                path = self.to_write(path) if flags & os.O_CREAT else self.to_read(path)
            return plain(path, flags, *args, **kwargs)

        return open_

    def _reading(self, plain: Any) -> Any:
        @functools.wraps(plain)
        def call(path: Any, *args: Any, **kwargs: Any) -> Any:
            return plain(self.to_read(path) if not kwargs.get("dir_fd") else path, *args, **kwargs)

        return call

    def _writing(self, plain: Any) -> Any:
        @functools.wraps(plain)
        def call(path: Any, *args: Any, **kwargs: Any) -> Any:
            return plain(self.to_write(path) if not kwargs.get("dir_fd") else path, *args, **kwargs)

        return call

    def _changing(self, plain: Any) -> Any:
        @functools.wraps(plain)
        def chdir(path: Any) -> None:
            text = as_text(path)
            if text and os.path.isabs(text) and not is_there(text):
                path = self.outside + os.path.abspath(text)
                make_folders(path)
            plain(path)

        return chdir

    def _moving(self, plain: Any) -> Any:
        @functools.wraps(plain)
        def move(source: Any, target: Any, **kwargs: Any) -> Any:
            return plain(self.to_read(source), self.to_write(target), **kwargs)

        return move


def replace_everywhere(old: Any, new: Any) -> None:
    """Put one function in the place of another in every module and table that has it by now, NumPy's too."""
    for table in gc.get_referrers(old):
        if isinstance(table, dict):
            for name in [name for name, value in table.items() if value is old]:
                table[name] = new


def as_text(path: Any) -> str | None:
    """A path as text; ``None`` for a descriptor, or what is no path."""
    if isinstance(path, (str, bytes, os.PathLike)):
        try:
            text = os.fsdecode(path)
        except (TypeError, ValueError):
            return None
        return None if "\0" in text else text
    return None


def is_there(path: str) -> bool:
    """Whether there is something at a path."""
    try:
        STAT(path)
    except (OSError, ValueError):
        return False
    return True


def is_file(path: str) -> bool:
    """Whether there is something at a path that is no folder."""
    return is_there(path) and (STAT(path).st_mode & 0o170000) != 0o040000


def make_folders(path: str, mkdir: Any = os.mkdir) -> None:
    """Make a folder and those above it, by the call of the system itself."""
    if path and not is_there(path):
        make_folders(os.path.dirname(path))
        mkdir(path)
