# ruff: noqa: D107  (the class says it)
"""Iterators: generators, ``map``, ``zip`` and their like, which give each item once, and only when it is asked for.

A stream pushes: it runs its own code and hands every item to whoever consumes it, there and then, so that what a
generator does between two items happens between the consumer's two rounds.  Where a consumer leaves and comes back
(``next``), the code is run again up to the place that was reached; this is only right if it changes nothing and reads
nothing that has changed, which is checked.  Whatever cannot be followed is taken back: :class:`NotFollowed`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from reliability.camb_code.plain_values import MAX_ITEMS, items_of
from reliability.camb_code.state import BREAK, CONTINUE, EXIT, RAISE, RETURN, Frame, ScriptExits, ScriptRaises
from reliability.camb_code.texts import Texts
from reliability.camb_code.values import PLACE, UNBOUND, Class, Instance, Sequence, Stream, Unknown

END: Final = -1
"""Position of a stream that has given all."""

Take = Callable[[Any], bool]
"""Receives an item; whether more are wanted."""


class NotFollowed(Exception):  # noqa: N818  (no error: another way is taken)
    """How a stream is consumed cannot be followed; the message says why."""


class Left(Exception):  # noqa: N818
    """The consumer of a stream wants no more for now."""

    def __init__(self, stream: Stream) -> None:
        super().__init__("left")
        self.stream = stream


class Carried(Exception):  # noqa: N818
    """What the consumer of a stream raises: it passes through the stream's own code without being caught there."""

    def __init__(self, stream: Stream, error: ScriptRaises | ScriptExits) -> None:
        super().__init__("carried")
        self.stream = stream
        self.error = error


