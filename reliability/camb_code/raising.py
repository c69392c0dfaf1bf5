# ruff: noqa: D107, PLR0911  (a branch or a return for every kind of value; the class says it)
"""Exceptions: raised, caught, and joined where it is not known whether they are raised."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from typing import Any, Final

from reliability.camb_code.core import OPEN
from reliability.camb_code.loops import Loops
from reliability.camb_code.plain_values import items_of
from reliability.camb_code.state import EXIT, RAISE, Delta, Frame, ScriptExits, ScriptRaises, Signal
from reliability.camb_code.streams import Carried, Left, NotFollowed
from reliability.camb_code.values import UNBOUND, Builtin, Class, External, Instance, Scope, Unknown

ERROR_PARENTS: Final = {
    **{
        name: tuple(base.__name__ for base in kind.__mro__[1:])
        for name, kind in vars(builtins).items()
        if isinstance(kind, type) and issubclass(kind, Exception)
    },
    "JSONDecodeError": ("ValueError",),
    "FrozenInstanceError": ("AttributeError",),
    "CAMBError": (),
    "CAMBParamRangeError": ("CAMBError",),
    "CAMBUnknownArgumentError": ("ValueError",),
    "CAMBValueError": ("ValueError",),
}
"""Python's errors, and what else catches each; of an error that is not here the parents are not known."""


class ScriptDoubts(ScriptRaises):
    """The script may raise one of several errors here."""

    def __init__(self, kinds: set[str]) -> None:
        super().__init__("Exception", "an error that may be raised")
        self.kinds = kinds

    def may_be(self, names: set[str]) -> bool | None:
        """Whether it may be one of these; never certainly."""
        if "" in names or not self.kinds <= ERROR_PARENTS.keys() or "Exception" in self.kinds:
            return None
        families = {name for kind in self.kinds for name in (kind, *ERROR_PARENTS[kind])}
        return None if names & families or not names <= ERROR_PARENTS.keys() else False


def may_catch_exit(handler: ast.ExceptHandler) -> bool:
    """Whether an ``except`` may catch ``sys.exit``."""
    names = ast.walk(handler.type) if handler.type is not None else ()
    exits = {"SystemExit", "BaseException", "KeyboardInterrupt"}
    return handler.type is None or any(getattr(n, "id", getattr(n, "attr", "")) in exits for n in names)


