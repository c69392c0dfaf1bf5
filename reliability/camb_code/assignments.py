# ruff: noqa: PLR0912  (a branch or a return for every kind of value)
"""Assignments to names, attributes, items and several targets, ``del``, ``global`` and ``nonlocal``."""

from __future__ import annotations

import ast
from typing import Any

from reliability.camb_code.machinery import refuse_item
from reliability.camb_code.patterns import Patterns
from reliability.camb_code.plain_values import in_order, is_known
from reliability.camb_code.state import ScriptRaises, Signal
from reliability.camb_code.values import (
    UNBOUND,
    CambObject,
    Class,
    External,
    Instance,
    Mapping,
    OneOf,
    Scope,
    Sequence,
    Unknown,
    describe,
)


class Assignments(Patterns):
    """What is bound, changed and deleted."""

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
            if spectrum is None or not spectrum.is_transposed or len(spectrum.columns) != len(targets):
                self.may_raise = True
            for place, target in enumerate(targets):
                part = Unknown(reason, line)
                if spectrum is not None:
                    part.spectrum = self.camb.take(spectrum, place)
                self.assign(target, part, scope)
            return
        self.state.spend(len(items) // 8)
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
            refuse_item(owner.path, line)
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
                    self.state.spend(len(owner.cells["v"]) // 16)
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
