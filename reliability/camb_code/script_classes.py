# ruff: noqa: PLR0911  (a branch or a return for every kind of value)
"""Classes of the script: attributes, properties, ``super()``, dataclasses, named tuples and enums."""

from __future__ import annotations

from typing import Any, Final

from reliability.camb_code.core import OPEN
from reliability.camb_code.known_functions import KnownFunctions
from reliability.camb_code.state import ScriptRaises
from reliability.camb_code.values import (
    UNBOUND,
    Bound,
    Builtin,
    Class,
    External,
    Function,
    Instance,
    Mapping,
    Method,
    OneOf,
    Super,
    Unknown,
    join,
)

PLAIN_BASES: Final = frozenset(
    ["abc.ABC", "typing.Protocol", "typing.Generic", "typing.NamedTuple", "typing.TypedDict"]
)
"""Imported bases that add no attributes a script of this kind reads."""


def is_plain_base(base: Any) -> bool:
    """Whether a base is ``object`` or one that adds nothing."""
    if type(base) is Builtin and base.name == "object":
        return True
    return type(base) is External and (base.path in PLAIN_BASES or base.path.startswith("enum."))


class ScriptClasses(KnownFunctions):
    """Attributes and construction of instances."""

    def attribute(self, owner: Any, name: str, line: int | None) -> Any:
        """``owner.name`` (filled by the calls part)."""
        raise NotImplementedError

    def in_class(self, cls: Class, name: str, after: Class | None = None) -> tuple[bool, Any]:
        """Whether a class of the script certainly provides a name, and what it is; ``after`` as in ``super()``."""
        order = cls.mro[cls.mro.index(after) + 1 :] if after in cls.mro else cls.mro
        if (
            after is not None
            and after.bases
            and type(after.bases[0]) is not Class
            and not is_plain_base(after.bases[0])
        ):
            return False, None
        self.state.spend(len(order) // 16)
        for each in order:
            value = each.cells.get(name, UNBOUND)
            if value is not UNBOUND:
                return True, self.bound_options(value)
            if each.bases and type(each.bases[0]) is not Class and not is_plain_base(each.bases[0]):
                break  # a base that is not read comes first
        return False, None

    def is_plain(self, cls: Class) -> bool:
        """Whether nothing but the classes of the script decides what attributes there are, and no ``__getattr__``."""
        return self.is_read(cls) and not any("__getattr__" in each.cells for each in cls.mro)

    def is_read(self, cls: Class) -> bool:
        """Whether all classes that it inherits from are the script's own, or add nothing."""
        if cls.reads is None:
            cls.reads = all(type(base) is Class or is_plain_base(base) for each in cls.mro for base in each.bases)
        return cls.reads

    def instance_attribute(self, owner: Instance, name: str, line: int | None) -> Any:
        """``owner.name`` of an instance of the script's."""
        value, cls = owner.cells.get(name, UNBOUND), owner.cls
        if value is not UNBOUND:
            if type(value) is OneOf and UNBOUND in value.options and cls is not None:
                found, other = self.in_class(cls, name)
                if found:
                    return join(self.bound_options(value), other, value.reason)
            return self.bound_options(value)
        if name == "__dict__":
            return self.dictionary_of(owner)
        opened = owner.cells.get(OPEN)
        if cls is None:
            if "@parser" in owner.cells:
                return Method(owner, name)
            if opened is None and name[:2] != "__":
                raise ScriptRaises("AttributeError", f"the namespace has no {name}", line)
            return self._not_seen(owner, name, opened.reason if opened is not None else "it is Python's own", line)
        if name == "__class__":
            return cls
        found, value = self.in_class(cls, name)
        if not found:
            special = self._named_tuple(owner, cls, name)
            if special is not None:
                return special
            asked, method = self.in_class(cls, "__getattr__")
            if asked and opened is None and name[:2] != "__" and self.is_read(cls):
                return self.apply(method, [owner, name], {}, line)
            if opened is None and "__" not in name and self.is_plain(cls):
                raise ScriptRaises("AttributeError", f"{cls.name} has no attribute {name}", line)
            return self._not_seen(owner, name, f"{name} comes from a base class that is not read", line)
        return self._bound(owner, cls, name, value, line)

    def _bound(self, owner: Instance, cls: Class, name: str, value: Any, line: int | None) -> Any:
        """A class's attribute as seen from an instance."""
        if type(value) is Function:
            if value.kind == "property":
                return self.apply(value, [owner], {}, line)
            if value.kind == "cached":
                made = self.apply(value, [owner], {}, line)
                self.state.put(owner.cells, name, made)
                return made
            if value.kind == "function":
                return Bound(value, [owner])
            return Bound(value, [cls]) if value.kind == "classmethod" else value
        if type(value) is Bound and not value.keywords and type(value.function) is Builtin:
            return Bound(value.function, [*value.args, owner])
        if type(value) is Instance and value.cls is not None and self.in_class(value.cls, "__get__")[0]:
            return self._not_seen(owner, name, "a descriptor is not followed", line)
        if OPEN in owner.cells:
            return self._not_seen(owner, name, owner.cells[OPEN].reason, line)
        return value

    def _not_seen(self, owner: Any, name: str, reason: str, line: int | None) -> Unknown:
        self.may_raise = True
        value = Unknown(reason, line)
        value.origin = (owner, name)
        return value

    def dictionary_of(self, owner: Instance) -> Mapping:
        """``owner.__dict__``: one live view."""
        view = owner.cells.get("@dict")
        if type(view) is not Mapping:
            contents: Any = {k: v for k, v in owner.cells.items() if k[:1] != "@" and v is not UNBOUND}
            view = Mapping(owner.cells.get(OPEN, contents))
            view.mirror = owner
            self.state.put(owner.cells, "@dict", view)
        return view

    def mirror(self, view: Mapping, line: int | None) -> None:
        """After a change of ``owner.__dict__``: the instance has it too."""
        owner, contents = view.mirror, view.cells["v"]
        if owner is None:
            return
        if type(contents) is not dict:
            self.open_up(owner, "its __dict__ is changed in a way not followed", line)
            return
        for key in [key for key in owner.cells if key[:1] != "@" and key not in contents]:
            self.state.put(owner.cells, key, UNBOUND)
        for key, value in contents.items():
            if type(key) is str and owner.cells.get(key, UNBOUND) is not value:
                self.state.put(owner.cells, key, value)

    def class_attribute(self, owner: Class, name: str, line: int | None) -> Any:
        """``owner.name`` of a class of the script's."""
        found, value = self.in_class(owner, name)
        if not found:
            if name == "__name__":
                return owner.name
            if name == "_fields" and owner.fields is not None:
                return tuple(owner.fields)
            if name == "__init__":
                return self._other_init(owner, line)
            if name == "__new__" and self.is_read(owner):
                return Builtin("@new")
            if name == "_make" and owner.is_tuple:
                return Bound(Builtin("@make"), [owner])
            if "__" not in name and name != "_make" and self.is_plain(owner) and not owner.is_enum:
                raise ScriptRaises("AttributeError", f"{owner.name} has no attribute {name}", line)
            return self._not_seen(owner, name, f"{name} comes from a base class that is not read", line)
        if type(value) is Function and value.kind == "classmethod":
            return Bound(value, [owner])
        return value

    def super_attribute(self, owner: Super, name: str, line: int | None) -> Any:
        """``super().name``."""
        instance = owner.instance
        cls = instance.cls if type(instance) is Instance else instance
        if type(cls) is not Class:
            return self._not_seen(instance, name, "super() of a value that is not known", line)
        found, value = self.in_class(cls, name, owner.cls)
        if name == "__init__" and type(instance) is Instance:
            for each in cls.mro[cls.mro.index(owner.cls) + 1 :] if owner.cls in cls.mro else ():
                if "__init__" in each.cells:
                    break
                if each.makes_init:
                    return Bound(Builtin("@fill"), [instance, each])
        if not found:
            if name == "__new__" and self.is_read(cls):
                return Builtin("@new")
            if name == "__setattr__" and type(instance) is Instance and self.is_read(cls):
                return Bound(Builtin("@setattr"), [instance])
            if name in ("__init__", "__post_init__", "__init_subclass__") and self.is_plain(cls):
                return Builtin("@nothing")
            if type(instance) is Instance:
                self.open_up(instance, "a base class that is not read is used", line)
            return self._not_seen(instance, name, f"{name} comes from a base class that is not read", line)
        if type(instance) is Instance:
            return self._bound(instance, cls, name, value, line)
        return Bound(value, [cls]) if type(value) is Function and value.kind == "classmethod" else value

    def _other_init(self, cls: Class, line: int | None) -> Any:
        """``Base.__init__`` where the script writes none."""
        for each in cls.mro:
            if each.makes_init:
                return Bound(Builtin("@fill_class"), [each])
        return self._not_seen(cls, "__init__", "a base class that is not read", line)

    def escape_methods(self, value: Instance, what: str, line: int | None) -> None:
        """An instance whose base is not read is used there: the base may call the script's methods."""
        if value.cls is not None and not self.is_plain(value.cls):
            for each in value.cls.mro:
                methods = [v for v in each.cells.values() if type(v) is Function and v.name[:2] != "__"]
                self.escape([Bound(v, [value]) for v in methods], what, line)

    def _named_tuple(self, owner: Instance, cls: Class, name: str) -> Any:
        base = next((each for each in cls.mro if each.is_tuple), None)
        if base is None or base.fields is None:
            return None
        if name in ("_replace", "_asdict"):
            return Bound(Builtin("@" + name), [owner])
        return tuple(base.fields) if name == "_fields" else None