class Raising(Loops):
    """``try``, ``raise`` and ``assert``."""

    def __init__(self, camb_line: str) -> None:
        super().__init__(camb_line)
        self.handling: list[Any] = []
        """What the ``except`` blocks being run have caught."""

    def _try(self, node: ast.Try | ast.TryStar, scope: Scope) -> Signal:
        try:
            signal = self._guarded(node, scope)
        except (ScriptRaises, ScriptExits):
            self._finally(node, scope)
            raise
        except (Left, Carried):
            if node.finalbody:
                raise NotFollowed("when a generator that is left runs its finally is not known") from None
            raise
        final = self._finally(node, scope)
        return final if final is not None else signal

    def _finally(self, node: ast.Try | ast.TryStar, scope: Scope) -> Signal:
        return self.execute(node.finalbody, scope) if node.finalbody else None

    def _guarded(self, node: ast.Try | ast.TryStar, scope: Scope) -> Signal:
        """Body, handlers and ``else``; a body that may raise is joined with what its handlers do."""
        state = self.state
        signal: Signal
        if not node.handlers:
            signal = self.execute(node.body, scope)
            return signal if signal is not None else self.execute(node.orelse, scope)
        base = len(state.trail)
        frame = Frame(base, (RAISE, EXIT) if any(map(may_catch_exit, node.handlers)) else (RAISE,))
        state.frames.append(frame)
        outer = state.begin_guard()
        raised: ScriptRaises | ScriptExits | None = None
        signal = None
        try:
            signal = self.execute(node.body, scope)
        except (ScriptRaises, ScriptExits) as caught:
            if EXIT not in frame.kinds and type(caught) is ScriptExits:
                raise
            raised = caught
        finally:
            state.frames.pop()
            doubts, thrown = state.end_guard(outer, base, self._catches_all(node, scope))
        if raised is not None and not frame.pending:
            if not thrown:
                return self._handle(node, raised, scope)
        elif raised is None and not frame.pending and not thrown:
            return signal if signal is not None else self.execute(node.orelse, scope)
        reason = f"whether line {node.lineno} onwards raises"
        after = None if raised is not None else state.delta(base)
        errors = [entry[1] for entry in frame.pending] + ([raised] if raised is not None else [])
        certain = [entry[2] for entry in frame.pending] + ([state.delta(base)] if raised is not None else [])
        state.roll_back(base)

        def went_through() -> Signal:
            state.apply_join([after or {}], reason)
            return signal if signal is not None else self.execute(node.orelse, scope)

        def was_caught(deltas: list[Delta], error: Any) -> Callable[[], Signal]:
            def run() -> Signal:
                state.apply_join(deltas, reason)
                return self._handle(node, error, scope)

            return run

        ways = [went_through] if after is not None else []
        if certain:
            exits = any(isinstance(error, ScriptExits) for error in errors)
            doubt = ScriptExits(kind="maybe") if exits else None
            ways.append(was_caught(certain, errors[0] if len(errors) == 1 else doubt))
        if thrown:
            ways.append(was_caught(thrown, ScriptDoubts(doubts)))
        return state.fork(ways, reason)

    def _catches_all(self, node: ast.Try | ast.TryStar, scope: Scope) -> bool:
        """Whether there is a handler for every error."""
        for handler in node.handlers:
            kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
            for kind in kinds:
                if kind is None:
                    return True
                if isinstance(kind, ast.Name) and kind.id in ("Exception", "BaseException"):
                    return type(self.lookup(kind.id, scope, kind.lineno)) is Builtin
        return False

    def _handle(self, node: ast.Try | ast.TryStar, error: Any, scope: Scope) -> Signal:
        """Run the handler that catches ``error`` (any of them, if the error is not known)."""
        ways: list[Callable[[], Signal]] = []
        for handler in node.handlers:
            catches = self._catches(handler, error, scope)
            if catches is False:
                continue

            def handled(handler: ast.ExceptHandler = handler) -> Signal:
                return self._run_handler(handler, error, scope)

            ways.append(handled)
            if catches:
                break
        if not ways:
            known = isinstance(error, ScriptRaises) or (isinstance(error, ScriptExits) and error.kind != "maybe")
            known = known and type(error) is not ScriptDoubts
            raise error if known else ScriptRaises("Exception", "not caught", node.lineno)
        if len(ways) == 1:
            return ways[0]()
        return self.state.fork(ways, f"which exception line {node.lineno} onwards raises")

    def _run_handler(self, handler: ast.ExceptHandler, error: Any, scope: Scope) -> Signal:
        if handler.name:
            value = error.value if isinstance(error, ScriptRaises) else None
            value = Unknown("an exception", handler.lineno) if value is None else value
            self.state.put(self.cells_of(handler.name, scope), handler.name, value)
        self.handling.append(error)
        try:
            signal = self.execute(handler.body, scope)
        finally:
            self.handling.pop()
        if handler.name:
            self.state.put(self.cells_of(handler.name, scope), handler.name, UNBOUND)
        return signal

    def _catches(self, handler: ast.ExceptHandler, error: Any, scope: Scope) -> bool | None:
        if handler.type is None:
            return True
        caught = self.evaluate(handler.type, scope)
        names = {self._error_name(c) for c in (caught if type(caught) is tuple else (caught,))}
        if "BaseException" in names or (isinstance(error, ScriptExits) and error.kind in names):
            return True
        if isinstance(error, ScriptExits):  # of those that may have happened one is an exit
            return None if error.kind == "maybe" or "" in names else False
        if "Exception" in names:
            return True
        if type(error) is ScriptDoubts:
            return error.may_be(names)
        if not isinstance(error, ScriptRaises) or error.kind == "Exception":
            return None
        kinds = {error.kind, *ERROR_PARENTS.get(error.kind, ())}
        if names & kinds:
            return True
        return None if "" in names or error.kind not in ERROR_PARENTS else False

    @staticmethod
    def _error_name(value: Any) -> str:
        if type(value) is Builtin:
            return value.name
        if type(value) is External:
            return value.path.rsplit(".", 1)[-1]
        return value.name if type(value) is Class else ""

    def _raise(self, node: ast.Raise, scope: Scope) -> Signal:
        if node.exc is None:
            current = self.handling[-1] if self.handling else None
            if type(current) is ScriptRaises or (isinstance(current, ScriptExits) and current.kind != "maybe"):
                raise current
            raise ScriptRaises("unknown", "raised by the script", node.lineno)
        call = node.exc if isinstance(node.exc, ast.Call) else None
        value = self.evaluate(node.exc if call is None else call.func, scope)
        if type(value) is Instance and value.cls is not None and call is None:
            kind, made = value.cls.name, value
        else:
            kind = self._error_name(value) or "unknown"
            made = self._exception(value, call, scope)
        if node.cause is not None:
            self.evaluate(node.cause, scope)
        if kind in ("SystemExit", "KeyboardInterrupt"):
            args = items_of(made.cells.get("args")) if type(made) is Instance else None
            raise ScriptExits(args[0] if args else None, kind)
        error = ScriptRaises(kind, "raised by the script", node.lineno)
        error.value = made
        raise error

    def _exception(self, kind: Any, call: ast.Call | None, scope: Scope) -> Any:
        """The object that ``raise`` raises."""
        if type(kind) is Class:
            return self.evaluate(call, scope) if call is not None else self.apply(kind, [], {}, None)
        args = [self.evaluate(arg, scope) for arg in call.args] if call is not None else []
        for keyword in call.keywords if call is not None else ():
            self.evaluate(keyword.value, scope)
        made = Instance(None)
        reason = Unknown("an exception", call.lineno if call is not None else None)
        is_spread = call is not None and any(type(arg) is ast.Starred for arg in call.args)
        made.cells.update({"args": reason if is_spread else tuple(args), OPEN: reason})
        return made

    def _assert(self, node: ast.Assert, scope: Scope) -> Signal:
        known = self.truth_of(self.evaluate(node.test, scope), node.lineno)
        if known is False:
            raise ScriptRaises("AssertionError", "the assertion fails", node.lineno)
        if known is None:
            self.state.doubt("AssertionError")
        return None
