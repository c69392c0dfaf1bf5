# ruff: noqa: PLR0912, PLR0917  (a branch or a return for every kind of value; one signature for all rows)
"""Calling the script's own functions: binding arguments, running the body, keeping results."""

from __future__ import annotations

import ast
from abc import abstractmethod
from typing import Any

from reliability.camb_code.methods import Methods
from reliability.camb_code.plain_values import is_known
from reliability.camb_code.state import EXIT, RAISE, RETURN, Frame, ScriptExits, ScriptRaises, Signal
from reliability.camb_code.values import UNBOUND, Cells, Function, Mapping, Scope, Unknown, join, same


def collect_bound(body: list[Any], names: set[str]) -> set[str]:
    """Add the names that statements bind (not inside expressions); returns those declared global or nonlocal."""
    outer: set[str] = set()
    for node in body:
        kind = type(node)
        targets: list[Any] = []
        if kind is ast.Assign:
            targets = list(node.targets)
        elif kind in (ast.AugAssign, ast.AnnAssign, ast.For, ast.AsyncFor):
            targets = [node.target]
        elif kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
            names.add(node.name)
            continue
        elif kind in (ast.Import, ast.ImportFrom):
            names.update((a.asname or a.name.partition(".")[0]) for a in node.names)
        elif kind in (ast.Global, ast.Nonlocal):
            outer.update(node.names)
        elif kind in (ast.With, ast.AsyncWith):
            targets = [item.optional_vars for item in node.items]
        while targets:
            target = targets.pop()
            if type(target) is ast.Name:
                names.add(target.id)
            elif type(target) in (ast.Tuple, ast.List):
                targets += target.elts
            elif type(target) is ast.Starred:
                targets.append(target.value)
        for part in ("body", "orelse", "finalbody"):
            inner = getattr(node, part, None)
            if inner:
                outer |= collect_bound(inner, names)
        for handler in getattr(node, "handlers", ()):
            outer |= collect_bound(handler.body, names)
    return outer


