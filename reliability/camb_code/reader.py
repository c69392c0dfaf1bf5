# ruff: noqa: N818  (a way a script ends, caught where it is raised)
"""From source text to a :class:`~reliability.records.CodeReading`."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import warnings
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

from reliability.camb_code import camb_table as table
from reliability.camb_code.mangling import mangle
from reliability.camb_code.state import BudgetExceeded, ScriptExits, ScriptRaises, join_events
from reliability.camb_code.statements import Statements
from reliability.camb_code.values import CambObject, OneOf, Read, Reading, Unknown, describe, unresolved_reason
from reliability.records import CambModel, CodeReading, Finding, ParameterReading, ResultReading

MAX_SOURCE_BYTES: Final = 2 * 1024 * 1024
MAX_WORDS: Final = 450_000
"""Words, brackets and lines of a source: a syntax tree takes about a kilobyte for each."""
WORDS: Final = re.compile(r"[^\W\d]\w*|[\d.]+|[\n;\[({]")
MAX_MODELS: Final = 200
"""Models reported; of more, the first ones are left out (the last one counts)."""


class UnreadableSource(Exception):
    """The source is no Python; the message is one line."""


def decode(source: str | bytes) -> str:
    """Text of a source file, decoded as Python does (cookie, byte-order mark, UTF-8)."""
    if len(source) > MAX_SOURCE_BYTES:
        raise UnreadableSource(f"the source is larger than the limit of {MAX_SOURCE_BYTES} bytes")
    if isinstance(source, str):
        return source.removeprefix("\ufeff")
    if b"\0" in source:
        line = source[: source.index(b"\0")].count(b"\n") + 1
        raise UnreadableSource(f"line {line}: NUL bytes")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        return source.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = source[: error.start].count(b"\n") + 1
        raise UnreadableSource(f"line {line}: not decodable as {error.encoding}") from None
    except (SyntaxError, LookupError, ValueError) as error:
        raise UnreadableSource(f"line 1: {error}") from None


def parse(source: str | bytes) -> ast.Module:
    """Syntax tree of a source; :class:`UnreadableSource` names the line if there is none."""
    text = decode(source)
    if len(text) > MAX_WORDS and sum(1 for _ in WORDS.finditer(text)) > MAX_WORDS:
        raise UnreadableSource(f"the source has more than the limit of {MAX_WORDS} words and lines")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes of the agent's are no concern of ours
            tree = ast.parse(text)
    except SyntaxError as error:
        raise UnreadableSource(f"line {error.lineno or 1}: {error.msg}") from None
    except (RecursionError, MemoryError):
        raise UnreadableSource("the source is nested too deeply to parse") from None
    except ValueError as error:
        line = text[: text.index("\0")].count("\n") + 1 if "\0" in text else 1
        raise UnreadableSource(f"line {line}: {error}") from None
    mangle(tree, text)
    return tree


@dataclass(frozen=True, slots=True)
class Analysis:
    """What one pass over a source found."""

    reading: CodeReading
    files: tuple[tuple[str, str | None, int], ...]
    """Each file opened, saved or loaded: ``"w"`` or ``"r"``, its name or known end, and how many models came before."""

    def names(self) -> list[tuple[str, str | None, int]]:
        """Return the files with base names."""
        return [(mode, None if path is None else _base(path), n) for mode, path, n in self.files]


@lru_cache(maxsize=16)
def analyse(source: str | bytes, camb_line: str) -> Analysis:
    """Interpret a source once; the last few results are kept."""
    interpreter = Statements(camb_line)
    try:
        tree = parse(source)
    except UnreadableSource as error:
        finding = Finding("syntax_error", str(error))
        return Analysis(CodeReading((), (finding,), str(error)), ())
    stopped = ""
    limit = sys.getrecursionlimit()
    try:
        interpreter.execute(tree.body, interpreter.module)
    except BudgetExceeded as error:
        stopped = str(error)
    except (RecursionError, MemoryError):
        stopped = "the script is nested too deeply to follow"
    except ScriptRaises as error:
        where = f"line {error.line}" if error.line else "one line"
        interpreter.camb.find("script_stops", f"the script stops with {error.kind} in {where}", error.line)
    except ScriptExits:
        pass
    assert limit == sys.getrecursionlimit()
    if stopped and not interpreter.uses_camb:
        interpreter.uses_camb = any(map(_imports_camb, ast.walk(tree)))
    return Analysis(_reading(interpreter, stopped), tuple(interpreter.files))


def _imports_camb(node: ast.AST) -> bool:
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
    names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
    return any(name.partition(".")[0] == "camb" for name in names)


def _reading(interpreter: Statements, stopped: str) -> CodeReading:
    camb = interpreter.camb
    events: tuple[CambObject, ...] = interpreter.state.log["events"]
    for early in interpreter.state.exits:
        events = join_events(events, early, "whether the script ends early") if events else early
    if stopped:
        camb.find("not_followed", f"{stopped}; nothing after that point is known", None)
        if interpreter.uses_camb:
            events = (camb.snapshot(Unknown(stopped), None),)
    elif not events and camb.all_params:
        last = Unknown(camb.handed_out) if camb.handed_out else camb.all_params[-1]
        events = (camb.snapshot(last, None),)
        camb.find("no_computation", "CAMB's parameters are set, but nothing is computed with them", None)
    elif not events and interpreter.uses_camb:
        camb.find("no_model", "CAMB is imported, but no statement that runs sets parameters or computes", None)
    if not interpreter.uses_camb:
        camb.find("no_camb", "CAMB is not imported by any statement that runs", None)
    events = events[-MAX_MODELS:]
    models = tuple(_model(event) for event in events)
    results = _results(interpreter.state.log["reads"], {id(event): i for i, event in enumerate(events)})
    return CodeReading(models, tuple(camb.findings.values()), results=results)


def _results(entries: tuple[Any, ...], places: dict[int, int]) -> tuple[ResultReading, ...]:
    """The reads of results, each with the spectra taken of it."""
    taken: dict[int, dict[str, None]] = {}
    for entry in entries:
        if type(entry) is tuple:
            read, spectrum = entry
            taken.setdefault(id(read), {})[spectrum] = None
    return tuple(
        ResultReading(
            read.call,
            read.line,
            places.get(id(read.model)),
            {name: _parameter(name, setting) for name, setting in read.settings.items()},
            tuple(taken.get(id(read), ())),
        )
        for read in entries
        if type(read) is Read
    )


def _model(event: CambObject) -> CambModel:
    return CambModel({name: _parameter(name, event.cells[name]) for name in table.PARAMETERS}, event.cells["line"])


@lru_cache(maxsize=4096)
def _default_parameter(name: str, cell: Reading) -> ParameterReading:
    return ParameterReading(name, cell.value, "default", None, cell.reason)


def _parameter(name: str, cell: Any) -> ParameterReading:
    if type(cell) is not Reading:
        return ParameterReading(name, None, "unresolved", None, unresolved_reason(cell))
    value, state = cell.value, cell.state
    if type(value) in (Unknown, OneOf):
        return ParameterReading(name, None, "unresolved", cell.line, unresolved_reason(value))
    if value is not None and type(value) not in (int, float, bool, str):
        return ParameterReading(name, None, "unresolved", cell.line, f"it is {describe(value)}")
    if state == "default":
        return _default_parameter(name, cell)
    if state == "unresolved" or value is None:
        return ParameterReading(name, None, "unresolved", cell.line, cell.reason or "it is not known")
    return ParameterReading(name, value, "set", cell.line, cell.reason)


def read_camb_code(source: str | bytes, *, camb_line: str = "2.0") -> CodeReading:
    """What a script tells CAMB, read from its syntax tree: nothing is imported or run.

    Parameters
    ----------
    source
        Text or bytes of a Python file.
    camb_line
        Release line whose signatures and defaults hold, ``"1.6"`` or ``"2.0"``.

    Returns
    -------
    CodeReading
        One model for every computation in program order, as if the script ran to its end without arguments, without
        environment variables, and with every library installed; every parameter of
        :data:`reliability.camb_code.PARAMETERS` is ``set``, ``default`` or ``unresolved`` with a reason.

    Raises
    ------
    ValueError
        If ``camb_line`` is not known.

    >>> code = "import camb; camb.get_results(camb.set_params(H0=100*0.675, ns=0.965))"
    >>> read_camb_code(code).models[-1].parameters["H0"].value
    67.5
    """
    return analyse(source, camb_line).reading


def output_role(source: str | bytes, filename: str) -> Literal["writes", "reads", "neither"]:
    """Whether a script writes the file of this base name, only reads it, or does neither.

    The names of files opened, saved or loaded are followed through variables, joined paths and f-strings like any other
    value; where only the end of a path is known, the end decides.  A script that writes a file whose name cannot be
    known ``writes``, unless it reads a file of that name.  A source that does not parse does neither.
    """
    base = _base(filename)
    files = {(mode, name) for mode, name, _ in analyse(source, "2.0").names()}
    if ("w", base) in files:
        return "writes"
    if ("r", base) in files:
        return "reads"
    return "writes" if ("w", None) in files else "neither"


def writes_after_a_model(source: str | bytes, filename: str, camb_line: str) -> bool:
    """Whether a script, as far as it runs, writes a file of this base name (or of no known one) once CAMB computed."""
    written = [(name, n) for mode, name, n in analyse(source, camb_line).names() if mode == "w"]
    return any(n and name in (None, _base(filename)) for name, n in written)


def _base(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]
