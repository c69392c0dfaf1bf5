# ruff: noqa: PLR0911, ARG004, D107  (a branch or a return for every kind of value; one signature for all rows; the class says it)
"""Expressions: from syntax nodes to abstract values."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final

from reliability.camb_code.arithmetic import UNARY, is_too_large
from reliability.camb_code.comprehensions import Comprehensions
from reliability.camb_code.core import OPEN
from reliability.camb_code.plain_values import is_known
from reliability.camb_code.state import BudgetExceeded, ScriptRaises, Signal
from reliability.camb_code.values import (
    SCALARS,
    UNBOUND,
    CambObject,
    Class,
    External,
    Function,
    Instance,
    Mapping,
    OneOf,
    PathText,
    Scope,
    Sequence,
    Unknown,
    is_certain,
    join,
    undecided,
)

ALWAYS_TRUE: Final = (CambObject, External, Function, Class, PathText)


def truth(value: Any) -> bool | None:
    """``bool(value)``, or ``None`` if it is not known."""
    kind = type(value)
    if kind in SCALARS or kind is tuple:
        return bool(value)
    if kind in ALWAYS_TRUE:
        return True if is_certain(value) else None
    if kind in (Sequence, Mapping) and type(value.cells["v"]) in (list, dict):
        if kind is Sequence and value.kind == "array":
            return bool(value.cells["v"][0]) if len(value.cells["v"]) == 1 and is_known(value.cells["v"][0]) else None
        return bool(value.cells["v"])
    if kind is OneOf:
        answers = {truth(option) for option in value.options}
        return answers.pop() if len(answers) == 1 else None
    if kind is Instance and value.cls is None:
        return True
    return None


class Expressions(Comprehensions):
    """Evaluation of expression nodes, dispatched by type."""

    def __init__(self, camb_line: str) -> None:
        super().__init__(camb_line)
        self._by_type: dict[type, Callable[[Any, Scope], Any]] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
            ast.BinOp: self._binary,
            ast.UnaryOp: self._unary,
            ast.BoolOp: self._boolean,
            ast.Compare: self._compare,
            ast.IfExp: self._conditional,
            ast.Tuple: self._tuple,
            ast.List: self._list,
            ast.Set: self._set,
            ast.Dict: self._dict,
            ast.Subscript: self._subscript,
            ast.JoinedStr: self._f_string,
            ast.FormattedValue: self._formatted,
            ast.Lambda: self._lambda,
            ast.NamedExpr: self._walrus,
            ast.ListComp: self._comprehension,
            ast.SetComp: self._comprehension,
            ast.GeneratorExp: self._comprehension,
            ast.DictComp: self._comprehension,
            ast.Starred: self._starred,
            ast.Await: self._await,
            ast.Yield: self._yield,
            ast.YieldFrom: self._yield,
            ast.Slice: self._slice,
        }

    def evaluate(self, node: ast.AST, scope: Scope) -> Any:
        """Value of an expression node."""
        state = self.state
        state.steps -= 1
        if state.steps < 0:
            state.spend(0)
        handler = self._by_type.get(type(node))
        if handler is None:
            return Unknown(f"{type(node).__name__} is not followed", getattr(node, "lineno", None))
        return handler(node, scope)

    @staticmethod
    def _constant(node: ast.Constant, scope: Scope) -> Any:
        value = node.value
        if type(value) is float:
            return value
        if value is ... or is_too_large(value):
            return Unknown("an ellipsis" if value is ... else "a constant that is too long", node.lineno)
        return value

    def _name(self, node: ast.Name, scope: Scope) -> Any:
        value = scope.vars.get(node.id, UNBOUND)
        if value is not UNBOUND and type(value) is not OneOf:
            return value
        return self.lookup(node.id, scope, node.lineno)

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Any:
        return self.attribute(self.evaluate(node.value, scope), node.attr, node.lineno)

    def _binary(self, node: ast.BinOp, scope: Scope) -> Any:
        left, right = self.evaluate(node.left, scope), self.evaluate(node.right, scope)
        kind = type(left)
        if kind is str and type(node.op) is ast.Mod:
            return self.formatted(left, right, node.lineno)
        if (kind is float or kind is int) and type(node.op) is ast.Mult and type(right) is float:
            return left * right
        return self.operate(type(node.op), left, right, node.lineno)

    def _unary(self, node: ast.UnaryOp, scope: Scope) -> Any:
        value = self.evaluate(node.operand, scope)
        if type(node.op) is ast.Not:
            known = self.truth_of(value, node.lineno)
            return not known if known is not None else undecided(node.lineno)
        if type(value) in SCALARS:
            try:
                return UNARY[type(node.op)](value)
            except TypeError as error:
                raise ScriptRaises("TypeError", str(error), node.lineno) from None
        if type(node.op) is ast.USub:
            return self.operate(ast.Mult, value, -1, node.lineno)
        return Unknown("this operation is not followed", node.lineno)

    def _boolean(self, node: ast.BoolOp, scope: Scope) -> Any:
        is_and = type(node.op) is ast.And
        value = self.evaluate(node.values[0], scope)
        for later in node.values[1:]:
            known = self.truth_of(value, node.lineno)
            if known is not None:
                if known is not is_and:
                    return value
                value = self.evaluate(later, scope)
            else:
                value = self._either(value, later, scope, node.lineno)
        return value

    def _either(self, value: Any, later: ast.expr, scope: Scope, line: int) -> Any:
        """The first operand is undecided: the second is evaluated, or not."""
        results: list[Any] = []

        def evaluated() -> None:
            results.append(self.evaluate(later, scope))

        def not_evaluated() -> None:
            return

        self.state.fork([evaluated, not_evaluated], f"a condition in line {line}")
        return join(value, results[0], f"a condition in line {line}") if results else value

    def _compare(self, node: ast.Compare, scope: Scope) -> Any:
        left = self.evaluate(node.left, scope)
        result: Any = True
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.evaluate(right_node, scope)
            result = self.compare(op, left, right, node.lineno)
            if result is False:
                return False
            if result is not True:
                for _ in node.comparators[1:]:
                    return Unknown("the condition is not known", node.lineno)
            left = right
        return result

    def truth_of(self, value: Any, line: int | None) -> bool | None:
        """``bool(value)`` if it is known; an object of the script's is asked."""
        if type(value) is not Instance or value.cls is None:
            known = truth(value)
            if known is None and not (type(value) is Unknown and value.is_array is False):
                self.state.doubt("ValueError", "TypeError")
            return known
        for name in ("__bool__", "__len__"):
            found, method = self.in_class(value.cls, name)
            if found:
                return truth(self.apply(method, [value], {}, line))
        return True if self.is_plain(value.cls) and not value.cls.is_enum and OPEN not in value.cells else None

    def _conditional(self, node: ast.IfExp, scope: Scope) -> Any:
        known = self.truth_of(self.evaluate(node.test, scope), node.lineno)
        if known is not None:
            return self.evaluate(node.body if known else node.orelse, scope)
        results: list[Any] = []

        def way(branch: ast.expr) -> Callable[[], Signal]:
            def run() -> None:
                results.append(self.evaluate(branch, scope))

            return run

        reason = f"the condition in line {node.lineno}"
        signal = self.state.fork([way(node.body), way(node.orelse)], reason)
        if signal is not None or not results:
            raise signal[1] if signal is not None else BudgetExceeded("no branch")
        return results[0] if len(results) == 1 else join(results[0], results[1], reason)
