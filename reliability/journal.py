"""The journal of a run: what is known of finished trials, one line each, so that an interruption loses nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

from reliability.records import Trial

Record = TypeVar("Record")


def trial_key(trial: Trial, content: str) -> str:
    """Return the name of a trial in the journal: its address, and a hash of its files."""
    return json.dumps([trial.system, trial.task, trial.condition, trial.trial, content])


def sort_keys(keys: Iterable[str]) -> list[str]:
    """Return the keys, each once, by system, task, condition and number of the trial: the order of the tables."""
    return sorted(set(keys), key=lambda key: tuple(json.loads(key)))


class Journal(Generic[Record]):
    """Records of finished trials, one JSON line each, found by key; only the keys are held in memory.

    A line that does not parse (the run was cut off while writing it) is as if it had never been written, and a journal
    of another run is not used.
    """

    def __init__(self, path: Path, run: str, encode: Callable[[Record], str], decode: Callable[[Any], Record]) -> None:
        """Open the journal, or start it, for the run that the hash `run` identifies.

        `encode` gives a record as JSON on one line, `decode` takes the parsed JSON; it raises ValueError, TypeError or
        KeyError if that is no record.
        """
        self.path, self._encode, self._decode = path, encode, decode
        self._offsets: dict[str, int] = {}
        self._end = 0
        first = (json.dumps({"run": run}) + "\n").encode()
        with suppress(FileNotFoundError), path.open("rb") as file:
            if file.readline() == first:
                self._index(file, len(first))
        self._file: IO[bytes] = path.open("r+b" if self._end else "w+b")
        self._file.truncate(self._end)
        if not self._end:
            self._write(first)

    def _index(self, file: IO[bytes], offset: int) -> None:
        for line in file:
            if not line.endswith(b"\n"):
                break
            with suppress(ValueError, TypeError, KeyError, RecursionError):
                key, record = json.loads(line)
                self._decode(record)
                self._offsets[str(key)] = offset
            offset += len(line)
        self._end = offset

    def __contains__(self, key: str) -> bool:
        """Return whether this trial is finished."""
        return key in self._offsets

    def __len__(self) -> int:
        """Return the number of finished trials."""
        return len(self._offsets)

    def append(self, key: str, record: Record) -> None:
        """Keep one finished trial; the operating system has it when this returns."""
        offset = self._end
        self._write(f"[{json.dumps(key)}, {self._encode(record)}]\n".encode())
        self._offsets[key] = offset

    def read(self, key: str) -> Record:
        """Return one finished trial. Raises ``KeyError`` if it is not there."""
        self._file.seek(self._offsets[key])
        return self._decode(json.loads(self._file.readline())[1])

    def close(self) -> None:
        """Close the file; what is in it stays."""
        self._file.close()

    def _write(self, line: bytes) -> None:
        self._file.seek(self._end)
        self._file.write(line)
        self._file.flush()
        self._end += len(line)
