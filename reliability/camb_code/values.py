# ruff: noqa: D107, PLR0911  (plain records: the class says it; a return for every kind of value)
"""The value domain of the reader: what a name in an agent's script may stand for.

Known numbers, strings, booleans, ``None`` and tuples are themselves.  Everything that can change in place keeps its
contents in a ``cells`` dictionary whose values are never changed in place, so that one undo log
(:mod:`reliability.camb_code.state`) covers variables, lists, dictionaries, instances and CAMB objects alike.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

Cells = dict[Any, Any]


class Unknown:
    """A value that cannot be known without running the script, and why.

    ``tail`` is the known end of a string.  ``is_tame`` marks what CAMB, numpy or a written file return: it holds no
    code and no container of the script's.  ``is_array`` says whether it is numbers in an array (arithmetic with one
    number and elementwise functions do not raise), or one value, if that is known.  ``origin`` is owner and name where
    it is an attribute of an unknown value: a value as much as a method.  ``may_be_absent`` marks a keyword argument
    that a branch may not have given.  ``spectrum`` says which results of CAMB these numbers are.
    """

    __slots__ = ("is_array", "is_tame", "line", "may_be_absent", "origin", "reason", "spectrum", "tail")

    def __init__(self, reason: str, line: int | None = None, tail: str = "", is_tame: bool = False) -> None:
        self.reason = reason
        self.line = line
        self.tail = tail
        self.is_tame = is_tame
        self.is_array: bool | None = None
        self.origin: tuple[Any, str] | None = None
        self.may_be_absent = False
        self.spectrum: Spectrum | None = None


def undecided(line: int | None, reason: str = "the condition is not known") -> Unknown:
    """A condition whose answer is one value that is not known, or another single value."""
    answer = Unknown(reason, line, is_tame=True)
    answer.is_array = False
    return answer


class OneOf:
    """One of a few known values, depending on a branch that cannot be decided."""

    __slots__ = ("options", "reason")

    def __init__(self, options: tuple[Any, ...], reason: str) -> None:
        self.options = options
        self.reason = reason


class _Unbound:
    __slots__ = ()


PLACE: Final = "@place"
"""Key of the cell that says how far a stream has been read."""
UNBOUND: Final = _Unbound()
"""The content of a cell that does not exist (yet)."""


class Sequence:
    """A list, set, deque or one-dimensional numpy array; ``cells["v"]`` is a Python list (never changed in place)."""

    __slots__ = ("cells", "family", "kind", "maxlen")

    def __init__(self, items: Any, kind: str = "list", maxlen: int | None = None) -> None:
        self.cells: Cells = {"v": items}
        self.kind = kind
        self.maxlen = maxlen
        """Of a ``deque``."""
        self.family: list[Sequence] | None = None
        """Arrays that share memory with this one."""


class Mapping:
    """A dictionary; ``cells["v"]`` is a Python dict (never changed in place); ``mirror`` has it as ``__dict__``."""

    __slots__ = ("cells", "factory", "mirror")

    def __init__(self, items: Any) -> None:
        self.cells: Cells = {"v": items}
        self.factory: Any = None
        """What makes the missing items of a ``defaultdict``."""
        self.mirror: Instance | None = None


class Stream:
    """An iterator; ``cells[PLACE]`` says how far it has been read (:mod:`reliability.camb_code.streams`).

    ``push(start, emit)`` gives the items from there on; ``rest(reason)`` does to the state what an unknown number of
    further items may do to it; ``reads`` are the cells that a generator read, with what they held.
    """

    __slots__ = ("cells", "is_manager", "push", "reads", "rest")

    def __init__(self, push: Callable[[int, Callable[[Any, int], None]], Any]) -> None:
        self.cells: Cells = {PLACE: 0}
        self.push = push
        self.rest: Callable[[str], None] | None = None
        self.reads: list[tuple[Cells, Any, Any]] | None = None
        self.is_manager = False


class PathText(str):
    """A known :class:`pathlib.Path`."""

    __slots__ = ()


class External:
    """Something imported: a module, function or class, by its canonical dotted path."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path


