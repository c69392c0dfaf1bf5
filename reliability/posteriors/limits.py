"""How much of a file is read, and the errors that say why a file holds no posterior."""

from __future__ import annotations

import stat
from pathlib import Path

from reliability.errors import InputError

MAX_BYTES = 2**30
"""Size of a file; a million samples of ten parameters take 80 MB in binary and 250 MB as text."""
MAX_NUMBERS = 2**26
"""Numbers read from a file: samples times parameters."""
MAX_PARAMETERS = 1000
MAX_NAME = 100
"""Characters of a parameter's name."""


def unreadable(path: Path, reason: str) -> InputError:
    """The error that a file holds no posterior, on one line."""
    return InputError(f"{path}: {' '.join(reason.split())[:300]}")


def check_file(path: Path) -> int:
    """Return the size of a regular file of at most :data:`MAX_BYTES`; :class:`InputError` says what it is otherwise."""
    try:
        status = path.stat()
    except (OSError, ValueError) as error:  # ValueError: NUL in the path
        raise unreadable(path, getattr(error, "strerror", None) or str(error)) from None
    if not stat.S_ISREG(status.st_mode):
        raise unreadable(path, "a folder, not a file" if stat.S_ISDIR(status.st_mode) else "not a regular file")
    if status.st_size == 0:
        raise unreadable(path, "the file is empty")
    if status.st_size > MAX_BYTES:
        raise unreadable(path, f"{status.st_size} bytes; at most {MAX_BYTES} are read")
    return status.st_size


def check_count(path: Path, what: str, *shape: int) -> None:
    """Refuse an array that is too large, before it is read."""
    count = 1
    for size in shape:
        count *= size
    if count > MAX_NUMBERS:
        raise unreadable(path, f"{what} holds {count} numbers; at most {MAX_NUMBERS} are read")
