# ruff: noqa: PLR0911, PLR0912  (a branch or a return for every kind of value)
"""Attributes: what ``owner.name`` is, and what setting it does."""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import Any, Final

from reliability.camb_code import camb_table as table
from reliability.camb_code.generators import Generators
from reliability.camb_code.machinery import REPLACED, TAKEN, refuse
from reliability.camb_code.numeric import EXTERNAL_CONSTANTS
from reliability.camb_code.plain_values import items_of
from reliability.camb_code.state import BudgetExceeded, ScriptRaises
from reliability.camb_code.values import (
    SCALARS,
    UNBOUND,
    Bound,
    Builtin,
    CambObject,
    Class,
    External,
    Function,
    Instance,
    Mapping,
    Method,
    OneOf,
    PathText,
    Sequence,
    Super,
    Unknown,
    describe,
    join,
)

PLAIN_TYPES: Final[dict[str, type]] = {
    "float": float,
    "int": int,
    "str": str,
    "list": list,
    "set": set,
    "dict": dict,
    "tuple": tuple,
    "deque": deque,
}
"""Python's types, by the name of the builtin and by the kind of a sequence."""

OF_OBJECT: Final = {"__setattr__": "@setattr", "__init__": "@nothing", "__new__": "@new"}

NOT_CERTAIN: Final = frozenset({External, Instance, Method, Bound, Builtin, Class})


def as_camb_sees(value: Any) -> Any:
    """What is no plain value of the script's may be a number to CAMB: an object of a library, or with ``__float__``."""
    if type(value) in NOT_CERTAIN and not (type(value) is External and value.path.startswith("camb.")):
        return Unknown(f"it is {describe(value)}, whose value is not known")
    return value


