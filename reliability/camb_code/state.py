# ruff: noqa: N818, D107, PLR0912  (ways a script ends, not errors)
"""The state of the interpreted script: one undo log, branches that are joined, and exits that wait for their join.

Every write goes through :meth:`State.put`.  A branch that cannot be decided is run both ways from the same state; the
cells that either way changed are then joined.  A way that leaves by ``return``, ``break`` or ``continue`` waits
(:class:`Pending`) until the function or loop it leaves is joined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from reliability.camb_code.values import (
    UNBOUND,
    CambObject,
    Cells,
    Class,
    Function,
    Instance,
    Mapping,
    OneOf,
    Sequence,
    Unknown,
    join,
)

RETURN: Final = "return"
BREAK: Final = "break"
CONTINUE: Final = "continue"
RAISE: Final = "raise"
EXIT: Final = "exit"
Signal = tuple[str, Any] | None
"""How a statement ended: ``None`` if the next one follows."""
Delta = dict[tuple[int, Any], tuple[Cells, Any, Any]]

BORN: Final = "@born"
HOLDERS: Final = frozenset({Sequence, Mapping, Instance, Class, OneOf, tuple})
STEP_BUDGET: Final = 400_000
"""Nodes evaluated before the reader gives up (about a second)."""
LOOP_STEPS: Final = 40_000
"""Steps granted to one loop before it is no longer followed round by round."""
MAX_PENDING: Final = 200


OF_ARRAYS: Final = ("ValueError", "TypeError", "IndexError")
"""What numpy raises for numbers that do not go together."""
OF_FILES: Final = ("OSError", "ValueError", "TypeError")
"""What reading and writing raise."""


class BudgetExceeded(Exception):
    """The script needs more steps, depth or memory than the reader grants; the message says which."""


class ScriptRaises(Exception):
    """The script certainly raises here."""

    def __init__(self, kind: str, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.line = line
        self.value: Any = None
        """The exception object, where the script makes it."""


class ScriptExits(Exception):
    """``sys.exit`` and its like."""

    def __init__(self, status: Any = None, kind: str = "SystemExit") -> None:
        super().__init__(EXIT)
        self.kind = kind
        known = status is None or isinstance(status, int | str)
        self.is_failure = known and status not in (None, 0)


LATER: Final = ("Alens", "partial")
"""Cells of a computed model that reading its results may still write."""


class Frame:
    """A function call, loop or ``try`` that waits for the ways which leave it early."""

    __slots__ = ("base", "kinds", "pending")

    def __init__(self, base: int, kinds: tuple[str, ...]) -> None:
        self.base = base
        self.kinds = kinds
        self.pending: list[tuple[str, Any, Delta]] = []


class State:
    """Undo log, frames and step budget."""

    def __init__(self) -> None:
        self.trail: list[tuple[Cells, Any, Any]] = []
        self.frames: list[Frame] = []
        self.steps = STEP_BUDGET
        self.forks = 0
        """How many branches that are not decided are around what is run."""
        self.log: Cells = {"events": (), "reads": ()}
        self.leaked: dict[int, Any] = {}
        self.exits: list[tuple[CambObject, ...]] = []
        """What was computed on ways that end the script early and regularly."""
        self.guards = 0
        """How many ``try`` are around what is run."""
        self.raises_at: int | None = None
        """How long the undo log was where something may have raised first, since the innermost ``try`` began."""
        self.doubts: set[str] = set()
        """The errors that may have been raised; ``"Exception"`` is any."""
        self.lost: list[tuple[Cells, Any, Any]] = []
        """What was written since then on ways that are joined by now."""

    def doubt(self, *kinds: str) -> None:
        """What is run now may raise one of these errors."""
        if self.raises_at is None:
            self.raises_at = len(self.trail)
        self.doubts.update(kinds)

    def put(self, cells: Cells, key: Any, value: Any) -> None:
        """Write a cell so that it can be taken back."""
        self.trail.append((cells, key, cells.get(key, UNBOUND)))
        if value is UNBOUND:
            cells.pop(key, None)
        else:
            cells[key] = value

    def born(self, cells: Cells) -> None:
        """Note that the owner of these cells is made now: a way that never made it has no say in what they hold."""
        self.trail.append((cells, BORN, UNBOUND))

    def leak(self, value: Any) -> None:
        """A container that an unknown value may be from now on: changes through unknown values may be changes of it."""
        waiting, met = [value], set()
        while waiting:
            value = waiting.pop()
            if id(value) in met:
                continue
            met.add(id(value))
            kind = type(value)
            if kind in (Sequence, Mapping, Instance, Class):
                self.leaked[id(value)] = value
                inner = value.cells.get("v", ()) if kind in (Sequence, Mapping) else value.cells
            else:
                inner = value.options if kind is OneOf else value
            if type(inner) in (list, tuple, dict):
                self.spend(len(inner) // 16)
                items = inner.values() if type(inner) is dict else inner
                waiting += [item for item in items if type(item) in HOLDERS]

    def change_leaked(self, line: int | None) -> None:
        """Something unknown is changed in place."""
        self.spend(len(self.leaked) // 8)
        changed = Unknown("it may have been changed under another name", line)
        for value in self.leaked.values():
            if type(value) is Class:
                self.change_class(value, changed)
                continue
            for key in ["v"] if type(value) is not Instance else list(value.cells):
                if type(value.cells.get(key)) is not Unknown:
                    self.spend(1)
                    self.put(value.cells, key, changed)

    def change_class(self, cls: Class, reason: Unknown) -> None:
        """The attributes of a class, but for its methods, may have been changed."""
        for key, value in list(cls.cells.items()):
            if type(value) not in (Unknown, Function) and key[:2] != "__":
                self.spend(1)
                self.put(cls.cells, key, reason)

    def allowance(self) -> int:
        """Steps left at which a loop that is run round by round has had its share of the budget."""
        return self.steps - min(self.steps // 8, LOOP_STEPS)

    def spend(self, steps: int) -> None:
        """Use up steps of the budget."""
        self.steps -= steps
        if self.steps < 0:
            raise BudgetExceeded(f"the script needs more than {STEP_BUDGET} steps to follow")

    def delta(self, base: int) -> Delta:
        """The cells written since ``base`` with their present values."""
        changed: Delta = {}
        trail = self.trail
        self.spend((len(trail) - base) // 4)
        for i in range(base, len(trail)):
            cells, key, _ = trail[i]
            changed[id(cells), key] = (cells, key, cells.get(key, UNBOUND))
        return changed

    def begin_guard(self) -> tuple[int | None, set[str], int]:
        """Go into the body of a ``try``; gives what :meth:`end_guard` goes back to."""
        outer = (self.raises_at, self.doubts, len(self.lost))
        self.raises_at, self.doubts = None, set()
        self.guards += 1
        return outer

    def end_guard(
        self, outer: tuple[int | None, set[str], int], base: int, catches_all: bool
    ) -> tuple[set[str], list[Delta]]:
        """Leave the body of a ``try`` that began at ``base``: which errors it may raise, and what it then has done."""
        raises_at, doubts, n_lost = outer
        kinds, thrown = self.doubts, [] if self.raises_at is None else self.thrown(base, n_lost)
        self.guards -= 1
        if not thrown or catches_all:
            self.raises_at, self.doubts = raises_at, doubts
            del self.lost[n_lost:]
        else:
            self.raises_at, self.doubts = base if raises_at is None else raises_at, doubts | kinds
        return kinds, thrown

    def thrown(self, base: int, n_lost: int) -> list[Delta]:
        """What the cells written since ``base`` may hold where it raises: at the first doubtful place, or later."""
        first = len(self.trail) if self.raises_at is None else self.raises_at
        here: Delta = {}
        for i in range(base, first):
            cells, key, _ = self.trail[i]
            here[id(cells), key] = (cells, key, cells.get(key, UNBOUND))
        later = self.delta(base)
        self.spend((len(self.trail) - base + len(self.lost) - n_lost) // 4)
        seen: set[tuple[int, Any]] = set()
        for is_lost, entries in ((False, self.trail[first:]), (True, self.lost[n_lost:])):
            for cells, key, old in entries:
                identity = (id(cells), key)
                if key == BORN or cells is self.log:
                    pass
                elif (is_lost or identity in seen) and old is not UNBOUND:
                    held = later[identity][2] if identity in later else old
                    later[identity] = (cells, key, join(held, old, "where it raises"))
                if not is_lost and identity not in seen:
                    seen.add(identity)
                    if identity in here:
                        here[identity] = (cells, key, old)
        return [here, later]

    def roll_back(self, base: int) -> None:
        """Undo every write since ``base``."""
        trail = self.trail
        if self.raises_at is not None and self.guards:
            self.lost += trail[max(base, self.raises_at) :]
            self.raises_at = min(base, self.raises_at)
        for i in range(len(trail) - 1, base - 1, -1):
            cells, key, old = trail[i]
            if old is UNBOUND:
                cells.pop(key, None)
            else:
                cells[key] = old
        del trail[base:]

    def apply_join(self, deltas: list[Delta], reason: str) -> None:
        """From the common state before them, go to the join of several ways."""
        if len(deltas) == 1:
            for cells, key, value in deltas[0].values():
                self.put(cells, key, value)
            return
        merged: Delta = {}
        for delta in deltas:
            merged.update(delta)
        for identity, (cells, key, _) in merged.items():
            if key == BORN:
                self.born(cells)
                continue
            before = cells.get(key, UNBOUND)
            maker = (identity[0], BORN)
            concerned = [d for d in deltas if maker in d] if maker in merged else deltas
            values = [delta[identity][2] if identity in delta else before for delta in concerned]
            result = values[0]
            if cells is self.log and key == "events":
                result = join_ways(values, concerned, reason)
            else:
                for value in values[1:]:
                    result = join_reads(result, value) if cells is self.log else join(result, value, reason)
            if type(result) is Unknown:
                for value in values:
                    self.leak(value)
            if result is not before:
                self.put(cells, key, result)

    def fork(self, ways: Iterable[Callable[[], Signal]], reason: str) -> Signal:
        """Run every way from the present state, join those that go on; the others wait in their frame."""
        base = len(self.trail)
        going_on: list[Delta] = []
        leaving: list[tuple[str, Any, Delta]] = []
        last: tuple[str, Any] = (EXIT, ScriptExits())
        for way in ways:
            self.forks += 1
            try:
                signal = way()
            except ScriptRaises as error:
                signal = (RAISE, error)
            except ScriptExits as error:
                signal = (EXIT, error)
                if not error.is_failure and self._frame(EXIT) is None:
                    self._keep_exit()
            finally:
                self.forks -= 1
            if signal is None:
                going_on.append(self.delta(base))
            elif (frame := self._frame(signal[0])) is not None:
                leaving.append((*signal, self.delta(frame.base)))
            else:
                last = signal
            self.roll_back(base)
        if going_on:
            for kind, value, delta in leaving:
                self._wait(kind, value, delta)
            self.apply_join(going_on, reason)
            return None
        if not leaving:
            raise last[1]  # every way ends the script
        for kind, value, delta in leaving[1:]:
            self._wait(kind, value, delta)
        kind, value, delta = leaving[0]
        # the delta is relative to the frame; what lies between it and here holds already
        self.apply_join([delta], reason)
        if kind in (RAISE, EXIT):
            raise value
        return kind, value

    def _keep_exit(self) -> None:
        events = tuple(CambObject("model", dict(model.cells)) for model in self.log["events"])
        self.spend(len(events))
        if events and len(self.exits) < MAX_PENDING:
            self.exits.append(events)

    def _frame(self, kind: str) -> Frame | None:
        """The innermost frame that a signal of this kind leaves; ``None`` if it ends the script."""
        for frame in reversed(self.frames):
            if kind in frame.kinds:
                return frame
            if kind in (BREAK, CONTINUE) and RETURN in frame.kinds:
                break
        return None

    def _wait(self, kind: str, value: Any, delta: Delta) -> None:
        frame = self._frame(kind)
        if frame is not None:
            if len(frame.pending) >= MAX_PENDING:
                raise BudgetExceeded("the script has too many branches that cannot be decided")
            frame.pending.append((kind, value, delta))

    def wait(self, kind: str, value: Any) -> None:
        """Let the present state leave as ``kind``, to be joined by the frame it leaves for (or dropped: the end)."""
        frame = self._frame(kind)
        if frame is not None:
            self._wait(kind, value, self.delta(frame.base))

    def settle(self, frame: Frame, kinds: tuple[str, ...], present: bool, reason: str) -> list[Any]:
        """Join the ways of these kinds that wait in ``frame`` with the present state (if it is reachable)."""
        waiting = [entry for entry in frame.pending if entry[0] in kinds]
        if not waiting:
            return []
        frame.pending = [entry for entry in frame.pending if entry[0] not in kinds]
        deltas = [entry[2] for entry in waiting]
        if present:
            deltas.append(self.delta(frame.base))
        self.roll_back(frame.base)
        self.apply_join(deltas, reason)
        return [entry[1] for entry in waiting]

    def forget(self, base: int, reason: str, line: int | None) -> list[tuple[Cells, Any]]:
        """Take back everything since ``base`` and make the cells that were written unknown; say which they were."""
        delta = self.delta(base)
        changed = [
            (cells, key)
            for (owner, key), (cells, _, _) in delta.items()
            if cells is not self.log and (owner, BORN) not in delta
        ]
        self.roll_back(base)
        for cells, key in changed:
            self.leak(cells.get(key))
            self.put(cells, key, Unknown(reason, line))
        return changed


Held = Callable[[CambObject], Cells]
"""What a model's cells hold on a way."""


