# ruff: noqa: PLR0911, PLR0912  (a branch or a return for every kind of value)
"""Methods of lists, sets, dictionaries and deques, done on their items as Python does them."""

from __future__ import annotations

import collections
from typing import Any, Final

from reliability.camb_code.construction import Construction
from reliability.camb_code.plain_values import MAX_ITEMS, ZERO, in_order, is_known, items_of
from reliability.camb_code.state import ScriptRaises
from reliability.camb_code.values import UNBOUND, Mapping, OneOf, Sequence, Unknown, describe, join

BY_PLACE: Final = frozenset(
    ["append", "appendleft", "insert", "pop", "popleft", "clear", "reverse", "rotate", "extend", "extendleft"]
)
"""Methods that look at places only, never at the items."""
BY_VALUE: Final = frozenset({"remove", "index", "count"})
CHANGE_SET: Final = frozenset({"add", "discard", "remove", "update", "clear"})
ASK_SET: Final = frozenset(
    ["union", "intersection", "difference", "symmetric_difference", "issubset", "issuperset", "isdisjoint"]
)
READ_ONLY: Final = frozenset(
    ["mean", "std", "dot", "reshape", "copy", "tolist", "astype", "min", "max", "sum", "index", "any", "all", "count"]
)
"""Methods that change nothing, whatever the items are."""


