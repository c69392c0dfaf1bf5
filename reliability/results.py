"""What a run leaves on disk: ``manifest.json`` and the tables, replaced all together at the end.

An interrupted run goes on where its journal stopped, and an earlier result stays until the new one is complete. The
tables are always written from the journal, so a resumed run ends with the bytes of an uninterrupted one, and memory
does not grow with the agents' texts.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from reliability.errors import InputError, OutputError
from reliability.journal import Journal, sort_keys
from reliability.records import TrialScore
from reliability.summaries import MISSING_DATA_POLICY, ScoreColumns, Summary, summarise
from reliability.tables import (
    PARAMETER_COLUMNS,
    SCORE_COLUMNS,
    TableFile,
    decode_score,
    encode_score,
    parameter_rows,
    read_scores,
    score_row,
    strict_json,
    write_text,
)

SCHEMA = 1
"""Version of the run folder's layout."""
MANIFEST = "manifest.json"
JOURNAL = "journal.jsonl"
INPUTS = "inputs.csv"
INPUT_COLUMNS = ("system", "task", "condition", "trial", "sha256")
"""One row a trial, with a hash of all that its score depends on: has the agent's work changed since?"""
VERSIONED = ("reliability", "camb", "numpy", "scipy", "astropy")
MAX_MANIFEST_BYTES = 64 * 1024 * 1024


# ---------------------------------------------------------------------------------------------------- manifest


def build_manifest(
    *,
    inputs: Mapping[str, object],
    options: Mapping[str, object],
    tasks: Mapping[str, str],
    references: Mapping[str, str],
    seed: int,
) -> dict[str, Any]:
    """Return the manifest of a run: all that its tables depend on, and nothing else (no time, no number of workers).

    Parameters
    ----------
    inputs
        What was scored, e.g. the folders as the user named them, the number of trials, and a hash of their content.
    tasks, references
        Task id -> hash of the task folder, of the reference solution.
    """
    content = {
        "schema": SCHEMA,
        "versions": {"python": platform.python_version(), **{name: _version(name) for name in VERSIONED}},
        "inputs": inputs,
        "options": options,
        "tasks": tasks,
        "references": references,
        "seed": seed,
        "missing_data": MISSING_DATA_POLICY,
    }
    return dict(json.loads(strict_json(content)))


def _version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def content_hash(paths: Iterable[Path], root: Path) -> str:
    """Return a SHA-256 over names (relative to `root`) and content of these files, in sorted order.

    What is not a regular file (a folder, a pipe) counts by its name only.
    """
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(os.fsencode(path.relative_to(root).as_posix()) + b"\0")
        if path.is_file():
            with path.open("rb") as file:
                total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()


# ---------------------------------------------------------------------------------------------------- run folder


class Run:
    """An open run folder; made by `open_run`, ended by `finish`, or by ``with`` (which loses nothing)."""

    def __init__(self, folder: Path, manifest: dict[str, Any], journal: Journal[TrialScore]) -> None:
        """Hold an opened folder."""
        self.folder = folder
        self.manifest = manifest
        self.journal = journal

    def __enter__(self) -> Run:
        """Return the run itself."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Close the journal."""
        self.journal.close()

    def is_finished(self, key: str) -> bool:
        """Return whether the trial with this key was scored before the run was interrupted."""
        return key in self.journal

    def record(self, key: str, score: TrialScore) -> None:
        """Keep the score of one finished trial.

        Raises
        ------
        OutputError
            If it cannot be written (e.g. the disk is full).
        """
        try:
            self.journal.append(key, score)
        except OSError as error:
            raise _not_writable(self.folder, error) from None

    def finish(self, keys: Iterable[str], groups: Mapping[str, str]) -> Summary:
        """Write all tables from the journal, replace the earlier ones together, remove the journal; return the summary.

        Parameters
        ----------
        keys
            Every trial of the run; `record` must have seen each of them, now or before an interruption.
        groups
            Task id -> complexity group.

        Raises
        ------
        OutputError
            If the folder cannot be written; the earlier tables are then still there.
        """
        try:
            summary = self._write_tables(sort_keys(keys), groups)
            write_text(self.folder / MANIFEST, strict_json(self.manifest))
            self.journal.close()
            self.journal.path.unlink()
        except OSError as error:
            raise _not_writable(self.folder, error) from None
        return summary

    def _write_tables(self, keys: list[str], groups: Mapping[str, str]) -> Summary:
        columns = ScoreColumns()
        files = []
        try:
            files.append(scores := TableFile(self.folder / "scores.csv", SCORE_COLUMNS))
            files.append(parameters := TableFile(self.folder / "parameters.csv", PARAMETER_COLUMNS))
            files.append(inputs := TableFile(self.folder / INPUTS, INPUT_COLUMNS))
            for key in keys:
                inputs.write(dict(zip(INPUT_COLUMNS, json.loads(key), strict=True)))
                score = self.journal.read(key)
                scores.write(score_row(score))
                parameters.write_all(parameter_rows(score))
                columns.add(score)
            summary = summarise(columns, groups, int(self.manifest["seed"]))
            for name, table in zip(("tasks.csv", "systems.csv", "pairs.csv"), summary, strict=True):
                files.append(file := TableFile(self.folder / name, table.columns))
                file.write_all(table.rows)
            for file in files:
                file.close()
            for file in files:
                file.replace()
        finally:
            for file in files:
                file.discard()
        return summary


