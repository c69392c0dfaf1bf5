# ruff: noqa: PLR0912, SIM102  (a branch or a return for every kind of value)
"""Call expressions: ``super()``, ``exec`` and ``eval`` of known texts, lambdas."""

from __future__ import annotations

import ast
from typing import Any

from reliability.camb_code.displays import Displays
from reliability.camb_code.mangling import mangle
from reliability.camb_code.state import ScriptRaises
from reliability.camb_code.values import (
    UNBOUND,
    Builtin,
    Class,
    External,
    Function,
    Mapping,
    OneOf,
    Scope,
    Super,
    Unknown,
    describe,
)


class CallNodes(Displays):
    """From call expressions to calls of values."""

    def _lambda(self, node: ast.Lambda, scope: Scope) -> Any:
        return self.make_function(node, node.args, scope)

    def make_function(self, node: Any, spec: ast.arguments, scope: Scope) -> Function:
        """A function value; its defaults are evaluated now, once, as in Python."""
        defaults = [self.evaluate(d, scope) for d in spec.defaults]
        kw_defaults = [UNBOUND if d is None else self.evaluate(d, scope) for d in spec.kw_defaults]
        return Function(node, scope, defaults, kw_defaults)

    def _call(self, node: ast.Call, scope: Scope) -> Any:
        function = self.evaluate(node.func, scope)
        if type(function) is Builtin and function.name == "super" and not node.keywords:
            return self._super(node, scope)
        args: list[Any] = []
        hole: Unknown | None = None
        for arg in node.args:
            if type(arg) is ast.Starred:
                more = self.all_items(self.evaluate(arg.value, scope), node.lineno)
                if more is None:
                    hole = Unknown("*arguments that are not known", node.lineno)
                elif hole is None:
                    self.state.spend(len(more) // 4)
                    args += more
            elif hole is None:
                args.append(self.evaluate(arg, scope))
        keywords: dict[str, Any] = {}
        for keyword in node.keywords:
            names = self._own_names(keyword.value, scope) if keyword.arg is None else None
            value = self.evaluate(keyword.value, scope) if names is None else Mapping({**names})
            if keyword.arg is not None:
                if keyword.arg in keywords:
                    raise ScriptRaises("TypeError", f"{keyword.arg} is given twice", node.lineno)
                keywords[keyword.arg] = value
                continue
            contents = value.cells["v"] if type(value) is Mapping else None
            if type(contents) is not dict or not all(type(k) is str for k in contents):
                hole = Unknown(f"**arguments that are not known: {describe(value)}", node.lineno)
                continue
            self.state.spend(len(contents) // 4)
            if not keywords.keys().isdisjoint(contents):
                certain = [k for k, v in contents.items() if type(v) is not OneOf or UNBOUND not in v.options]
                if not keywords.keys().isdisjoint(certain):
                    raise ScriptRaises("TypeError", "an argument is given twice", node.lineno)
                contents = {k: v for k, v in contents.items() if k not in keywords}
            for name, item in contents.items():
                if type(item) is OneOf and UNBOUND in item.options:
                    value = Unknown(f"whether {name} is given depends on {item.reason}", node.lineno)
                    value.may_be_absent = True
                    keywords[name] = value
                else:
                    keywords[name] = item
        if len(node.args) == 0 and not keywords and hole is None and type(node.func) is ast.Name:
            if node.func.id in ("locals", "vars") and scope is not self.module:
                return Mapping({k: v for k, v in scope.vars.items() if v is not UNBOUND})
        if type(function) is Builtin and function.name in ("exec", "eval") and hole is None:
            return self._dynamic(function.name, args, keywords, node, scope)
        return self.apply(function, args, keywords, node.lineno, hole)

    def _super(self, node: ast.Call, scope: Scope) -> Any:
        """``super()`` in a method, or ``super(Class, self)``."""
        if len(node.args) == 2:
            cls, instance = (self.evaluate(arg, scope) for arg in node.args)
            if type(cls) is Class:
                return Super(cls, instance)
        current: Scope | None = scope
        while current is not None and (current.function is None or current.function.owner is None):
            current = current.parent
        if current is not None and current.function is not None and current.function.owner is not None:
            spec = current.function.node.args
            first = next(iter([*spec.posonlyargs, *spec.args]), None)
            if first is not None and not node.args:
                return Super(current.function.owner, current.vars.get(first.arg, UNBOUND))
        return Unknown("super() is not followed here", node.lineno)

    def _dynamic(self, name: str, args: list[Any], keywords: dict[str, Any], node: ast.Call, scope: Scope) -> Any:
        """``exec`` and ``eval``: an expression written out is read; any other code may change all it can reach."""
        space = args[1] if len(args) == 2 else None
        in_space = type(space) is Mapping and type(space.cells["v"]) is dict
        if name == "eval" and (len(args) == 1 or in_space) and type(args[0]) is str and not keywords:
            try:
                if type(space) is Mapping:
                    scope = Scope(None)
                    scope.vars.update(space.cells["v"])
                self.state.spend(len(args[0]))
                self.texts_run.append(ast.parse(args[0].strip(), mode="eval").body)
                return self.evaluate(self.texts_run[-1], scope)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return Unknown("the text given to eval is not read", node.lineno)
        if name == "exec" and len(args) in (1, 2) and type(args[0]) is str and not keywords:
            given = space if type(space) is Mapping else None
            if (in_space or len(args) == 1) and self._execute_text(args[0], given, node.lineno, scope):
                return None
        result = self.apply(Builtin(name), args, keywords, node.lineno)
        self.escape([*args, *keywords.values()], "code made at run time", node.lineno)
        current: Scope | None = scope if len(args) + len(keywords) < 2 else None
        while current is not None:
            reachable = [v for v in current.vars.values() if type(v) not in (Function, Class, External, Builtin)]
            self.escape(reachable, "code made at run time", node.lineno)
            current = current.parent
        return result

    def _execute_text(self, text: str, space: Mapping | None, line: int, scope: Scope) -> bool:
        """Follow ``exec`` of a known text in the module, a function or a dictionary; ``False`` if it cannot be."""
        self.state.spend(len(text))
        try:
            tree = ast.parse(text)
            self.texts_run.append(tree)
            mangle(tree, text)
        except (SyntaxError, ValueError) as error:
            raise ScriptRaises("SyntaxError", str(error).partition("\n")[0], line) from None
        except (RecursionError, MemoryError):
            return False
        for each in ast.walk(tree):
            if isinstance(each, ast.Global | ast.Nonlocal | ast.Yield):
                return False
            if hasattr(each, "lineno"):
                each.lineno = line
        if space is None:
            self.execute(tree.body, scope if scope is self.module else Scope(scope))
            return True
        inner = Scope(None)
        inner.vars.update(space.cells["v"])
        try:
            self.execute(tree.body, inner)
        finally:
            self.state.put(space.cells, "v", {k: v for k, v in inner.vars.items() if v is not UNBOUND})
        return True
