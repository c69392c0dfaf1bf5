# ruff: noqa: PLR0911, PLR0917  (a branch or a return for every kind of value; one signature for all rows)
"""Making classes of the script and instances of them: dataclasses, named tuples, enumerations."""

from __future__ import annotations

import ast
from typing import Any

from reliability.camb_code.core import OPEN
from reliability.camb_code.known_functions import KnownFunctions
from reliability.camb_code.plain_values import items_of
from reliability.camb_code.script_classes import ScriptClasses
from reliability.camb_code.state import ScriptRaises
from reliability.camb_code.values import (
    UNBOUND,
    Bound,
    Class,
    External,
    Field,
    Function,
    Instance,
    Mapping,
    OneOf,
    Scope,
    Sequence,
    Unknown,
    same,
    undecided,
)


def as_dictionary(lib: KnownFunctions, value: Any, depth: int = 0) -> Any:
    """``dataclasses.asdict``: nested dataclasses become dictionaries too, containers are copied."""
    inner = value.cls.fields if type(value) is Instance and value.cls is not None else None
    if depth > 10:
        return Unknown("nested too deeply")
    if inner is not None and type(value) is Instance:
        cells = value.cells
        names = [name for name, field in inner.items() if not field.is_passed]
        if OPEN in value.cells:
            return Mapping(value.cells[OPEN])
        values = {name: lib.bound_options(cells.get(name, Unknown("it has no value"))) for name in names}
        made = Mapping({name: as_dictionary(lib, each, depth + 1) for name, each in values.items()})
        lib.state.born(made.cells)
        return made
    if type(value) is Mapping and type(value.cells["v"]) is dict:
        return Mapping({k: as_dictionary(lib, v, depth + 1) for k, v in value.cells["v"].items()})
    if type(value) is Sequence and type(value.cells["v"]) is list and value.kind == "list":
        return Sequence([as_dictionary(lib, v, depth + 1) for v in value.cells["v"]])
    return value


