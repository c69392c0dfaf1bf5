# ruff: noqa: PLR0911, PLR0912  (a branch or a return for every kind of value)
"""Lists, dictionaries and texts that are written out, and items taken from them."""

from __future__ import annotations

import ast
from typing import Any

from reliability.camb_code.arithmetic import MAX_LENGTH
from reliability.camb_code.comparisons import Comparisons
from reliability.camb_code.plain_values import PYTHON_TYPES, ZERO, is_known, items_of
from reliability.camb_code.state import BudgetExceeded, ScriptRaises
from reliability.camb_code.values import (
    UNBOUND,
    Builtin,
    CambObject,
    Cells,
    Class,
    External,
    Instance,
    Mapping,
    OneOf,
    PathText,
    Scope,
    Sequence,
    Unknown,
    describe,
    join,
)


class Displays(Comparisons):
    """Displays and subscripts."""

    def _spread(self, nodes: list[ast.expr], scope: Scope) -> list[Any] | Unknown:
        """Items of a display, with ``*more`` spread out."""
        items: list[Any] = []
        for node in nodes:
            if type(node) is ast.Starred:
                more = self.all_items(self.evaluate(node.value, scope), node.lineno)
                if more is None:
                    return Unknown("*items that are not known", node.lineno)
                self.state.spend(len(more) // 8)
                items += more
            else:
                items.append(self.evaluate(node, scope))
        return items

    def _tuple(self, node: ast.Tuple, scope: Scope) -> Any:
        items = self._spread(node.elts, scope)
        return self.made_tuple(items, node.lineno) if type(items) is list else items

    def _list(self, node: ast.List, scope: Scope) -> Any:
        made = Sequence(self._spread(node.elts, scope))
        self.state.born(made.cells)
        return made

    def _set(self, node: ast.Set, scope: Scope) -> Any:
        items = self._spread(node.elts, scope)
        if type(items) is list and not all(map(is_known, items)):
            items = Unknown("a set of values that are not known", node.lineno)
        return Sequence(list(dict.fromkeys(items)) if type(items) is list else items, "set")

    def _dict(self, node: ast.Dict, scope: Scope) -> Any:
        contents: dict[Any, Any] = {}
        for key_node, value_node in zip(node.keys, node.values, strict=True):
            value = self.evaluate(value_node, scope)
            if key_node is None:
                inner = value.cells["v"] if type(value) is Mapping else None
                if type(inner) is not dict:
                    return Mapping(Unknown("it takes over a dictionary that is not known", node.lineno))
                self.state.spend(len(inner) // 16)
                contents.update(inner)
                continue
            key = self.evaluate(key_node, scope)
            if not is_known(key):
                return Mapping(Unknown("a key is not known", node.lineno))
            contents[key] = value
        made = Mapping(contents)
        self.state.born(made.cells)
        return made

    def _subscript(self, node: ast.Subscript, scope: Scope) -> Any:
        names = self._own_names(node.value, scope) if type(node.value) is ast.Call else None
        if names is not None:
            return self.item(Mapping({**names}), self.evaluate(node.slice, scope), node.lineno)
        owner = self.evaluate(node.value, scope)
        index = self.evaluate(node.slice, scope)
        return self.item(owner, index, node.lineno)

    def _own_names(self, node: ast.expr, scope: Scope) -> Cells | None:
        """The names that ``globals()``, or ``locals()`` outside functions, is; ``None`` if it is neither."""
        if type(node) is not ast.Call or type(node.func) is not ast.Name or node.args or node.keywords:
            return None
        if node.func.id not in ("globals", "locals") or (node.func.id == "locals" and scope is not self.module):
            return None
        is_python = type(self.lookup(node.func.id, scope, node.lineno)) is Builtin
        return self.module.vars if is_python else None

    def item(self, owner: Any, index: Any, line: int) -> Any:
        """``owner[index]``."""
        kind = type(owner)
        if kind is OneOf and len(options := [o for o in owner.options if type(o) in (Mapping, Sequence, tuple)]) == 1:
            return self.item(options[0], index, line)
        if kind is Mapping:
            contents = owner.cells["v"]
            if type(contents) is dict and is_known(index):
                value = contents.get(index, UNBOUND)
                if value is UNBOUND and owner.factory is ZERO:
                    return 0
                if value is UNBOUND and owner.factory is not None:
                    made = self.apply(owner.factory, [], {}, line)
                    self.state.put(owner.cells, "v", {**contents, index: made})
                    return made
                if value is UNBOUND:
                    raise ScriptRaises("KeyError", describe(index), line)
                return self.bound_options(value)
        items = owner if kind is str else items_of(owner) if kind in (tuple, Sequence, Instance) else None
        if items is not None and type(index) is int:
            if -len(items) <= index < len(items):
                return items[index]
            raise ScriptRaises("IndexError", f"index {index} of {len(items)} items", line)
        if items is not None and type(index) is slice:
            chosen = items[index]
            self.state.spend(len(chosen) // 8)
            if kind is str:
                return chosen
            if kind in (tuple, Instance):
                return tuple(chosen)
            part = Sequence(chosen, owner.kind)
            if owner.kind == "array":
                part.family = owner.family = [*(owner.family or [owner]), part]
                for other in part.family:
                    other.family = part.family
            return part
        if kind is Instance and owner.cls is not None and items is None:
            found, getter = self.in_class(owner.cls, "__getitem__")
            if found:
                return self.apply(getter, [owner, index], {}, line)
        if kind is Class and not owner.is_enum and "__class_getitem__" not in owner.cells:
            return owner
        if kind is External and owner.path.partition(".")[0] in ("typing", "collections"):
            return owner
        if kind is Builtin and owner.name in PYTHON_TYPES:
            return owner
        if kind is Class and owner.is_enum and type(index) is str and type(owner.cells.get(index)) is Instance:
            return owner.cells[index]
        if items is not None and 0 < len(items) <= 8 and type(index) is Unknown:
            result = items[0]
            for other in items[1:]:
                result = join(result, other, f"an index that is not known (line {line})")
            return result
        if kind is Unknown and owner.is_tame:
            return self._tame_item(owner, index, line)
        self.may_raise = True
        self.state.leak(owner)
        if kind is External and owner.path == "sys.modules":
            raise BudgetExceeded(f"the script takes a module from sys.modules in line {line}")
        if kind is External and owner.path == "os.environ":
            return Unknown("an environment variable", line)
        if kind is CambObject:
            return Unknown("an item of a CAMB object is not followed", line)
        reason = owner.reason if kind is Unknown else "an item that is not known"
        contents = owner.cells["v"] if kind in (Mapping, Sequence) else None
        return Unknown(contents.reason if type(contents) is Unknown else reason, line)

    def _tame_item(self, owner: Unknown, index: Any, line: int) -> Unknown:
        """An item of what CAMB or numpy returns."""
        taken = Unknown(owner.reason, line, is_tame=True)
        if owner.spectrum is not None:
            taken.spectrum = self.camb.take(owner.spectrum, index)
        taken.is_array = self.camb.part_is_array(owner, index, line)
        return taken

    def _slice(self, node: ast.Slice, scope: Scope) -> Any:
        parts = [None if part is None else self.evaluate(part, scope) for part in (node.lower, node.upper, node.step)]
        if all(part is None or type(part) is int for part in parts) and parts[2] != 0:
            return slice(*parts)
        return Unknown("a slice that is not known", node.lineno)

    def _f_string(self, node: ast.JoinedStr, scope: Scope) -> Any:
        is_known, size = True, 0
        parts: list[str] = []
        for part in node.values:
            value = self.evaluate(part, scope)
            if isinstance(value, str):
                parts.append(value)
                size += len(value)
            else:
                is_known, parts = False, [value.tail if type(value) is Unknown else ""]
            if size > MAX_LENGTH:
                is_known, parts = False, [""]
        self.state.spend(size // 64)
        text = "".join(parts)
        return text if is_known else Unknown("a text with values that are not known, or too long", node.lineno, text)

    def _formatted(self, node: ast.FormattedValue, scope: Scope) -> Any:
        value = self.evaluate(node.value, scope)
        spec = "" if node.format_spec is None else self.evaluate(node.format_spec, scope)
        if not isinstance(value, str | int | float) or not isinstance(spec, str) or len(spec) > 12:
            tail = value.tail if type(value) is Unknown and not spec else ""
            return Unknown("a text with values that are not known", node.lineno, tail)
        try:
            value = {-1: value, 115: str(value), 114: repr(value), 97: ascii(value)}[node.conversion]
            digits = "".join(c if c.isdigit() else " " for c in spec).split()
            if any(len(d) > 3 for d in digits):
                return Unknown("a text that is too long", node.lineno)
            return format(str(value) if type(value) is PathText else value, spec)
        except (ValueError, TypeError) as error:
            raise ScriptRaises(type(error).__name__, str(error), node.lineno) from None
