"""Reads what a recording process reported about a script: nothing of it is trusted, since the script could write it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, get_args

from reliability.recorder.records import Ended, Recording
from reliability.records import CambModel, CodeReading, Finding, ParameterReading

MAX_MODELS = 200
"""Models kept; of more, the first ones are left out (the last one counts), as the static reader does."""


def read_report(answer: Mapping[str, Any], camb: str) -> Recording:
    """Return what was reported about a script that ran with this version of CAMB."""
    models: list[CambModel] = []
    findings: list[Finding] = []
    writes: dict[str, int] = {}
    told: dict[str, list[str]] = {"missed": [], "starts": []}
    end: Mapping[str, Any] = {}
    for entry in _entries(answer["report"]):
        kind = entry["kind"]
        if kind == "model":
            models.append(CambModel(_parameters(entry["parameters"]), entry["line"]))
        elif kind == "lensed" and models:
            parameters = {**models[-1].parameters, **_parameters(entry["parameters"])}
            models[-1] = CambModel(parameters, models[-1].line)
        elif kind == "writes":
            writes[entry["file"]] = len(models)  # those of processes that it started too
        elif kind in told:
            told[kind].append(entry["name"])
        elif kind == "unknown":
            message = f"CAMB's {entry['structure']} has no field {entry['name']}: the assignment changes nothing"
            findings.append(Finding("unknown_attribute", message, entry["line"]))
        elif kind == "end":
            end = entry
    ended, error = end.get("ended"), str(end.get("error", ""))
    status = answer["status"]
    if not end:
        ended = "timeout" if status is None else "killed" if status < 0 else "exited"
        error = f"signal {-status}" if ended == "killed" else f"exit code {status}" if status else ""
    reading = CodeReading(tuple(models[-MAX_MODELS:]), tuple(findings))
    return Recording(
        reading,
        ended,  # type: ignore[arg-type]
        error,
        end.get("line"),
        writes,
        camb,
        float(answer["seconds"]),
        missed=tuple(told["missed"]),
        programs=tuple(told["starts"]),
    )


_LINE = (int, type(None))
_SHAPES: Final[Mapping[str, Mapping[str, type | tuple[type, ...]]]] = {
    "model": {"parameters": dict, "line": _LINE},
    "lensed": {"parameters": dict},
    "writes": {"file": str, "n_models": int},
    "missed": {"name": str},
    "starts": {"name": str},
    "unknown": {"structure": str, "name": str, "line": _LINE},
    "end": {"ended": str, "error": str, "line": _LINE},
}
"""What the recorder reports. A script can write there too: anything else is passed over."""


def _entries(report: str) -> Iterable[dict[str, Any]]:
    for line in report.splitlines():
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):  # written by the script, or cut at the bound
            continue
        if isinstance(entry, dict) and _is_well_formed(entry):
            yield entry


def _is_well_formed(entry: Mapping[str, Any]) -> bool:
    kind = entry.get("kind")
    shape = _SHAPES.get(kind) if isinstance(kind, str) else None
    if shape is None or not all(name in entry and isinstance(entry[name], form) for name, form in shape.items()):
        return False
    if kind == "end" and entry["ended"] not in get_args(Ended):
        return False
    return all(_is_told(told) for told in entry.get("parameters", {}).values())


def _is_told(told: object) -> bool:
    """Whether this is a parameter's value, state and line."""
    if not (isinstance(told, list) and len(told) == 3):
        return False
    value, state, line = told
    is_value = value is None or isinstance(value, bool | int | float | str)
    return is_value and state in ("set", "default", "unresolved") and isinstance(line, _LINE)


def _parameters(values: Mapping[str, Any]) -> dict[str, ParameterReading]:
    found = {}
    for name, (value, state, line) in values.items():
        reason = "" if value is not None else "CAMB does not keep it" if state == "unresolved" else "CAMB's own"
        if name == "Alens" and state == "unresolved":
            reason = "given as a function of multipole"
        found[name] = ParameterReading(name, value, state, line, reason)
    return found