class Containers(Construction):
    """What the methods of Python's containers give and change."""

    # ------------------------------------------------------------------------------------------------ dictionaries

    def mapping_method(self, owner: Mapping, name: str, args: list[Any], keywords: dict[str, Any], line: Any) -> Any:
        """Call a method of a dictionary."""
        contents = owner.cells["v"]
        put = self.state.put
        if type(contents) is not dict:
            if name in ("pop", "popitem", "move_to_end"):
                self.may_raise = True
            if name in ("update", "pop", "clear", "setdefault", "popitem"):
                return Unknown("a dictionary that is not known is changed", line)
            return Unknown(contents.reason if type(contents) is Unknown else "a dictionary that is not known", line)
        self.state.spend(len(contents) // 16)
        if name in ("get", "pop", "setdefault") and args:
            return self._take(owner, name, args, keywords, line)
        if name == "update":
            return self._update(owner, contents, args, keywords, line)
        has_doubts = any(type(v) is OneOf and UNBOUND in v.options for v in contents.values())
        if name in ("items", "keys", "values"):
            if has_doubts:
                return Unknown("the keys depend on a branch", line)
            self.state.spend(len(contents) // 4)
            pairs = {"items": contents.items(), "keys": contents.keys(), "values": contents.values()}
            return Sequence(list(pairs[name]), "keys" if name == "keys" else "view")
        if name == "copy":
            made = Mapping(contents)
            made.factory = owner.factory
            return made
        if name == "popitem" and not has_doubts and not args and keywords.keys() <= {"last"}:
            if not contents:
                raise ScriptRaises("KeyError", "popitem of an empty dictionary", line)
            key = list(contents)[-1 if keywords.get("last", True) is True else 0]
            put(owner.cells, "v", {k: v for k, v in contents.items() if k != key})
            return key, contents[key]
        if name == "most_common" and owner.factory is ZERO and all(map(is_known, contents.values())):
            order = sorted(contents.items(), key=lambda pair: pair[1], reverse=True)
            if not args or type(args[0]) is int:
                return Sequence(order[: args[0]] if args else order)
        if name == "move_to_end" and args and is_known(args[0]) and args[0] in contents and len(args) == 1:
            rest = {k: v for k, v in contents.items() if k != args[0]}
            last = {args[0]: contents[args[0]]}
            put(owner.cells, "v", {**rest, **last} if keywords.get("last", True) is True else {**last, **rest})
            return None
        if name == "clear":
            put(owner.cells, "v", {})
            return None
        self.may_raise = True
        put(owner.cells, "v", Unknown(f"the method {name} is not followed", line))
        return Unknown(f"the method {name} is not followed", line)

    def _take(self, owner: Mapping, name: str, args: list[Any], keywords: dict[str, Any], line: Any) -> Any:
        """``get``, ``pop`` and ``setdefault``."""
        contents = owner.cells["v"]
        put = self.state.put
        default = args[1] if len(args) > 1 else keywords.get("default")
        if not is_known(args[0]):
            if name != "get":
                self.may_raise = True
                put(owner.cells, "v", Unknown("a key that is not known is taken out", line))
            return Unknown("the key is not known", line)
        value = contents.get(args[0], UNBOUND)
        if value is UNBOUND and name == "pop" and len(args) < 2:
            raise ScriptRaises("KeyError", f"{describe(args[0])}", line)
        found = default if value is UNBOUND else value
        if type(found) is OneOf and UNBOUND in found.options:
            if name == "pop" and len(args) < 2:
                self.may_raise = True
            found = join(self.bound_options(found), default, found.reason)
            if name == "setdefault":
                put(owner.cells, "v", {**contents, args[0]: found})
        if name == "setdefault" and value is UNBOUND:
            put(owner.cells, "v", {**contents, args[0]: default})
        if name == "pop" and value is not UNBOUND:
            put(owner.cells, "v", {k: v for k, v in contents.items() if k != args[0]})
        return found

    def _update(
        self, owner: Mapping, contents: dict[Any, Any], args: list[Any], keywords: dict[str, Any], line: Any
    ) -> None:
        extra = self.call_builtin("dict", args, keywords, line)
        self.state.spend(len(contents) // 16)
        if type(extra) is Mapping and type(extra.cells["v"]) is dict and owner.factory is not ZERO:
            self.state.put(owner.cells, "v", {**contents, **extra.cells["v"]})
        else:
            self.may_raise = True
            self.state.put(owner.cells, "v", Unknown("it is updated with a dictionary that is not known", line))

    # ---------------------------------------------------------------------------------------------- lists and sets

    def sequence_method(self, owner: Sequence, name: str, args: list[Any], keywords: dict[str, Any], line: Any) -> Any:
        """Call a method of a list, set, deque or array."""
        items = owner.cells["v"]
        result: Any = NotImplemented
        if owner.kind == "array":
            if name in ("copy", "astype", "tolist", "flatten", "ravel") and (not args or args[0] == "float"):
                return Sequence(items, "list" if name == "tolist" else "array")
            if name in ("min", "max", "sum") and not args:
                return self.call_builtin(name, [owner], {}, line)
        elif type(items) is list and len(items) < MAX_ITEMS:
            self.state.spend(len(items) // 16)
            if name == "copy" and not args:
                return Sequence(items, owner.kind)
            if owner.kind in ("set", "keys"):
                result = self._set_method(owner, items, name, args, line)
            elif name == "sort":
                put_in_order = self.in_sorted_order(items, keywords, line)
                if put_in_order is not None:
                    self.state.put(owner.cells, "v", put_in_order)
                    return None
            else:
                result = self._list_method(owner, items, name, args, line)
        if result is not NotImplemented:
            return result
        if name not in READ_ONLY:
            self.may_raise = True
            self.state.put(owner.cells, "v", Unknown(f"the method {name} of a list is not followed here", line))
        elif name == "index":
            self.may_raise = True
        return Unknown(f"the method {name} of a list is not followed", line)

    def _list_method(self, owner: Sequence, items: list[Any], name: str, args: list[Any], line: Any) -> Any:
        if name in BY_VALUE:
            if not all(map(is_known, [*items, *args])):
                return NotImplemented
        elif name in ("extend", "extendleft"):
            more = items_of(args[0]) if len(args) == 1 and in_order(args[0]) else None
            if more is None:
                return NotImplemented
            args = [list(more)]
        elif name not in BY_PLACE or (
            name in ("insert", "pop", "rotate") and not all(type(a) is int for a in args[:1])
        ):
            return NotImplemented
        is_deque = owner.kind == "deque"
        changed: Any = collections.deque(items, owner.maxlen) if is_deque else list(items)
        try:
            result = getattr(changed, name)(*args)
        except (IndexError, ValueError, TypeError, AttributeError) as error:
            raise ScriptRaises(type(error).__name__, str(error), line) from None
        if name not in ("index", "count"):
            self.state.put(owner.cells, "v", list(changed))
        return result

    def _set_method(self, owner: Sequence, items: list[Any], name: str, args: list[Any], line: Any) -> Any:
        given = [items_of(a) if name not in ("add", "discard", "remove") else [a] for a in args]
        known = [each for each in given if each is not None]
        self.state.spend(sum(map(len, known)) // 8)
        if len(known) < len(given) or not all(map(is_known, [v for each in (items, *known) for v in each])):
            return NotImplemented
        if name in CHANGE_SET and owner.kind == "set":
            changed = dict.fromkeys(items)
            if name == "remove" and args and args[0] not in changed:
                raise ScriptRaises("KeyError", describe(args[0]), line)
            for each in known:
                for value in each:
                    if name in ("add", "update"):
                        changed[value] = None
                    else:
                        changed.pop(value, None)
            self.state.put(owner.cells, "v", [] if name == "clear" else list(changed))
            return None
        if name in ASK_SET:
            made = getattr(set(items), name)(*known)
            return Sequence(list(made), "set") if type(made) is set else made
        return NotImplemented