class Streams(Texts):
    """Making and consuming streams."""

    def drain(self, stream: Stream, take: Take) -> Any:
        """Hand the items from the present position on to `take`; gives what a generator returns at its end."""
        state = self.state
        start = stream.cells[PLACE]
        if type(start) is not int:
            raise NotFollowed(start.reason if type(start) is Unknown else "how far it has been read is not known")
        if start == END:
            return None
        forks, depth = state.forks, len(state.frames)

        def emit(value: Any, position: int) -> None:
            if state.forks != forks or any(frame.pending for frame in state.frames[depth:]):
                raise NotFollowed("whether an item is given depends on a condition that is not known")
            state.spend(1)
            state.put(stream.cells, PLACE, position)
            if not self._consume(stream, take, value):
                raise Left(stream)

        try:
            returned = stream.push(start, emit)
        except Left as left:
            if left.stream is not stream:
                raise
            return None
        except Carried as carried:
            if carried.stream is not stream:
                raise
            raise carried.error from None
        state.put(stream.cells, PLACE, END)
        return returned

    def _consume(self, stream: Stream, take: Take, value: Any) -> bool:
        """Run the consumer; it must leave in one way only, for the stream's own loops are around it."""
        guard = Frame(len(self.state.trail), (RETURN, BREAK, CONTINUE, RAISE, EXIT))
        self.state.frames.append(guard)
        try:
            wanted = take(value)
        except (ScriptRaises, ScriptExits) as error:
            raise Carried(stream, error) from None
        finally:
            self.state.frames.pop()
        if guard.pending:
            raise NotFollowed("a branch that is not decided leaves the loop over it")
        return wanted

    def attempt(self, run: Callable[[], Any]) -> Any:
        """Run something; if it raises :class:`NotFollowed`, all that it did is taken back."""
        state = self.state
        base, depth, findings = len(state.trail), self.depth, dict(self.camb.findings)
        frames, waiting = len(state.frames), [len(frame.pending) for frame in state.frames]
        n_exits, forks = len(state.exits), state.forks
        try:
            return run()
        except NotFollowed:
            state.roll_back(base)
            del state.frames[frames:]
            for frame, n in zip(state.frames, waiting, strict=True):
                del frame.pending[n:]
            del state.exits[n_exits:]
            state.forks, self.depth, self.camb.findings = forks, depth, findings
            raise

    def abandon(self, stream: Stream, reason: str, line: int | None) -> None:
        """Nothing more is known about a stream: it may have done all, part or nothing of what it does."""
        if type(stream.cells[PLACE]) is Unknown or stream.cells[PLACE] == END:
            return
        self.state.put(stream.cells, PLACE, Unknown(reason, line))
        self.may_raise = True
        if stream.rest is not None:
            stream.rest(reason)

    def all_items(self, value: Any, line: int | None) -> list[Any] | None:
        """The items of anything that can be looped over; a stream has given them all then."""
        value = self.iterated(value, line)
        if type(value) is not Stream:
            return items_of(value)
        items: list[Any] = []

        def take(item: Any) -> bool:
            if len(items) >= MAX_ITEMS:
                raise NotFollowed("it gives too many items")
            items.append(item)
            return True

        try:
            self.attempt(lambda: self.drain(value, take))
        except NotFollowed as why:
            self.abandon(value, str(why), line)
            return None
        return items

    def listed(self, value: Any, line: int | None) -> Any:
        """A stream as the list of its items; other values as they are."""
        if type(value) is not Stream:
            return value
        items = self.all_items(value, line)
        return Sequence(items) if items is not None else Unknown("the items are not known", line)

    def next_item(self, value: Any, default: Any, line: int | None) -> Any:
        """``next(value, default)``."""
        if type(value) is Instance and value.cls is not None:
            found, method = self.in_class(value.cls, "__next__")
            if found:
                return self.apply(method, [value], {}, line)
        if type(value) is not Stream:
            return self.opaque("next", [value], {}, line)
        taken: list[Any] = []

        def take(item: Any) -> bool:
            taken.append(item)
            return False

        try:
            self.attempt(lambda: self.drain(value, take))
        except NotFollowed as why:
            self.abandon(value, str(why), line)
            return Unknown(f"the next item is not followed: {why}", line)
        if taken:
            return taken[-1]
        if default is UNBOUND:
            raise ScriptRaises("StopIteration", "there is no next item", line)
        return default

    def first_truth(self, name: str, value: Any, line: int | None) -> Any:
        """``any`` and ``all`` of a stream: no item is asked for after the one that decides."""
        decided: list[bool] = []

        def take(item: Any) -> bool:
            known = self.truth_of(item, line)
            if known is None:
                raise NotFollowed("whether an item is true is not known")
            if known is (name == "any"):
                decided.append(known)
            return not decided

        try:
            self.attempt(lambda: self.drain(value, take))
        except NotFollowed as why:
            self.abandon(value, str(why), line)
            return Unknown(f"{name}() is not known: {why}", line)
        return decided[0] if decided else name == "all"

    def stream_of(self, value: Any, line: int | None) -> Any:
        """``iter(value)``: a stream, or unknown."""
        value = self.iterated(value, line)
        if type(value) is Stream:
            return value
        items = items_of(value)
        if items is None or (type(value) is Sequence and value.kind == "set" and len(items) > 1):
            return Unknown("the items are not known", line)

        def push(start: int, emit: Callable[[Any, int], None]) -> None:
            place = start
            while True:
                now = items_of(value)  # a list may grow while it is read
                if now is None:
                    raise NotFollowed("the items are not known")
                if place >= len(now):
                    return
                place += 1
                emit(now[place - 1], place)

        return Stream(push)

    def made_by(self, sources: list[Any], one: Callable[[list[Any]], Any], line: int | None) -> Any:
        """A stream of ``one([item of each source])``, to the end of the shortest; ``one`` may skip (``UNBOUND``)."""
        streams = [self.stream_of(source, line) for source in sources]
        if not streams or any(type(stream) is not Stream for stream in streams):
            return Unknown("the items are not known", line)
        first, others = streams[0], streams[1:]
        absent = object()

        def push(start: int, emit: Callable[[Any, int], None]) -> None:
            place = start

            def take(item: Any) -> bool:
                nonlocal place
                row = [item]
                for other in others:
                    row.append(self.next_item(other, absent, line))
                    if row[-1] is absent:
                        return False
                    if type(other.cells[PLACE]) is Unknown:
                        raise NotFollowed("the items are not known")
                made = one(row)
                place += 1
                if made is not UNBOUND:
                    emit(made, place)
                return True

            self.drain(first, take)

        def rest(reason: str) -> None:
            for stream in streams:
                self.abandon(stream, reason, line)

        made = Stream(push)
        made.rest = rest
        return made

    def iterated(self, value: Any, line: int | None) -> Any:
        """What is looped over: what ``__iter__`` of an object gives, members of an enumeration, or the value itself."""
        if type(value) is Class and value.is_enum:
            members = {id(v): v for v in value.cells.values() if type(v) is Instance and "@member" in v.cells}
            has_doubt = any(type(v) is Unknown for v in value.cells.values())
            return Unknown("the members are not known", line) if has_doubt else Sequence(list(members.values()))
        if type(value) is not Instance:
            return value
        cls = value.cls
        if cls is None or not self.in_class(cls, "__iter__")[0]:
            return value
        _, method = self.in_class(cls, "__iter__")
        made = self.apply(method, [value], {}, line)
        if type(made) is not Instance or made.cls is None or not self.in_class(made.cls, "__next__")[0]:
            return made

        def push(start: int, emit: Callable[[Any, int], None]) -> None:
            place = start
            while True:
                try:
                    item = self.next_item(made, UNBOUND, line)
                except ScriptRaises as error:
                    if error.kind == "StopIteration":
                        return
                    raise
                place += 1
                emit(item, place)

        stream = Stream(push)
        stream.rest = lambda reason: self.open_up(made, reason, line)
        return stream
