"""Names of trials: permalinks inside a page, and names of files. Systems are called what their folders are called."""

from __future__ import annotations

import hashlib
import re
from urllib.parse import quote

Address = tuple[str, str, str, int]
"""(system, task, condition, trial)."""
MAX_FILE_NAME = 80


def cell_name(system: str, task: str, condition: str) -> str:
    """Return what a person calls all trials of a system at a task: ``system/task@condition``."""
    return f"{system}/{task}{'@' + condition if condition else ''}"


def trial_name(address: Address) -> str:
    """Return what a person calls a trial: ``system/task@condition/0``."""
    return f"{cell_name(*address[:3])}/{address[3]}"


def anchor(name: str) -> str:
    """Return a name as an ``id`` that a link's fragment spells in the same letters.

    >>> anchor("my agent/t10/0")
    'my%20agent/t10/0'
    """
    return quote(name, safe="/@", errors="replace")


def file_name(name: str) -> str:
    """Return a file name for `name`: safe on every system, different for different names, also where case is ignored.

    >>> file_name("agent/t10"), file_name("My agent/t10")
    ('agent_t10', 'my_agent_t10-6d6e21b2')
    """
    plain = name.replace("/", "_")
    if re.fullmatch(r"[a-z0-9][a-z0-9_.@-]*", plain) and "_" not in name and len(plain) <= MAX_FILE_NAME:
        return plain
    digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return re.sub(r"[^a-z0-9]+", "_", plain.lower())[:MAX_FILE_NAME].strip("_") + f"-{digest}"
