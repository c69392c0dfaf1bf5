# ruff: noqa: D107  (the class says it)
"""What all parts of the interpreter share: the state, the CAMB side, names, and values that escape our sight."""

from __future__ import annotations

import ast
import builtins
from abc import ABC, abstractmethod
from typing import Any, Final

from reliability.camb_code.camb_calls import CambCalls
from reliability.camb_code.machinery import refuse
from reliability.camb_code.state import BudgetExceeded, ScriptRaises, State
from reliability.camb_code.values import (
    UNBOUND,
    Bound,
    Builtin,
    CambObject,
    Cells,
    Class,
    Function,
    Instance,
    Mapping,
    Method,
    OneOf,
    Scope,
    Sequence,
    Stream,
    Unknown,
)

OPEN: Final = "@open"
"""Key among the cells of an instance that may have attributes which are not seen; its content says why."""
BUILTIN_NAMES: Final = frozenset(n for n in dir(builtins) if not n.startswith("__")) | {"__import__"}
MAX_CALL_DEPTH: Final = 32
MUTATORS: Final = frozenset(
    [
        "set_cosmology",
        "set_params",
        "set_dark_energy",
        "set_dark_energy_w_a",
        "set_classes",
        "set_extra_params",
        "set_tau",
        "set_zrei",
        "set_matter_power",
        "set_nonlinear_lensing",
        "set_for_lmax",
        "set_initial_power",
        "set_initial_power_function",
        "set_initial_power_table",
        "set_H0_for_theta",
    ]
)
"""Methods that, called on an unknown object, may change any CAMBparams of the script."""
HARMLESS_METHODS: Final = frozenset(
    [
        "info",
        "debug",
        "warning",
        "error",
        "critical",
        "exception",
        "write",
        "writelines",
        "writerow",
        "writerows",
        "append",
        "print",
        "log",
        "format",
    ]
)