class ScriptFunctions(Methods):
    """Calls of functions of the script."""

    @abstractmethod
    def execute(self, body: list[ast.stmt], scope: Scope) -> Signal:
        """Run statements (filled by the statements part)."""

    def _call_function(
        self, function: Function, args: list[Any], keywords: dict[str, Any], line: int | None, hole: Unknown | None
    ) -> Any:
        if function.memo is not None:
            return self._memoised(function, function.memo, args, keywords, line, hole)
        return self._run(function, args, keywords, line, hole)

    def _memoised(
        self,
        function: Function,
        memo: Cells,
        args: list[Any],
        keywords: dict[str, Any],
        line: int | None,
        hole: Unknown | None,
    ) -> Any:
        """Call a function that keeps its results: it runs once for the same arguments."""
        given = [*args, *(part for pair in sorted(keywords.items()) for part in pair)]
        kept = memo["m"] if type(memo["m"]) is tuple else ((None, Unknown("an earlier result, or none", line)),)
        certain = hole is None
        self.state.spend(len(kept) // 4)
        for arguments, result in kept:
            if arguments is None:  # made on one of several ways: with which arguments is not known
                certain = False
                continue
            if len(arguments) != len(given):
                continue
            alike = [
                a is b or ((a == b if same(a, b) or a != b else None) if is_known(a) and is_known(b) else None)
                for a, b in zip(arguments, given, strict=True)
            ]
            if certain and all(alike) and len(kept) <= memo.get("size", len(kept)):
                return result
            certain = certain and any(one is False for one in alike)
        results: list[Any] = [result for _, result in kept]

        def runs() -> None:
            results.append(self._run(function, args, keywords, line, hole))

        def does_not_run() -> None:
            return

        if certain:
            runs()
            self.state.put(memo, "m", (*kept, (given, results[-1])))
            return results[-1]
        reason = f"whether the result of {function.name} is kept (line {line})"
        self.state.fork([runs, does_not_run], reason)
        self.state.put(memo, "m", (*kept, (None, results[-1])))
        return self._joined(results, reason)

    def _run(
        self, function: Function, args: list[Any], keywords: dict[str, Any], line: int | None, hole: Unknown | None
    ) -> Any:
        node = function.node
        scope = self._scope_of(function)
        self._bind(function, node.args, scope, args, keywords, line, hole)
        if function.is_generator:
            bound = dict(scope.vars)

            def make_scope() -> Scope:
                fresh = self._scope_of(function)
                fresh.vars.update(bound)
                return fresh

            stream = self.generator(function, bound, make_scope, line)
            stream.is_manager = function.is_manager
            return stream
        return self.run_body(function, scope)

    def _scope_of(self, function: Function) -> Scope:
        scope = Scope(function.scope)
        scope.locals = self.local_names(function.node)
        scope.function = function
        if self.replaying:
            self.state.born(scope.vars)
        return scope

    def run_body(self, function: Function, scope: Scope) -> Any:
        """Run a function whose arguments are bound; gives what it returns."""
        node = function.node
        if type(node) is ast.Lambda:
            self.depth += 1
            try:
                self.check_depth()
                return self.evaluate(node.body, scope)
            finally:
                self.depth -= 1
        state = self.state
        where = f"a branch in {function.name} (line {node.lineno})"
        base = len(state.trail)
        frame = Frame(base, (RETURN,))
        state.frames.append(frame)
        self.depth += 1
        try:
            self.check_depth()
            try:
                signal = self.execute(node.body, scope)
            except (ScriptRaises, ScriptExits) as error:
                if not frame.pending:
                    raise
                state.wait(RAISE if type(error) is ScriptRaises else EXIT, error)
                values = state.settle(frame, (RETURN,), False, where)
                return self._joined(values, where)
            present = signal[1] if signal is not None and signal[0] == RETURN else None
            values = state.settle(frame, (RETURN,), True, where)
        finally:
            self.depth -= 1
            state.frames.pop()
        return self._joined([present, *values], where)

    @staticmethod
    def _joined(values: list[Any], reason: str) -> Any:
        result = values[0]
        for value in values[1:]:
            result = join(result, value, reason)
        return result

    def local_names(self, node: Any) -> frozenset[str]:
        """Names that statements of a function bind: read before that, they raise rather than mean a global."""
        found = self._local_names.get(id(node))
        if found is None:
            names: set[str] = set()
            if type(node) is not ast.Lambda:
                outer = collect_bound(node.body, names)
                names -= outer
            found = self._local_names[id(node)] = frozenset(names)
        return found

    def _bind(
        self,
        function: Function,
        spec: ast.arguments,
        scope: Scope,
        args: list[Any],
        keywords: dict[str, Any],
        line: int | None,
        hole: Unknown | None,
    ) -> None:
        """Bind arguments as Python does; what does not fit raises in the script's name."""
        names = (
            [a.arg for a in spec.posonlyargs] + [a.arg for a in spec.args]
            if spec.posonlyargs
            else [a.arg for a in spec.args]
        )
        by_name = names[len(spec.posonlyargs) :] if spec.posonlyargs else names
        cells = scope.vars
        rest = dict(keywords)
        for name, value in zip(names, args, strict=False):
            cells[name] = value
            if name in by_name and name in rest and not (type(rest[name]) is Unknown and rest.pop(name).may_be_absent):
                raise ScriptRaises("TypeError", f"{function.name} got {name} twice", line)
        if len(args) > len(names) and spec.vararg is None:
            self.camb.find("wrong_call", f"{function.name} gets more arguments than it takes", line)
            raise ScriptRaises("TypeError", f"{function.name} takes {len(names)} arguments", line)
        if spec.vararg is not None:
            cells[spec.vararg.arg] = hole if hole is not None else tuple(args[len(names) :])
        first_default = len(names) - len(function.defaults)
        for i in range(len(args), len(names)):
            name = names[i]
            if name in rest and name in by_name:
                cells[name] = rest.pop(name)
            elif hole is not None:
                cells[name] = hole
            elif i >= first_default:
                cells[name] = function.defaults[i - first_default]
            else:
                self.camb.find("wrong_call", f"{function.name} is called without {name}", line)
                raise ScriptRaises("TypeError", f"{function.name} needs {name}", line)
        for argument, default in zip(spec.kwonlyargs, function.kw_defaults, strict=True):
            name = argument.arg
            cells[name] = rest.pop(name) if name in rest else hole if hole is not None else default
            if cells[name] is UNBOUND:
                raise ScriptRaises("TypeError", f"{function.name} needs {name}", line)
        if spec.kwarg is not None:
            cells[spec.kwarg.arg] = hole if hole is not None else Mapping(rest)
        elif rest := {k: v for k, v in rest.items() if not (type(v) is Unknown and v.may_be_absent)}:
            self.camb.find("wrong_call", f"{function.name} has no argument {min(rest)}", line)
            raise ScriptRaises("TypeError", f"{function.name} has no argument {min(rest)}", line)
