"""What was recorded about a run: ``trial.json``, and CMBAgent's cost and timing reports."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from reliability.agent_files import MAX_JSON, Folder, load_json, read_bytes
from reliability.layouts import Layout

RECORD = "trial.json"
MAX_NUMBER = 1e12  # dollars, seconds, Unix time; more is a mistake
MAX_REPORTS = 1000  # cost or timing reports of one trial; an honest run writes one a step


@dataclass(frozen=True, slots=True)
class Record:
    """``trial.json``, every field optional."""

    status: str = ""
    started: float | None = None
    duration_s: float | None = None
    cost_usd: float | None = None
    exit_code: int | None = None


def _load(inside: Folder, path: Path) -> Any:
    try:
        return load_json(path)
    except ValueError as error:
        inside.notes.append(f"{inside.shown(path)} is not readable JSON: {str(error)[:80]}")
        return None


def _brief(value: Any) -> str:
    return (
        ascii(value[:40]) if isinstance(value, str) else str(value)[:40] if _number(value) is not None else "(unusable)"
    )


def _number(value: Any) -> float | None:
    """Return a number from 0 to :data:`MAX_NUMBER`, or ``None`` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if 0 <= number <= MAX_NUMBER else None  # NaN is not in there


def _moment(value: Any) -> float | None:
    """Return Unix time from a number or an ISO 8601 string with time zone (without one it would be a guess)."""
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return None
        return moment.timestamp() if moment.tzinfo is not None else None
    return _number(value)


def read_record(inside: Folder) -> tuple[Record, str]:
    """Return ``trial.json`` and the agent's final message in it."""
    path = inside.find(RECORD)
    if path is None:
        return Record(), ""
    data = _load(inside, path)
    if not isinstance(data, dict):
        if data is not None:
            inside.notes.append(f"{RECORD} is not an object; ignored")
        return Record(), ""
    values: dict[str, Any] = {}
    for key, read in _FIELDS.items():
        given = data.get(key)
        values[key] = None if given is None else read(given)
        if given is not None and values[key] is None:
            inside.notes.append(f"{RECORD}: {key} = {_brief(given)} is not usable; ignored")
    started, ended, duration = values["started"], values.pop("ended"), values["duration_s"]
    if duration is None and started is not None and ended is not None and ended >= started:
        values["duration_s"] = ended - started
    values["status"] = values["status"] or ""
    message = values.pop("final_message") or ""
    return Record(**values), message


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _status(value: Any) -> str | None:
    return value if isinstance(value, str) and len(value) <= 100 and value.isprintable() else None


def _exit_code(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**32 else None


_FIELDS: dict[str, Callable[[Any], Any]] = {
    "status": _status,
    "started": _moment,
    "ended": _moment,
    "duration_s": _number,
    "cost_usd": _number,
    "exit_code": _exit_code,
    "final_message": _text,
}


def _reports(inside: Folder, folders: Sequence[str], prefix: str) -> Iterator[tuple[str, Any]]:
    """Yield (file name, contents or ``None``) of the reports, each distinct one once: a copy is not a second step."""
    seen: set[bytes] = set()
    reports = [
        (name, path)
        for sub in folders
        for name, path in inside.files(sub).items()
        if name.startswith(prefix) and name.endswith(".json")
    ]
    if len(reports) > MAX_REPORTS:
        inside.notes.append(f"{len(reports)} files {prefix}*.json; none read, at most {MAX_REPORTS} are")
        return
    for name, path in reports:
        try:
            digest = hashlib.blake2b(read_bytes(path, MAX_JSON)).digest()
        except OSError:
            digest = name.encode()  # loading it says what is wrong
        if digest not in seen:
            seen.add(digest)
            yield name, _load(inside, path)


def total_cost(inside: Folder, layout: Layout) -> float | None:
    """Return the sum over agents and steps (CMBAgent writes one report a step), ``None`` if a part of it is unknown.

    The ``Total`` row is not added: it is the sum of the others.
    """
    costs: list[float] = []
    for name, rows in _reports(inside, layout.cost, "cost_report_"):
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            inside.notes.append(f"{name}: not a list of rows; cost missing")
            return None
        for row in rows:
            if row.get("Agent") == "Total":
                continue
            cost = _number(row.get("Cost ($)"))
            if cost is None:
                inside.notes.append(f"{name}: {_brief(row.get('Agent'))} has no usable cost; cost missing")
                return None
            costs.append(cost)
    return math.fsum(costs) if costs else None


def total_time(inside: Folder, layout: Layout) -> float | None:
    """Return the sum of ``total_time`` over the steps in seconds, ``None`` if a part of it is unknown."""
    times: list[float] = []
    for name, data in _reports(inside, layout.time, "timing_report_"):
        seconds = _number(data.get("total_time")) if isinstance(data, dict) else None
        if seconds is None:
            inside.notes.append(f"{name}: no usable total_time; duration missing")
            return None
        times.append(seconds)
    return math.fsum(times) if times else None
