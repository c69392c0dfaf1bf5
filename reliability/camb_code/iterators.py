# ruff: noqa: ARG001  (one signature for all rows)
"""Functions that make or read iterators: ``zip``, ``map``, ``any`` and their like, and :mod:`itertools`."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Callable
from typing import Any, Final

from reliability.camb_code.plain_values import in_order, is_known, items_of
from reliability.camb_code.state import ScriptRaises
from reliability.camb_code.streams import NotFollowed, Streams
from reliability.camb_code.values import UNBOUND, Sequence, Stream, Unknown

Emit = Callable[[Any, int], None]
MAX_PRODUCT: Final = 5000
MAX_LENGTH: Final = 20
"""Longest tuple that ``product`` and its like make."""


def _unknown(line: int | None) -> Unknown:
    return Unknown("the items are not known", line)


def _zip(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if not args:
        return Sequence([])
    if keywords.get("strict", False) is not False or not keywords.keys() <= {"strict"}:
        lists = [lib.all_items(arg, line) for arg in args]
        if any(items is None for items in lists) or len({len(items) for items in lists if items is not None}) > 1:
            lib.may_raise = True
            return _unknown(line)
        args = [Sequence(items) for items in lists]
    return lib.made_by(args, tuple, line)


def _map(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if len(args) < 2 or keywords:
        return lib.opaque("map", args, keywords, line)
    made = lib.made_by(args[1:], lambda row: lib.apply(args[0], row, {}, line), line)
    return _or_escape(lib, made, args[:1], "map", line)


def _star_map(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    def one(row: list[Any]) -> Any:
        given = items_of(row[0])
        if given is None:
            raise NotFollowed("the arguments are not known")
        return lib.apply(args[0], given, {}, line)

    if len(args) != 2 or keywords:
        return lib.opaque("itertools.starmap", args, keywords, line)
    return _or_escape(lib, lib.made_by(args[1:], one, line), args[:1], "itertools.starmap", line)


def _or_escape(lib: Streams, made: Any, functions: list[Any], what: str, line: int | None) -> Any:
    """A stream that calls functions for its items: where it cannot be followed they may be called with anything."""

    def rest(reason: str) -> None:
        lib.escape(functions, what, line)
        if before is not None:
            before(reason)

    if type(made) is not Stream:
        return lib.opaque(what, functions, {}, line)
    before, made.rest = made.rest, rest
    return made


def _passes(lib: Streams, test: Any, item: Any, line: int | None) -> bool:
    known = lib.truth_of(item if test is None else lib.apply(test, [item], {}, line), line)
    if known is None:
        raise NotFollowed("whether an item passes is not known")
    return known


def _filter(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if len(args) != 2:
        return lib.opaque("filter", args, keywords, line)
    made = lib.made_by(args[1:], lambda row: row[0] if _passes(lib, args[0], row[0], line) else UNBOUND, line)
    return _or_escape(lib, made, args[:1], "filter", line)


def _take_while(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    source = lib.stream_of(args[1], line) if len(args) == 2 else None
    if type(source) is not Stream:
        return lib.opaque("itertools.takewhile", args, keywords, line)

    def push(start: int, emit: Emit) -> None:
        place = start

        def take(item: Any) -> bool:
            nonlocal place
            if not _passes(lib, args[0], item, line):
                return False
            place += 1
            emit(item, place)
            return True

        lib.drain(source, take)

    return _or_escape(lib, _over(lib, push, [source], line), args[:1], "itertools.takewhile", line)


def _over(lib: Streams, push: Callable[[int, Emit], Any], sources: list[Stream], line: int | None) -> Stream:
    """A stream that reads others."""
    made = Stream(push)

    def rest(reason: str) -> None:
        for source in sources:
            lib.abandon(source, reason, line)

    made.rest = rest
    return made


def _chain(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    sources = [lib.stream_of(arg, line) for arg in args]
    if any(type(source) is not Stream for source in sources):
        return _unknown(line)

    def push(start: int, emit: Emit) -> None:
        place = start

        def take(item: Any) -> bool:
            nonlocal place
            place += 1
            emit(item, place)
            return True

        for source in sources:
            lib.drain(source, take)

    return _over(lib, push, sources, line)


def _chain_all(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    items = lib.all_items(args[0], line) if len(args) == 1 else None
    return _chain(lib, items, {}, line) if items is not None else _unknown(line)


def _slice(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    source = lib.stream_of(args[0], line) if 2 <= len(args) <= 4 else None
    if type(source) is not Stream or not all(arg is None or type(arg) is int for arg in args[1:]):
        return lib.opaque("itertools.islice", args, keywords, line)
    if any(arg is not None and arg < 0 for arg in args[1:]) or args[3:] == [0]:
        raise ScriptRaises("ValueError", "islice() takes no negative numbers and no step of 0", line)
    bounds = slice(*args[1:])
    first, last, step = bounds.start or 0, bounds.stop, bounds.step or 1

    def push(start: int, emit: Emit) -> None:
        place = start  # items of the source that have been read

        def take(item: Any) -> bool:
            nonlocal place
            place += 1
            if place > first and (place - 1 - first) % step == 0:
                emit(item, place)
            return last is None or place < last

        if last is None or place < last:
            lib.drain(source, take)

    return _over(lib, push, [source], line)


def counted(first: Any, step: Any) -> Stream:
    """``itertools.count``."""

    def push(place: int, emit: Emit) -> None:
        while True:
            place += 1
            emit(first + (place - 1) * step, place)

    return Stream(push)


def _count(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    first = args[0] if args else keywords.get("start", 0)
    step = args[1] if len(args) > 1 else keywords.get("step", 1)
    return counted(first, step) if type(first) is int and type(step) is int else _unknown(line)


def _repeat(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    times = args[1] if len(args) > 1 else keywords.get("times")
    if not args or not (times is None or type(times) is int):
        return _unknown(line)

    def push(place: int, emit: Emit) -> None:
        while times is None or place < times:
            place += 1
            emit(args[0], place)

    return Stream(push)


def _cycle(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    items = lib.all_items(args[0], line) if len(args) == 1 and in_order(args[0]) else None
    if not items:
        return _unknown(line)

    def push(place: int, emit: Emit) -> None:
        while True:
            place += 1
            emit(items[(place - 1) % len(items)], place)

    return Stream(push)


def _accumulate(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    items = lib.all_items(args[0], line) if args and in_order(args[0]) else None
    function = args[1] if len(args) > 1 else keywords.get("func")
    if items is None or not keywords.keys() <= {"func", "initial"} or len(items) > MAX_PRODUCT:
        return lib.opaque("itertools.accumulate", args, keywords, line)
    if "initial" in keywords and keywords["initial"] is not None:
        items = [keywords["initial"], *items]
    lib.state.spend(len(items))
    made = items[:1]
    for item in items[1:]:
        old = made[-1]
        new = lib.operate(ast.Add, old, item, line) if function is None else lib.apply(function, [old, item], {}, line)
        made.append(new)
    return lib.stream_of(Sequence(made), line)


def _combined(name: str) -> Callable[..., Any]:
    """``product``, ``combinations`` and their like: known from the items alone."""

    def make(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
        n_lists = len(args) if name in ("product", "zip_longest") else 1
        lists = [lib.all_items(arg, line) if in_order(arg) else None for arg in args[:n_lists]]
        known = [items for items in lists if items is not None]
        if len(known) < len(lists) or not known or not all(map(is_known, (*args[n_lists:], *keywords.values()))):
            return _unknown(line)
        repeat, length = keywords.get("repeat", 1), args[n_lists] if len(args) > n_lists else 9
        if type(repeat) is not int or type(length) is not int or max(repeat, length) > MAX_LENGTH:
            return _unknown(line)
        size = max(map(len, known))
        if name == "product":
            size = math.prod(map(len, known)) ** max(repeat, 0)
        elif name in ("combinations", "permutations", "combinations_with_replacement"):
            size = len(known[0]) ** max(length, 0)
        if size > MAX_PRODUCT:
            return _unknown(line)
        lib.state.spend(size)
        try:
            made = list(getattr(itertools, name)(*known, *args[n_lists:], **keywords))
        except (TypeError, ValueError) as error:
            raise ScriptRaises(type(error).__name__, str(error), line) from None
        return lib.stream_of(Sequence(made), line)

    return make


def _iter(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if len(args) != 2:
        return lib.stream_of(args[0], line) if len(args) == 1 else lib.opaque("iter", args, keywords, line)

    def push(place: int, emit: Emit) -> None:
        while True:
            item = lib.apply(args[0], [], {}, line)
            if not is_known(item) or not is_known(args[1]):
                raise NotFollowed("whether the last item is reached is not known")
            if item == args[1]:
                return
            place += 1
            emit(item, place)

    return _or_escape(lib, Stream(push), args[:1], "iter", line)


def _any_all(name: str) -> Callable[..., Any]:
    def decide(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
        stream = lib.stream_of(args[0], line) if len(args) == 1 else None
        if type(stream) is Stream:
            return lib.first_truth(name, stream, line)
        lib.may_raise = True
        return Unknown(f"{name}() of items that are not known", line)

    return decide


def _enumerate(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    start = args[1] if len(args) > 1 else keywords.get("start", 0)
    if not args or type(start) is not int:
        return _unknown(line)
    return lib.made_by([args[0], counted(start, 1)], lambda row: (row[1], row[0]), line)


def _reversed(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    items = items_of(args[0]) if args else None
    if items is None or not in_order(args[0]):
        return _unknown(line)
    return lib.stream_of(Sequence(items[::-1]), line)


def _null_context(lib: Streams, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """``with nullcontext(value) as name``."""

    def push(start: int, emit: Emit) -> None:
        emit(args[0] if args else keywords.get("enter_result"), 1)

    made = Stream(push)
    made.is_manager = True
    return made


OF_PYTHON: Final[dict[str, Any]] = {
    "zip": _zip,
    "map": _map,
    "filter": _filter,
    "iter": _iter,
    "any": _any_all("any"),
    "all": _any_all("all"),
    "enumerate": _enumerate,
    "reversed": _reversed,
}
OF_ITERTOOLS: Final[dict[str, Any]] = {
    "contextlib.nullcontext": _null_context,
    "itertools.chain": _chain,
    "itertools.chain.from_iterable": _chain_all,
    "itertools.islice": _slice,
    "itertools.takewhile": _take_while,
    "itertools.starmap": _star_map,
    "itertools.count": _count,
    "itertools.repeat": _repeat,
    "itertools.cycle": _cycle,
    "itertools.accumulate": _accumulate,
    **{
        f"itertools.{name}": _combined(name)
        for name in (
            "product",
            "combinations",
            "permutations",
            "combinations_with_replacement",
            "pairwise",
            "zip_longest",
        )
    },
}
