# ruff: noqa: PLR0911  (a branch or a return for every kind of value)
"""Which values are known, and what they are as Python's own."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any, Final

from reliability.camb_code.core import OPEN
from reliability.camb_code.values import SCALARS, Builtin, Class, External, Instance, Mapping, PathText, Sequence

ZERO: Final = Builtin("@zero")
"""What a ``Counter`` gives for a key it does not have."""

MAX_ITEMS: Final = 20_000


def is_known(value: Any) -> bool:
    """Whether a value is a plain Python scalar or a tuple of them."""
    kind = type(value)
    return kind in SCALARS or (kind is tuple and all(is_known(item) for item in value))


def items_of(value: Any) -> list[Any] | None:
    """The items a loop over a value meets, if they are known."""
    kind = type(value)
    if kind is tuple:
        return list(value)
    if kind is Sequence:
        contents = value.cells["v"]
        return contents if type(contents) is list else None
    if kind is Mapping:
        contents = value.cells["v"]
        return list(contents) if type(contents) is dict else None
    if kind is str and len(value) <= MAX_ITEMS:
        return list(value)
    if kind is Instance and value.cls is not None and OPEN not in value.cells:
        fields = next((each.fields for each in value.cls.mro if each.is_tuple), None)
        return [value.cells.get(name) for name in fields] if fields is not None else None
    return None


def in_order(value: Any) -> bool:
    """Whether the order of the items is known: that of a set is not."""
    if type(value) is not Sequence or value.kind != "set":
        return True
    contents = value.cells["v"]
    return type(contents) is not list or len(contents) < 2


class NotPlain(Exception):  # noqa: N818
    """A value has parts that are not known, or of a kind of their own."""


def plain(value: Any, spend: Callable[[int], None], depth: int = 0) -> Any:
    """A known value as Python's own, or :class:`NotPlain`; `spend` is told how many items were looked at."""
    if type(value) in SCALARS:
        return value
    if depth < 6:
        contents = value.cells["v"] if type(value) in (Sequence, Mapping) else value
        if type(contents) in (tuple, list, dict):
            spend(len(contents))
        if type(value) is tuple:
            return tuple(plain(item, spend, depth + 1) for item in value)
        if type(contents) is list and value.kind in ("list", "set", "keys", "range"):
            items = [plain(item, spend, depth + 1) for item in contents]
            return items if value.kind == "list" else range(0) if value.kind == "range" else set(items)
        if type(contents) is dict and value.factory is None:
            return {k: plain(v, spend, depth + 1) for k, v in contents.items()}
    raise NotPlain


def abstract(value: Any) -> Any:
    """A plain Python value as an abstract one."""
    if type(value) is dict:
        return Mapping({k: abstract(v) for k, v in value.items()})
    if type(value) in (list, set):
        return Sequence([abstract(v) for v in value], "list" if type(value) is list else "set")
    if type(value) is tuple:
        return tuple(abstract(v) for v in value)
    return value


PYTHON_TYPES: Final[dict[str, type]] = {
    name: getattr(builtins, name)
    for name in ["bool", "bytes", "complex", "dict", "float", "int", "list", "set", "str", "tuple"]
}

NUMBERS: Final = frozenset({"numbers.Number", "numbers.Real", "numbers.Complex"})


def python_type(value: Any) -> type | None:
    """The type of a value, where it is one of Python's own."""
    kind = type(value)
    if kind in SCALARS and kind is not PathText:
        return kind
    if kind is tuple or (kind is Mapping and value.factory is None):
        return tuple if kind is tuple else dict
    if kind is Sequence:
        return {"list": list, "set": set, "range": range}.get(value.kind)
    return None


def type_matches(value: Any, cls: Any, has_numpy_numbers: bool) -> bool | None:
    """``isinstance(value, cls)``, where it is known."""
    if type(cls) is tuple:
        answers = [type_matches(value, each, has_numpy_numbers) for each in cls]
        return True if True in answers else None if None in answers else False
    if type(value) is Instance and value.cls is not None:
        if type(cls) is Class:
            mro, unread = value.cls.mro, [b for each in value.cls.mro for b in each.bases if type(b) is not Class]
            return True if cls in mro else False if not unread else None
        return False if type(cls) is Builtin and not any(each.bases for each in value.cls.mro) else None
    own = python_type(value)
    if own is None or (own in (int, bool) and has_numpy_numbers):
        return None
    if type(cls) is External and cls.path in NUMBERS:
        return issubclass(own, int | float | complex) if cls.path != "numbers.Real" else issubclass(own, int | float)
    if type(cls) is Class:
        return False
    known = PYTHON_TYPES.get(cls.name) if type(cls) is Builtin else None
    return issubclass(own, known) if known is not None else None
