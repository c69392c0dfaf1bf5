# ruff: noqa: PLR0912  (a branch or a return for every kind of value)
"""``with``: objects, generators and what suppresses exceptions."""

from __future__ import annotations

import ast
from functools import partial
from typing import Any

from reliability.camb_code.raising import Raising
from reliability.camb_code.state import BREAK, CONTINUE, RETURN, Frame, ScriptExits, ScriptRaises, Signal
from reliability.camb_code.streams import Carried, Left, NotFollowed
from reliability.camb_code.values import PLACE, Builtin, CambObject, External, Instance, Method, Scope, Stream, Unknown


class Managers(Raising):
    """Context managers."""

    def _with(self, node: ast.With | ast.AsyncWith, scope: Scope) -> Signal:
        if len(node.items) > 1:
            inner = ast.copy_location(type(node)(items=node.items[1:], body=node.body), node)
            node = ast.copy_location(type(node)(items=node.items[:1], body=[inner]), node)
        suppresses: ast.expr | None = None
        may_swallow = False
        entered_by: list[Instance] = []
        for item in node.items:
            value = self.evaluate(item.context_expr, scope)
            call = item.context_expr
            if type(value) is Stream:
                try:
                    managed = partial(self._managed, value, item.optional_vars, node.body, scope)
                    signal: Signal = self.attempt(managed)
                    return signal
                except NotFollowed as why:
                    self.abandon(value, str(why), node.lineno)
                    value = Unknown("what the context manager gives is not followed", node.lineno)
            given: Any = None
            if type(value) is Instance:
                given = self.apply(self.attribute(value, "__enter__", node.lineno), [], {}, node.lineno)
                entered_by.append(value)
            if isinstance(call, ast.Call):
                made_by = self.evaluate(call.func, scope) if isinstance(call.func, ast.Attribute | ast.Name) else None
                if type(made_by) is External and made_by.path == "contextlib.suppress":
                    suppresses = ast.copy_location(ast.Tuple(call.args, ast.Load()), call)
                may_swallow = may_swallow or type(made_by) not in (External, Builtin, Method)
            if item.optional_vars is not None:
                entered = value if type(value) in (Unknown, CambObject) else Unknown("a context manager", node.lineno)
                self.assign(item.optional_vars, entered if type(value) is not Instance else given, scope)
        if entered_by:
            leave = [partial(self._leave, each, node.lineno) for each in reversed(entered_by)]
            try:
                signal = self.execute(node.body, scope)
            except (Left, Carried):
                raise NotFollowed("a generator is left inside a with") from None
            except (ScriptRaises, ScriptExits) as error:
                for way in leave:
                    way()
                if isinstance(error, ScriptExits):
                    raise
                return None  # ``__exit__`` may have swallowed it; if it did not, nothing after it would matter
            for way in leave:
                way()
            return signal
        if suppresses is None:
            try:
                return self.execute(node.body, scope)
            except ScriptRaises:
                if may_swallow:  # a manager of the script's own; if it did not, nothing after it would matter
                    return None
                raise
        handler = ast.ExceptHandler(type=suppresses, name=None, body=[])
        guarded = ast.Try(body=node.body, handlers=[handler], orelse=[], finalbody=[])
        return self._guarded(ast.copy_location(guarded, node), scope)

    def _managed(self, manager: Stream, target: ast.expr | None, body: list[ast.stmt], scope: Scope) -> Signal:
        """``with`` a generator: its code around the ``yield`` runs around the body, and sees what the body raises."""
        state = self.state
        forks, depth = state.forks, len(state.frames)
        leaving: list[Signal] = []

        def emit(value: Any, _: int) -> None:
            if leaving or state.forks != forks or any(frame.pending for frame in state.frames[depth:]):
                raise NotFollowed("where the context manager yields is not known")
            if target is not None:
                self.assign(target, value, scope)
            guard = Frame(len(state.trail), (RETURN, BREAK, CONTINUE))
            state.frames.append(guard)
            leaving.append(None)
            try:
                leaving[0] = self.execute(body, scope)
            except (Left, Carried):
                raise NotFollowed("a generator is left inside a with") from None
            finally:
                state.frames.pop()
            if guard.pending:
                raise NotFollowed("a branch that is not decided leaves the body")

        if manager.cells[PLACE] != 0 or not manager.is_manager:
            raise NotFollowed("it is no fresh context manager")
        manager.push(0, emit)
        if not leaving:
            raise NotFollowed("the context manager does not yield")
        return leaving[0]

    def _leave(self, manager: Instance, line: int) -> None:
        self.apply(self.attribute(manager, "__exit__", line), [None, None, None], {}, line)