class Core(ABC):
    """State, CAMB objects, file events, and evaluation hooks that the subclasses fill."""

    def __init__(self, camb_line: str) -> None:
        self.state = State()
        self.camb = CambCalls(self.state, camb_line)
        self.module = Scope(None, is_function=False)
        self.module.redirect = None
        self.depth = 0
        self.uses_camb = False
        self.has_dynamic_names = False
        self.replaying = False
        """Whether a generator is run again up to the place that was reached."""
        self.has_numpy_numbers = False
        """Whether a known number may be one of numpy's, which divides by zero without raising."""
        self.files: list[tuple[str, str | None, int]] = []
        """``("w" or "r", known end of the path)`` in the order met."""
        self.escaping: set[int] = set()
        self.argv = Sequence([Unknown("the name of the script")])
        self.patched: Cells = {}
        """Attributes of modules that the script sets itself, and ``env:NAME`` for environment variables."""
        self._local_names: dict[int, frozenset[str]] = {}
        self._read_names: dict[int, frozenset[str]] = {}
        self._generators: dict[int, bool] = {}
        self.texts_run: list[ast.AST] = []
        """Trees of texts given to ``exec`` and ``eval``, kept because nodes are told apart by their place in memory."""

    @property
    def may_raise(self) -> bool:
        """Whether something may have raised since the innermost ``try`` began; to set it says: here, any error."""
        return self.state.raises_at is not None

    @may_raise.setter
    def may_raise(self, here: bool) -> None:
        if here and "Exception" not in self.state.doubts:
            self.state.doubt("Exception")

    # filled by the subclasses
    @abstractmethod
    def evaluate(self, node: ast.AST, scope: Scope) -> Any:
        """Value of an expression."""

    @abstractmethod
    def apply(
        self, function: Any, args: list[Any], keywords: dict[str, Any], line: int | None, hole: Unknown | None = None
    ) -> Any:
        """Call a value with known arguments."""

    # ------------------------------------------------------------------------------------------------------- names

    def lookup(self, name: str, scope: Scope, line: int | None) -> Any:
        """What a name stands for; a name that cannot exist raises in the script's name."""
        current: Scope | None = scope
        while current is not None:
            value = current.vars.get(name, UNBOUND)
            if value is not UNBOUND:
                if type(value) is OneOf:
                    self.may_raise = True
                return self.bound_options(value)
            if name in current.locals and not (current.redirect and name in current.redirect):
                message = f"the local name {name} is used before it has a value"
                self.camb.find("undefined_name", message, line)
                raise ScriptRaises("UnboundLocalError", message, line)
            current = current.parent
        if name in BUILTIN_NAMES:
            return Builtin(name)
        if name == "__name__":
            return "__main__"
        if name == "__builtins__":
            raise refuse("the use of __builtins__", line)
        if self.has_dynamic_names or name[:2] == "__":
            return Unknown(f"the name {name} is not defined in the file", line)
        self.camb.find("undefined_name", f"the name {name} is not defined when it is used", line)
        raise ScriptRaises("NameError", f"name {name} is not defined", line)

    @staticmethod
    def bound_options(value: Any) -> Any:
        """A value without the alternative that it does not exist: using it would have raised."""
        if type(value) is OneOf and UNBOUND in value.options:
            options = tuple(option for option in value.options if option is not UNBOUND)
            return options[0] if len(options) == 1 else OneOf(options, value.reason)
        return value

    def cells_of(self, name: str, scope: Scope) -> Cells:
        """The cells that an assignment to ``name`` writes."""
        redirect = scope.redirect
        return redirect[name] if redirect and name in redirect else scope.vars

    # ----------------------------------------------------------------------------------------------------- escapes

    def poison_all(self, what: str, line: int | None) -> None:
        """Something unknown may have been one of the script's parameter sets."""
        self.state.spend(4 * len(self.camb.all_params))
        for params in self.camb.all_params:
            self.camb.poison(params, what, line)

    def escape(self, values: list[Any], what: str, line: int | None, only_functions: bool = False) -> None:
        """Values given to code that we do not see: it may call functions and change what can be changed."""
        for value in values:
            kind = type(value)
            if kind is Stream:
                self.abandon(value, f"it is passed to {what}", line)
            elif kind in (Function, Bound) or (kind is Method and type(value.owner) is CambObject):
                self._escaped_function(value, what, line)
            elif only_functions:
                continue
            elif kind is CambObject:
                self._hand_out(value, what, line)
            elif kind is Instance:
                if id(value) not in self.escaping:
                    self.escaping.add(id(value))
                    self.escape(list(value.cells.values()), what, line)
                    self.escape_methods(value, what, line)
                    self.escaping.discard(id(value))
                    self.open_up(value, f"it is passed to {what}, which may change it", line)
            elif kind is Class:
                self.state.change_class(value, Unknown(f"it is passed to {what}, which may change it", line))
            elif kind is tuple or kind is OneOf:
                self.escape(list(value if kind is tuple else value.options), what, line)
            elif kind in (Sequence, Mapping):
                contents = value.cells["v"]
                inner = list(contents.values()) if type(contents) is dict else contents
                if type(inner) is list and id(value) not in self.escaping:
                    self.escaping.add(id(value))
                    self.escape(inner, what, line)
                    self.escaping.discard(id(value))
                    self.state.put(value.cells, "v", Unknown(f"it is passed to {what}, which may change it", line))
                    if kind is Mapping and value.mirror is not None:
                        self.open_up(value.mirror, f"its __dict__ is passed to {what}", line)

    def _hand_out(self, value: CambObject, what: str, line: int | None) -> None:
        if value.kind == "CAMBparams":
            self.camb.handed_out = f"CAMBparams are passed to {what} (line {line}), which may compute"
        if value.kind != "model":
            self.camb.poison(value, f"it is passed to {what}, which may change it", line)

    @abstractmethod
    def escape_methods(self, value: Instance, what: str, line: int | None) -> None:
        """Methods of an instance that code not seen may call (filled by the classes part)."""

    def open_up(self, value: Instance, reason: str, line: int | None) -> None:
        """Any attribute of an instance may have been changed, added or removed."""
        if "@member" in value.cells or "@parser" in value.cells:
            return
        self.state.put(value.cells, OPEN, Unknown(reason, line))
        for key, cell in list(value.cells.items()):
            if type(cell) is not Unknown:
                self.state.put(value.cells, key, Unknown(reason, line))

    def _escaped_function(self, function: Any, what: str, line: int | None) -> None:
        """Run a function that may be called with anything, or not at all."""
        if type(function) is Bound and type(function.function) is Builtin and function.function.name == "@decorated":
            function = function.args[0]
        target = function
        while type(target) is Bound:
            target = target.function
        identity = id(target.node) if type(target) is Function else id(target)
        if identity in self.escaping:
            return
        self.escaping.add(identity)
        unknown = Unknown(f"{what} chooses the argument", line)

        def called() -> None:
            count = 0
            if type(target) is Function:
                arguments = target.node.args
                count = len(arguments.posonlyargs) + len(arguments.args) - len(target.defaults)
                count -= len(function.args) if type(function) is Bound else 0
            self.apply(function, [unknown] * max(count, 0), {}, line)

        def not_called() -> None:
            return

        try:
            self.state.fork([called, not_called], f"whether {what} calls the function (line {line})")
        finally:
            self.escaping.discard(identity)

    def abandon(self, stream: Stream, reason: str, line: int | None) -> None:
        """A stream is consumed in a way that is not followed (filled by the streams part)."""
        raise NotImplementedError

    def truth_of(self, value: Any, line: int | None) -> bool | None:
        """``bool(value)`` if it is known (filled by the expressions part)."""
        raise NotImplementedError

    def opaque(self, what: str, args: list[Any], keywords: dict[str, Any], line: int | None) -> Unknown:
        """The result of a call that is not followed."""
        self.may_raise = True
        self.escape([*args, *keywords.values()], what, line)
        return Unknown(f"the result of {what} is not known without running", line)

    def check_depth(self) -> None:
        """Refuse calls nested too deep."""
        if self.depth > MAX_CALL_DEPTH:
            raise BudgetExceeded(f"calls are nested deeper than {MAX_CALL_DEPTH}")