class Construction(ScriptClasses):
    """Construction of instances, and what class statements make."""

    def construct(
        self, cls: Class, args: list[Any], keywords: dict[str, Any], line: int | None, hole: Unknown | None
    ) -> Any:
        """Call a class of the script."""
        if cls.is_enum:
            return self._member(cls, args, line)
        bases = [base for each in cls.mro for base in each.bases]
        self.state.spend(len(bases) // 8)
        if any(type(b) is External and b.path == "typing.TypedDict" for b in bases) and hole is None:
            return self.call_builtin("dict", args, keywords, line)
        own_way, maker = self.in_class(cls, "__new__")
        if any(type(b) is External and b.path.startswith("camb.") for b in bases) or (
            own_way and not self.is_read(cls)
        ):
            return self.opaque(f"the class {cls.name}, which makes its own objects", args, keywords, line)
        made = self.apply(maker, [cls, *args], keywords, line, hole) if own_way else Instance(cls)
        if own_way and (type(made) is not Instance or made.cls is not cls):
            return made
        if not own_way:
            self.state.born(made.cells)
        for each in cls.mro:
            init = each.cells.get("__init__", UNBOUND)
            if init is not UNBOUND:
                self.apply(init, [made, *args], keywords, line, hole)
                return made
            if each.makes_init:
                if self.is_read(cls):
                    self.fill(made, each, args, keywords, line, hole)
                    return made
                break
        if own_way and self.is_read(cls):
            return made
        if not self.is_read(cls):
            reason = f"the class {cls.name}, whose base is not read"
            self.opaque(reason, args, keywords, line)
            self.open_up(made, f"it is made by {reason}", line)
        elif (args or keywords) and not all(
            type(v) is Unknown and v.may_be_absent for v in (*args, *keywords.values())
        ):
            raise ScriptRaises("TypeError", f"{cls.name} takes no arguments", line)
        return made

    def fill(
        self, made: Instance, cls: Class, args: list[Any], keywords: dict[str, Any], line: int | None, hole: Any
    ) -> None:
        """The ``__init__`` that :mod:`dataclasses` or ``NamedTuple`` writes."""
        put = self.state.put
        fields = cls.fields or {}
        places = [f.name for f in fields.values() if f.is_init and not f.is_keyword]
        names = {f.name for f in fields.values() if f.is_init}
        extra = {k for k in keywords if k not in names}
        if any(type(keywords[k]) is Unknown and keywords[k].may_be_absent for k in extra):
            extra = set()
            self.may_raise = True
        if len(args) > len(places) or extra or any(k in keywords for k in places[: len(args)]):
            raise ScriptRaises("TypeError", f"{cls.name} does not take these arguments", line)
        values = dict(zip(places, args, strict=False)) | keywords
        passed: list[Any] = []
        for field in fields.values():
            value = values.get(field.name, UNBOUND) if field.is_init else UNBOUND
            if type(value) is Unknown and value.may_be_absent:
                value = Unknown(value.reason, line)
            if value is UNBOUND and field.is_init and hole is not None:
                value = hole
            if value is UNBOUND and field.factory is not None:
                value = self.apply(field.factory, [], {}, line)
            elif value is UNBOUND:
                value = field.default
            if value is UNBOUND:
                if field.is_init:
                    raise ScriptRaises("TypeError", f"{cls.name} needs {field.name}", line)
                continue
            if field.is_passed:
                passed.append(value)
            else:
                put(made.cells, field.name, value)
        found, after = self.in_class(cls if made.cls is None else made.cls, "__post_init__")
        if found and not cls.is_tuple:
            self.apply(after, [made, *passed], {}, line)

    def replaced(self, owner: Instance, changes: dict[str, Any], line: int | None) -> Any:
        """``dataclasses.replace(owner, ...)`` and ``owner._replace(...)``."""
        cls = owner.cls
        fields = next((each.fields for each in cls.mro if each.fields is not None), None) if cls is not None else None
        if cls is None or fields is None or OPEN in owner.cells or any(f.is_passed for f in fields.values()):
            return self.opaque("a copy with other fields", [owner], changes, line)
        kept = {f.name: owner.cells.get(f.name, UNBOUND) for f in fields.values() if f.is_init}
        if any(v is UNBOUND or (type(v) is OneOf and UNBOUND in v.options) for v in kept.values()):
            return Unknown("a copy of an object whose fields are not known", line)
        return self.construct(cls, [], {**kept, **changes}, line, None)

    def _member(self, cls: Class, args: list[Any], line: int | None) -> Any:
        """``Enumeration(value)``."""
        members = [v for v in cls.cells.values() if type(v) is Instance and "@member" in v.cells]
        if len(args) == 1 and type(args[0]) in (int, float, str):
            for member in members:
                if same(member.cells["value"], args[0]):
                    return member
        return undecided(line, f"which member of {cls.name} it is, is not known")

    def make_members(self, cls: Class) -> None:
        """The assignments in the body of an enumeration are its members."""
        mixed = any(not (type(b) is External and b.path == "enum.Enum") and type(b) is not Class for b in cls.bases)
        own_ways = any(self.in_class(cls, n)[0] for n in ("__new__", "_missing_", "value", "name"))
        starts, init = self.in_class(cls, "__init__")
        is_flag = any(type(b) is External and "Flag" in b.path for each in cls.mro for b in each.bases)
        members: list[Instance] = []
        for name, value in list(cls.cells.items()):
            if name[:1] == "_" or type(value) in (Function, Class) or type(value) is Bound:
                continue
            if own_ways:
                cls.cells[name] = Unknown("a member of an enumeration that makes its own values")
                continue
            if type(value) is External and value.path == "enum.auto()":
                given = [m.cells["value"] for m in members]
                known = not is_flag and all(type(v) is int for v in given)
                value = max(given, default=0) + 1 if known else undecided(None, "enum.auto() is not followed here")  # noqa: PLW2901
            twin = next((m for m in members if same(m.cells["value"], value)), None)
            if twin is None:
                twin = Instance(cls)
                twin.cells.update({"@member": mixed, "value": value, "_value_": value, "name": name, "_name_": name})
                members.append(twin)
                if starts:
                    self.apply(init, [twin, *(value if type(value) is tuple else (value,))], {}, None)
            cls.cells[name] = twin

    @staticmethod
    def annotation_of(node: ast.expr, scope: Scope) -> str:
        """Last part of the name of an annotation, without its subscript: ``ClassVar``, ``InitVar``, ``float``."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value.partition("[")[0].strip()
        else:
            while isinstance(node, ast.Subscript):
                node = node.value
            text = ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else ""
        current: Scope | None = scope
        while current is not None:
            value = current.vars.get(text)
            if type(value) is External:
                return value.path.rpartition(".")[2]
            current = current.parent
        return text.rpartition(".")[2]

    def make_fields(
        self, cls: Class, annotations: list[tuple[str, str, dict[str, Any] | None]], keyword_only: bool
    ) -> dict[str, Field]:
        """Fields of a dataclass or named tuple: those of its bases first, in the order they were first named."""
        fields: dict[str, Field] = {}
        for base in reversed(cls.mro[1:]):
            fields.update(base.own_fields or {})
        own: dict[str, Field] = {}
        for name, annotation, call in annotations:
            if annotation == "ClassVar":
                continue
            if annotation == "KW_ONLY":
                keyword_only = True
                continue
            made = Field(name)
            made.is_passed = annotation == "InitVar"
            made.is_keyword = keyword_only
            made.default = cls.cells.get(name, UNBOUND)
            if call is not None:
                made.default = call.get("default", UNBOUND)
                made.factory = call.get("default_factory")
                made.is_init = call.get("init", True) is not False
                made.is_keyword = call.get("kw_only", keyword_only) is not False
                if made.default is UNBOUND:
                    cls.cells.pop(name, None)
                else:
                    cls.cells[name] = made.default
            own[name] = made
        cls.own_fields = own
        fields.update(own)
        return fields

    def named_tuple_class(self, args: list[Any], keywords: dict[str, Any], scope: Scope, line: int | None) -> Any:
        """``collections.namedtuple(name, fields)``."""
        names = args[1].replace(",", " ").split() if len(args) > 1 and type(args[1]) is str else None
        if names is None and len(args) > 1:
            names = items_of(args[1])
        defaults = items_of(keywords.get("defaults", ())) or []
        if (
            len(args) != 2
            or names is None
            or not all(type(n) is str for n in names)
            or not keywords.keys() <= {"defaults"}
        ):
            return self.opaque("collections.namedtuple", args, keywords, line)
        cls = Class(str(args[0]), [], Scope(scope))
        cls.fields = {name: Field(name) for name in names}
        for name, value in zip(names[::-1], defaults[::-1], strict=False):
            cls.fields[name].default = value
        cls.own_fields, cls.makes_init, cls.is_tuple = cls.fields, True, True
        return cls
