"""The script in a model's answer: which of its fenced code blocks is the program."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from warnings import catch_warnings, simplefilter

_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^\r\n]*)")
_PYTHON = frozenset({"python", "python3", "py", "python3.11", "python3.12"})
MAX_PARSED = 200_000
"""Characters: a longer text without a fence is not tried as a script."""


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block."""

    language: str
    text: str
    is_closed: bool = True


@dataclass(frozen=True, slots=True)
class Script:
    """What is run, and what is to be told about the choice; ``source`` is empty if there is none."""

    source: str
    notes: tuple[str, ...] = ()


def fenced_blocks(text: str) -> list[Block]:
    """All fenced blocks, by the rules of CommonMark; one that is never closed reaches to the end."""
    blocks: list[Block] = []
    opened: re.Match[str] | None = None
    lines: list[str] = []
    for line in text.splitlines():
        match = _FENCE.fullmatch(line)
        if opened is None:
            if match and not (match["fence"][0] == "`" and "`" in match["info"]):
                opened, lines = match, []
        elif match and _closes(match, opened):
            blocks.append(_block(opened, lines))
            opened = None
        else:
            lines.append(line)
    if opened is not None:
        blocks.append(_block(opened, lines, is_closed=False))
    return blocks


def _closes(match: re.Match[str], opened: re.Match[str]) -> bool:
    fence, first = match["fence"], opened["fence"]
    return not match["info"].strip() and fence[0] == first[0] and len(fence) >= len(first)


def _block(opened: re.Match[str], lines: list[str], *, is_closed: bool = True) -> Block:
    words = opened["info"].split()
    return Block(words[0].lower().strip("{}.") if words else "", "\n".join([*lines, ""]), is_closed)


def find_script(text: str) -> Script:
    """The program in an answer: the longest block marked as Python, else the longest unmarked one that is Python.

    An answer without any fence that is a program as it stands is taken too.
    """
    blocks = fenced_blocks(text)
    marked = [block for block in blocks if block.language in _PYTHON]
    candidates = marked or [block for block in blocks if not block.language and is_program(block.text)]
    if not candidates:
        if not blocks and is_program(text):
            return Script(text, ("the answer has no fenced code block; it was run as a whole",))
        return Script("")
    chosen = max(candidates, key=lambda block: len(block.text))
    notes = []
    if len(candidates) > 1:
        notes.append(f"{len(candidates)} blocks of code in the answer; the longest was run")
    if not chosen.is_closed:
        notes.append("the code block is not closed: the answer may be cut off")
    return Script(chosen.text, tuple(notes))


def is_program(text: str) -> bool:
    """Whether a text is Python that imports something: prose in one word is Python too."""
    if len(text) > MAX_PARSED:
        return False
    try:
        with catch_warnings():
            simplefilter("ignore", SyntaxWarning)
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(isinstance(node, ast.Import | ast.ImportFrom) for node in tree.body)
