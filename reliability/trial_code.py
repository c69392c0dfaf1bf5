"""What the agent wrote in one trial: the script that made the output, and the texts that speak about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reliability.agent_files import load_json, natural, read_bytes
from reliability.records import Trial
from reliability.trial_reports import RECORD

MAX_SOURCE = 2 * 2**20  # bytes of one script
MAX_SCRIPTS = 100
MAX_TEXT = 256 * 1024  # characters kept of one text
MAX_TEXTS = 20
CHAT_TAIL = 16 * 1024  # characters: earlier turns are about steps, the last ones about the result
MAX_COUNTED = 8 * 2**20  # bytes of an output file whose lines are counted
_NOT_THE_AGENT = frozenset({"user", "system", "tool", "function", "admin"})


@dataclass(frozen=True, slots=True)
class CodeChoice:
    """The script that made the output; without one ``path`` and ``source`` are ``None`` and ``reason`` says why."""

    path: Path | None
    source: bytes | None
    notes: tuple[str, ...] = ()
    reason: str = ""


def choose_code(trial: Trial, *, output_name: str, columns: Sequence[str] = ()) -> CodeChoice:
    """Return the script of a trial that writes the output file; scripts are read, never imported.

    Of several that write it the one wins that names the file's columns and its number of rows, then the last by natural
    order. A script that only reads the file did not make it. Where none is seen to write it, those that do not read it
    are candidates by the same rule.

    Parameters
    ----------
    output_name
        Name of the output file, without folder.
    columns
        Declared column names; used besides those in the file's first line to tell several writers apart.
    """
    from reliability.camb_code import output_role

    notes: list[str] = []
    sources: dict[Path, bytes] = {}
    if len(trial.code_files) > MAX_SCRIPTS:
        notes.append(f"{len(trial.code_files)} scripts; the first {MAX_SCRIPTS} were read")
    for path in trial.code_files[:MAX_SCRIPTS]:
        name = _shown(path, trial)
        try:
            source = read_bytes(path, MAX_SOURCE)
        except OSError as error:
            notes.append(f"{name} cannot be read: {error.strerror or error}")
            continue
        if len(source) > MAX_SOURCE:
            notes.append(f"{name} is larger than {MAX_SOURCE} bytes; not read")
            continue
        sources[path] = source
    if not sources:
        return CodeChoice(None, None, tuple(notes), "no readable code" if trial.code_files else "no code")
    roles = {path: output_role(source, output_name) for path, source in sources.items()}
    candidates = [path for path in sources if roles[path] == "writes"] or [p for p in sources if roles[p] == "neither"]
    if not candidates:
        readers = ", ".join(_shown(path, trial) for path in sources)
        return CodeChoice(None, None, tuple(notes), f"no script writes {output_name}; only read by {readers}"[:300])
    chosen = candidates[0]
    if len(candidates) > 1:
        words = _words_of_output(trial.output_file, columns)
        chosen = max(candidates, key=lambda path: (_fit(sources[path], words), natural(_shown(path, trial))))
        others = ", ".join(_shown(path, trial) for path in candidates if path != chosen)
        notes.append(f"ambiguous script: chose {_shown(chosen, trial)}, others {others}"[:300])
    return CodeChoice(chosen, sources[chosen], tuple(notes))


def _shown(path: Path, trial: Trial) -> str:
    return path.relative_to(trial.folder).as_posix() if path.is_relative_to(trial.folder) else path.name


def _words_of_output(output: Path | None, columns: Sequence[str]) -> tuple[set[str], set[str]]:
    """Return the column names of the output file (with the declared ones), and the numbers that tell its length."""
    names, numbers = set(columns), set[str]()
    try:
        raw = read_bytes(output, MAX_COUNTED) if output else b""
    except OSError:
        raw = b""
    if raw and len(raw) <= MAX_COUNTED:
        lines = raw.split(b"\n")
        header = re.split(r"[,;\t]", lines[0][:4096].decode("utf-8", "replace"))
        names |= {name for cell in header if not re.fullmatch(r"[-+.\deE]*", name := cell.strip(" #\"'\r"))}
        n = sum(1 for line in lines if line.strip())
        numbers = {str(n), str(n - 1)}
        last = lines[-2] if len(lines) > 1 and not lines[-1].strip() else lines[-1]
        if number := re.match(rb"\s*(\d{1,7})(?:\.0+)?[,;\s]", last[:100]):
            numbers.add(number[1].decode())
    return names, numbers


def _fit(source: bytes, words: tuple[set[str], set[str]]) -> int:
    """Count the column names that occur as strings in the source, plus one for a number that tells the length."""
    names, numbers = words
    text = source.decode("utf-8", "replace")
    strings = set(re.findall(r"[\w^{}]+", " ".join(re.findall(r"""["']([^"'\n]{0,200})["']""", text))))
    return len(names & strings) + bool(numbers & set(re.findall(r"\d+", text)))


# --------------------------------------------------------------------------------------------------------------- texts


def read_texts(trial: Trial) -> list[str]:
    """Return what the agent said, in order: report, final message; from chat logs only the end, and only the agent's.

    Every text is bounded; one that cannot be read is left out.
    """
    texts = []
    for path in trial.text_files[:MAX_TEXTS]:
        try:
            text = _read_text(path, is_chat=path.parent != trial.folder)
        except (OSError, ValueError):
            continue
        if text.strip():
            texts.append(text)
    return texts


def _read_text(path: Path, *, is_chat: bool) -> str:
    if path.suffix.lower() == ".json":
        data = load_json(path)
        if path.name == RECORD:
            return str(data["final_message"])[:MAX_TEXT] if isinstance(data, dict) else ""
        return _last_message(data)[-CHAT_TAIL:]
    raw = read_bytes(path, 4 * MAX_TEXT)
    text = raw.decode("utf-8", "replace")
    return text[-CHAT_TAIL:] if is_chat else text[:MAX_TEXT]


def _last_message(data: Any) -> str:
    """Return the last message in a chat log that is the agent's: a list of ``{"role"|"name", "content"}``."""
    messages = data.get("messages", data.get("chat_history", [])) if isinstance(data, dict) else data
    if not isinstance(messages, list):
        return ""
    for message in reversed(messages):
        if isinstance(message, dict) and isinstance(content := message.get("content"), str) and content.strip():
            who = {str(message.get("role", "")).lower(), str(message.get("name", "")).lower()}
            if not who & _NOT_THE_AGENT:
                return content
    return ""
