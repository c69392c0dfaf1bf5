# ruff: noqa: ARG001, ARG005  (one signature for all rows)
"""Functions that make, copy and describe objects of the script's classes."""

from __future__ import annotations

from copy import copy
from typing import Any, Final

from reliability.camb_code.attributes import PLAIN_TYPES
from reliability.camb_code.construction import as_dictionary
from reliability.camb_code.core import OPEN
from reliability.camb_code.known_functions import BUILTINS
from reliability.camb_code.machinery import REPLACED, refuse
from reliability.camb_code.plain_values import is_known, items_of, python_type
from reliability.camb_code.state import ScriptRaises
from reliability.camb_code.values import Bound, Builtin, Class, External, Function, Instance, Mapping, Unknown


def _set_attribute(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """``object.__setattr__``: past properties and frozen classes."""
    if len(args) == 3 and args[1] in REPLACED:
        raise refuse(f"setting {args[1]}", line)
    if len(args) == 3 and type(args[0]) is Instance and type(args[1]) is str:
        lib.state.put(args[0].cells, args[1], args[2])
        return None
    return lib.opaque("object.__setattr__", args, keywords, line)


def _unbound(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """``str.strip(text)``, ``dict.fromkeys(keys, value)``."""
    kind, name, *rest = args
    if (kind, name) == ("dict", "fromkeys"):
        keys = items_of(rest[0]) if rest else None
        if keys is None or not all(map(is_known, keys)):
            return Unknown("the keys are not known", line)
        return Mapping(dict.fromkeys(keys, rest[1] if len(rest) > 1 else None))
    if not rest or not hasattr(PLAIN_TYPES[kind], name):
        return lib.opaque(f"{kind}.{name}", rest, keywords, line)
    return lib.apply(lib.attribute(rest[0], name, line), rest[1:], keywords, line)


def _kind_of_method(kind: str) -> Any:
    """``staticmethod(f)``, ``classmethod(f)``, ``property(get, set)``: the function as a class holds it."""

    def made(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
        given = [*args, *(keywords[name] for name in ("fget", "fset") if name in keywords)]
        if kind == "staticmethod" and len(given) == 1 and type(given[0]) in (External, Bound, Class):
            return given[0]
        if not given or len(given) > 2 or any(type(one) is not Function or one.kind != "function" for one in given):
            return lib.opaque(kind, args, keywords, line)
        function = copy(given[0])
        function.kind = kind
        function.setter = given[1] if len(given) == 2 else None
        return function

    return made


def _make_tuple(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """``Named._make(items)``."""
    given = lib.all_items(args[1], line) if len(args) == 2 else None
    return lib.apply(args[0], given, {}, line) if given is not None else lib.opaque("_make", args, keywords, line)


def _new(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """``object.__new__(cls)``."""
    if not args or type(args[0]) is not Class:
        return lib.opaque("object.__new__", args, keywords, line)
    made = Instance(args[0])
    lib.state.born(made.cells)
    return made


def _fill(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    lib.fill(args[0], args[1], args[2:], keywords, line, None)


def _fill_class(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if len(args) < 2 or type(args[1]) is not Instance:
        return lib.opaque("__init__", args, keywords, line)
    return lib.fill(args[1], args[0], args[2:], keywords, line, None)


def _decorated(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """A function behind a decorator that is not read: it may be called or not, with any arguments."""
    return lib.opaque("a decorated function", args, keywords, line)


def _type(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if len(args) == 1 and type(args[0]) is Instance and args[0].cls is not None:
        return args[0].cls
    own = python_type(args[0]) if len(args) == 1 else None
    if own is not None and not (own in (int, float, bool) and lib.has_numpy_numbers):
        return Builtin(own.__name__)
    if len(args) == 1:
        return Unknown("a type is not followed", line)
    return lib.opaque("a class made at run time", args, keywords, line)


def _variables(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if len(args) == 1 and type(args[0]) is Instance and "@member" not in args[0].cells:
        return lib.dictionary_of(args[0])
    if len(args) == 1 and type(args[0]) is External:
        return External(f"{args[0].path}.__dict__")
    if not args:
        return BUILTINS["exec"](lib, args, keywords, line)  # the module's names, open to any change
    return Unknown("vars() of this value is not followed", line)


def _replace(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if args and type(args[0]) is Instance:
        return lib.replaced(args[0], keywords, line)
    return lib.opaque("dataclasses.replace", args, keywords, line)


def _as_dictionary(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if len(args) != 1 or keywords or type(args[0]) is not Instance or args[0].cls is None or args[0].cls.fields is None:
        return Unknown("the fields are not known", line)
    return as_dictionary(lib, args[0])


def _fields(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    cls = args[0].cls if args and type(args[0]) is Instance else args[0] if args else None
    if type(cls) is not Class or cls.fields is None:
        return Unknown("the fields are not known", line)
    made = []
    for field in cls.fields.values():
        if not field.is_passed:
            each = Instance(None)
            each.cells.update({"name": field.name, OPEN: Unknown("only the name of a field is followed", line)})
            made.append(each)
    return tuple(made)


def _method_caller(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if not args or type(args[0]) is not str:
        return lib.opaque("operator.methodcaller", args, keywords, line)
    return Bound(Builtin("@method"), args, keywords)


def _called_method(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    name, *rest = args
    if not rest:
        raise ScriptRaises("TypeError", "methodcaller needs an object", line)
    return lib.apply(lib.attribute(rest[-1], name, line), rest[:-1], keywords, line)


def _named_tuple(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    return lib.named_tuple_class(args, keywords, lib.module, line)


OBJECT_BUILTINS: Final[dict[str, Any]] = {
    "@setattr": _set_attribute,
    "@fill": _fill,
    "@fill_class": _fill_class,
    "@unbound": _unbound,
    "@new": _new,
    "@make": _make_tuple,
    "@nothing": lambda lib, args, keywords, line: None,
    "@decorated": _decorated,
    "@method": _called_method,
    "@_replace": _replace,
    "@_asdict": _as_dictionary,
    "type": _type,
    "staticmethod": _kind_of_method("staticmethod"),
    "classmethod": _kind_of_method("classmethod"),
    "property": _kind_of_method("property"),
    "vars": _variables,
}

OBJECT_FUNCTIONS: Final[dict[str, Any]] = {
    "operator.methodcaller": _method_caller,
    "dataclasses.replace": _replace,
    "copy.replace": _replace,
    "dataclasses.asdict": _as_dictionary,
    "dataclasses.fields": _fields,
    "collections.namedtuple": _named_tuple,
    "functools.cached_property": _kind_of_method("cached"),
}
