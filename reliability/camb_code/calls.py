# ruff: noqa: PLR0911, PLR0912, PLR0917, ARG001, ARG005  (a branch and a return for every kind of value; one signature per dispatch table)
"""Calling values: the script's functions and classes, methods of known values, CAMB."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections import deque
from functools import partial
from typing import Any, Final

from reliability.camb_code import camb_table as table
from reliability.camb_code.camb_binding import Arguments
from reliability.camb_code.core import HARMLESS_METHODS, MUTATORS, OPEN
from reliability.camb_code.iterators import OF_ITERTOOLS, OF_PYTHON
from reliability.camb_code.known_functions import (
    BUILTINS,
    EXTERNAL,
    EXTERNAL_CONSTANTS,
    is_known,
    items_of,
    join_path,
    python_type,
)
from reliability.camb_code.script_classes import as_dictionary
from reliability.camb_code.small_functions import LIBRARY_ROWS, PYTHON_ROWS
from reliability.camb_code.state import EXIT, RAISE, RETURN, BudgetExceeded, Frame, ScriptExits, ScriptRaises, Signal
from reliability.camb_code.streams import Streams
from reliability.camb_code.values import (
    SCALARS,
    UNBOUND,
    Bound,
    Builtin,
    CambObject,
    Cells,
    Class,
    External,
    Function,
    Instance,
    Mapping,
    Method,
    OneOf,
    PathText,
    Scope,
    Sequence,
    Stream,
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
ASKED: Final = {
    "len": "__len__",
    "float": "__float__",
    "int": "__int__",
    "abs": "__abs__",
    "str": "__str__",
    "repr": "__repr__",
    "round": "__round__",
}
"""Functions that ask an object of the script's."""
LAZY: Final = frozenset(OF_ITERTOOLS) | frozenset(
    """next iter zip map filter enumerate any all print isinstance type id callable hasattr getattr setattr
    @decorated @fill @fill_class @setattr @unbound @method @make
    typing.cast functools.partial types.SimpleNamespace""".split()  # noqa: SIM905
)
"""Functions that do not read an iterator they are given to its end."""
CONSUME: Final = frozenset({"extend", "extendleft", "join", "update", "union", "intersection", "difference", "write"})
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


