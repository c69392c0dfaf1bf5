# ruff: noqa: PLR0911, ARG001, ARG005  (a branch or a return for every kind of value; one signature for all rows)
"""Functions of the standard library that set values in agents' scripts: paths, environment, JSON, copies, parsers."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from copy import copy
from typing import Any, Final

from reliability.camb_code.camb_objects import copy_of
from reliability.camb_code.known_functions import KnownFunctions
from reliability.camb_code.plain_values import MAX_ITEMS, ZERO, abstract, in_order, is_known, items_of
from reliability.camb_code.python_functions import dictionary_from, leave_script, open_file
from reliability.camb_code.state import ScriptRaises
from reliability.camb_code.values import (
    SCALARS,
    Bound,
    CambObject,
    External,
    Function,
    Instance,
    Mapping,
    PathText,
    Sequence,
    Unknown,
)

MAX_COPY_DEPTH: Final = 20
COPY_METHODS: Final = (
    "__copy__",
    "__deepcopy__",
    "__reduce__",
    "__reduce_ex__",
    "__getstate__",
    "__setstate__",
    "__getnewargs__",
)


def _path(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    return join_path(lib, args or ["."], keywords, line)


def join_path(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """``os.path.join`` and its like."""
    if all(isinstance(arg, str) for arg in args):
        return PathText("/".join(args))
    last = args[-1] if args else None
    tail = last if isinstance(last, str) else last.tail if type(last) is Unknown else ""
    return Unknown("a path that is not wholly known", line, "/" + tail if tail and len(args) > 1 else tail)


def _environment(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """Environment variables are taken to be unset, so the default holds, but for those that every system sets."""
    name = args[0] if args else None
    if type(name) is not str or name in ALWAYS_SET or "env:" in lib.patched or "env:" + name in lib.patched:
        return Unknown("an environment variable", line)
    return args[1] if len(args) > 1 else keywords.get("default")


ALWAYS_SET: Final = frozenset({"HOME", "PATH", "USER", "LOGNAME", "PWD", "SHELL", "LANG", "TMPDIR", "HOSTNAME"})


def _environment_set(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """``os.environ`` changed by the script."""
    known = bool(args) and type(args[0]) is str
    lib.state.put(lib.patched, "env:" + (args[0] if known else ""), True)
    return Unknown("an environment variable", line)


def _toml_loads(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if len(args) == 1 and type(args[0]) is str and not keywords and len(args[0]) < MAX_ITEMS:
        lib.state.spend(len(args[0]) // 8)
        try:
            return abstract(tomllib.loads(args[0]))
        except ValueError as error:
            raise ScriptRaises("TOMLDecodeError", str(error), line) from None
    return Unknown("the TOML text is not known", line)


def _reduce(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    items = items_of(args[1]) if len(args) in (2, 3) and in_order(args[1]) else None
    if items is None or keywords or len(items) > 64 or not (items or len(args) == 3):
        return lib.opaque("functools.reduce", args, keywords, line)
    value, rest = (args[2], items) if len(args) == 3 else (items[0], items[1:])
    for item in rest:
        value = lib.apply(args[0], [value, item], {}, line)
    return value


def _counter(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    items = items_of(args[0]) if args else []
    if items is None or not all(map(is_known, items)) or len(args) > 1:
        return lib.opaque("collections.Counter", args, keywords, line)
    lib.state.spend(len(items) // 8)
    counts = args[0].cells["v"] if args and type(args[0]) is Mapping else {}
    for item in items if not counts else ():
        counts[item] = counts.get(item, 0) + 1
    made = Mapping({**counts, **keywords})
    made.factory = ZERO
    return made


def _deque(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    items = items_of(args[0]) if args else []
    longest = args[1] if len(args) > 1 else keywords.get("maxlen")
    if items is None or not in_order(args[0] if args else None) or not (longest is None or type(longest) is int):
        return lib.opaque("collections.deque", args, keywords, line)
    if longest is not None and longest < 0:
        raise ScriptRaises("ValueError", "maxlen must be non-negative", line)
    lib.state.spend(len(items) // 8)
    made = Sequence(list(items) if longest is None else list(items)[max(len(items) - longest, 0) :], "deque", longest)
    lib.state.born(made.cells)
    return made


def _default_dictionary(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    made = dictionary_from(lib, args[1:], keywords, line)
    if type(made) is Mapping and args:
        made.factory = args[0]
    return made


def _json_loads(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if len(args) == 1 and type(args[0]) is str and not keywords:
        lib.state.spend(len(args[0]) // 8)
        try:
            return abstract(json.loads(args[0]))
        except ValueError as error:
            raise ScriptRaises("JSONDecodeError", str(error), line) from None
    return Unknown("the JSON text is not known", line)


def _import_module(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """As ``import a.b as x``: the module that the dotted name ends with."""
    if len(args) == 1 and type(args[0]) is str and not keywords and not args[0].startswith("."):
        lib.note_module(args[0], line)
        return External(args[0])
    return Unknown("the module imported by name is not known", line)


def _copy(deep: bool) -> Callable[..., Any]:
    def copied(lib: Any, value: Any, depth: int, made: dict[int, Any]) -> Any:
        """A copy; what is met twice is copied once, as Python does it."""
        kind = type(value)
        if kind in SCALARS or kind is Function or (kind is Instance and "@member" in value.cells):
            return value
        if depth > MAX_COPY_DEPTH:
            return Unknown("the copied value is nested too deeply")
        if id(value) in made:
            return made[id(value)]
        lib.state.spend(4)
        if kind is CambObject:
            return made.setdefault(id(value), lib.camb.born(copy_of(value)))
        inner: Callable[[Any], Any] = (lambda v: copied(lib, v, depth + 1, made)) if deep else (lambda v: v)
        if kind is tuple:
            return tuple(map(inner, value))
        cls = value.cls if kind is Instance else None
        own_way = cls is not None and any(lib.in_class(cls, name)[0] for name in COPY_METHODS)
        if own_way or kind not in (Sequence, Mapping, Instance):
            lib.may_raise = True
            return Unknown("a copy of a value that is not known")
        twin: Any = made.setdefault(id(value), copy(value))
        twin.cells = {}
        if kind is Instance:
            twin.cells.update({k: inner(v) for k, v in value.cells.items() if k != "@dict"})
            return twin
        contents = value.cells["v"]
        lib.state.spend(len(contents) // 8 if type(contents) in (list, dict) else 0)
        if type(contents) is list:
            contents = [inner(v) for v in contents]
        elif type(contents) is dict:
            contents = {k: inner(v) for k, v in contents.items()}
        twin.cells["v"] = contents
        if kind is Sequence:
            twin.family = None
        else:
            twin.mirror = None
        return twin

    def copy_(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
        return copied(lib, args[0], 0, {}) if args else Unknown("nothing is copied", line)

    return copy_


def _namespace(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    made = Instance(None)
    made.cells.update(keywords)
    return made


def _partial(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    return Bound(args[0], args[1:], keywords) if args else Unknown("functools.partial of nothing", line)


def _first(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    return args[0] if args else None


def _parser(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    made = Instance(None)
    made.cells["@parser"] = Mapping({})
    return made


def _parent_path(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if args and isinstance(args[0], str):
        return PathText(args[0].rpartition("/")[0] or ".")
    return Unknown("a path that is not known", line)


def _base_name(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if args and isinstance(args[0], str):
        return args[0].rpartition("/")[2]
    return Unknown("a path that is not known", line)


OF_LIBRARY: Final[dict[str, Any]] = {
    "sys.exit": leave_script,
    "os._exit": leave_script,
    "os.path.join": join_path,
    "os.path.abspath": _first,
    "os.path.expanduser": _first,
    "os.path.realpath": _first,
    "os.path.dirname": _parent_path,
    "os.path.basename": _base_name,
    "pathlib.Path": _path,
    "pathlib.PurePath": _path,
    "pathlib.PosixPath": _path,
    "os.getenv": _environment,
    "os.environ.get": _environment,
    "os.environ.setdefault": _environment_set,
    "os.environ.update": lambda lib, args, keywords, line: _environment_set(lib, [], {}, line),
    "os.putenv": _environment_set,
    "json.loads": _json_loads,
    "importlib.import_module": _import_module,
    "tomllib.loads": _toml_loads,
    "functools.reduce": _reduce,
    "collections.defaultdict": _default_dictionary,
    "copy.copy": _copy(False),
    "copy.deepcopy": _copy(True),
    "types.SimpleNamespace": _namespace,
    "argparse.Namespace": _namespace,
    "functools.partial": _partial,
    "argparse.ArgumentParser": _parser,
    "asyncio.run": _first,
    "collections.OrderedDict": dictionary_from,
    "collections.Counter": _counter,
    "collections.deque": _deque,
    "types.MappingProxyType": _first,
    "io.open": open_file,
    "typing.cast": lambda lib, args, keywords, line: args[1] if len(args) == 2 else Unknown("cast", line),
}
