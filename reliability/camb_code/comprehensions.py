# ruff: noqa: ARG005  (one signature for all rows)
"""Comprehensions, generator expressions and ``yield``."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Final

from reliability.camb_code.call_nodes import CallNodes
from reliability.camb_code.plain_values import MAX_ITEMS, in_order, is_known
from reliability.camb_code.state import Signal
from reliability.camb_code.streams import NotFollowed
from reliability.camb_code.values import PLACE, UNBOUND, Mapping, Scope, Sequence, Stream, Unknown

BY_KEY: Final = (ast.DictComp, ast.SetComp)

UNROLL: Final = 64
"""Loops over more items than this are not unrolled."""


class Comprehensions(CallNodes):
    """Loops inside expressions."""

    @abstractmethod
    def assign(self, target: ast.expr, value: Any, scope: Scope) -> None:
        """Bind a target (filled by the statements part)."""

    @abstractmethod
    def loop(self, items: Any, target: ast.expr, body: Callable[[], Signal], scope: Scope, line: int) -> Signal:
        """Run a loop (filled by the statements part)."""

    def _walrus(self, node: ast.NamedExpr, scope: Scope) -> Any:
        value = self.evaluate(node.value, scope)
        while scope.parent is not None and "@comprehension" in scope.vars:
            scope = scope.parent
        self.assign(node.target, value, scope)
        return value

    def _starred(self, node: ast.Starred, scope: Scope) -> Any:
        return self.evaluate(node.value, scope)

    def _await(self, node: ast.Await, scope: Scope) -> Any:
        return self.evaluate(node.value, scope)

    def _yield(self, node: ast.Yield | ast.YieldFrom, scope: Scope) -> Any:
        value = self.evaluate(node.value, scope) if node.value is not None else None
        hook = scope.hook
        if hook is None:
            return Unknown("what a generator is sent is not followed", node.lineno)
        if type(node) is ast.Yield:
            hook(value)
            return None
        stream = self.stream_of(value, node.lineno)
        if type(stream) is not Stream:
            raise NotFollowed("it yields from what is not known")

        def passed_on(item: Any) -> bool:
            hook(item)
            return True

        return self.drain(stream, passed_on)

    def _comprehension(self, node: Any, scope: Scope) -> Any:
        if type(node) is ast.GeneratorExp:
            return self._generator_expression(node, scope)
        first = self.evaluate(node.generators[0].iter, scope)
        inner = self._comprehension_scope(scope)
        items: list[Any] = []
        try:
            certain = self.attempt(lambda: self._generate(node, node.generators, inner, items, first))
        except NotFollowed as why:
            certain = self._generate(node, node.generators, inner, [], Unknown(str(why), node.lineno))
        is_dict = type(node) is ast.DictComp
        if not certain:
            reason = Unknown("a comprehension over items that are not known", node.lineno)
            return Mapping(reason) if is_dict else Sequence(reason)
        if is_dict:
            if not all(is_known(k) for k, _ in items):
                return Mapping(Unknown("a key is not known", node.lineno))
            return Mapping(dict(items))
        if type(node) is ast.SetComp:
            known = all(map(is_known, items))
            return Sequence(list(dict.fromkeys(items)) if known else Unknown("not known", node.lineno), "set")
        return Sequence(items)

    def _comprehension_scope(self, scope: Scope) -> Scope:
        inner = Scope(scope)
        inner.vars["@comprehension"] = True
        if self.replaying:
            self.state.born(inner.vars)
        return inner

    def _generator_expression(self, node: ast.GeneratorExp, scope: Scope) -> Any:
        """Its first source is looked at now, all else when an item is asked for."""
        source = self.evaluate(node.generators[0].iter, scope)
        line = node.lineno

        def rest(reason: str) -> None:
            self._generate(node, node.generators, self._comprehension_scope(scope), [], Unknown(reason, line))

        first = self.stream_of(source, line) if in_order(source) else None
        if type(first) is not Stream:
            self.escape([source], "a generator", line)
            stream = Stream(lambda start, emit: None)
            stream.cells[PLACE] = Unknown("its items are not known", line)
            rest("its items are not known")
            stream.rest = rest
            return stream

        def push(start: int, emit: Callable[[Any, int], None]) -> None:
            inner = self._comprehension_scope(scope)
            place = start

            def given(value: Any) -> None:
                nonlocal place
                place += 1
                emit(value, place)

            self._push_items(node, node.generators, first, inner, given)

        stream = Stream(push)
        stream.rest = rest
        return stream

    def _push_items(
        self, node: Any, generators: list[ast.comprehension], source: Any, scope: Scope, given: Callable[[Any], None]
    ) -> None:
        generator = generators[0]
        stream = self.stream_of(source, node.lineno)
        if type(stream) is not Stream:
            raise NotFollowed("its items are not known")

        def take(item: Any) -> bool:
            self.assign(generator.target, item, scope)
            for condition in generator.ifs:
                known = self.truth_of(self.evaluate(condition, scope), node.lineno)
                if known is None:
                    raise NotFollowed("whether an item is taken is not known")
                if not known:
                    return True
            if len(generators) == 1:
                given(self.evaluate(node.elt, scope))
            else:
                inner = self.evaluate(generators[1].iter, scope)
                self._push_items(node, generators[1:], inner, scope, given)
            return True

        self.drain(stream, take)

    def _generate(
        self, node: Any, generators: list[ast.comprehension], scope: Scope, out: list[Any], source: Any = UNBOUND
    ) -> bool:
        """Run the innermost expression for every item; ``False`` if the items are not certain."""
        if not generators:
            if type(node) is ast.DictComp:
                self.state.spend(1)
                out.append((self.evaluate(node.key, scope), self.evaluate(node.value, scope)))
            else:
                out.append(self.evaluate(node.elt, scope))
            return True
        generator = generators[0]
        source = self.evaluate(generator.iter, scope) if source is UNBOUND else source
        items = self.all_items(source, node.lineno) if in_order(source) or type(node) in BY_KEY else None
        certain = True

        def rest() -> Signal:
            nonlocal certain
            if len(out) < MAX_ITEMS and not self._generate(node, generators[1:], scope, out):
                certain = False
            return None

        def one() -> Signal:
            nonlocal certain
            undecided = False
            for condition in generator.ifs:
                known = self.truth_of(self.evaluate(condition, scope), node.lineno)
                if known is False:
                    return None
                undecided = undecided or known is None
            if not undecided:
                return rest()
            certain = False
            return self.state.fork([rest, lambda: None], f"a condition in line {node.lineno}")

        if items is None or len(items) > MAX_ITEMS:
            self.loop(None, generator.target, one, scope, node.lineno)
            return False
        least = self.state.allowance() if len(items) > UNROLL * 4 else -1
        for item in items:
            if self.state.steps < least:
                raise NotFollowed("a comprehension over too many items")
            self.assign(generator.target, item, scope)
            one()
        return certain
