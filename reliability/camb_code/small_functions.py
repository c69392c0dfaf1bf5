# ruff: noqa: ARG001, ARG005  (one signature for all rows)
"""Small functions of the standard library on known values: :mod:`operator`, :mod:`json`, :mod:`bisect`, texts."""

from __future__ import annotations

import ast
import bisect
import json
import textwrap
from typing import Any, Final

from reliability.camb_code.arithmetic import is_too_large
from reliability.camb_code.plain_values import MAX_ITEMS, NotPlain, abstract, is_known
from reliability.camb_code.state import ScriptRaises
from reliability.camb_code.streams import Streams
from reliability.camb_code.values import Bound, Builtin, External, Unknown

MAX_INDENT: Final = 16

OPERATORS: Final[dict[str, type]] = {
    "add": ast.Add,
    "sub": ast.Sub,
    "mul": ast.Mult,
    "truediv": ast.Div,
    "floordiv": ast.FloorDiv,
    "mod": ast.Mod,
    "pow": ast.Pow,
    "or_": ast.BitOr,
    "and_": ast.BitAnd,
    "xor": ast.BitXor,
}


def _operator(kind: type) -> Any:
    def compute(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
        if len(args) != 2:
            return lib.opaque("operator", args, keywords, line)
        return lib.operate(kind, args[0], args[1], line)

    return compute


def _getter(name: str) -> Any:
    def make(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
        if not args or not all(map(is_known, args)):
            return lib.opaque(f"operator.{name}", args, keywords, line)
        return Bound(Builtin("@" + name), [tuple(args)])

    return make


def _get_items(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    keys, *rest = args
    if len(rest) != 1:
        raise ScriptRaises("TypeError", "itemgetter takes one argument", line)
    found = tuple(lib.item(rest[0], key, line or 0) for key in keys)
    return found[0] if len(found) == 1 else found


def _get_attributes(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    names, *rest = args
    if len(rest) != 1:
        raise ScriptRaises("TypeError", "attrgetter takes one argument", line)
    found = []
    for name in names:
        value = rest[0]
        for part in str(name).split("."):
            value = lib.attribute(value, part, line)
        found.append(value)
    return found[0] if len(found) == 1 else tuple(found)


def _json_text(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    try:
        if type(keywords.get("indent")) not in (int, type(None)) or abs(keywords.get("indent") or 0) > MAX_INDENT:
            return Unknown("the JSON text is not known", line)
        made = json.dumps(lib.as_plain(args[0]), **{k: lib.as_plain(v) for k, v in keywords.items()})
        lib.state.spend(len(made) // 64)
        return made if not is_too_large(made) else Unknown("the JSON text is too long", line)
    except (NotPlain, IndexError):
        return Unknown("the JSON text is not known", line)
    except (TypeError, ValueError) as error:
        raise ScriptRaises(type(error).__name__, str(error), line) from None


def _literal(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if len(args) != 1 or type(args[0]) is not str or len(args[0]) > MAX_ITEMS:
        lib.may_raise = True
        return Unknown("the text given to literal_eval is not known", line)
    lib.state.spend(len(args[0]) // 8)
    try:
        return abstract(ast.literal_eval(args[0]))
    except (ValueError, SyntaxError, TypeError) as error:
        raise ScriptRaises(type(error).__name__, str(error).partition("\n")[0], line) from None
    except (RecursionError, MemoryError):
        return Unknown("the text given to literal_eval is nested too deeply", line)


def _dedent(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if len(args) == 1 and type(args[0]) is str and len(args[0]) < MAX_ITEMS:
        return textwrap.dedent(args[0])
    return Unknown("the text is not known", line)


def _bisect(name: str) -> Any:
    def find(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
        try:
            return getattr(bisect, name)(lib.as_plain(args[0]), lib.as_plain(args[1]), *map(lib.as_plain, args[2:]))
        except (NotPlain, IndexError, TypeError):
            return lib.opaque(f"bisect.{name}", args, keywords, line)

    return find


def _mean(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    try:
        items = lib.as_plain(args[0])
        return sum(items) / len(items)
    except (NotPlain, IndexError, TypeError, ArithmeticError):
        return lib.opaque("statistics.mean", args, keywords, line)


PYTHON_ROWS: Final[dict[str, Any]] = {"@itemgetter": _get_items, "@attrgetter": _get_attributes}
LIBRARY_ROWS: Final[dict[str, Any]] = {
    **{f"operator.{name}": _operator(kind) for name, kind in OPERATORS.items()},
    "operator.itemgetter": _getter("itemgetter"),
    "operator.attrgetter": _getter("attrgetter"),
    "json.dumps": _json_text,
    "ast.literal_eval": _literal,
    "textwrap.dedent": _dedent,
    **{f"bisect.{name}": _bisect(name) for name in ("bisect", "bisect_left", "bisect_right")},
    "statistics.mean": _mean,
    "statistics.fmean": _mean,
    "enum.auto": lambda lib, args, keywords, line: External("enum.auto()"),
}
