"""What an agent wrote, made fit for a page: bounded, escaped, and with nothing invisible in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from reliability.records import ParameterScore
from reliability.tables import cell, clean_text

MAX_LINES = 400
"""Lines of code shown; beyond them only what stands around a line that sets a parameter."""
AROUND = 8
MAX_MARKED = 60
MAX_LINE = 400  # characters
MAX_CODE = 30_000
"""Characters of code after which lines are cut at MAX_LATE_LINE."""
MAX_LATE_LINE = 40
MAX_REPORT = 6000  # characters

_LINE_END = re.compile(r"\r\n|\r|\n")  # what Python's parser counts as lines
_HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
)


def visible(text: str) -> str:
    """Return the text with control characters, and marks that reorder or hide what is written, spelt out.

    >>> visible("a\\u202eb")
    'a\\\\u202eb'
    """
    return _HIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


@dataclass(frozen=True, slots=True)
class CodeLine:
    """One line of a script, or a gap (`number` 0) that stands for lines left out."""

    number: int
    text: str
    is_right: bool | None = None
    """Whether the parameters set here are right; ``None`` where none is set."""
    says: str = ""

    @property
    def look(self) -> str:
        """A word for the style."""
        return {True: "right", False: "bad", None: "note"}[self.is_right]


def code_lines(source: bytes, parameters: Sequence[ParameterScore], noted: Collection[int] = ()) -> list[CodeLine]:
    """Return the lines of a script that are shown, those that set parameters marked and compared with the truth.

    Lines in `noted` have a finding of their own, and are marked if they set nothing.
    """
    lines = _LINE_END.split(source.decode("utf-8", "replace"))
    marks: dict[int, list[ParameterScore]] = {}
    for p in parameters:
        if p.line and 0 < p.line <= len(lines) and p.state == "set":
            marks.setdefault(p.line, []).append(p)
    for line in noted:
        if 0 < line <= len(lines):
            marks.setdefault(line, [])
    shown = _shown_lines(len(lines), sorted(marks)[:MAX_MARKED])
    result: list[CodeLine] = []
    last = spent = 0
    for i in shown:
        if i > last + 1:
            result.append(CodeLine(0, f"{i - last - 1} lines left out"))
        longest = MAX_LINE if spent < MAX_CODE else MAX_LATE_LINE
        text = lines[i - 1]
        text = visible(text if len(text) <= longest else text[: longest - 1] + "…")
        spent += len(text)
        says = _says(marks[i]) if i in marks else ""
        result.append(CodeLine(i, text, all(map(is_right, marks[i])) if marks.get(i) else None, says))
        last = i
    if last < len(lines):
        result.append(CodeLine(0, f"{len(lines) - last} lines left out"))
    return result


def _shown_lines(n: int, marked: Sequence[int]) -> list[int]:
    near = {i for m in marked for i in range(m - AROUND, m + AROUND + 1) if MAX_LINES < i <= n}
    return [*range(1, min(n, MAX_LINES) + 1), *sorted(near)]


def is_right(p: ParameterScore) -> bool:
    """Tell whether a parameter is as the task asks, to all digits a person would write."""
    return p.eps <= 1e-6


def _says(found: Sequence[ParameterScore]) -> str:
    words = (
        f"{clean_text(p.parameter)} ✓" if is_right(p) else f"{clean_text(p.parameter)} ✗ should be {cell(p.reference)}"
        for p in found
    )
    return ", ".join(words) or "see what was found"


def report_excerpt(texts: Sequence[str], evidence: str) -> Markup:
    """Return what the agent said, escaped, the sentence that is evidence marked; long texts are cut, and say so."""
    text = "\n\n".join(texts)
    start = max(text.find(evidence), 0) if evidence else 0
    begin = max(0, start - MAX_REPORT // 2) if start > MAX_REPORT // 2 else 0
    part = text[begin : begin + MAX_REPORT]
    head, tail = ("… " if begin else ""), (" …" if begin + MAX_REPORT < len(text) else "")
    before, found, after = part.partition(evidence) if evidence else (part, "", "")
    marked = Markup("<mark>{}</mark>").format(visible(found)) if found else Markup("")
    return Markup("{}{}{}{}{}").format(head, visible(before), marked, visible(after), tail)


def short(text: str, length: int) -> str:
    """Return the text on one line, with an ellipsis at the end if it is too long."""
    text = clean_text(text)
    return text if len(text) <= length else text[: length - 1] + "…"
