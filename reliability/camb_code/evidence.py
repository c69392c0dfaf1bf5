"""A valid output is evidence: the script that wrote it did run that far, under some CAMB.

Where the reading says that the script stops before it writes, or computes nothing, and its output is there
nevertheless, the reading is wrong for this trial. It is tried again for the other CAMB lines (1.x took
``set_cosmology(67.5, 0.022, ...)`` by position). If none fits, nothing that was read is certain: what comes after the
alleged stop may change it.
"""

from __future__ import annotations

from dataclasses import replace

from reliability.camb_code.camb_table import PARAMETERS
from reliability.camb_code.reader import read_camb_code, writes_after_a_model
from reliability.camb_code.signatures import LINES
from reliability.records import CambModel, CodeReading, Finding, ParameterReading

STOPS = frozenset({"script_stops", "no_model", "no_computation"})
"""Findings that say that the script computes nothing, or stops."""
_REASON = "its output is there, but the reader does not see how the script computed it"


def read_with_output(source: bytes, output: str, *, camb_line: str, has_other_code: bool = False) -> CodeReading:
    """Return what the source of a script that wrote the valid output of this name tells CAMB; `camb_line` first.

    With `has_other_code` CAMB may be called in a file beside this one, which is not followed.
    """
    contradicted = STOPS | {"no_camb"} if has_other_code else STOPS

    def is_contradicted(reading: CodeReading, line: str) -> bool:
        found = {finding.check for finding in reading.findings} & contradicted
        return bool(found) and not (found == {"script_stops"} and writes_after_a_model(source, output, line))

    first = read_camb_code(source, camb_line=camb_line)
    if not is_contradicted(first, camb_line):
        return first
    for line in LINES:
        if line != camb_line:
            other = read_camb_code(source, camb_line=line)
            if not is_contradicted(other, line):
                note = Finding("other_camb_line", f"read as for CAMB {line}: under {camb_line} the script would stop")
                return replace(other, findings=(note, *other.findings))
    kept = tuple(finding for finding in first.findings if finding.check not in contradicted)
    unknown = {name: ParameterReading(name, None, "unresolved", reason=_REASON) for name in PARAMETERS}
    doubt = Finding("not_followed", _REASON)
    return replace(first, models=(CambModel(unknown, None),), findings=(*kept, doubt))