def join_ways(ways: list[tuple[CambObject, ...]], deltas: list[Delta], reason: str) -> tuple[CambObject, ...]:
    """The models computed on several ways, each as it is at the end of its way."""
    result, first = ways[0], _held_in(deltas[0])
    for way, delta in zip(ways[1:], deltas[1:], strict=True):
        result = join_events(result, way, reason, first, _held_in(delta))
        first = _held_now
    return result


def _held_now(model: CambObject) -> Cells:
    return model.cells


def _held_in(delta: Delta) -> Held:
    def held(model: CambObject) -> Cells:
        here = id(model.cells)
        later = {key: delta[here, key][2] for key in LATER if (here, key) in delta}
        return {**model.cells, **{key: value for key, value in later.items() if value is not UNBOUND}}

    return held


def join_events(
    a: tuple[CambObject, ...],
    b: tuple[CambObject, ...],
    reason: str,
    held_a: Held = _held_now,
    held_b: Held = _held_now,
) -> tuple[CambObject, ...]:
    """The models computed on either way: paired from the last one back, since the last one counts."""

    def paired(x: CambObject, y: CambObject) -> CambObject:
        return _join_models(held_a(x), held_b(y), reason)

    n = 0
    while n < len(a) and n < len(b) and a[n] is b[n]:
        n += 1
    prefix, tail_a, tail_b = a[:n], a[n:], b[n:]
    if not tail_a and not tail_b:
        return prefix
    if not tail_a or not tail_b:
        tail = tail_a or tail_b
        if not prefix:
            return tail
        last = paired(tail_a[-1], prefix[-1]) if tail_a else paired(prefix[-1], tail_b[-1])
        return (*prefix, *tail[:-1], last)
    pairs = [paired(x, y) for x, y in zip(tail_a[::-1], tail_b[::-1], strict=False)][::-1]
    longer = tail_a if len(tail_a) >= len(tail_b) else tail_b
    return prefix + longer[: len(longer) - len(pairs)] + tuple(pairs)


def join_reads(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """What is read on either way: all of it."""
    n = 0
    while n < len(a) and n < len(b) and a[n] is b[n]:
        n += 1
    return a + b[n:]


def _join_models(a: Cells, b: Cells, reason: str) -> CambObject:
    both = a.keys() & b.keys() - {"line"}
    cells = {name: join(a[name], b[name], reason) for name in a if name in both}
    return CambObject("model", {"line": b["line"], **cells})
