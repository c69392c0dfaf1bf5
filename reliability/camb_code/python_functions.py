# ruff: noqa: ARG001  (one signature for all rows)
"""Python's own functions on abstract values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from reliability.camb_code.known_functions import KnownFunctions
from reliability.camb_code.plain_values import MAX_ITEMS, in_order, is_known, items_of, python_type, type_matches
from reliability.camb_code.state import ScriptExits
from reliability.camb_code.values import SCALARS, Builtin, Class, External, Function, Mapping, Sequence, Unknown


def leave_script(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """``sys.exit`` and its like."""
    raise ScriptExits(args[0] if args else None)


def _range(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if args and all(type(arg) is int for arg in args):
        try:
            numbers = range(*args)
            if len(numbers) <= MAX_ITEMS:
                lib.state.spend(len(numbers) // 16)
                return Sequence(list(numbers), "range")
        except (ValueError, OverflowError):
            pass
    return Unknown("a range that is not known or too long", line)


def _length(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    value = args[0] if args else None
    if type(value) is str or type(value) is bytes or type(value) is tuple:
        return len(value)
    contents: Any = value.cells["v"] if type(value) is Mapping else items_of(value)
    return len(contents) if type(contents) in (dict, list) else Unknown("the length is not known", line)


def _listed(kind: str) -> Callable[..., Any]:
    def make(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
        if not args:
            return Sequence([], kind)
        items = items_of(args[0])
        if items is None:
            return Unknown("the items are not known", line)
        if kind == "set":
            if not all(map(is_known, items)):
                return Unknown("a set of values that are not known", line)
            items = list(dict.fromkeys(items))
        elif not in_order(args[0]):
            return Unknown("the order of a set is not known", line)
        lib.state.spend(len(items) // 8)
        return Sequence(list(items), kind)

    return make


def dictionary_from(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """``dict(...)``."""
    contents: dict[Any, Any] = {}
    if args:
        source = args[0].cells["v"] if type(args[0]) is Mapping else None
        if type(source) is dict:
            contents = dict(source)
        else:
            pairs = items_of(args[0])
            if pairs is None or not all(type(p) is tuple and len(p) == 2 and is_known(p[0]) for p in pairs):
                return Unknown("the contents of the dictionary are not known", line)
            contents = dict(pairs)
    lib.state.spend(len(contents) // 8)
    made = Mapping({**contents, **keywords})
    lib.state.born(made.cells)
    return made


def _sorted(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    items = items_of(args[0]) if len(args) == 1 else None
    order = lib.in_sorted_order(items, keywords, line) if items is not None else None
    if order is None:
        lib.may_raise = True
        lib.escape(list(keywords.values()), "sorted", line, only_functions=True)
        return Unknown("the sorted items are not known", line)
    return Sequence(order)


def _extreme(name: str) -> Callable[..., Any]:
    """``min`` and ``max``: the first of the items that comes first, or last, in order."""

    def choose(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
        items = items_of(args[0]) if len(args) == 1 else args
        by_key = {k: v for k, v in keywords.items() if k == "key"}
        if not keywords:
            return lib.plain(name, args, line)
        if items is not None and keywords.keys() <= {"key", "default"} and (items or "default" in keywords):
            if not items:
                return keywords["default"]
            order = lib.in_sorted_order(items[::-1] if name == "max" else items, by_key, line)
            if order is not None:
                return order[-1 if name == "max" else 0]
        lib.may_raise = True
        lib.escape([*args, *keywords.values()], name, line, only_functions=True)
        return Unknown(f"the result of {name} is not known without running", line)

    return choose


def open_file(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """``open(...)``: the file is noted."""
    where = args[0] if args else keywords.get("file")
    mode = args[1] if len(args) > 1 else keywords.get("mode", "r")
    writes = isinstance(mode, str) and any(letter in mode for letter in "wax+")
    lib.note_file("w" if writes else "r", where)
    lib.may_raise = lib.may_raise or not writes
    return Unknown("the content of a file is not known without running", line, is_tame=writes)


def _dynamic(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    lib.has_dynamic_names = True
    lib.camb.find("dynamic_code", "the script changes code or names at run time, which is not followed", line)
    lib.poison_all("the script runs code made at run time", line)
    for cells in (lib.module.vars,):
        for key, value in list(cells.items()):
            if type(value) in SCALARS:
                lib.state.put(cells, key, Unknown("code made at run time may change it", line))
    return Unknown("code made at run time is not followed", line)


def _import(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """``__import__("a.b")``: the module ``a``."""
    if len(args) == 1 and type(args[0]) is str and not keywords:
        lib.note_module(args[0], line)
        return External(args[0].partition(".")[0])
    lib.may_raise = True
    return Unknown("the module imported by name is not known", line)


def _isinstance(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    answer = type_matches(args[0], args[1], lib.has_numpy_numbers) if len(args) == 2 else None
    return Unknown("the type is not known", line) if answer is None else answer


def _callable(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if len(args) == 1 and type(args[0]) in (Function, Builtin, Class):
        return True
    if len(args) == 1 and python_type(args[0]) is not None:
        return False
    return Unknown("whether it can be called is not known", line)


def _super(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    return Unknown("super() is not followed", line)


OF_BUILTINS: Final[dict[str, Any]] = {
    "exit": leave_script,
    "quit": leave_script,
    "range": _range,
    "len": _length,
    "list": _listed("list"),
    "set": _listed("set"),
    "frozenset": _listed("set"),
    "dict": dictionary_from,
    "sorted": _sorted,
    "min": _extreme("min"),
    "max": _extreme("max"),
    "open": open_file,
    "exec": _dynamic,
    "eval": _dynamic,
    "globals": _dynamic,
    "locals": _dynamic,
    "isinstance": _isinstance,
    "__import__": _import,
    "callable": _callable,
    "super": _super,
}
