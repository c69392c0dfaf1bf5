# ruff: noqa: ARG005, D107  (one signature for all rows; the class says it)
"""Statements: assignments, branches, loops, exceptions, definitions and imports."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from reliability.camb_code.imports import Imports
from reliability.camb_code.state import BREAK, CONTINUE, RETURN, Signal
from reliability.camb_code.values import Scope, Unknown


class Statements(Imports):
    """Execution of statement nodes, dispatched by type."""

    def __init__(self, camb_line: str) -> None:
        super().__init__(camb_line)
        self._statements: dict[type, Callable[[Any, Scope], Signal]] = {
            ast.Expr: self._expression,
            ast.Assign: self._assign,
            ast.AnnAssign: self._annotated,
            ast.AugAssign: self._augmented,
            ast.If: self._if,
            ast.For: self._for,
            ast.AsyncFor: self._for,
            ast.While: self._while,
            ast.Try: self._try,
            ast.TryStar: self._try,
            ast.With: self._with,
            ast.AsyncWith: self._with,
            ast.FunctionDef: self._function,
            ast.AsyncFunctionDef: self._function,
            ast.ClassDef: self._class,
            ast.Return: self._return,
            ast.Raise: self._raise,
            ast.Import: self._import,
            ast.ImportFrom: self._import_from,
            ast.Global: self._global,
            ast.Nonlocal: self._nonlocal,
            ast.Delete: self._delete,
            ast.Assert: self._assert,
            ast.Match: self._match,
            ast.Pass: lambda node, scope: None,
            ast.Break: lambda node, scope: (BREAK, None),
            ast.Continue: lambda node, scope: (CONTINUE, None),
        }

    def execute(self, body: list[ast.stmt], scope: Scope) -> Signal:
        """Run statements until one leaves the block."""
        table_, state = self._statements, self.state
        for node in body:
            state.steps -= 1
            if state.steps < 0:
                state.spend(0)
            handler = table_.get(type(node))
            if handler is None:
                self.has_dynamic_names = True
                continue
            signal = handler(node, scope)
            if signal is not None:
                return signal
        return None

    def _if(self, node: ast.If, scope: Scope) -> Signal:
        known = self.truth_of(self.evaluate(node.test, scope), node.lineno)
        if known is not None:
            return self.execute(node.body if known else node.orelse, scope)
        return self.state.fork(
            [lambda: self.execute(node.body, scope), lambda: self.execute(node.orelse, scope)],
            f"the condition in line {node.lineno}",
        )

    def _match(self, node: ast.Match, scope: Scope) -> Signal:
        subject = self.evaluate(node.subject, scope)
        ways: list[Callable[[], Signal]] = []
        for case in node.cases:
            names: dict[str, Any] = {}
            decided = self.matches(case.pattern, subject, names, scope)
            if decided is False:
                continue
            if case.guard is not None and not decided:
                names = dict.fromkeys(names, Unknown("a part of the matched value", node.lineno))
            if case.guard is not None:
                for name, value in names.items():
                    self.assign(ast.Name(name, ast.Store()), value, scope)
                guard = self.truth_of(self.evaluate(case.guard, scope), node.lineno)
                if guard is False:
                    continue
                decided = decided if guard else None

            def way(body: list[ast.stmt] = case.body, names: dict[str, Any] = names) -> Signal:
                for name, value in names.items():
                    self.assign(ast.Name(name, ast.Store()), value, scope)
                return self.execute(body, scope)

            ways.append(way)
            if decided:
                break
        else:
            ways.append(lambda: None)
        return ways[0]() if len(ways) == 1 else self.state.fork(ways, f"the match in line {node.lineno}")

    def _return(self, node: ast.Return, scope: Scope) -> Signal:
        return RETURN, None if node.value is None else self.evaluate(node.value, scope)
