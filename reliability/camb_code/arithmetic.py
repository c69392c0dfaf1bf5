# ruff: noqa: N818  (a way a computation ends, caught where it is raised)
"""Arithmetic on known values, bounded: shared by the interpreter and by the ``[derived]`` formulas of a task."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

MAX_BITS: Final = 4096
"""Integers longer than this are not computed."""
MAX_LENGTH: Final = 100_000
"""Strings and lists longer than this are not built."""
MAX_DIGITS: Final = 400
"""Places that a number is rounded to, before or after the point."""


class NotComputed(Exception):
    """The result would be too large, or Python raises; the message says which, ``raised`` is Python's error."""

    raised = ""


def _power(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int) and b > 0 and a.bit_length() * b > MAX_BITS:
        raise NotComputed("the integer power is too large")
    return a**b


def _multiply(a: Any, b: Any) -> Any:
    for sized, count in ((a, b), (b, a)):
        if isinstance(sized, str | bytes | tuple | list):
            if not isinstance(count, int):
                raise NotComputed("a sequence times something that is no integer")
            if len(sized) * count > MAX_LENGTH:
                raise NotComputed("the repeated sequence is too long")
            return sized * count
    if isinstance(a, int) and isinstance(b, int) and a.bit_length() + b.bit_length() > MAX_BITS:
        raise NotComputed("the integer product is too large")
    return a * b


def _shift(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int) and a.bit_length() + b > MAX_BITS:
        raise NotComputed("the shift is too large")
    return a << b


def _modulo(a: Any, b: Any) -> Any:
    if isinstance(a, str | bytes):
        raise NotComputed("old-style string formatting")
    return a % b


BINARY: Final[dict[type, Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: _multiply,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: _modulo,
    ast.Pow: _power,
    ast.LShift: _shift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
UNARY: Final[dict[type, Callable[[Any], Any]]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}
FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "exp": math.exp,
    "log": math.log,
    "log10": math.log10,
    "log2": math.log2,
    "log1p": math.log1p,
    "expm1": math.expm1,
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "abs": abs,
    "min": min,
    "max": max,
}
"""Functions allowed in formulas; the interpreter finds them under ``math``, ``numpy`` and Python's own names."""
CONSTANTS: Final = {"pi": math.pi, "e": math.e}
FORMULA_LENGTH: Final = 1000
_RAISED: Final = (ArithmeticError, TypeError, ValueError, MemoryError)


def binary(kind: type, a: Any, b: Any) -> Any:
    """``a kind b`` for an operator class of :mod:`ast`; :class:`NotComputed` says why not."""
    try:
        result = BINARY[kind](a, b)
    except _RAISED as error:
        refused = NotComputed(f"{type(error).__name__}: {error}")
        refused.raised = type(error).__name__
        raise refused from None
    except KeyError:
        raise NotComputed(f"the operator {kind.__name__}") from None
    if is_too_large(result):
        raise NotComputed("the result is too long")
    return result


def is_too_large(value: Any) -> bool:
    """Whether a number or text is longer than the reader handles: no step may cost more than a bounded time."""
    if isinstance(value, int):
        return value.bit_length() > 2 * MAX_BITS
    return isinstance(value, str | bytes) and len(value) > MAX_LENGTH


def rounded(value: Any, *digits: Any) -> Any:
    """``round``; places that no number has are refused, for Python computes their power of ten."""
    if any(isinstance(n, int) and abs(n) > MAX_DIGITS for n in digits):
        raise NotComputed("rounding to so many places")
    return round(value, *digits)


def evaluate_arithmetic(expression: str, names: Mapping[str, float]) -> float:
    """Value of an arithmetic formula over given names.

    Allowed are numbers, the names, ``pi``, ``e``, ``+ - * / // % **``, parentheses and the functions of
    :data:`FUNCTIONS`.  A name given in ``names`` hides a constant.  Nothing is ever executed.

    Raises
    ------
    ValueError
        Naming what is not allowed, not known, too large or not finite.

    >>> round(evaluate_arithmetic("1.8e-9*exp(2*tau)", {"tau": 0.1}) * 1e9, 6)
    2.198525
    """
    if len(expression) > FORMULA_LENGTH:
        raise ValueError(f"a formula may have at most {FORMULA_LENGTH} characters, this one has {len(expression)}")
    try:
        tree = ast.parse(expression.strip(), mode="eval").body
        value = _evaluate(tree, names)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(f"{expression!r} is not a formula: {getattr(error, 'msg', error)}") from None
    except NotComputed as error:
        raise ValueError(f"{expression!r} has no value: {error}") from None
    try:
        result = float(value)
    except (OverflowError, TypeError):
        raise ValueError(f"{expression!r} is not a real number") from None
    if not math.isfinite(result):
        raise ValueError(f"{expression!r} is not finite")
    return result


def _evaluate(node: ast.AST, names: Mapping[str, float]) -> Any:
    """Recursive part of :func:`evaluate_arithmetic`."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.Name(id=name):
            if name in names:
                return names[name]
            if name in CONSTANTS:
                return CONSTANTS[name]
            raise ValueError(f"unknown name {name!r}; known: {', '.join([*names, *CONSTANTS]) or 'none'}")
        case ast.BinOp(left=left, op=op, right=right) if not isinstance(op, ast.MatMult):
            return binary(type(op), _evaluate(left, names), _evaluate(right, names))
        case ast.UnaryOp(op=ast.UAdd() | ast.USub() as op, operand=operand):
            return UNARY[type(op)](_evaluate(operand, names))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
            values = [_evaluate(arg, names) for arg in args]
            try:
                return FUNCTIONS[name](*values)
            except _RAISED as error:
                raise NotComputed(f"{name}: {error}") from None
    what = ast.unparse(node) if not isinstance(node, ast.Starred) else "*"
    raise ValueError(f"{what[:60]!r} is not allowed; allowed: + - * / // % **, numbers, names, {', '.join(FUNCTIONS)}")
