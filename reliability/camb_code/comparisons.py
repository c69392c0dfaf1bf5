# ruff: noqa: PLR0911  (a branch or a return for every kind of value)
"""Operators: arithmetic and comparisons of numbers, containers and objects of the script's."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any, Final

from reliability.camb_code.calls import Calls
from reliability.camb_code.core import OPEN
from reliability.camb_code.library_functions import ALWAYS_SET
from reliability.camb_code.number_operations import joint_array
from reliability.camb_code.plain_values import NotPlain, is_known, items_of
from reliability.camb_code.state import ScriptRaises
from reliability.camb_code.streams import NotFollowed
from reliability.camb_code.values import (
    UNBOUND,
    Builtin,
    Class,
    External,
    Instance,
    Mapping,
    OneOf,
    Stream,
    Unknown,
    is_certain,
    undecided,
)

COMPARE: Final[dict[type, Callable[[Any, Any], Any]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
COMPARE_METHODS: Final[dict[type, tuple[str, str]]] = {
    ast.Eq: ("__eq__", "__eq__"),
    ast.NotEq: ("__ne__", "__ne__"),
    ast.Lt: ("__lt__", "__gt__"),
    ast.LtE: ("__le__", "__ge__"),
    ast.Gt: ("__gt__", "__lt__"),
    ast.GtE: ("__ge__", "__le__"),
}
METHODS: Final[dict[type, str]] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.BitOr: "or",
    ast.BitAnd: "and",
    ast.BitXor: "xor",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
}


def unmixed(value: Any) -> Any:
    """A member of an enumeration that is a number or text too, as that; other values as they are."""
    return value.cells["value"] if type(value) is Instance and value.cells.get("@member") is True else value


class Comparisons(Calls):
    """Operators on abstract values."""

    def operate(self, kind: type, a: Any, b: Any, line: int | None) -> Any:
        """``a kind b`` on abstract values."""
        if type(a) is Instance or type(b) is Instance:
            a, b = unmixed(a), unmixed(b)
            name = METHODS.get(kind, "")
            for owner, other, method in ((a, b, f"__{name}__"), (b, a, f"__r{name}__")):
                result = self._ask(owner, method, other, line)
                if result is not NotImplemented:
                    return result
        return super().operate(kind, a, b, line)

    def _ask(self, owner: Any, method: str, other: Any, line: int | None) -> Any:
        """``owner.method(other)`` of an object of the script's; ``NotImplemented`` where it has none."""
        if type(owner) is not Instance or owner.cls is None:
            return NotImplemented
        found, function = self.in_class(owner.cls, method)
        if not found:
            return NotImplemented
        result = self.apply(function, [owner, other], {}, line)
        return NotImplemented if type(result) is Builtin and result.name == "NotImplemented" else result

    def compare(self, op: ast.cmpop, left: Any, right: Any, line: int) -> Any:
        """``left op right``."""
        kind = type(op)
        unknown = undecided(line)
        if kind is ast.Is or kind is ast.IsNot:
            answer = self._is_same(left, right)
            return unknown if answer is None else answer if kind is ast.Is else not answer
        if kind is ast.In or kind is ast.NotIn:
            answer = self._is_in(left, right, line)
            return unknown if answer is None else answer if kind is ast.In else not answer
        left, right = unmixed(left), unmixed(right)
        if is_known(left) and is_known(right):
            try:
                return bool(COMPARE[kind](left, right))
            except TypeError as error:
                raise ScriptRaises("TypeError", str(error), line) from None
        if type(left) is Instance or type(right) is Instance:
            return self._compare_objects(kind, left, right, line)
        try:
            a, b = self.as_plain(left), self.as_plain(right)
        except NotPlain:
            a = b = range(0)
        if type(a) is range or type(b) is range:
            unknown.is_array = joint_array(left, right)
            if unknown.is_array is None:
                self.state.doubt("ValueError", "TypeError")
            return unknown
        try:
            return bool(COMPARE[kind](a, b))
        except TypeError as error:
            raise ScriptRaises("TypeError", str(error), line) from None

    @staticmethod
    def _is_same(left: Any, right: Any) -> bool | None:
        if not (is_certain(left) and is_certain(right)):
            return None
        if type(left) is Builtin and type(right) is Builtin:
            return left.name == right.name
        if (
            left is None
            or right is None
            or isinstance(left, bool)
            or isinstance(right, bool)
            or (type(left) in (Instance, Class) and type(right) is type(left))
        ):
            return left is right
        return None

    def _is_in(self, left: Any, right: Any, line: int) -> bool | None:
        if type(right) is External and right.path == "os.environ" and type(left) is str:
            is_unset = left not in ALWAYS_SET and "env:" not in self.patched and "env:" + left not in self.patched
            return False if is_unset else None
        if type(right) is Instance and right.cls is not None:
            result = self._ask(right, "__contains__", left, line)
            return self.truth_of(result, line) if result is not NotImplemented else None
        if type(right) is str and type(left) is str:
            self.state.spend(len(right) // 64)
            return left in right
        if type(right) is Stream:
            return self._is_given(left, right, line)
        if type(right) is Mapping and type(right.cells["v"]) is dict and is_known(left):
            found = right.cells["v"].get(left, UNBOUND)
            return None if type(found) is OneOf and UNBOUND in found.options else found is not UNBOUND
        items = items_of(right)
        self.state.spend(len(items or ()) // 16)
        if items is None or not is_known(left) or not all(map(is_known, items)):
            return None
        return left in items

    def _is_given(self, left: Any, stream: Stream, line: int) -> bool | None:
        """``left in iterator``, which is read up to the item that is equal."""
        found: list[bool] = []

        def take(item: Any) -> bool:
            if not is_known(left) or not is_known(item):
                raise NotFollowed("whether an item is equal is not known")
            if item == left:
                found.append(True)
            return not found

        try:
            self.attempt(lambda: self.drain(stream, take))
        except NotFollowed as why:
            self.abandon(stream, str(why), line)
            return None
        return bool(found)

    def _compare_objects(self, kind: type, left: Any, right: Any, line: int) -> Any:
        straight, reflected = COMPARE_METHODS[kind]
        for owner, other, method in ((left, right, straight), (right, left, reflected)):
            result = self._ask(owner, method, other, line)
            if result is not NotImplemented:
                return result
        unknown = Unknown("the condition is not known", line)
        if kind is ast.NotEq:
            equal = self.truth_of(self._compare_objects(ast.Eq, left, right, line), line)
            return unknown if equal is None else not equal
        if kind is not ast.Eq or type(left) is not Instance or type(right) is not Instance:
            return unknown
        if left.cells.get("@member") is False and right.cells.get("@member") is False:
            return left is right
        fields = left.cls.fields if left.cls is not None and left.cls is right.cls else None
        if not fields or OPEN in left.cells or OPEN in right.cells or left.cls is None or left.cls.is_enum:
            return unknown
        names = [f.name for f in fields.values() if not f.is_passed]
        try:
            a, b = ([self.as_plain(each.cells.get(name, UNBOUND)) for name in names] for each in (left, right))
        except NotPlain:
            return unknown
        return a == b
