"""Find the trials that agents left on disk, and choose each one's output, code and texts.

Everything below a trial folder is the agent's and may be hostile: no link that leaves the folder is followed, every
file is read up to a limit, and what cannot be used becomes a note on the trial. The address above it is the user's: an
unknown task or a trial found twice is an error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from reliability.agent_files import natural
from reliability.errors import InputError, UnknownTaskError
from reliability.layouts import LAYOUTS, LOOKED_FOR, NATIVE, WORK_DIRECTORY, Address, Layout
from reliability.records import Trial
from reliability.trial_code import CodeChoice, choose_code, read_texts
from reliability.trial_files import open_trial

__all__ = ["CodeChoice", "FoundTrials", "choose_code", "find_trials", "natural", "read_texts"]


UNNUMBERED = -1
"""Trial number of a work directory whose place does not tell it; they are numbered in natural order of their names."""


class _Found(NamedTuple):
    """A trial folder, not opened yet: small, so that 100,000 of them are no burden."""

    address: Address
    layout: Layout
    folder: str


@dataclass(frozen=True, slots=True)
class FoundTrials:
    """Trials sorted naturally by system, task, condition and number; each is opened when it is its turn."""

    _found: Sequence[_Found]

    def __len__(self) -> int:
        """Return the number of trials."""
        return len(self._found)

    @property
    def addresses(self) -> set[tuple[str, str, str, int]]:
        """(system, task, condition, trial) of each."""
        return {found.address for found in self._found}

    @property
    def tasks(self) -> set[str]:
        """Ids of the tasks that occur."""
        return {found.address.task for found in self._found}

    def __iter__(self) -> Iterator[Trial]:
        """Open one trial after the other."""
        return (open_trial(Path(found.folder), found.address, found.layout) for found in self._found)


def find_trials(
    roots: Sequence[str | Path], *, known_tasks: Collection[str], system: str | None = None, task: str | None = None
) -> FoundTrials:
    """Return all trials in and below the given folders.

    Parameters
    ----------
    roots
        Folders: one above the systems, a system's, a task's or a single trial's. Names above it complete the address.
        Links to folders below a root are not followed.
    known_tasks
        Ids a task may have.
    system, task
        The address of work directories whose place does not tell it; several are numbered from 0 in order of names.

    Raises
    ------
    InputError
        A root is missing or no folder, no trial is there, a work directory lacks its address, or two folders claim the
        same (system, task, condition, trial).
    UnknownTaskError
        A folder's address names a task that is not known.
    """
    if task is not None:
        _check_task(task, known_tasks, "the task given")
    by_address: dict[Address, _Found] = {}
    unnamed: dict[str, _Found] = {}
    problems: list[InputError] = []
    for root in roots:
        for found in _walk(_resolve(root), known_tasks, system, task, problems):
            if found.address.trial == UNNUMBERED:
                unnamed[found.folder] = found
                continue
            other = by_address.setdefault(found.address, found)
            if other.folder != found.folder:
                a = found.address
                where = f"{a.system}/{a.task}{'@' + a.condition if a.condition else ''}/{a.trial}"
                raise InputError(f"trial {where} is there twice: {other.folder} and {found.folder}")
    if problems:
        more = f" (and {len(problems) - 1} more folders that cannot be used)" if len(problems) > 1 else ""
        raise type(problems[0])(f"{problems[0]}{more}")
    for number, folder in enumerate(
        sorted(unnamed, key=lambda name: (natural(name), name))
    ):  # repeats of one task, side by side
        address = unnamed[folder].address._replace(trial=number)
        if address in by_address:
            raise InputError(f"trial number {number} is there twice: {by_address[address].folder} and {folder}")
        by_address[address] = unnamed[folder]._replace(address=address)
    if not by_address:
        raise InputError(f"no trial in {', '.join(map(str, roots)) or 'no folder'}; looked for {LOOKED_FOR}")
    return FoundTrials(sorted(by_address.values(), key=_order))


def _order(found: _Found) -> tuple[object, ...]:
    system, task, condition, trial = found.address
    return natural(system), natural(task), natural(condition), trial


def _resolve(root: str | Path) -> str:
    try:
        path = Path(root).resolve(strict=True)
    except (
        OSError,
        RuntimeError,
        ValueError,
    ) as error:  # RuntimeError: symlink loop before Python 3.13; ValueError: NUL
        raise InputError(f"{root}: cannot be opened: {getattr(error, 'strerror', None) or error}") from None
    if not path.is_dir():
        raise InputError(f"{root}: is not a folder; looked for {LOOKED_FOR}")
    return str(path)


def _walk(
    root: str, known_tasks: Collection[str], system: str | None, task: str | None, problems: list[InputError]
) -> Iterator[_Found]:
    """Yield the trial folders in and below ``root``, never entering one to look for more; note what cannot be used."""
    pending = [root]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(folder) as entries:
                is_folder = {entry.name: entry.is_dir(follow_symlinks=False) for entry in entries}
        except OSError as error:
            raise InputError(f"{folder}: cannot be listed: {error.strerror}") from None
        try:
            found = _recognise(folder, is_folder, known_tasks, system, task)
        except InputError as error:
            problems.append(error)
            continue
        if found is not None:
            yield found
            continue
        below = [name for name, is_dir in is_folder.items() if is_dir and not name.startswith(".")]
        pending += [os.path.join(folder, name) for name in sorted(below, reverse=True)]  # noqa: PTH118 - 3x faster


def _recognise(
    folder: str, is_folder: dict[str, bool], known_tasks: Collection[str], system: str | None, task: str | None
) -> _Found | None:
    """Return the trial if this folder is one: by its address, or by what is inside."""
    names = folder.split(os.sep)[1:]  # noqa: PTH206 - Path.parts is several times slower
    has_mark = any(mark in is_folder for layout in LAYOUTS for mark in layout.marks)
    has_work = len(is_folder.keys() & {*WORK_DIRECTORY.marks, "data"}) >= 2 or "codebase" in is_folder
    for layout in LAYOUTS:
        address = layout.address(names)
        if address is None:
            continue
        if layout is NATIVE:
            if address.task not in known_tasks and not has_mark and any(is_folder.values()):
                continue  # a number above the systems (a year, say), not a trial
            is_typo = re.fullmatch(r"[tT][0-9]+", address.task) is not None
            if address.task not in known_tasks and not is_typo and system is not None and task is not None:
                address = Address(system, task, "", address.trial)
        if not address.system.isprintable() or not address.condition.isprintable():
            raise InputError(f"{folder!r}: system and condition must be printable names")
        _check_task(address.task, known_tasks, folder)
        return _Found(address, WORK_DIRECTORY if layout is NATIVE and has_work else layout, folder)
    if has_work:
        if system is None or task is None:
            raise InputError(f"{folder}: a work directory whose place does not tell system and task; give both")
        return _Found(Address(system, task, "", UNNUMBERED), WORK_DIRECTORY, folder)
    return None


def _check_task(task: str, known_tasks: Collection[str], where: str) -> None:
    if task in known_tasks:
        return
    from reliability.tasks import find_task

    try:
        find_task(task, dict.fromkeys(known_tasks))  # type: ignore[arg-type]  # only the ids are looked at
    except UnknownTaskError as error:
        raise UnknownTaskError(f"{where}: {error}") from None
