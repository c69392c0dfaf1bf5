"""Scripts and the files beside them, laid out in folders of their own; and what they left there."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from reliability.agent_files import read_bytes
from reliability.errors import SandboxError
from reliability.recorder.records import Job, Mode
from reliability.sandbox import SandboxResult

MAX_KEPT_FILES = 200
PRINTED = "stdout"
"""Name under which what a script printed is given back beside the files that it wrote."""
NO_NUMBERS = frozenset({".png", ".pdf", ".svg", ".eps", ".jpg", ".jpeg", ".gif", ".pyc", ".pkl", ".py"})
"""Files that nobody reads numbers from are not given back by `is_moved`."""


def written(place: Path, names: Iterable[str], limit: int) -> dict[str, bytes]:
    """Return the content of files that a script wrote; a link out of its folder is not followed."""
    found = {}
    for name in names:
        path = place / name
        with suppress(OSError, ValueError):
            if Path(os.path.realpath(path)).is_relative_to(os.path.realpath(place)):
                content = read_bytes(path, limit)
                if len(content) <= limit:
                    found[name] = content
    return found


def left(job: str, result: SandboxResult, given: Mapping[str, bytes]) -> list[str]:
    """Return the files in a script's folder that may hold numbers, without those it was given and did not touch."""
    found = []
    for place, size in result.files.items():
        name = PurePosixPath(place)
        if name.parts[0] != job or name.suffix.lower() in NO_NUMBERS or any(p.startswith(".") for p in name.parts):
            continue
        inside = name.relative_to(job).as_posix()
        if size != len(given.get(inside, b"")) or inside not in given:
            found.append(inside)
    return found[:MAX_KEPT_FILES]


def lay_out(
    folder: Path, jobs: Sequence[Job], waiting: Iterable[int], mode: Mode, seconds: float, *, is_moved: bool
) -> None:
    """Write every script into a folder of its own, and the list of them."""
    entries = []
    for i in waiting:
        job = jobs[i]
        data = job.source if isinstance(job.source, bytes) else job.source.encode("utf-8", "surrogatepass")
        for name, content in {**job.files, job.script: data}.items():
            path = folder / str(i) / _inside(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        entry = {"job": i, "folder": str(i), "script": str(_inside(job.script)), "seconds": seconds}
        entry |= {"is_first_only": mode == "first", "is_altered": job.is_altered, "is_moved": is_moved}
        entries.append(entry | {"printed": f"{i}.{PRINTED}" if is_moved else None})
    (folder / "jobs.json").write_text(json.dumps(entries))


def _inside(name: str) -> PurePosixPath:
    """A path of a job's file; raises :class:`SandboxError` if it leads out of the job's folder."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise SandboxError(f"{name!r}: not a path in the folder of a script")
    return path