class Calls(Streams):
    """Attribute access and calls."""

    @abstractmethod
    def execute(self, body: list[ast.stmt], scope: Scope) -> Signal:
        """Run statements (filled by the statements part)."""

    # -------------------------------------------------------------------------------------------------- attributes

    def attribute(self, owner: Any, name: str, line: int | None) -> Any:
        """``owner.name``; what certainly has no such attribute raises in the script's name."""
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
            self.may_raise = self.may_raise or not owner.is_tame
            found = Unknown(owner.reason, line, is_tame=owner.is_tame)
            found.origin = (owner, name)
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

    # ------------------------------------------------------------------------------------------------------- calls

    def apply(
        self, function: Any, args: list[Any], keywords: dict[str, Any], line: int | None, hole: Unknown | None = None
    ) -> Any:
        """Call a value; ``hole`` says that more arguments may come from something unknown."""
        kind = type(function)
        if kind is Function:
            return self._call_function(function, args, keywords, line, hole)
        if kind is External:
            if function.path.startswith("camb."):
                args, keywords = for_camb(args, keywords)
                return self.camb.call(function.path, Arguments(args, keywords, line, hole))
            if function.path not in LAZY:
                args, keywords = self._consumed(args, keywords, line)
            if hole is not None:
                return self.opaque(function.path, args, keywords, line)
            return self.call_external(function.path, args, keywords, line)
        if kind is Builtin:
            if function.name not in LAZY:
                args, keywords = self._consumed(args, keywords, line)
            if function.name in ("getattr", "setattr", "hasattr", "next") and hole is None:
                return self._reflective(function.name, args, line)
            if hole is not None:
                return self.opaque(function.name, args, keywords, line)
            if function.name in ASKED and args and type(args[0]) is Instance and args[0].cls is not None:
                found, method = self.in_class(args[0].cls, ASKED[function.name])
                if found:
                    return self.apply(method, args, keywords, line)
            return self.call_builtin(function.name, args, keywords, line)
        if kind is Method:
            return self._call_method(function.owner, function.name, args, keywords, line, hole)
        if kind is Unknown and function.origin is not None:
            owner, name = function.origin
            return self._call_method(owner, name, args, keywords, line, hole)
        if kind is Bound:
            merged = {**function.keywords, **keywords}
            return self.apply(function.function, [*function.args, *args], merged, line, hole)
        if kind is Class:
            return self.construct(function, args, keywords, line, hole)
        if kind is Instance and function.cls is not None:
            found, method = self.in_class(function.cls, "__call__")
            if found:
                return self.apply(method, [function, *args], keywords, line, hole)
        if kind is OneOf:
            return self._apply_options(function, args, keywords, line, hole)
        if kind in SCALARS:
            raise ScriptRaises("TypeError", f"{describe(function)} cannot be called", line)
        return self.opaque("a function that is not known", args, keywords, line)

    def _consumed(
        self, args: list[Any], keywords: dict[str, Any], line: int | None
    ) -> tuple[list[Any], dict[str, Any]]:
        """Arguments of a function that reads its iterators to the end."""
        if any(type(v) is Stream for v in (*args, *keywords.values())):
            return [self.listed(v, line) for v in args], {k: self.listed(v, line) for k, v in keywords.items()}
        return args, keywords

    def _apply_options(
        self, function: OneOf, args: list[Any], keywords: dict[str, Any], line: int | None, hole: Unknown | None
    ) -> Any:
        results: list[Any] = []

        def way(option: Any) -> Any:
            def run() -> None:
                results.append(self.apply(option, args, keywords, line, hole))

            return run

        options = [option for option in function.options if type(option) not in SCALARS]
        signal = self.state.fork([way(option) for option in options], function.reason) if options else None
        if signal is not None or not results:
            raise ScriptRaises("TypeError", "no alternative can be called", line)
        result = results[0]
        for other in results[1:]:
            result = join(result, other, function.reason)
        return result

    def _call_function(
        self, function: Function, args: list[Any], keywords: dict[str, Any], line: int | None, hole: Unknown | None
    ) -> Any:
        if function.memo is not None:
            return self._memoised(function, function.memo, args, keywords, line, hole)
        return self._run(function, args, keywords, line, hole)

    def _memoised(
        self,
        function: Function,
        memo: Cells,
        args: list[Any],
        keywords: dict[str, Any],
        line: int | None,
        hole: Unknown | None,
    ) -> Any:
        """Call a function that keeps its results: it runs once for the same arguments."""
        given = [*args, *(part for pair in sorted(keywords.items()) for part in pair)]
        certain = hole is None
        for kept, result in memo["m"]:
            if len(kept) != len(given):
                continue
            alike = [
                a is b or (a == b if is_known(a) and is_known(b) else None) for a, b in zip(kept, given, strict=True)
            ]
            if certain and all(alike):
                return result
            certain = certain and any(one is False for one in alike)
        results: list[Any] = [result for _, result in memo["m"]]

        def runs() -> None:
            results.append(self._run(function, args, keywords, line, hole))

        def does_not_run() -> None:
            return

        if certain:
            runs()
            self.state.put(memo, "m", (*memo["m"], (given, results[-1])))
            return results[-1]
        self.state.fork([runs, does_not_run], f"whether the result of {function.name} is kept (line {line})")
        self.state.put(memo, "m", (*memo["m"], ([Unknown("any")] * len(given), results[-1])))
        return self._joined(results, f"whether the result of {function.name} is kept (line {line})")

    def _run(
        self, function: Function, args: list[Any], keywords: dict[str, Any], line: int | None, hole: Unknown | None
    ) -> Any:
        node = function.node
        scope = self._scope_of(function)
        self._bind(function, node.args, scope, args, keywords, line, hole)
        if function.is_generator:
            bound = dict(scope.vars)

            def make_scope() -> Scope:
                fresh = self._scope_of(function)
                fresh.vars.update(bound)
                return fresh

            stream = self.generator(function, bound, make_scope, line)
            stream.is_manager = function.is_manager
            return stream
        return self.run_body(function, scope)

    def _scope_of(self, function: Function) -> Scope:
        scope = Scope(function.scope)
        scope.locals = self.local_names(function.node)
        scope.function = function
        if self.replaying:
            self.state.born(scope.vars)
        return scope

    def run_body(self, function: Function, scope: Scope) -> Any:
        """Run a function whose arguments are bound; gives what it returns."""
        node = function.node
        if type(node) is ast.Lambda:
            self.depth += 1
            try:
                self.check_depth()
                return self.evaluate(node.body, scope)
            finally:
                self.depth -= 1
        state = self.state
        where = f"a branch in {function.name} (line {node.lineno})"
        base = len(state.trail)
        frame = Frame(base, (RETURN,))
        state.frames.append(frame)
        self.depth += 1
        try:
            self.check_depth()
            try:
                signal = self.execute(node.body, scope)
            except (ScriptRaises, ScriptExits) as error:
                if not frame.pending:
                    raise
                state.wait(RAISE if type(error) is ScriptRaises else EXIT, error)
                values = state.settle(frame, (RETURN,), False, where)
                return self._joined(values, where)
            present = signal[1] if signal is not None and signal[0] == RETURN else None
            values = state.settle(frame, (RETURN,), True, where)
        finally:
            self.depth -= 1
            state.frames.pop()
        return self._joined([present, *values], where)

    @staticmethod
    def _joined(values: list[Any], reason: str) -> Any:
        result = values[0]
        for value in values[1:]:
            result = join(result, value, reason)
        return result

    def local_names(self, node: Any) -> frozenset[str]:
        """Names that statements of a function bind: read before that, they raise rather than mean a global."""
        found = self._local_names.get(id(node))
        if found is None:
            names: set[str] = set()
            if type(node) is not ast.Lambda:
                outer = collect_bound(node.body, names)
                names -= outer
            found = self._local_names[id(node)] = frozenset(names)
        return found

    def _bind(
        self,
        function: Function,
        spec: ast.arguments,
        scope: Scope,
        args: list[Any],
        keywords: dict[str, Any],
        line: int | None,
        hole: Unknown | None,
    ) -> None:
        """Bind arguments as Python does; what does not fit raises in the script's name."""
        names = (
            [a.arg for a in spec.posonlyargs] + [a.arg for a in spec.args]
            if spec.posonlyargs
            else [a.arg for a in spec.args]
        )
        cells = scope.vars
        rest = dict(keywords)
        for name, value in zip(names, args, strict=False):
            cells[name] = value
            if name in rest and not (type(rest[name]) is Unknown and rest.pop(name).may_be_absent):
                raise ScriptRaises("TypeError", f"{function.name} got {name} twice", line)
        if len(args) > len(names) and spec.vararg is None:
            self.camb.find("wrong_call", f"{function.name} gets more arguments than it takes", line)
            raise ScriptRaises("TypeError", f"{function.name} takes {len(names)} arguments", line)
        if spec.vararg is not None:
            cells[spec.vararg.arg] = hole if hole is not None else tuple(args[len(names) :])
        first_default = len(names) - len(function.defaults)
        for i in range(len(args), len(names)):
            name = names[i]
            if name in rest:
                cells[name] = rest.pop(name)
            elif hole is not None:
                cells[name] = hole
            elif i >= first_default:
                cells[name] = function.defaults[i - first_default]
            else:
                self.camb.find("wrong_call", f"{function.name} is called without {name}", line)
                raise ScriptRaises("TypeError", f"{function.name} needs {name}", line)
        for argument, default in zip(spec.kwonlyargs, function.kw_defaults, strict=True):
            name = argument.arg
            cells[name] = rest.pop(name) if name in rest else hole if hole is not None else default
            if cells[name] is UNBOUND:
                raise ScriptRaises("TypeError", f"{function.name} needs {name}", line)
        if spec.kwarg is not None:
            cells[spec.kwarg.arg] = hole if hole is not None else Mapping(rest)
        elif rest := {k: v for k, v in rest.items() if not (type(v) is Unknown and v.may_be_absent)}:
            self.camb.find("wrong_call", f"{function.name} has no argument {min(rest)}", line)
            raise ScriptRaises("TypeError", f"{function.name} has no argument {min(rest)}", line)

    def _reflective(self, name: str, args: list[Any], line: int | None) -> Any:
        if name == "next" and args:
            return self.next_item(args[0], args[1] if len(args) > 1 else UNBOUND, line)
        if len(args) < 2 or type(args[1]) is not str:
            if name == "setattr":
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
            if owner.path.partition(".")[0] == "camb":
                raise BudgetExceeded(f"the script changes CAMB itself in line {line}")
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

    # ----------------------------------------------------------------------------------------------------- methods

    def _call_method(
        self, owner: Any, name: str, args: list[Any], keywords: dict[str, Any], line: int | None, hole: Unknown | None
    ) -> Any:
        kind = type(owner)
        if kind is CambObject:
            args, keywords = for_camb(args, keywords)
            return self.camb.method(owner, name, Arguments(args, keywords, line, hole))
        if hole is not None:
            return self.opaque(f"the method {name}", [owner, *args], keywords, line)
        if kind is Stream:
            if name == "__next__":
                return self.next_item(owner, UNBOUND, line)
            self.abandon(owner, f"its method {name} is not followed", line)
            return Unknown(f"the method {name} of a generator is not followed", line)
        if name in CONSUME:
            args, keywords = self._consumed(args, keywords, line)
        if kind is Unknown:
            return self._unknown_method(owner, name, args, keywords, line)
        if kind is Mapping:
            result = self.mapping_method(owner, name, args, keywords, line)
            if owner.mirror is not None:
                self.mirror(owner, line)
            return result
        if kind is Sequence:
            return self.sequence_method(owner, name, args, keywords, line)
        if kind is PathText or (kind is str and name in ("open", "write_text")):
            return self.path_method(owner, name, args, keywords, line)
        if kind is str or kind is bytes:
            return self.string_method(owner, name, args, keywords, line)
        if kind is Instance and "@parser" in owner.cells:
            return self._parser_method(owner, name, args, keywords, line)
        if kind in (float, int) and name in ("item", "copy"):
            return owner
        return self.opaque(f"the method {name}", [owner, *args], keywords, line)

    def _unknown_method(
        self, owner: Unknown, name: str, args: list[Any], keywords: dict[str, Any], line: int | None
    ) -> Any:
        self.may_raise = self.may_raise or not (owner.is_tame or name in HARMLESS_METHODS)
        if name in MUTATORS:
            self.poison_all(f"{name} is called on an object that is not known, which may be this one", line)
        elif name == "get_partially_lensed_cls" or (f"CAMBdata.{name}" in table.COMPUTES and "params" in keywords):
            self.camb.method(CambObject("CAMBdata", {}), name, Arguments(args, keywords, line))
        if name in ("to_csv", "tofile", "write_text", "save", "to_pickle", "write"):
            if owner.tail and name == "write_text":
                self.note_file("w", owner)
            elif name != "write" and args:
                self.note_file("w", args[0])
            elif "path_or_buf" in keywords:
                self.note_file("w", keywords["path_or_buf"])
        elif name == "read_text":
            self.note_file("r", owner)
        elif name == "open":
            self.call_builtin("open", [owner, *args], keywords, line)
        if not owner.is_tame:
            self.state.change_leaked(line)
        if name in HARMLESS_METHODS:
            for value in [*args, *keywords.values()]:
                self.state.leak(value)
            self.escape([*args, *keywords.values()], name, line, only_functions=True)
        else:
            self.escape([*args, *keywords.values()], f"the unknown method {name}", line, only_functions=owner.is_tame)
        if name in ("joinpath",) and args:
            return join_path(self, [owner, *args], {}, line)
        keeps = name in ("resolve", "absolute", "expanduser")
        result = Unknown(owner.reason, line, owner.tail if keeps else "", owner.is_tame)
        if owner.spectrum is not None:
            if name in ("copy", "astype"):
                result.spectrum = owner.spectrum
            elif name == "get" and args:
                result.spectrum = self.camb.take(owner.spectrum, args[0])
        return result

    def _parser_method(self, owner: Instance, name: str, args: list[Any], keywords: dict[str, Any], line: Any) -> Any:
        """``argparse``, as if the script were run without arguments."""
        defaults = owner.cells["@parser"]
        if name == "add_argument" and args and all(type(a) is str for a in args):
            flag = next((a for a in args if a.startswith("--")), args[0])
            key = keywords.get("dest", flag.lstrip("-").replace("-", "_"))
            switches = {"store_true": False, "store_false": True, "count": None}
            default = keywords.get("default", switches.get(keywords.get("action", "")))
            if "default" not in keywords and (keywords.get("required") or not flag.startswith("-")):
                default = Unknown(f"the command-line argument {key} is required", line)
            elif type(default) is str and "type" in keywords:
                default = self.apply(keywords["type"], [default], {}, line)
            self.mapping_method(defaults, "update", [Mapping({key: default})], {}, line)
            return None
        if name in ("add_argument_group", "add_mutually_exclusive_group"):
            return owner
        if name == "set_defaults":
            return self.mapping_method(defaults, "update", [], keywords, line)
        if name in ("parse_args", "parse_known_args"):
            made = Instance(None)
            contents = defaults.cells["v"]
            given = args[0] if args else keywords.get("args")
            if type(contents) is not dict or (given is not None and items_of(given) != []) or self.argv_is_changed():
                return Unknown("the command-line arguments are not known", line)
            made.cells.update(contents)
            return made if name == "parse_args" else (made, Sequence([]))
        return Unknown("a parser method that is not followed", line)