def for_camb(args: list[Any], keywords: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Arguments of a CAMB call, see :func:`as_camb_sees`."""
    return [as_camb_sees(v) for v in args], {k: as_camb_sees(v) for k, v in keywords.items()}


OF_AN_ARRAY: Final = frozenset(
    """T shape size ndim dtype real imag flat copy astype min max sum mean flatten ravel
    tolist""".split()  # noqa: SIM905
)
"""Attributes of arrays, which as methods do not raise without arguments."""


def has_attribute(owner: Unknown, name: str) -> bool:
    """Whether an array, or a dictionary of arrays, certainly has an attribute."""
    if owner.spectrum is not None and type(owner.spectrum.columns) is dict:
        return name in ("keys", "values", "items", "get", "copy")
    return owner.is_array is True and name in OF_AN_ARRAY


class Attributes(Generators):
    """Attribute access."""

    def attribute(self, owner: Any, name: str, line: int | None) -> Any:
        """``owner.name``; what certainly has no such attribute raises in the script's name."""
        if name in TAKEN:
            raise refuse(f"the use of {name}", line)
        kind = type(owner)
        if kind is External:
            return self._external_attribute(owner.path, name, line)
        if kind is CambObject:
            if self.camb.has_method(owner, name):
                return Method(owner, name)
            return self.camb.get(owner, name, line)
        if kind is Instance:
            return self.instance_attribute(owner, name, line)
        if kind is Class:
            return self.class_attribute(owner, name, line)
        if kind is Unknown:
            if not owner.is_tame:
                self.may_raise = True
            elif not has_attribute(owner, name):
                self.state.doubt("AttributeError")
            found = Unknown(owner.reason, line, is_tame=owner.is_tame)
            found.origin = (owner, name)
            found.is_array = owner.is_array if name == "T" else None
            if name == "T" and owner.spectrum is not None:
                found.spectrum = owner.spectrum.transposed()
            return found
        if kind is OneOf:
            return self._attribute_of_options(owner, name, line)
        if kind is PathText and name in ("parent", "name", "stem", "suffix"):
            head, _, base = str(owner).rpartition("/")
            stem, dot, suffix = base.rpartition(".")
            parts = {"parent": PathText(head or "."), "name": base, "stem": stem or suffix, "suffix": dot + suffix}
            return parts[name]
        if kind is type(None):
            raise ScriptRaises("AttributeError", f"None has no attribute {name}", line)
        if kind is Sequence and owner.kind == "array" and name == "size":
            return self.call_builtin("len", [owner], {}, line)
        if kind is Super:
            return self.super_attribute(owner, name, line)
        if kind is Builtin and owner.name == "object" and name in OF_OBJECT:
            return Builtin(OF_OBJECT[name])
        if kind is Function and name == "__name__":
            return owner.name
        if kind is Builtin and name == "__name__":
            return owner.name
        if kind is Builtin and owner.name in PLAIN_TYPES and name[:2] != "__":
            return Bound(Builtin("@unbound"), [owner.name, name])
        if kind in (Method, Bound, Function, Builtin):
            return Unknown(f"the attribute {name} of a function", line)
        if kind in (int, float, complex, bool) and name in ("real", "imag"):
            return getattr(owner, name)
        if self._has_no(owner, name):
            raise ScriptRaises("AttributeError", f"{describe(owner)} has no attribute {name}", line)
        return Method(owner, name)

    def _has_no(self, owner: Any, name: str) -> bool:
        """Whether a plain value certainly has no such attribute."""
        kind = type(owner)
        if kind in (int, float, bool) and self.has_numpy_numbers:
            return False
        if kind is Sequence or kind is Mapping:
            known = PLAIN_TYPES.get(owner.kind if kind is Sequence else "dict" if owner.factory is None else "")
            return known is not None and not hasattr(known, name) and name != "move_to_end"
        return kind in SCALARS and kind is not PathText and not hasattr(owner, name)

    def _external_attribute(self, path: str, name: str, line: int | None) -> Any:
        full = f"{path}.{name}"
        if path.startswith("camb"):
            if path == "camb" or path in self.camb.modules:
                known = self.camb.modules.get(path)
                if known is not None and name not in known and name not in table.SUBMODULES and name[:1] != "_":
                    message = f"{path} has no {name}: Python raises here"
                    self.camb.find("unknown_attribute", message, line)
                    raise ScriptRaises("AttributeError", f"{path} has no attribute {name}", line)
                if full in self.camb.values:
                    return self.camb.values[full]
            if name == "__version__":
                return Unknown("the CAMB version is not known", line)
            return External(full)
        if self.patched and (value := self.patched.get(full, UNBOUND)) is not UNBOUND:
            return self.bound_options(value)
        if full in EXTERNAL_CONSTANTS:
            return EXTERNAL_CONSTANTS[full]
        if full == "sys.argv":
            return self.argv
        return External(full)

    def argv_is_changed(self) -> bool:
        """Whether the script sets its own command line."""
        return "sys.argv" in self.patched or len(items_of(self.argv) or ()) != 1

    def _attribute_of_options(self, owner: OneOf, name: str, line: int | None) -> Any:
        """Alternatives that have no such attribute would have raised; if one is left, it is the one."""
        left = [option for option in owner.options if option is not None and type(option) not in (int, float, bool)]
        if len(left) == 1:
            return self.attribute(left[0], name, line)
        if not left and any(option is not None for option in owner.options):
            return Unknown(f"the attribute {name} of a number", line)
        values = []
        for option in left:
            if type(option) is CambObject and self.camb.has_method(option, name):
                values.append(Method(option, name))
            else:
                try:
                    values.append(self.attribute(option, name, line))
                except ScriptRaises:
                    self.may_raise = True
                    continue
        if not values:
            raise ScriptRaises("AttributeError", f"no attribute {name}", line)
        result = values[0]
        for value in values[1:]:
            result = join(result, value, owner.reason)
        return result

    def _reflective(self, name: str, args: list[Any], line: int | None) -> Any:
        if name == "next" and args:
            return self.next_item(args[0], args[1] if len(args) > 1 else UNBOUND, line)
        if len(args) < 2 or type(args[1]) is not str:
            if name == "setattr":
                if args and type(args[0]) is External:
                    raise refuse(f"setting an attribute of {args[0].path} whose name is not known", line)
                self.poison_all("an attribute whose name is not known is set", line)
                self.escape(args[:1], "setattr with a name that is not known", line)
            return Unknown(f"{name} with a name that is not known", line)
        if name == "setattr":
            self.assign_attribute(args[0], args[1], args[2] if len(args) > 2 else None, line)
            return None
        mark = len(self.camb.findings)
        try:
            value = self.attribute(args[0], args[1], line)
        except ScriptRaises as error:
            if error.kind != "AttributeError":
                raise
            for key in list(self.camb.findings)[mark:]:
                del self.camb.findings[key]  # asking is no mistake
            if name == "hasattr":
                return False
            if len(args) > 2:
                return args[2]
            raise
        if name == "hasattr":
            certain = type(args[0]) in (CambObject, Instance) and type(value) is not Unknown
            return True if certain else Unknown("whether it has the attribute is not known", line)
        return value

    def assign_attribute(self, owner: Any, name: str, value: Any, line: int | None) -> None:
        """``owner.name = value``."""
        if name in REPLACED:
            raise refuse(f"setting {name}", line)
        kind = type(owner)
        if kind is CambObject:
            self.camb.set(owner, name, as_camb_sees(value), line)
        elif kind in (Instance, Class):
            if kind is Instance and owner.cls is not None and not self._may_put(owner, owner.cls, name, value, line):
                return
            self.state.put(owner.cells, name, value)
            view = owner.cells.get("@dict") if kind is Instance else None
            if type(view) is Mapping and type(view.cells["v"]) is dict:
                self.state.put(view.cells, "v", {**view.cells["v"], name: value})
        elif kind is External:
            if owner.path.partition(".")[0] in ("camb", "builtins"):
                raise BudgetExceeded(f"the script changes {owner.path} itself in line {line}")
            self.state.put(self.patched, f"{owner.path}.{name}", value)
        elif kind is OneOf:
            left = [o for o in owner.options if type(o) in (CambObject, Instance, Class)]
            if len(left) == 1:
                self.assign_attribute(left[0], name, value, line)
                return
            if left:
                ways = [partial(self.assign_attribute, option, name, value, line) for option in left]
                self.state.fork(ways, owner.reason)
        elif kind in (Unknown, Method):
            self.state.change_leaked(line)
            self.poison_all("an attribute of an unknown object is set, which may be this one", line)

    def _may_put(self, owner: Instance, cls: Class, name: str, value: Any, line: int | None) -> bool:
        """Whether an assignment just stores the attribute, or a property or ``__setattr__`` takes it."""
        found, current = self.in_class(cls, name)
        if found and type(current) is Function and current.kind == "property":
            if current.setter is None:
                raise ScriptRaises("AttributeError", f"the property {name} cannot be set", line)
            self.apply(current.setter, [owner, value], {}, line)
            return False
        own_way, setter = self.in_class(cls, "__setattr__")
        if own_way and type(setter) is Function and setter.kind == "function":
            self.apply(setter, [owner, name, value], {}, line)
            return False
        if own_way or (found and type(current) in (Instance, Unknown)):
            self.poison_all("an attribute is set in a way that is not followed", line)
            self.open_up(owner, "an attribute is set in a way that is not followed", line)
            return False
        if any(each.is_frozen for each in cls.mro):
            raise ScriptRaises("FrozenInstanceError", f"{cls.name} is frozen", line)
        return True
