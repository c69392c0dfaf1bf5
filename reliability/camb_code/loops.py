# ruff: noqa: D107, PLR0917  (one signature for all rows; the class says it)
"""Loops: round by round where that is known and short, else any number of rounds at once."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final

from reliability.camb_code.assignments import Assignments
from reliability.camb_code.comprehensions import UNROLL
from reliability.camb_code.plain_values import in_order, items_of
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
from reliability.camb_code.streams import NotFollowed
from reliability.camb_code.values import UNBOUND, Cells, Scope, Sequence, Stream, Unknown, same

FEW_STEPS: Final = 2000
"""Steps for a loop that once took too many."""

MAX_ROUNDS: Final = 5000
"""Loops of more rounds are never followed round by round."""


class Loops(Assignments):
    """``for`` and ``while``."""

    def __init__(self, camb_line: str) -> None:
        super().__init__(camb_line)
        self.long_loops: set[int] = set()
        """Lines of loops that took too many steps to be followed round by round."""

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
        least = self.state.allowance() if node.lineno not in self.long_loops else self.state.steps - FEW_STEPS

        def take(item: Any) -> bool:
            if self.state.steps < least:
                self.long_loops.add(node.lineno)
                raise NotFollowed("the loop takes too many steps")
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