def _set_attribute(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """``object.__setattr__``: past properties and frozen classes."""
    if len(args) == 3 and type(args[0]) is Instance and type(args[1]) is str:
        lib.state.put(args[0].cells, args[1], args[2])
        return None
    return lib.opaque("object.__setattr__", args, keywords, line)


def _unbound(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """``str.strip(text)``, ``dict.fromkeys(keys, value)``."""
    kind, name, *rest = args
    if (kind, name) == ("dict", "fromkeys"):
        keys = items_of(rest[0]) if rest else None
        if keys is None or not all(map(is_known, keys)):
            return Unknown("the keys are not known", line)
        return Mapping(dict.fromkeys(keys, rest[1] if len(rest) > 1 else None))
    if not rest or not hasattr(PLAIN_TYPES[kind], name):
        return lib.opaque(f"{kind}.{name}", rest, keywords, line)
    return lib.apply(lib.attribute(rest[0], name, line), rest[1:], keywords, line)


def _make_tuple(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """``Named._make(items)``."""
    given = lib.all_items(args[1], line) if len(args) == 2 else None
    return lib.apply(args[0], given, {}, line) if given is not None else lib.opaque("_make", args, keywords, line)


def _new(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """``object.__new__(cls)``."""
    if not args or type(args[0]) is not Class:
        return lib.opaque("object.__new__", args, keywords, line)
    made = Instance(args[0])
    lib.state.born(made.cells)
    return made


def _fill(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    lib.fill(args[0], args[1], args[2:], keywords, line, None)


def _fill_class(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if len(args) < 2 or type(args[1]) is not Instance:
        return lib.opaque("__init__", args, keywords, line)
    return lib.fill(args[1], args[0], args[2:], keywords, line, None)


def _decorated(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """A function behind a decorator that is not read: it may be called or not, with any arguments."""
    return lib.opaque("a decorated function", args, keywords, line)


def _type(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if len(args) == 1 and type(args[0]) is Instance and args[0].cls is not None:
        return args[0].cls
    own = python_type(args[0]) if len(args) == 1 else None
    if own is not None and not (own in (int, float, bool) and lib.has_numpy_numbers):
        return Builtin(own.__name__)
    if len(args) == 1:
        return Unknown("a type is not followed", line)
    return lib.opaque("a class made at run time", args, keywords, line)


def _variables(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if len(args) == 1 and type(args[0]) is Instance and "@member" not in args[0].cells:
        return lib.dictionary_of(args[0])
    if not args:
        return BUILTINS["exec"](lib, args, keywords, line)  # the module's names, open to any change
    return Unknown("vars() of this value is not followed", line)


def _replace(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if args and type(args[0]) is Instance:
        return lib.replaced(args[0], keywords, line)
    return lib.opaque("dataclasses.replace", args, keywords, line)


def _as_dictionary(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if len(args) != 1 or keywords or type(args[0]) is not Instance or args[0].cls is None or args[0].cls.fields is None:
        return Unknown("the fields are not known", line)
    return as_dictionary(lib, args[0])


def _fields(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    cls = args[0].cls if args and type(args[0]) is Instance else args[0] if args else None
    if type(cls) is not Class or cls.fields is None:
        return Unknown("the fields are not known", line)
    made = []
    for field in cls.fields.values():
        if not field.is_passed:
            each = Instance(None)
            each.cells.update({"name": field.name, OPEN: Unknown("only the name of a field is followed", line)})
            made.append(each)
    return tuple(made)


def _method_caller(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if not args or type(args[0]) is not str:
        return lib.opaque("operator.methodcaller", args, keywords, line)
    return Bound(Builtin("@method"), args, keywords)


def _called_method(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    name, *rest = args
    if not rest:
        raise ScriptRaises("TypeError", "methodcaller needs an object", line)
    return lib.apply(lib.attribute(rest[-1], name, line), rest[:-1], keywords, line)


def _named_tuple(lib: Any, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    return lib.named_tuple_class(args, keywords, lib.module, line)


BUILTINS.update(
    {
        "@setattr": _set_attribute,
        "@fill": _fill,
        "@fill_class": _fill_class,
        "@unbound": _unbound,
        "@new": _new,
        "@make": _make_tuple,
        "@nothing": lambda lib, args, keywords, line: None,
        "@decorated": _decorated,
        "@method": _called_method,
        "@_replace": _replace,
        "@_asdict": _as_dictionary,
        "type": _type,
        **OF_PYTHON,
        **PYTHON_ROWS,
        "vars": _variables,
    }
)
EXTERNAL.update(
    {
        **OF_ITERTOOLS,
        **LIBRARY_ROWS,
        "operator.methodcaller": _method_caller,
        "dataclasses.replace": _replace,
        "copy.replace": _replace,
        "dataclasses.asdict": _as_dictionary,
        "dataclasses.fields": _fields,
        "collections.namedtuple": _named_tuple,
    }
)
NOT_CERTAIN: Final = frozenset({External, Instance, Method, Bound, Builtin, Class})


def as_camb_sees(value: Any) -> Any:
    """What is no plain value of the script's may be a number to CAMB: an object of a library, or with ``__float__``."""
    if type(value) in NOT_CERTAIN and not (type(value) is External and value.path.startswith("camb.")):
        return Unknown(f"it is {describe(value)}, whose value is not known")
    return value


def for_camb(args: list[Any], keywords: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Arguments of a CAMB call, see :func:`as_camb_sees`."""
    return [as_camb_sees(v) for v in args], {k: as_camb_sees(v) for k, v in keywords.items()}


def collect_bound(body: list[Any], names: set[str]) -> set[str]:
    """Add the names that statements bind (not inside expressions); returns those declared global or nonlocal."""
    outer: set[str] = set()
    for node in body:
        kind = type(node)
        targets: list[Any] = []
        if kind is ast.Assign:
            targets = list(node.targets)
        elif kind in (ast.AugAssign, ast.AnnAssign, ast.For, ast.AsyncFor):
            targets = [node.target]
        elif kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
            names.add(node.name)
            continue
        elif kind in (ast.Import, ast.ImportFrom):
            names.update((a.asname or a.name.partition(".")[0]) for a in node.names)
        elif kind in (ast.Global, ast.Nonlocal):
            outer.update(node.names)
        elif kind in (ast.With, ast.AsyncWith):
            targets = [item.optional_vars for item in node.items]
        while targets:
            target = targets.pop()
            if type(target) is ast.Name:
                names.add(target.id)
            elif type(target) in (ast.Tuple, ast.List):
                targets += target.elts
            elif type(target) is ast.Starred:
                targets.append(target.value)
        for part in ("body", "orelse", "finalbody"):
            inner = getattr(node, part, None)
            if inner:
                outer |= collect_bound(inner, names)
        for handler in getattr(node, "handlers", ()):
            outer |= collect_bound(handler.body, names)
    return outer
