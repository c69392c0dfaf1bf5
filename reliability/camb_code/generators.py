# ruff: noqa: ARG005  (one signature for all rows)
"""Generator functions: streams whose code is the script's."""

from __future__ import annotations

import ast
import contextlib
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Final

from reliability.camb_code.plain_values import MAX_ITEMS
from reliability.camb_code.state import BORN, ScriptExits, ScriptRaises
from reliability.camb_code.streams import NotFollowed, Streams
from reliability.camb_code.values import (
    PLACE,
    UNBOUND,
    Cells,
    Function,
    Instance,
    Mapping,
    Scope,
    Sequence,
    Stream,
    Unknown,
)

MAX_WATCHED: Final = 300


def is_generator(node: Any) -> bool:
    """Whether a ``def`` makes a generator: there is a ``yield`` in it, not in a function inside it."""
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(each)
    return False


class Generators(Streams):
    """What calling a generator function gives."""

    @abstractmethod
    def run_body(self, function: Function, scope: Scope) -> Any:
        """Run a function whose arguments are bound (filled by the calls part)."""

    def generator(self, function: Function, bound: Cells, make_scope: Callable[[], Scope], line: int | None) -> Stream:
        """What calling a generator function gives: nothing of its body has run yet."""
        stream = Stream(lambda start, emit: None)

        def push(start: int, emit: Callable[[Any, int], None]) -> Any:
            if start == 0:
                stream.reads = self._reads(function, list(bound.values()))
            elif stream.reads is None or any(cells.get(k, UNBOUND) is not v for cells, k, v in stream.reads):
                raise NotFollowed("what the generator reads has changed since its last item")
            scope = make_scope()
            base, count = len(self.state.trail), 0

            def given(value: Any) -> None:
                nonlocal count
                count += 1
                if count == start:
                    self._check_pure(base, scope)
                if count > start:
                    emit(value, count)

            scope.hook = given
            replaying, self.replaying = self.replaying, self.replaying or start > 0
            try:
                return self.run_body(function, scope)
            except ScriptRaises as error:
                if error.kind == "StopIteration":
                    raise ScriptRaises("RuntimeError", "generator raised StopIteration", error.line) from None
                raise
            finally:
                self.replaying = replaying

        def rest(reason: str) -> None:
            base, events = len(self.state.trail), self.state.log["events"]
            scope = make_scope()
            scope.hook = lambda value: None
            with contextlib.suppress(ScriptRaises, ScriptExits, NotFollowed):
                self.run_body(function, scope)
            computes = self.state.log["events"] is not events
            self.state.forget(base, f"the generator {function.name} changes it at times not followed", line)
            if computes:
                self.camb.computed(Unknown(f"it is computed in the generator {function.name}: {reason}", line), line)

        stream.push, stream.rest = push, rest
        return stream

    def pure_items(self, stream: Stream) -> list[Any]:
        """All items at once, if that comes to the same for a consumer who may leave before the end."""
        base, items = len(self.state.trail), []

        def take(item: Any) -> bool:
            items.append(item)
            return len(items) < MAX_ITEMS

        replaying, self.replaying = self.replaying, True
        try:
            self.drain(stream, take)
        finally:
            self.replaying = replaying
        self._check_pure(base, None)
        self.state.put(stream.cells, PLACE, Unknown("where a loop over it is left is not known"))
        return items

    def _check_pure(self, base: int, scope: Scope | None) -> None:
        """What is run again up to the place that was reached must change nothing but its own."""
        delta = self.state.delta(base)
        own = scope.vars if scope is not None else None
        for (owner, _), (cells, key, _) in delta.items():
            if key != BORN and cells is not own and (owner, BORN) not in delta and (scope or key != PLACE):
                raise NotFollowed("the generator changes something between its items")

    def _reads(self, function: Function, values: list[Any]) -> list[tuple[Cells, Any, Any]] | None:
        """The cells that a function may read, with what they hold; ``None`` if they are too many."""
        watched: list[tuple[Cells, Any, Any]] = []
        seen: set[int] = set()
        waiting: list[Any] = [function, *values]
        while waiting:
            value = waiting.pop()
            if id(value) in seen:
                continue
            seen.add(id(value))
            if type(value) is Function:
                for name in self._free_names(value):
                    scope: Scope | None = value.scope
                    while scope is not None and name not in scope.vars:
                        scope = scope.parent
                    if scope is not None:
                        watched.append((scope.vars, name, scope.vars[name]))
                        waiting.append(scope.vars[name])
            elif type(value) is tuple:
                waiting += value
            elif type(value) in (Sequence, Mapping, Instance, Stream):
                for key, inner in value.cells.items():
                    watched.append((value.cells, key, inner))
                    waiting += inner.values() if type(inner) is dict else inner if type(inner) is list else [inner]
            if len(watched) > MAX_WATCHED or len(waiting) > MAX_WATCHED * 10:
                return None
        return watched

    def _free_names(self, function: Function) -> frozenset[str]:
        known = self._read_names.get(id(function.node))
        if known is None:
            nodes = ast.walk(function.node)
            known = frozenset(n.id for n in nodes if type(n) is ast.Name and type(n.ctx) is ast.Load)
            self._read_names[id(function.node)] = known
        self.state.spend(len(known) // 8)
        return known