def open_run(folder: Path, manifest: dict[str, Any]) -> Run:
    """Return the run folder, ready to record trials.

    A missing folder is made. A folder that holds the same run (same inputs, options, tasks, references and seed) is
    used again: finished trials of an interrupted run count if the versions are the same too. Nothing else is touched.

    Raises
    ------
    OutputError
        If the path is a file, is not writable, holds another run, or holds something that is not a run.
    """
    try:
        found = _existing_manifest(folder)
        if found is not None:
            _check_same_run(folder, found, manifest)
        folder.mkdir(parents=True, exist_ok=True)
        if found is None:
            write_text(folder / MANIFEST, strict_json(manifest))
        digest = hashlib.sha256(strict_json(manifest).encode()).hexdigest()
        return Run(folder, manifest, Journal(folder / JOURNAL, digest, encode_score, decode_score))
    except OSError as error:
        raise _not_writable(folder, error) from None


def _not_writable(folder: Path, error: OSError) -> OutputError:
    return OutputError(f"{folder}: results cannot be written there: {error.strerror or error}")


def _existing_manifest(folder: Path) -> dict[str, Any] | None:
    """Return the manifest of what is in the folder; ``None`` if there is nothing."""
    if not folder.is_dir():
        if os.path.lexists(folder):
            raise OutputError(f"{folder}: is not a folder; results need one of their own")
        return None
    if (folder / MANIFEST).exists():
        return _read_manifest(folder, OutputError)
    others = sorted(p.name for p in folder.iterdir() if p.name != f".{MANIFEST}.tmp")
    if others:
        raise OutputError(f"{folder}: holds {others[0]!r} but no {MANIFEST}, so it is not a run; choose another folder")
    return None


def _check_same_run(folder: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    for name in sorted((found.keys() | wanted.keys()) - {"versions", "content"}):
        if found.get(name) != wanted.get(name):
            old, new = (_short(m.get(name)) for m in (found, wanted))
            raise OutputError(f"{folder}: holds another run ({name}: {old}; now: {new}); choose another folder")


def _short(value: object) -> str:
    text = json.dumps(value, sort_keys=True)
    return text if len(text) <= 160 else text[:157] + "..."


def _read_manifest(folder: Path, error: type[InputError]) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        if path.stat().st_size > MAX_MANIFEST_BYTES:
            raise error(f"{path}: larger than {MAX_MANIFEST_BYTES} bytes, so not a manifest")
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        raise error(f"{path}: is not JSON, so not the manifest of a run") from None
    except OSError as problem:
        raise error(f"{path}: cannot be read: {problem.strerror}") from None
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        raise error(f"{path}: is not the manifest of a run (schema {SCHEMA})")
    return manifest


def read_run(folder: Path) -> tuple[dict[str, Any], Iterator[TrialScore]]:
    """Return manifest and trial scores (read one by one) of a finished run.

    Raises
    ------
    InputError
        If the folder is no finished run, or a table was changed so that it cannot be read.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; give a folder that `reliability score` wrote")
    if not (folder / MANIFEST).exists():
        raise InputError(f"{folder}: no {MANIFEST} there; give a folder that `reliability score` wrote")
    manifest = _read_manifest(folder, InputError)
    if not (folder / "scores.csv").exists():
        raise InputError(f"{folder}: the run was interrupted and has no tables yet; run `reliability score` again")
    return manifest, read_scores(folder / "scores.csv")
