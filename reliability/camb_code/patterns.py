# ruff: noqa: PLR0911  (a branch or a return for every kind of value)
"""``match``: whether a pattern fits a value, and the names that it binds."""

from __future__ import annotations

import ast
from typing import Any, Final

from reliability.camb_code.expressions import Expressions
from reliability.camb_code.plain_values import is_known, items_of, type_matches
from reliability.camb_code.values import (
    UNBOUND,
    Builtin,
    Class,
    Instance,
    Mapping,
    OneOf,
    Scope,
    Sequence,
    Stream,
    Unknown,
)

ITSELF: Final = frozenset(["bool", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"])
"""Classes whose one positional pattern is matched with the value itself."""
Names = dict[str, Any]


class Patterns(Expressions):
    """Patterns of ``match``; an answer is ``None`` where it cannot be known."""

    def matches(self, pattern: ast.pattern, subject: Any, names: Names, scope: Scope) -> bool | None:
        """Whether a pattern fits, if that is known; adds the names that it binds."""
        if isinstance(pattern, ast.MatchAs):
            decided = True if pattern.pattern is None else self.matches(pattern.pattern, subject, names, scope)
            if pattern.name is not None:
                names[pattern.name] = subject
            return decided
        if isinstance(pattern, ast.MatchOr):
            return self._any_of(pattern, subject, names, scope)
        if type(subject) not in (Unknown, OneOf, Stream):
            if isinstance(pattern, ast.MatchValue):
                return self._equals(self.evaluate(pattern.value, scope), subject)
            if isinstance(pattern, ast.MatchSingleton):
                return subject is pattern.value if is_known(subject) else None
            if isinstance(pattern, ast.MatchMapping):
                return self._mapping(pattern, subject, names, scope)
            if isinstance(pattern, ast.MatchSequence):
                return self._sequence(pattern, subject, names, scope)
            if isinstance(pattern, ast.MatchClass):
                return self._class_pattern(pattern, subject, names, scope)
        self._doubt(pattern, names)
        return None

    @staticmethod
    def _doubt(pattern: ast.pattern, names: Names) -> None:
        """All names that a pattern may bind stand for something unknown."""
        for part in ast.walk(pattern):
            name = getattr(part, "name", None) or getattr(part, "rest", None)
            if isinstance(name, str):
                names[name] = Unknown("a part of the matched value", pattern.lineno)

    @staticmethod
    def _equals(value: Any, subject: Any) -> bool | None:
        if is_known(subject) and is_known(value):
            return bool(value == subject)
        plain = type(subject) is Instance and subject.cells.get("@member") is False
        if plain and type(value) is Instance and value.cells.get("@member") is False:
            return value is subject
        return None

    def _any_of(self, pattern: ast.MatchOr, subject: Any, names: Names, scope: Scope) -> bool | None:
        for each in pattern.patterns:
            bound: Names = {}
            decided = self.matches(each, subject, bound, scope)
            if decided is None:
                self._doubt(pattern, names)
                return None
            if decided:
                names.update(bound)
                return True
        return False

    @staticmethod
    def _all(answers: list[bool | None]) -> bool | None:
        return False if False in answers else None if None in answers else True

    def _mapping(self, pattern: ast.MatchMapping, subject: Any, names: Names, scope: Scope) -> bool | None:
        if type(subject) is not Mapping:
            return False if is_known(subject) or type(subject) is Sequence else self._unsure(pattern, names)
        contents = subject.cells["v"]
        if type(contents) is not dict or subject.factory is not None:
            return self._unsure(pattern, names)
        answers: list[bool | None] = []
        taken: list[Any] = []
        for key_node, inner in zip(pattern.keys, pattern.patterns, strict=True):
            key = self.evaluate(key_node, scope)
            if not is_known(key):
                return self._unsure(pattern, names)
            value = contents.get(key, UNBOUND)
            if value is UNBOUND:
                return False
            absent = type(value) is OneOf and UNBOUND in value.options
            fits = self.matches(inner, self.bound_options(value), names, scope)
            answers.append(None if absent and fits else fits)
            taken.append(key)
        if pattern.rest is not None:
            names[pattern.rest] = Mapping({k: v for k, v in contents.items() if k not in taken})
        return self._all(answers)

    def _unsure(self, pattern: ast.pattern, names: Names) -> bool | None:
        self._doubt(pattern, names)
        return None

    def _sequence(self, pattern: ast.MatchSequence, subject: Any, names: Names, scope: Scope) -> bool | None:
        kind = subject.kind if type(subject) is Sequence else type(subject)
        if kind in ("set", "keys", "view") or kind in (str, bytes, int, float, bool, type(None), Mapping):
            return False
        items = items_of(subject) if kind in ("list", "range", "deque", tuple, Instance) else None
        if items is None:
            return self._unsure(pattern, names)
        parts = pattern.patterns
        star = next((i for i, part in enumerate(parts) if type(part) is ast.MatchStar), None)
        if (star is None and len(items) != len(parts)) or len(items) < len(parts) - 1:
            return False
        if star is not None:
            after = len(parts) - star - 1
            middle = parts[star]
            if isinstance(middle, ast.MatchStar) and middle.name is not None:
                names[middle.name] = Sequence(items[star : len(items) - after])
            items = [*items[:star], *items[len(items) - after :]]
            parts = [part for part in parts if type(part) is not ast.MatchStar]
        return self._all([self.matches(p, item, names, scope) for p, item in zip(parts, items, strict=True)])

    def _class_pattern(self, pattern: ast.MatchClass, subject: Any, names: Names, scope: Scope) -> bool | None:
        cls = self.evaluate(pattern.cls, scope)
        is_one = type_matches(subject, cls, self.has_numpy_numbers)
        if not is_one:
            return False if is_one is False else self._unsure(pattern, names)
        parts = dict(zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True))
        answers: list[bool | None] = []
        if type(cls) is Builtin and cls.name in ITSELF and len(pattern.patterns) == 1 and not parts:
            return self.matches(pattern.patterns[0], subject, names, scope)
        if pattern.patterns:
            order = self._match_arguments(cls)
            if order is None or len(order) < len(pattern.patterns):
                return self._unsure(pattern, names)
            parts = {**dict(zip(order, pattern.patterns, strict=False)), **parts}
        if parts and type(subject) is not Instance:
            return self._unsure(pattern, names)
        for name, part in parts.items():
            value = subject.cells.get(name, UNBOUND)
            if value is UNBOUND or (type(value) is OneOf and UNBOUND in value.options):
                return self._unsure(pattern, names)
            answers.append(self.matches(part, value, names, scope))
        return self._all(answers)

    def _match_arguments(self, cls: Any) -> list[str] | None:
        if type(cls) is not Class:
            return None
        found, order = self.in_class(cls, "__match_args__")
        if found:
            names = items_of(order)
            return names if names is not None and all(type(n) is str for n in names) else None
        fields = next((each.fields for each in cls.mro if each.fields is not None), None)
        return [f.name for f in fields.values() if f.is_init and not f.is_keyword] if fields is not None else None
