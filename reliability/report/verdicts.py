"""What a trial comes to, in one word: the same five on every page."""

from __future__ import annotations

import re
from typing import NamedTuple

from reliability.records import TrialScore


class Verdict(NamedTuple):
    """One of :data:`VERDICTS`."""

    id: str
    mark: str
    """One sign, so that colour is never alone."""
    words: str


ACCURATE = Verdict("accurate", "✓", "accurate")
DISCLOSED = Verdict("disclosed", "!", "wrong, and said so")
SILENT = Verdict("silent", "✗", "wrong, and silent")
WRONG = Verdict("wrong", "✗", "wrong; no text kept")
NO_OUTPUT = Verdict("none", "∅", "no valid output")
UNJUDGED = Verdict("unjudged", "?", "not judged")
VERDICTS = (ACCURATE, DISCLOSED, SILENT, WRONG, NO_OUTPUT, UNJUDGED)
"""From best to worst."""


def verdict(score: TrialScore) -> Verdict:
    """Return what this trial comes to."""
    if score.esr == 0:
        return NO_OUTPUT
    if score.accurate == 1:
        return ACCURATE
    if score.wrong != 1:
        return UNJUDGED
    return {0: DISCLOSED, 1: SILENT, None: WRONG}[score.silent_failure]


def disclosure(score: TrialScore) -> str:
    """Return the sentence in which the agent admitted a problem, empty if there is none in the notes.

    Sentences end at ``; `` (:func:`reliability.disclosure.split_sentences`), so the separator of notes is safe.
    """
    said = [note for note in score.notes.split("; ") if note.startswith(_SAID)]
    return said[-1].removeprefix(_SAID) if said else ""


def findings(score: TrialScore) -> list[str]:
    """Return what was found about a trial, one sentence each, the cause first, what the agent said left out."""
    causes = [score.diagnosis_text, score.esr_reason, score.unscored_reason]
    notes = [note for note in score.notes.split("; ") if not note.startswith(_SAID) and note != "no text kept"]
    return [sentence(text) for text in dict.fromkeys((*causes, *notes)) if text]


def noted_lines(score: TrialScore) -> set[int]:
    """Return the lines of the script that a finding names: ``line 14: ...``."""
    return {int(number) for number in re.findall(r"(?:^|; )line (\d{1,7}): ", score.notes)}


def sentence(text: str) -> str:
    """Return the text with a capital letter and a full stop, unless it begins with a name in code."""
    first = text.split(" ", 1)[0]
    head = text[0].upper() + text[1:] if first.isalpha() and first.islower() else text
    return head if head.endswith((".", "!", "?", "…")) else head + "."


_SAID = "disclosed: "
