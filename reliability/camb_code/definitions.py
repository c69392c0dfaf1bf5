# ruff: noqa: PLR0912  (a branch or a return for every kind of value)
"""``def`` and ``class``, with their decorators."""

from __future__ import annotations

import ast
from typing import Any, Final

from reliability.camb_code.generators import is_generator
from reliability.camb_code.machinery import METACLASSES, UNSEEN, refuse
from reliability.camb_code.managers import Managers
from reliability.camb_code.state import ScriptRaises, Signal
from reliability.camb_code.values import UNBOUND, Bound, Builtin, Class, External, Function, Instance, Scope, Unknown

TRANSPARENT: Final = frozenset(
    [
        "functools.lru_cache",
        "functools.cache",
        "functools.wraps",
        "functools.cached_property",
        "numba.njit",
        "numba.jit",
        "abc.abstractmethod",
        "typing.override",
        "typing.no_type_check",
    ]
)
"""Decorators after which a function still does what it says."""


class Definitions(Managers):
    """Definitions of functions and classes."""

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Signal:
        function: Any = self.make_function(node, node.args, scope)
        if id(node) not in self._generators:
            self._generators[id(node)] = type(node) is ast.FunctionDef and is_generator(node)
        function.is_generator = self._generators[id(node)]
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
                function.memo = {"m": (), **self._kept(decorator, name, scope)}
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

    def _kept(self, decorator: ast.expr, name: str, scope: Scope) -> dict[str, Any]:
        """How many results ``lru_cache`` keeps, if not all."""
        if name == "functools.cache":
            return {}
        size: Any = 128
        if isinstance(decorator, ast.Call):
            given = [*decorator.args[:1], *(k.value for k in decorator.keywords if k.arg == "maxsize")]
            size = self.evaluate(given[0], scope) if given else 128
        return {} if size is None else {"size": size if type(size) is int else 0}

    def _class(self, node: ast.ClassDef, scope: Scope) -> Signal:
        around = scope
        if type_parameters := getattr(node, "type_params", ()):
            around = Scope(scope)
            around.vars.update({each.name: Unknown("a type parameter", node.lineno) for each in type_parameters})
        inside = Scope(around)
        inside.made = []
        bases = [self.evaluate(base, around) for base in node.bases]
        options = {k.arg: self.evaluate(k.value, scope) for k in node.keywords}
        meta = options.pop("metaclass", None)
        path = meta.path if type(meta) is External else f"builtins.{meta.name}" if type(meta) is Builtin else ""
        if meta is not None and path not in METACLASSES:
            raise refuse(f"the metaclass of {node.name}", node.lineno)
        self.state.spend(sum(len(base.mro) for base in bases if type(base) is Class) // 4)
        made = Class(node.name, bases, inside)
        if not made.is_consistent:
            raise ScriptRaises("TypeError", f"the bases of {node.name} have no common order", node.lineno)
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
        for name in UNSEEN:
            if name in inside.vars:
                raise refuse(f"{name} of the class {node.name}", node.lineno)
        for each in inside.made:
            each.owner = made
        if made.is_enum:
            self.make_members(made)
        value: Any = made
        if any(type(b) is External and b.path == "typing.NamedTuple" for b in bases):
            made.fields = self.make_fields(made, annotations, keyword_only=False)
            made.makes_init = made.is_tuple = True
        for name, item in list(inside.vars.items()):
            named = self.in_class(item.cls, "__set_name__") if type(item) is Instance and item.cls is not None else None
            if named is not None and named[0]:
                self.apply(named[1], [item, made, name], {}, node.lineno)
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
