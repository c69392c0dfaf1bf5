# ruff: noqa: PLR0911, PLR0912  (a branch or a return for every kind of value)
"""Calling values: the script's functions and classes, methods of known values, CAMB."""

from __future__ import annotations

from typing import Any, Final

from reliability.camb_code.attributes import for_camb
from reliability.camb_code.camb_binding import Arguments
from reliability.camb_code.iterators import OF_ITERTOOLS, OF_PYTHON
from reliability.camb_code.known_functions import BUILTINS, EXTERNAL
from reliability.camb_code.library_functions import OF_LIBRARY
from reliability.camb_code.object_functions import OBJECT_BUILTINS, OBJECT_FUNCTIONS
from reliability.camb_code.python_functions import OF_BUILTINS
from reliability.camb_code.script_functions import ScriptFunctions
from reliability.camb_code.small_functions import LIBRARY_ROWS, PYTHON_ROWS
from reliability.camb_code.state import ScriptRaises
from reliability.camb_code.values import (
    SCALARS,
    Bound,
    Builtin,
    Class,
    External,
    Function,
    Instance,
    Method,
    OneOf,
    Unknown,
    describe,
    join,
)

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

for _rows in (OF_BUILTINS, OF_PYTHON, PYTHON_ROWS, OBJECT_BUILTINS):
    BUILTINS.update(_rows)

for _rows in (OF_LIBRARY, OF_ITERTOOLS, LIBRARY_ROWS, OBJECT_FUNCTIONS):
    EXTERNAL.update(_rows)


class Calls(ScriptFunctions):
    """Attribute access and calls."""

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
                args, keywords = self.consumed(args, keywords, line)
            if hole is not None:
                return self.opaque(function.path, args, keywords, line)
            return self.call_external(function.path, args, keywords, line)
        if kind is Builtin:
            if function.name not in LAZY:
                args, keywords = self.consumed(args, keywords, line)
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