class Builtin:
    """A function of Python's own, by name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Scope:
    """The names of a module, function, class body or comprehension."""

    __slots__ = ("function", "hook", "locals", "made", "parent", "redirect", "vars")

    def __init__(self, parent: Scope | None, is_function: bool = True) -> None:
        self.vars: Cells = {}
        while parent is not None and parent.made is not None:
            parent = parent.parent  # what is inside a class body does not see its names
        self.parent: Scope | None = parent
        self.made: list[Function] | None = None
        """In a class body: the functions made there."""
        self.locals: frozenset[str] = frozenset()
        self.function: Function | None = None
        self.hook: Callable[[Any], None] | None = None
        """Receives what a generator yields."""
        self.redirect: dict[str, Cells] | None = None if is_function else {}


class Function:
    """A ``def`` or ``lambda`` of the script, with the scope it closes over."""

    __slots__ = (
        "defaults",
        "is_generator",
        "is_manager",
        "kind",
        "kw_defaults",
        "memo",
        "name",
        "node",
        "owner",
        "scope",
        "setter",
    )

    def __init__(self, node: Any, scope: Scope, defaults: list[Any], kw_defaults: list[Any]) -> None:
        self.node = node
        if scope.made is not None:
            scope.made.append(self)
        while scope.made is not None and scope.parent is not None:
            scope = scope.parent
        self.scope = scope
        self.defaults = defaults
        self.kw_defaults = kw_defaults
        self.name: str = getattr(node, "name", "<lambda>")
        self.kind = "function"
        self.owner: Class | None = None
        self.setter: Function | None = None
        self.memo: Cells | None = None
        """Results kept by ``functools.cache``, as pairs of arguments and result under ``"m"``."""
        self.is_generator = False
        self.is_manager = False
        """Decorated with ``contextlib.contextmanager``."""


class Field:
    """A field of a dataclass or named tuple; ``is_passed`` marks an ``InitVar``, handed on to ``__post_init__``."""

    __slots__ = ("default", "factory", "is_init", "is_keyword", "is_passed", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.default: Any = UNBOUND
        self.factory: Any = None
        self.is_init = True
        self.is_keyword = False
        self.is_passed = False


class Class:
    """A class of the script; ``cells`` are its attributes, ``fields`` those of a dataclass or named tuple.

    ``mro`` lists the class and its bases of the script in the order Python searches them; ``makes_init`` says that an
    ``__init__`` is written from ``fields``.
    """

    __slots__ = (
        "bases",
        "cells",
        "fields",
        "is_consistent",
        "is_enum",
        "is_frozen",
        "is_tuple",
        "makes_init",
        "mro",
        "name",
        "own_fields",
        "reads",
        "scope",
    )

    def __init__(self, name: str, bases: list[Any], scope: Scope) -> None:
        self.name = name
        self.bases = bases
        self.cells: Cells = scope.vars
        self.scope = scope
        self.fields: dict[str, Field] | None = None
        self.own_fields: dict[str, Field] | None = None
        self.makes_init = self.is_tuple = self.is_frozen = False
        self.reads: bool | None = None
        """Whether all bases are read, once that has been asked."""
        own = [base for base in bases if type(base) is Class]
        order = merged([*(base.mro for base in own), own])
        self.is_consistent = order is not None
        self.mro: list[Class] = [self, *(own if order is None else order)]
        self.is_enum = any(type(b) is External and b.path.startswith("enum.") for each in self.mro for b in each.bases)


def merged(orders: list[list[Class]]) -> list[Class] | None:
    """The order of search that Python makes of those of the bases (C3); ``None`` if there is none."""
    places = [0] * len(orders)
    later = Counter(each for order in orders for each in order[1:])
    result: list[Class] = []
    while True:
        heads = [order[place] for order, place in zip(orders, places, strict=True) if place < len(order)]
        chosen = next((head for head in heads if not later[head]), None)
        if chosen is None:
            return result if not heads else None
        result.append(chosen)
        for i, order in enumerate(orders):
            if places[i] < len(order) and order[places[i]] is chosen:
                places[i] += 1
                if places[i] < len(order):
                    later[order[places[i]]] -= 1


class Instance:
    """An instance of a class of the script, or a plain namespace (``cls`` is ``None``)."""

    __slots__ = ("cells", "cls")

    def __init__(self, cls: Class | None) -> None:
        self.cls = cls
        self.cells: Cells = {}


class Bound:
    """A function with its first arguments already given: a bound method or a ``functools.partial``."""

    __slots__ = ("args", "function", "keywords")

    def __init__(self, function: Any, args: list[Any], keywords: dict[str, Any] | None = None) -> None:
        self.function = function
        self.args = args
        self.keywords = keywords or {}


class Super:
    """``super()``: the attributes of ``instance`` that come after ``cls``."""

    __slots__ = ("cls", "instance")

    def __init__(self, cls: Class, instance: Any) -> None:
        self.cls = cls
        self.instance = instance


class Method:
    """A method of a known value that Python or CAMB implements, e.g. ``[].append`` or ``pars.set_cosmology``."""

    __slots__ = ("name", "owner")

    def __init__(self, owner: Any, name: str) -> None:
        self.owner = owner
        self.name = name


class CambObject:
    """A CAMB structure: ``kind`` is its class name, ``cells`` its fields as :class:`Reading` or nested objects."""

    __slots__ = ("cells", "kind")

    def __init__(self, kind: str, cells: Cells) -> None:
        self.kind = kind
        self.cells = cells


class Reading:
    """A field of a CAMB object: the value, and whether the script gave it (``set``) or CAMB did (``default``)."""

    __slots__ = ("line", "reason", "state", "value")

    def __init__(self, value: Any, state: str, line: int | None = None, reason: str = "") -> None:
        self.value = value
        self.state = state
        self.line = line
        self.reason = reason


class Read:
    """A call that reads computed results: the model they belong to, and the call's settings as :class:`Reading`."""

    __slots__ = ("call", "line", "model", "settings")

    def __init__(self, call: str, line: int | None, model: CambObject | None, settings: dict[str, Reading]) -> None:
        self.call = call
        self.line = line
        self.model = model
        self.settings = settings


