# ruff: noqa: ARG005, D107, PLR0911, PLR0912, PLR0917  (one signature per dispatch table)
"""Statements: assignments, branches, loops, exceptions, definitions and imports."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from reliability.camb_code import camb_table as table
from reliability.camb_code.calls import TRANSPARENT
from reliability.camb_code.core import OPEN
from reliability.camb_code.expressions import UNROLL
from reliability.camb_code.known_functions import in_order, is_known, items_of
from reliability.camb_code.patterns import Patterns
from reliability.camb_code.state import (
    BORN,
    BREAK,
    CONTINUE,
    EXIT,
    RAISE,
    RETURN,
    Frame,
    ScriptExits,
    ScriptRaises,
    Signal,
)
from reliability.camb_code.streams import Carried, Left, NotFollowed, is_generator
from reliability.camb_code.values import (
    PLACE,
    UNBOUND,
    Bound,
    Builtin,
    CambObject,
    Cells,
    Class,
    External,
    Function,
    Instance,
    Mapping,
    Method,
    OneOf,
    Scope,
    Sequence,
    Stream,
    Unknown,
    describe,
    same,
)

FEW_STEPS: Final = 2000
"""Steps for a loop that once took too many."""
MAX_ROUNDS: Final = 5000
"""Loops of more rounds are never followed round by round."""
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


def may_catch_exit(handler: ast.ExceptHandler) -> bool:
    """Whether an ``except`` may catch ``sys.exit``."""
    names = ast.walk(handler.type) if handler.type is not None else ()
    exits = {"SystemExit", "BaseException", "KeyboardInterrupt"}
    return handler.type is None or any(getattr(n, "id", getattr(n, "attr", "")) in exits for n in names)


class Statements(Patterns):
    """Execution of statement nodes, dispatched by type."""

    def __init__(self, camb_line: str) -> None:
        super().__init__(camb_line)
        self.long_loops: set[int] = set()
        """Lines of loops that took too many steps to be followed round by round."""
        self.handling: list[Any] = []
        """What the ``except`` blocks being run have caught."""
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
        table_ = self._statements
        for node in body:
            handler = table_.get(type(node))
            if handler is None:
                self.has_dynamic_names = True
                continue
            signal = handler(node, scope)
            if signal is not None:
                return signal
        return None

    # ------------------------------------------------------------------------------------------------- assignments

    def _expression(self, node: ast.Expr, scope: Scope) -> Signal:
        if type(node.value) is not ast.Constant:
            self.evaluate(node.value, scope)
        return None

    def _assign(self, node: ast.Assign, scope: Scope) -> Signal:
        value = self.evaluate(node.value, scope)
        for target in node.targets:
            self.assign(target, value, scope)
        return None

    def _annotated(self, node: ast.AnnAssign, scope: Scope) -> Signal:
        if node.value is not None:
            self.assign(node.target, self.evaluate(node.value, scope), scope)
        return None

    def _augmented(self, node: ast.AugAssign, scope: Scope) -> Signal:
        target = node.target
        if type(target) is ast.Name:
            old = self.lookup(target.id, scope, node.lineno)
        elif type(target) is ast.Attribute:
            old = self.attribute(self.evaluate(target.value, scope), target.attr, node.lineno)
        else:
            assert isinstance(target, ast.Subscript)
            owner = self.evaluate(target.value, scope)
            old = self.item(owner, self.evaluate(target.slice, scope), node.lineno)
        right = self.evaluate(node.value, scope)
        kind = type(node.op)
        if type(old) is Unknown and not old.is_tame:
            self.state.change_leaked(node.lineno)
        if type(old) is Sequence and kind is ast.Add and old.kind == "list":
            self.apply(self.attribute(old, "extend", node.lineno), [right], {}, node.lineno)
            return None
        if type(old) in (Mapping, Sequence) and not (type(old) is Sequence and old.kind == "range"):
            value = self.operate(kind, old, right, node.lineno)
            contents = value.cells["v"] if type(value) in (Mapping, Sequence) else value
            if type(old) is Sequence:
                self._change_views(old, node.lineno)
            self.state.put(old.cells, "v", contents)  # in place: other names of it see the change
            return None
        self.assign(target, self.operate(kind, old, right, node.lineno), scope)
        return None

    def assign(self, target: ast.expr, value: Any, scope: Scope) -> None:
        """Bind a target: name, attribute, item, or several of them."""
        kind = type(target)
        if kind is ast.Name:
            self.state.put(self.cells_of(target.id, scope), target.id, value)  # type: ignore[attr-defined]
        elif isinstance(target, ast.Attribute):
            self.assign_attribute(self.evaluate(target.value, scope), target.attr, value, target.lineno)
        elif isinstance(target, ast.Subscript):
            owner = self.evaluate(target.value, scope)
            self._assign_item(owner, self.evaluate(target.slice, scope), value, target.lineno)
        elif isinstance(target, ast.Tuple | ast.List):
            self._unpack(target.elts, value, scope, target.lineno)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value, scope)

    def _unpack(self, targets: list[ast.expr], value: Any, scope: Scope, line: int) -> None:
        items = self.all_items(value, line) if in_order(value) else None
        if items is None:
            reason = value.reason if type(value) is Unknown else "a part of a value that is not known"
            spectrum = value.spectrum if type(value) is Unknown else None
            for place, target in enumerate(targets):
                part = Unknown(reason, line)
                if spectrum is not None:
                    part.spectrum = self.camb.take(spectrum, place)
                self.assign(target, part, scope)
            return
        star = next((i for i, t in enumerate(targets) if type(t) is ast.Starred), None)
        if (star is None and len(items) != len(targets)) or len(items) < len(targets) - 1:
            raise ScriptRaises("ValueError", f"{len(items)} values for {len(targets)} names", line)
        if star is not None:
            after = len(targets) - star - 1
            middle = Sequence(items[star : len(items) - after])
            items = [*items[:star], middle, *items[len(items) - after :]]
        for target, item in zip(targets, items, strict=True):
            self.assign(target, item, scope)

    def _assign_item(self, owner: Any, index: Any, value: Any, line: int) -> None:
        kind = type(owner)
        if kind is OneOf:
            for option in owner.options:
                if type(option) in (Mapping, Sequence):
                    self.state.put(option.cells, "v", Unknown(f"an item is set, depending on {owner.reason}", line))
            return
        if kind is Mapping:
            contents = owner.cells["v"]
            if type(contents) is dict and is_known(index):
                self.state.spend(len(contents) // 16)
                self.state.put(owner.cells, "v", {**contents, index: value})
            else:
                self.state.put(owner.cells, "v", Unknown("an item whose key is not known is set", line))
            if owner.mirror is not None:
                self.mirror(owner, line)
        elif kind is Unknown:
            self.state.change_leaked(line)
        elif kind is Instance:
            found, setter = self.in_class(owner.cls, "__setitem__") if owner.cls is not None else (False, None)
            if found:
                self.apply(setter, [owner, index, value], {}, line)
            else:
                self.open_up(owner, "an item of it is set, which is not followed", line)
        elif kind is External:
            name = index if owner.path == "os.environ" and type(index) is str else ""
            self.state.put(self.patched, "env:" + name, True)
        elif kind is Sequence:
            self._change_views(owner, line)
            items = owner.cells["v"]
            if type(items) is list and type(index) is int and -len(items) <= index < len(items):
                self.state.spend(len(items) // 16)
                changed = items.copy()
                if owner.kind == "array" and type(value) is not int and all(type(item) is int for item in items):
                    value = Unknown("an array of integers cuts off what is put into it", line)
                changed[index] = value
                self.state.put(owner.cells, "v", changed)
            elif type(index) is int and type(items) is list and owner.kind == "list":
                raise ScriptRaises("IndexError", f"index {index} of {len(items)} items", line)
            elif value is None or not self._changed_part(owner, index, value, line):
                self.may_raise = True
                self.state.put(owner.cells, "v", Unknown("items are set at places that are not followed", line))

    def _changed_part(self, owner: Sequence, index: Any, value: Any, line: int) -> bool:
        """``del items[index]`` (no value), or ``items[a:b] = value``; whether that can be followed."""
        items = owner.cells["v"]
        if type(items) is not list or owner.kind not in ("list", "deque") or type(index) not in (int, slice):
            return False
        new = None if value is None else self.all_items(value, line)
        if value is not None and (new is None or type(index) is int or owner.kind == "deque"):
            return False
        self.state.spend(len(items) // 16)
        changed = items.copy()
        try:
            if new is None:
                del changed[index]
            else:
                changed[index] = new
        except (IndexError, ValueError) as error:
            raise ScriptRaises(type(error).__name__, str(error), line) from None
        self.state.put(owner.cells, "v", changed)
        return True

    def _change_views(self, owner: Sequence, line: int) -> None:
        """Arrays that share memory with one that changes in place."""
        for other in owner.family or ():
            if other is not owner:
                self.state.put(other.cells, "v", Unknown("it shares memory with an array that is changed", line))

    def _delete(self, node: ast.Delete, scope: Scope) -> Signal:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.state.put(self.cells_of(target.id, scope), target.id, UNBOUND)
            elif isinstance(target, ast.Subscript):
                owner = self.evaluate(target.value, scope)
                key = self.evaluate(target.slice, scope)
                if type(owner) is Mapping and type(owner.cells["v"]) is dict and is_known(key):
                    if key not in owner.cells["v"]:
                        raise ScriptRaises("KeyError", describe(key), node.lineno)
                    self.state.put(owner.cells, "v", {k: v for k, v in owner.cells["v"].items() if k != key})
                elif type(owner) is Sequence and self._changed_part(owner, key, None, node.lineno):
                    pass
                elif type(owner) in (Mapping, Sequence):
                    self.state.put(owner.cells, "v", Unknown("an item is deleted", node.lineno))
                elif type(owner) is Instance:
                    self.open_up(owner, "an item is deleted", node.lineno)
                if type(owner) is Mapping and owner.mirror is not None:
                    self.mirror(owner, node.lineno)
            elif isinstance(target, ast.Attribute):
                owner = self.evaluate(target.value, scope)
                if type(owner) in (Instance, Class):
                    self.state.put(owner.cells, target.attr, UNBOUND)
                elif type(owner) is CambObject:
                    self.camb.poison(owner, f"{target.attr} is deleted", node.lineno)
        return None

    def _global(self, node: ast.Global, scope: Scope) -> Signal:
        redirect = scope.redirect if scope.redirect is not None else {}
        scope.redirect = redirect
        redirect.update(dict.fromkeys(node.names, self.module.vars))
        for name in node.names:
            scope.vars.pop(name, None)
        return None

    def _nonlocal(self, node: ast.Nonlocal, scope: Scope) -> Signal:
        redirect = scope.redirect if scope.redirect is not None else {}
        scope.redirect = redirect
        for name in node.names:
            outer = scope.parent
            while outer is not None and outer is not self.module and name not in outer.vars:
                outer = outer.parent
            if outer is not None:
                redirect[name] = outer.vars
        return None

    # ---------------------------------------------------------------------------------------------- branches, loops

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

    def _for(self, node: ast.For | ast.AsyncFor, scope: Scope) -> Signal:
        source = self.evaluate(node.iter, scope)
        source = self.iterated(source, node.lineno)
        if type(source) is Stream:
            return self._for_stream(node, source, scope)
        items = items_of(source) if in_order(source) else None
        return self._finish_loop(
            self.loop(items, node.target, lambda: self.execute(node.body, scope), scope, node.lineno, source),
            node.orelse,
            scope,
        )

    def _for_stream(self, node: ast.For | ast.AsyncFor, source: Stream, scope: Scope) -> Signal:
        """A loop over an iterator, whose own code runs between the rounds."""
        leaving: list[Signal] = []

        def take(item: Any) -> bool:
            self.assign(node.target, item, scope)
            signal = self.execute(node.body, scope)
            if signal is None or signal[0] == CONTINUE:
                return True
            leaving.append(signal)
            return False

        signal: Signal
        try:
            self.attempt(lambda: self.drain(source, take))
            signal = leaving[0] if leaving else None
        except NotFollowed as why:
            reason = str(why)
            try:
                items = self.attempt(lambda: self.pure_items(source))
            except (NotFollowed, ScriptRaises):
                items = None
                self.abandon(source, reason, node.lineno)
            signal = self.loop(items, node.target, lambda: self.execute(node.body, scope), scope, node.lineno)
        return self._finish_loop(signal, node.orelse, scope)

    def _finish_loop(self, signal: Signal, orelse: list[ast.stmt], scope: Scope) -> Signal:
        """``else`` of a loop runs unless it was left by ``break``."""
        if signal is None:
            return self.execute(orelse, scope) if orelse else None
        if signal[0] != BREAK:
            return signal
        if signal[1] == "maybe" and orelse:
            return self.state.fork([lambda: None, lambda: self.execute(orelse, scope)], "how the loop is left")
        return None

    def loop(
        self,
        items: Any,
        target: ast.expr,
        body: Callable[[], Signal],
        scope: Scope,
        line: int,
        source: Any = None,
    ) -> Signal:
        """Run a loop: round by round if its items are known and few, else any number of rounds at once.

        `source` is the list that is looped over, which the loop may change.
        """
        if items is not None and (len(items) <= UNROLL or (len(items) <= MAX_ROUNDS and line not in self.long_loops)):
            least = self.state.allowance() if len(items) > UNROLL else -1
            live = source if type(source) is Sequence and source.kind in ("list", "deque") else Sequence(items)
            try:
                signal: Signal = self.attempt(lambda: self._unrolled(live, target, body, scope, line, least))
                return signal
            except NotFollowed:
                if len(items) > UNROLL:
                    self.long_loops.add(line)
        self.state.leak(items)
        unknown = Unknown("a loop over items that are not followed one by one", line)

        def one_round() -> Signal:
            self.assign(target, unknown, scope)
            return body()

        return self._any_rounds(one_round, line)

    def _unrolled(
        self, source: Sequence, target: ast.expr, body: Callable[[], Signal], scope: Scope, line: int, least: int
    ) -> Signal:
        """Run a loop over a list round by round, while there are more than `least` steps of the budget."""
        frame = Frame(len(self.state.trail), (BREAK,))
        self.state.frames.append(frame)
        left: Signal = None
        reached = True
        try:
            place = 0
            while True:
                items = source.cells["v"]  # a list may grow while it is read
                if type(items) is not list or place > MAX_ROUNDS or self.state.steps < least:
                    raise NotFollowed("the loop takes too many steps")
                if place >= len(items):
                    break
                self.assign(target, items[place], scope)
                place += 1
                left, reached = self._one_round(body, frame, line)
                if left is not None or not reached:
                    break
        finally:
            self.state.frames.pop()
        return self._leave_loop(frame, left, reached, line)

    def _one_round(self, body: Callable[[], Signal], outer: Frame, line: int) -> tuple[Signal, bool]:
        """One round: its ``continue`` ways joined; says how the loop is left, and whether the next round is reached."""
        round_frame = Frame(len(self.state.trail), (CONTINUE,))
        self.state.frames.append(round_frame)
        try:
            signal = body()
        except (ScriptRaises, ScriptExits) as error:
            if not (round_frame.pending or outer.pending):
                raise
            self.state.wait(RAISE if type(error) is ScriptRaises else EXIT, error)
            signal = (RAISE, None)
        finally:
            self.state.frames.pop()
        reason = f"a branch in the loop of line {line}"
        if signal is None or signal[0] == CONTINUE:
            self.state.settle(round_frame, (CONTINUE,), True, reason)
            return None, True
        if round_frame.pending:
            if signal[0] != RAISE:
                self.state.wait(*signal)
            self.state.settle(round_frame, (CONTINUE,), False, reason)
            return None, True
        return (None, False) if signal[0] == RAISE else (signal, False)

    def _leave_loop(self, frame: Frame, left: Signal, reached: bool, line: int) -> Signal:
        reason = f"when the loop of line {line} is left"
        present = reached or (left is not None and left[0] == BREAK)
        if left is not None and left[0] == RETURN and frame.pending:
            self.state.wait(*left)
        broke = self.state.settle(frame, (BREAK,), present, reason)
        if left is not None and left[0] == RETURN and not broke:
            return left
        if broke and left is None and reached:
            return BREAK, "maybe"
        return (BREAK, None) if broke or (left is not None and left[0] == BREAK) else None

    def _any_rounds(self, one_round: Callable[[], Signal], line: int) -> Signal:
        """Any number of rounds: what a round changes is unknown when the next begins."""
        state = self.state
        reason = f"it changes in the loop of line {line}"
        base = len(state.trail)
        for _ in range(4):
            known = self._changed_by(one_round)
            before = len(state.trail)
            for cells, key in known:
                if type(cells.get(key)) is not Unknown:
                    state.leak(cells.get(key))
                    state.put(cells, key, Unknown(reason, line))
            if len(state.trail) == before:
                break
        else:
            self.poison_all(reason, line)
        frame = Frame(base, (BREAK,))
        state.frames.append(frame)
        try:
            skip: list[Callable[[], Signal]] = [lambda: None]
            signal = state.fork(
                [lambda: self._one_round(one_round, frame, line)[0], *skip], f"how often the loop of line {line} runs"
            )
        finally:
            state.frames.pop()
        return self._leave_loop(frame, signal, True, line)

    def _changed_by(self, one_round: Callable[[], Signal]) -> list[tuple[Cells, Any]]:
        """Cells that existed before a trial round and are changed by it; the round itself is taken back."""
        state = self.state
        mark = len(state.trail)
        frame = Frame(mark, (BREAK, CONTINUE, RETURN, RAISE))
        state.frames.append(frame)
        findings = dict(self.camb.findings)
        state.forks += 1
        try:
            one_round()
        except (ScriptRaises, ScriptExits):
            pass
        finally:
            state.forks -= 1
            state.frames.pop()
        changed = list(state.delta(mark).values())
        for _, _, delta in frame.pending:
            changed += delta.values()
        state.roll_back(mark)
        self.camb.findings = findings
        result = []
        for cells, key, value in changed:
            before = cells.get(key, UNBOUND)
            if key != BORN and cells is not state.log and before is not UNBOUND and not same(before, value):
                result.append((cells, key))
        return result

    def _while(self, node: ast.While, scope: Scope) -> Signal:
        frame = Frame(len(self.state.trail), (BREAK,))
        self.state.frames.append(frame)
        left: Signal = None
        reached = True
        undecided = False
        try:
            least = self.state.allowance() if node.lineno not in self.long_loops else self.state.steps - FEW_STEPS
            for _ in range(MAX_ROUNDS):
                if self.state.steps < least:
                    self.long_loops.add(node.lineno)
                    undecided = True
                    break
                known = self.truth_of(self.evaluate(node.test, scope), node.lineno)
                if known is False:
                    break
                if known is None:
                    undecided = True
                    break
                left, reached = self._one_round(lambda: self.execute(node.body, scope), frame, node.lineno)
                if left is not None or not reached:
                    break
            else:
                undecided = True
            if undecided:

                def one_round() -> Signal:
                    self.evaluate(node.test, scope)
                    return self.execute(node.body, scope)

                left = self._any_rounds(one_round, node.lineno)
                left = None if left is not None and left[0] == BREAK else left
        finally:
            self.state.frames.pop()
        return self._finish_loop(self._leave_loop(frame, left, reached, node.lineno), node.orelse, scope)

    # --------------------------------------------------------------------------------------------------- exceptions

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
        might_before, self.may_raise = self.may_raise, False
        raised: ScriptRaises | ScriptExits | None = None
        signal = None
        try:
            signal = self.execute(node.body, scope)
        except (ScriptRaises, ScriptExits) as caught:
            if EXIT not in frame.kinds and type(caught) is ScriptExits:
                raise
            raised = caught
        except (Left, Carried):
            self.may_raise = self.may_raise or might_before
            raise
        finally:
            state.frames.pop()
        may_raise, self.may_raise = self.may_raise, might_before or self.may_raise
        if raised is not None and not frame.pending:
            return self._handle(node, raised, scope)
        if raised is None and not frame.pending and not may_raise:
            return signal if signal is not None else self.execute(node.orelse, scope)
        reason = f"whether line {node.lineno} onwards raises"
        after = None if raised is not None else state.delta(base)
        # where it raises in between is not known: a cell may hold its old or its new value
        thrown = [entry[2] for entry in frame.pending]
        if raised is not None:
            thrown.append(state.delta(base))
        if may_raise:
            thrown += [state.between(base), {}, after if after is not None else state.delta(base)]
        error: Any = raised or (frame.pending[0][1] if len(frame.pending) == 1 and not may_raise else None)
        doubt = ScriptExits(kind="maybe") if any(entry[0] == EXIT for entry in frame.pending) else None
        state.roll_back(base)

        def went_through() -> Signal:
            state.apply_join([after or {}], reason)
            return signal if signal is not None else self.execute(node.orelse, scope)

        def was_caught() -> Signal:
            state.apply_join(thrown, reason)
            return self._handle(node, error or doubt, scope)

        return state.fork([went_through, was_caught] if after is not None else [was_caught], reason)

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
            if isinstance(current, ScriptRaises) or (isinstance(current, ScriptExits) and current.kind != "maybe"):
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
        self.may_raise = self.may_raise or known is None
        return None

    def _return(self, node: ast.Return, scope: Scope) -> Signal:
        return RETURN, None if node.value is None else self.evaluate(node.value, scope)

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

    # ---------------------------------------------------------------------------------------- definitions, imports

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Signal:
        function: Any = self.make_function(node, node.args, scope)
        function.is_generator = type(node) is ast.FunctionDef and is_generator(node)
        for decorator in reversed(node.decorator_list):
            target = decorator.func if isinstance(decorator, ast.Call) else decorator
            if isinstance(target, ast.Attribute) and target.attr in ("setter", "deleter", "getter"):
                known = scope.vars.get(node.name)
                if type(known) is not Function or known.kind != "property" or target.attr == "getter":
                    known = Unknown("a property made in a way that is not followed", node.lineno)
                    self.state.put(scope.vars, node.name, known)
                elif target.attr == "setter":
                    known.setter = function
                return None
            value = self.evaluate(target, scope)
            name = value.name if type(value) is Builtin else value.path if type(value) is External else ""
            if name == "contextlib.contextmanager" and type(function) is Function and function.is_generator:
                function.is_manager = True
                continue
            if name in ("property", "classmethod", "staticmethod", "functools.cached_property"):
                function.kind = "cached" if "cached" in name else name
                continue
            if name in ("functools.lru_cache", "functools.cache") and type(function) is Function:
                function.memo = {"m": ()}
            if type(value) in (Function, Bound) and isinstance(decorator, ast.Call):
                value = self.evaluate(decorator, scope)
            is_object = type(value) is Instance and value.cls is not None and self.in_class(value.cls, "__call__")[0]
            if type(value) in (Function, Bound) or is_object:
                function = self.apply(value, [function], {}, node.lineno)
            elif name not in TRANSPARENT:
                self.escape([function], f"the decorator of {node.name}", node.lineno)
                function = Bound(Builtin("@decorated"), [function])
        self.state.put(self.cells_of(node.name, scope), node.name, function)
        return None

    def _class(self, node: ast.ClassDef, scope: Scope) -> Signal:
        inside = Scope(scope)
        for parameter in getattr(node, "type_params", ()):
            inside.vars[parameter.name] = Unknown("a type parameter", node.lineno)
        bases = [self.evaluate(base, inside) for base in node.bases]
        inside.vars.clear()
        options = {k.arg: self.evaluate(k.value, scope) for k in node.keywords}
        meta = options.pop("metaclass", None)
        if meta is not None and not (type(meta) is External and meta.path in ("abc.ABCMeta", "enum.EnumMeta")):
            bases.insert(0, Unknown("the metaclass is not followed", node.lineno))
        made = Class(node.name, bases, inside)
        annotations: list[tuple[str, str, dict[str, Any] | None]] = []
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                call = None
                if self._is_field_call(statement.value):
                    call = {k.arg: self.evaluate(k.value, inside) for k in statement.value.keywords if k.arg}  # type: ignore[union-attr]
                annotations = [each for each in annotations if each[0] != statement.target.id]
                annotations.append((statement.target.id, self.annotation_of(statement.annotation, scope), call))
                if call is not None:
                    continue
            if self.execute([statement], inside) is not None:
                break
        # methods look names up around the class, not inside it
        for item in inside.vars.values():
            for each in (item, item.setter) if type(item) is Function else ():
                if each is not None and each.scope is inside:
                    each.scope = scope
                    each.owner = made
        if made.is_enum:
            self.make_members(made)
        value: Any = made
        if any(type(b) is External and b.path == "typing.NamedTuple" for b in bases):
            made.fields = self.make_fields(made, annotations, keyword_only=False)
            made.makes_init = made.is_tuple = True
        for base in made.mro[1:]:
            hook = base.cells.get("__init_subclass__", UNBOUND)
            if hook is not UNBOUND:
                self.apply(hook, [made], {k: v for k, v in options.items() if k is not None}, node.lineno)
                break
        for decorator in reversed(node.decorator_list):
            value = self._decorated_class(decorator, value, annotations, scope, node)
        self.state.put(self.cells_of(node.name, scope), node.name, value)
        return None

    def _decorated_class(self, decorator: ast.expr, value: Any, annotations: Any, scope: Scope, node: Any) -> Any:
        """What a decorator makes of a class."""
        target = self.evaluate(decorator.func if isinstance(decorator, ast.Call) else decorator, scope)
        path = target.path if type(target) is External else ""
        if path == "dataclasses.dataclass" and type(value) is Class:
            given = decorator.keywords if isinstance(decorator, ast.Call) else []
            options = {k.arg: self.evaluate(k.value, scope) for k in given}
            keyword_only = options.get("kw_only", False)
            if options.get("init", True) is True and type(keyword_only) is bool and None not in options:
                value.fields = self.make_fields(value, annotations, keyword_only)
                value.makes_init = "__init__" not in value.cells
                value.is_frozen = options.get("frozen", False) is True
                return value
        elif path in TRANSPARENT or path in ("functools.total_ordering", "enum.unique", "typing.final"):
            return value
        elif type(target) is Function:
            maker = self.evaluate(decorator, scope) if isinstance(decorator, ast.Call) else target
            if type(maker) in (Function, Bound):
                return self.apply(maker, [value], {}, node.lineno)
        return Unknown(f"what the decorator makes of {node.name} is not known", node.lineno)

    @staticmethod
    def _is_field_call(value: ast.expr | None) -> bool:
        if not isinstance(value, ast.Call):
            return False
        name = value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", "")
        return name == "field"

    def _import(self, node: ast.Import, scope: Scope) -> Signal:
        for alias in node.names:
            path = alias.name if alias.asname else alias.name.partition(".")[0]
            self.note_module(alias.name)
            name = alias.asname or path
            self.state.put(self.cells_of(name, scope), name, External(path))
        return None

    def _import_from(self, node: ast.ImportFrom, scope: Scope) -> Signal:
        path = node.module or ""
        self.note_module(path)
        for alias in node.names:
            name = alias.asname or alias.name
            if alias.name == "*":
                self._import_star(path, scope)
                continue
            value: Any = External(f"{path}.{alias.name}")
            if node.level:
                value = Unknown(f"{alias.name} comes from another file", node.lineno)
            elif path == "camb" or path.startswith("camb."):
                if path == "camb" and alias.name in table.SUBMODULES:
                    value = External(f"camb.{alias.name}")
                else:
                    try:
                        value = self.attribute(External(path), alias.name, node.lineno)
                    except ScriptRaises as error:
                        raise ScriptRaises("ImportError", error.message, node.lineno) from None
            elif path in ("math", "numpy", "sys", "os", "scipy.constants"):
                value = self.attribute(External(path), alias.name, node.lineno)
            self.state.put(self.cells_of(name, scope), name, value)
        return None

    def _import_star(self, path: str, scope: Scope) -> None:
        if path in self.camb.modules:
            for name in self.camb.modules[path]:
                self.state.put(scope.vars, name, self.attribute(External(path), name, None))
            return
        if path in ("math", "numpy"):
            for name in (
                "exp",
                "log",
                "log10",
                "sqrt",
                "pi",
                "sin",
                "cos",
                "tan",
                "power",
                "linspace",
                "arange",
                "array",
            ):
                self.state.put(scope.vars, name, self.attribute(External(path), name, None))
        self.has_dynamic_names = True
