# ruff: noqa: PLR0911, PLR0912  (a branch or a return for every kind of value)
"""Arithmetic on abstract values."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import Any, Final

from reliability.camb_code.arithmetic import BINARY, FUNCTIONS, NotComputed, binary
from reliability.camb_code.core import Core
from reliability.camb_code.numeric import (
    ARRAYS,
    MAKERS,
    OF_MATH,
    is_plain_grid,
)
from reliability.camb_code.plain_values import MAX_ITEMS, ZERO, NotPlain, is_known, items_of, plain
from reliability.camb_code.state import (
    OF_ARRAYS,
    ScriptRaises,
)
from reliability.camb_code.values import SCALARS, External, Instance, Mapping, OneOf, PathText, Sequence, Unknown

SET_OPERATIONS: Final = frozenset({ast.Sub, ast.BitAnd, ast.BitOr, ast.BitXor})

UFUNCS: Final[dict[str, type[ast.operator]]] = {
    "power": ast.Pow,
    "float_power": ast.Pow,
    "add": ast.Add,
    "subtract": ast.Sub,
    "multiply": ast.Mult,
    "divide": ast.Div,
    "true_divide": ast.Div,
    "pow": ast.Pow,
}

MAX_INSIDE: Final = 2000
"""Items of tuples inside tuples, which every look at the outermost one may count again."""

OF_ITEMS: Final = frozenset({"min", "max", "sum", "tuple", "any", "all"})
"""Those of :data:`PLAIN` that only look at the items of what they are given."""


DIVISIONS: Final = frozenset({ast.Div, ast.FloorDiv, ast.Mod, ast.Pow})


def is_one_value(value: Any) -> bool:
    """Whether it is a number, or a member of an enumeration of flags, which combine."""
    cls = value.cls if type(value) is Instance else None
    if cls is None:
        return type(value) in (int, float, bool)
    return any(type(base) is External and base.path.endswith("Flag") for each in cls.mro for base in each.bases)


def joint_array(a: Any, b: Any) -> bool | None:
    """Whether what two values give together is an array, or one value, if that is known."""
    kinds = {v.is_array if type(v) is Unknown else False if is_one_value(v) else None for v in (a, b)}
    return None if None in kinds else True in kinds


class NumberOperations(Core):
    """Operators and elementwise functions."""

    def _numeric(self, root: str, name: str, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
        if root == "numpy":
            self.has_numpy_numbers = True
        if name in FUNCTIONS and len(args) == 1 and not keywords and not (root == "math" and name in OF_ITEMS):
            return self._elementwise(FUNCTIONS[name], args[0], f"{root}.{name}", line)
        if name in UFUNCS and len(args) == 2 and not keywords:
            return self.operate(UFUNCS[name], args[0], args[1], line)
        if root == "math" and name in OF_MATH and all(type(arg) in (int, float, bool) for arg in args):
            try:
                return OF_MATH[name](*args, **{k: v for k, v in keywords.items() if type(v) in (int, float)})
            except (TypeError, ValueError, ArithmeticError) as error:
                raise ScriptRaises(type(error).__name__, str(error), line) from None
        maker = MAKERS.get(name)
        if maker is not None and not (args and type(args[0]) is Unknown and args[0].spectrum is not None):
            try:
                made = maker(args, keywords)
                self.state.spend(len(made.cells["v"]) // 4 if type(made) is Sequence else 0)
                return made
            except (TypeError, ValueError, ArithmeticError, KeyError, IndexError):
                if not is_plain_grid(name, args, keywords):
                    self.state.doubt(*OF_ARRAYS)
                made = Unknown(f"{root}.{name} of these arguments is not followed", line, is_tame=True)
                made.is_array = True if name in ARRAYS else None
                return made
        return NotImplemented

    def _elementwise(self, function: Callable[[Any], Any], value: Any, what: str, line: int | None) -> Any:
        if type(value) in (int, float, bool):
            if what.endswith((".min", ".max")):
                return value
            try:
                return function(value)
            except (ArithmeticError, ValueError) as error:
                if what.startswith("math."):
                    raise ScriptRaises(type(error).__name__, str(error), line) from None
                return Unknown(f"{what}({value}) is not finite", line)
        if not (type(value) is Unknown and value.is_array is not None) or what.startswith("math."):
            self.state.doubt(*OF_ARRAYS)
        if type(value) is Unknown:
            return value
        items = items_of(value)
        if items is None or not all(type(item) in (int, float) for item in items) or not items:
            return Unknown(f"{what} of an unknown value", line)
        if what.endswith((".min", ".max")):
            return function(items)
        self.state.spend(len(items) // 4)
        try:
            return Sequence([function(item) for item in items], "array")
        except (ArithmeticError, ValueError):
            return Unknown(f"{what} is not finite", line)

    def operate(self, kind: type, a: Any, b: Any, line: int | None) -> Any:
        """``a kind b`` on abstract values."""
        if type(a) in SCALARS and type(b) in SCALARS:
            if kind is ast.Div and isinstance(a, PathText | str) and (type(a) is PathText or type(b) is PathText):
                return PathText(f"{a}/{b}")
            try:
                result = binary(kind, a, b)
                if type(result) is str or type(result) is bytes:
                    self.state.spend(len(result) // 64)
                return result
            except NotComputed as error:
                if error.raised in ("TypeError", "ValueError") or (error.raised and not self.has_numpy_numbers):
                    raise ScriptRaises(error.raised, str(error), line) from None
                self.may_raise = True
                return Unknown(str(error), line)
        if type(a) is OneOf or type(b) is OneOf:
            return self._operate_options(kind, a, b, line)
        if type(a) is Unknown or type(b) is Unknown:
            reason = a.reason if type(a) is Unknown else b.reason
            tail = ""
            if kind is ast.Add and isinstance(b, str):
                tail = (a.tail if type(a) is Unknown else "") + b
            elif kind is ast.Add and type(b) is Unknown:
                tail = b.tail
            elif kind is ast.Div and isinstance(b, str):
                tail = "/" + b
            elif kind is ast.Div and type(b) is Unknown:
                tail = b.tail
            is_tame = all(type(v) in SCALARS or (v.is_tame if type(v) is Unknown else is_one_value(v)) for v in (a, b))
            result = Unknown(reason, line, tail, is_tame)
            result.is_array = joint_array(a, b)
            if not is_tame:
                self.may_raise = True
            elif result.is_array is None or (result.is_array and not any(joint_array(v, v) is False for v in (a, b))):
                self.state.doubt(*OF_ARRAYS)
            if kind in DIVISIONS and type(b) is Unknown and not b.is_array:
                self.state.doubt("ZeroDivisionError", "OverflowError")
            spectra = [v.spectrum for v in (a, b) if type(v) is Unknown and v.spectrum is not None]
            result.spectrum = spectra[0] if len(spectra) == 1 else None
            return result
        if kind is ast.BitOr and type(a) is Mapping and type(b) is Mapping and a.factory is not ZERO:
            left, right = a.cells["v"], b.cells["v"]
            if type(left) is dict and type(right) is dict:
                return Mapping({**left, **right})
        return self._operate_sequences(kind, a, b, line)

    def _operate_options(self, kind: type, a: Any, b: Any, line: int | None) -> Any:
        left = a.options if type(a) is OneOf else (a,)
        right = b.options if type(b) is OneOf else (b,)
        if len(left) * len(right) > 16 or not all(type(x) in SCALARS for x in (*left, *right)):
            reason = (a if type(a) is OneOf else b).reason
            return Unknown(f"it depends on {reason}", line)
        results = []
        for x in left:
            for y in right:
                try:
                    results.append(binary(kind, x, y))
                except NotComputed:
                    self.may_raise = True
                    return Unknown("not every alternative has a value", line)
        unique = list(dict.fromkeys(results))
        reason = (a if type(a) is OneOf else b).reason
        if len(unique) == 1:
            return unique[0]
        return OneOf(tuple(unique), reason) if len(unique) <= 8 else Unknown(f"it depends on {reason}", line)

    def _operate_sequences(self, kind: type, a: Any, b: Any, line: int | None) -> Any:
        arrays = [v for v in (a, b) if type(v) is Sequence and v.kind == "array"]
        if arrays:
            items = [items_of(v) if type(v) is Sequence else None for v in (a, b)]
            size = max(len(i) for i in items if i is not None) if any(i is not None for i in items) else 0
            left = items[0] if items[0] is not None else [a] * size
            right = items[1] if items[1] is not None else [b] * size
            flat = all(type(x) in (int, float) for x in (*left, *right))
            if flat and size and len(left) == len(right):
                self.state.spend(size // 4)
                try:
                    return Sequence([BINARY[kind](x, y) for x, y in zip(left, right, strict=True)], "array")
                except (ArithmeticError, TypeError, ValueError, KeyError):
                    pass
            if flat and len(left) != len(right) and 1 not in (len(left), len(right)):
                raise ScriptRaises("ValueError", f"arrays of {len(left)} and {len(right)} numbers", line)
            self.state.doubt(*OF_ARRAYS)
            return Unknown("array arithmetic that is not followed", line)
        left_items, right_items = items_of(a), items_of(b)
        is_list = type(a) is Sequence and a.kind == "list"
        alike = type(b) is type(a) and (type(a) is tuple or (is_list and b.kind == "list"))
        if kind is ast.Add and alike and left_items is not None and right_items is not None:
            n_items = len(left_items) + len(right_items)
            self.state.spend(n_items // 8)
            if n_items <= MAX_ITEMS:
                joined = left_items + right_items
                return self.made_tuple(joined, line) if type(a) is tuple else Sequence(joined)
        if kind in SET_OPERATIONS and type(a) is Sequence and type(b) is Sequence and left_items is not None:
            known = right_items is not None and all(map(is_known, [*left_items, *right_items]))
            if known and right_items is not None and {a.kind, b.kind} <= {"set", "keys"}:
                self.state.spend((len(left_items) + len(right_items)) // 8)
                return Sequence(list(BINARY[kind](set(left_items), set(right_items))), "set")
        if kind is ast.Mult and left_items is not None and type(b) is int and (is_list or type(a) is tuple):
            if abs(b) > sys.maxsize:
                raise ScriptRaises("OverflowError", "a list times a number that is too large", line)
            if len(left_items) * b <= MAX_ITEMS:
                self.state.spend(len(left_items) * max(b, 0) // 8)
                return self.made_tuple(left_items * b, line) if type(a) is tuple else Sequence(left_items * b)
        result = Unknown("this operation is not followed", line, is_tame=is_one_value(a) and is_one_value(b))
        result.is_array = joint_array(a, b)
        if not (result.is_tame and kind in SET_OPERATIONS):
            self.may_raise = True
        return result

    def as_plain(self, value: Any) -> Any:
        """A known value as Python's own, or :class:`NotPlain`; what it holds is paid for, and bounded."""
        n_items = 0

        def count(n: int) -> None:
            nonlocal n_items
            n_items += n
            self.state.spend((n + 3) // 4)
            if n_items > MAX_ITEMS:
                raise NotPlain

        return plain(value, count)

    def made_tuple(self, items: list[Any], line: int | None) -> Any:
        """A tuple; one that holds too much, counting what is inside its tuples, is not followed."""
        waiting = [item for item in items if type(item) is tuple]
        n_inside = 0
        while waiting:
            inner = waiting.pop()
            n_inside += 1 + len(inner)
            waiting += [item for item in inner if type(item) is tuple]
            if n_inside > MAX_INSIDE:
                return Unknown("tuples that are nested too deeply", line)
        self.state.spend((len(items) + n_inside) // 16)
        return tuple(items)