class Spectrum:
    """What of a :class:`Read` an array is: its columns by name, or several arrays by name."""

    __slots__ = ("columns", "is_transposed", "name", "read")

    def __init__(self, read: Read, columns: Any, name: str = "", is_transposed: bool = False) -> None:
        self.read = read
        self.columns = columns
        self.name = name
        self.is_transposed = is_transposed

    def transposed(self) -> Spectrum:
        """Return the array with columns first (or one row of it)."""
        return Spectrum(self.read, self.columns, self.name, not self.is_transposed)


AVAILABLE: Final = frozenset({"camb", "numpy", "scipy", "matplotlib"})
"""Libraries taken to be installed; their functions and classes are known to be such."""


def is_certain(value: Any) -> bool:
    """Whether it is certain what kind of object this is: what another library provides may be anything."""
    kind = type(value)
    if kind is External:
        root, dot, _ = value.path.partition(".")
        return not dot or root in AVAILABLE or root == "builtins"
    return kind is not Unknown and kind is not OneOf and kind is not Bound


SCALARS: Final = frozenset({int, float, bool, str, type(None), complex, bytes, PathText})


def describe(value: Any) -> str:
    """A value as a few words for a reason."""
    if type(value) in SCALARS:
        text = repr(value)
        return text if len(text) <= 40 else text[:37] + "..."
    if type(value) is Unknown:
        return "an unknown value"
    if type(value) is CambObject:
        return f"a {value.kind}"
    return f"a {type(value).__name__.lower()}"


def same(a: Any, b: Any) -> bool:
    """Whether two values are certainly the same (identity for whatever can change)."""
    if a is b:
        return True
    kind = type(a)
    if kind is not type(b):
        return False
    if kind in SCALARS:
        return bool(a == b) and (kind is not float or repr(a) == repr(b))
    if kind is tuple:
        return len(a) == len(b) and all(map(same, a, b))
    if kind is External:
        return bool(a.path == b.path)
    if kind is Builtin:
        return bool(a.name == b.name)
    if kind is Reading:
        return a.state == b.state and same(a.value, b.value)
    if kind is Method:
        return a.owner is b.owner and a.name == b.name
    return False


MAX_OPTIONS: Final = 8


def join(a: Any, b: Any, reason: str) -> Any:
    """The least certain value that covers both."""
    if a is b or same(a, b):
        return a
    if type(a) is Unknown:
        return a
    if type(b) is Unknown:
        return b
    if type(a) is Reading or type(b) is Reading:
        return _join_readings(a, b, reason)
    if type(a) is dict and type(b) is dict:
        return {k: join(a.get(k, UNBOUND), b.get(k, UNBOUND), reason) for k in {**a, **b}}
    if type(a) is list and type(b) is list:
        if len(a) == len(b):
            return [join(x, y, reason) for x, y in zip(a, b, strict=True)]
        return Unknown(f"its length depends on {reason}")
    if type(a) is tuple and type(b) is tuple and len(a) == len(b):
        return tuple(join(x, y, reason) for x, y in zip(a, b, strict=True))
    options: list[Any] = []
    for value in (a, b):
        for option in value.options if type(value) is OneOf else (value,):
            if not any(same(option, known) for known in options):
                options.append(option)
    if len(options) > MAX_OPTIONS:
        return Unknown(f"more than {MAX_OPTIONS} values are possible, depending on {reason}")
    return OneOf(tuple(options), reason)


def _join_readings(a: Any, b: Any, reason: str) -> Reading:
    """Two fields of CAMB objects: equal values stay, others are not resolved."""
    if type(a) is not Reading or type(b) is not Reading:
        return Reading(Unknown(f"it depends on {reason}"), "unresolved")
    if a.state == b.state:
        return Reading(join(a.value, b.value, reason), a.state, b.line or a.line, b.reason or a.reason)
    words = [f"{r.state} {describe(r.value)}" if r.state == "set" else "left alone" for r in (a, b)]
    return Reading(Unknown(f"either {words[0]} or {words[1]}, depending on {reason}"), "unresolved", a.line or b.line)


def unresolved_reason(value: Any) -> str:
    """Why a value is not one known number, word or switch."""
    if type(value) is Unknown:
        return value.reason + (f" (line {value.line})" if value.line else "")
    if type(value) is OneOf:
        words = " or ".join(describe(option) for option in value.options if option is not UNBOUND)
        return f"either {words}, depending on {value.reason}"
    return f"it is {describe(value)}"


Node = ast.AST
