"""A valid output is evidence: the script that wrote it did run to the end, under some CAMB.

Where the reading says that the script stops, or computes nothing, and its output is there nevertheless, the reading is
wrong for this trial. It is tried again for the other CAMB lines (1.x took ``set_cosmology(67.5, 0.022, ...)`` by
position). If none fits, what was read as "left to CAMB's default" is only "not seen": unresolved.
"""

from __future__ import annotations

from dataclasses import replace

from reliability.camb_code.camb_table import PARAMETERS
from reliability.camb_code.reader import read_camb_code
from reliability.records import CambModel, CodeReading, Finding, ParameterReading

LINES = ("2.0", "1.6")
"""CAMB lines whose signatures are known."""
_CONTRADICTED = frozenset({"script_stops", "no_model", "no_computation"})
_REASON = "its output is there, but the reader does not see how the script computed it"


def read_with_output(source: bytes, *, camb_line: str) -> CodeReading:
    """Return what the source of a script that wrote a valid output tells CAMB; `camb_line` is tried first."""
    first = read_camb_code(source, camb_line=camb_line)
    if not _is_contradicted(first):
        return first
    for line in LINES:
        if line != camb_line:
            other = read_camb_code(source, camb_line=line)
            if not _is_contradicted(other):
                note = Finding("other_camb_line", f"read as for CAMB {line}: under {camb_line} the script would stop")
                return replace(other, findings=(note, *other.findings))
    return _doubted(first)


def _is_contradicted(reading: CodeReading) -> bool:
    return any(finding.check in _CONTRADICTED for finding in reading.findings)


def _doubted(reading: CodeReading) -> CodeReading:
    """Return the reading with every default, and what lies behind the alleged stop, as unresolved."""
    seen = reading.models[-1].parameters if reading.models else {}
    parameters = {
        name: seen[name]
        if name in seen and seen[name].state == "set"
        else ParameterReading(name, None, "unresolved", reason=_REASON)
        for name in PARAMETERS
    }
    kept = tuple(finding for finding in reading.findings if finding.check not in _CONTRADICTED)
    line = reading.models[-1].line if reading.models else None
    models = (*reading.models[:-1], CambModel(parameters, line))
    return replace(reading, models=models, findings=(*kept, Finding("not_followed", _REASON)))
