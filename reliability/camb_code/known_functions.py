"""Python's own functions and the parts of numpy, os, pathlib, json, argparse that set numbers in agents' scripts."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import Any, Final

from reliability.camb_code.arithmetic import NotComputed, binary, is_too_large, rounded
from reliability.camb_code.machinery import refuse_call, refuse_module
from reliability.camb_code.number_operations import OF_ITEMS, NumberOperations
from reliability.camb_code.numeric import ARRAYS, ONE_VALUE
from reliability.camb_code.plain_values import is_known, items_of
from reliability.camb_code.state import (
    OF_ARRAYS,
    OF_FILES,
    ScriptRaises,
)
from reliability.camb_code.values import AVAILABLE, External, Instance, Mapping, OneOf, Sequence, Unknown

MAX_APPLIED: Final = 64
"""A function is called for at most so many items, by ``map``, ``sorted`` and their like."""

SAFE_ROOTS: Final = frozenset(
    [
        "numpy",
        "math",
        "matplotlib",
        "pandas",
        "csv",
        "json",
        "os",
        "sys",
        "time",
        "datetime",
        "warnings",
        "logging",
        "print",
        "pathlib",
        "argparse",
        "typing",
        "io",
        "string",
        "re",
        "pprint",
        "traceback",
        "scipy",
        "astropy",
        "collections",
        "itertools",
        "functools",
        "textwrap",
        "shutil",
        "gc",
    ]
)
"""Libraries that do not change lists and dictionaries handed to them (except :data:`CHANGES_ARGUMENT`)."""

CHANGES_ARGUMENT: Final = frozenset({"shuffle", "put", "copyto", "place", "putmask", "fill_diagonal", "setattr"})

READERS: Final = frozenset(
    ["numpy.loadtxt", "numpy.genfromtxt", "numpy.load", "numpy.fromfile", "pandas.read_csv", "pandas.read_table"]
)

WRITERS: Final = frozenset({"numpy.savetxt", "numpy.save", "numpy.savez"})

STRING_METHODS: Final = frozenset(
    [
        "strip",
        "lstrip",
        "rstrip",
        "lower",
        "upper",
        "title",
        "replace",
        "split",
        "rsplit",
        "startswith",
        "endswith",
        "join",
        "format",
        "removeprefix",
        "removesuffix",
        "partition",
        "splitlines",
        "isdigit",
        "find",
        "count",
        "zfill",
        "capitalize",
        "index",
        "rfind",
        "rindex",
        "rpartition",
        "casefold",
        "swapcase",
        "isnumeric",
        "isdecimal",
        "isalpha",
        "isalnum",
        "isupper",
        "islower",
        "isspace",
        "isidentifier",
        "ljust",
        "rjust",
        "center",
        "encode",
        "decode",
    ]
)

BUILTINS: Final[dict[str, Callable[..., Any]]] = {}
"""What does a call of a builtin, by its name: ``(interpreter, args, keywords, line)``; filled by the calls part."""

EXTERNAL: Final[dict[str, Callable[..., Any]]] = {}
"""The same for imported functions, by their dotted path."""


class KnownFunctions(NumberOperations):
    """Calls of builtins and of imported functions."""

    def note_module(self, path: str, line: int | None) -> None:
        """A module is imported."""
        refuse_module(path, line)
        root = path.partition(".")[0]
        if root not in AVAILABLE and root not in sys.stdlib_module_names:
            self.may_raise = True
        if path == "camb" or path.startswith("camb."):
            self.uses_camb = True

    def call_external(self, path: str, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
        """Call something imported that is not CAMB."""
        refuse_call(path, line)
        root, _, name = path.partition(".")
        name = name.rsplit(".", 1)[-1]
        if root in ("numpy", "math") and path.count(".") == 1:
            result = self._numeric(root, name, args, keywords, line)
            if result is not NotImplemented:
                return result
        special = EXTERNAL.get(path)
        if special is not None:
            return special(self, args, keywords, line)
        self.note_files(path, args, keywords)
        if root in SAFE_ROOTS and name not in CHANGES_ARGUMENT:
            self.escape([*args, *keywords.values()], path, line, only_functions=True)
            if path in READERS or root not in ("numpy", "math", "matplotlib", "time", "warnings", "logging"):
                if not path.startswith(("os.makedirs", "os.path.", "os.getcwd", "csv.w")):
                    self.may_raise = True
            elif root == "numpy":
                self.state.doubt(*OF_ARRAYS, *OF_FILES)
            elif root in ("math", "matplotlib"):
                self.may_raise = True
            is_tame = path not in READERS and root in ("numpy", "math", "matplotlib", "csv", "time")
            result = Unknown(f"the result of {path} is not known without running", line, is_tame=is_tame)
            if root == "numpy":
                result.is_array = True if name in ARRAYS else False if name in ONE_VALUE and not keywords else None
            if name in ("array", "asarray", "copy", "nan_to_num") and args and type(args[0]) is Unknown:
                result.spectrum = args[0].spectrum
            return result
        return self.opaque(path, args, keywords, line)

    def note_files(self, path: str, args: list[Any], keywords: dict[str, Any]) -> None:
        """Remember which file a reading or writing call names."""
        if path in READERS or path in WRITERS:
            names = ("fname", "file", "filepath_or_buffer", "path_or_buf")
            where = args[0] if args else next((keywords[n] for n in names if n in keywords), None)
            self.note_file("r" if path in READERS else "w", where)

    def note_file(self, mode: str, where: Any) -> None:
        """Remember a file; its name may be known only in its end, or not at all."""
        options = where.options if type(where) is OneOf else (where,)
        n_models = len(self.state.log["events"])
        for option in options:
            if isinstance(option, str):
                self.files.append((mode, option, n_models))
            elif type(option) is Unknown:
                self.files.append((mode, option.tail or None, n_models))

    def call_builtin(self, name: str, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
        """Call one of Python's own functions."""
        if name == "print":
            return None
        special = BUILTINS.get(name)
        if special is not None:
            return special(self, args, keywords, line)
        if name in PLAIN and not keywords:
            return self.plain(name, args, line)
        if name.endswith(("Error", "Exception", "Warning", "Interrupt", "Exit", "Iteration")):
            return External(f"builtins.{name}")
        self.may_raise = True
        if name in ("map", "filter", "sorted", "min", "max"):
            self.escape([*args, *keywords.values()], name, line, only_functions=True)
        return Unknown(f"the result of {name} is not known without running", line)

    def in_sorted_order(self, items: list[Any], keywords: dict[str, Any], line: int | None) -> list[Any] | None:
        """Items as ``sorted`` gives them, or ``None`` if that is not known."""
        key, is_reversed = keywords.get("key"), keywords.get("reverse", False)
        if not keywords.keys() <= {"key", "reverse"} or type(is_reversed) not in (bool, int):
            return None
        if key is not None and len(items) > MAX_APPLIED:
            return None
        keys = items if key is None else [self.apply(key, [item], {}, line) for item in items]
        if not all(map(is_known, keys)):
            return None
        self.state.spend(len(items) // 4)
        try:
            places = sorted(range(len(items)), key=keys.__getitem__, reverse=bool(is_reversed))
        except TypeError as error:
            raise ScriptRaises("TypeError", str(error), line) from None
        return [items[place] for place in places]

    def plain(self, name: str, args: list[Any], line: int | None) -> Any:
        """A builtin that is a pure function of known scalars or items."""
        values: list[Any] = []
        for arg in args:
            items = items_of(arg) if type(arg) in (Sequence, Mapping) else None
            if items is not None and type(arg) is Sequence and arg.kind != "list" and name not in OF_ITEMS:
                return Unknown(f"{name}() of an array or range is not followed", line)
            if type(arg) is Instance and name in ("int", "float") and arg.cells.get("@member") is True:
                arg = arg.cells["value"]  # noqa: PLW2901
            if type(arg) is Unknown:
                self.may_raise = True
                return Unknown(arg.reason, line, arg.tail if name == "str" else "")
            if not is_known(arg) and (items is None or not all(map(is_known, items))):
                return Unknown(f"{name}() of a value that is not known", line)
            values.append(arg if items is None else items)
        self.state.spend(sum(len(v) for v in values if isinstance(v, list | tuple | str)) // 8)
        try:
            result = PLAIN[name](*values)
            return result if not is_too_large(result) else Unknown(f"the result of {name} is too long", line)
        except (TypeError, ValueError, ArithmeticError, MemoryError) as error:
            raise ScriptRaises(type(error).__name__, f"{name}: {error}", line) from None
        except NotComputed as error:
            self.may_raise = True
            return Unknown(str(error), line)


PLAIN: Final[dict[str, Callable[..., Any]]] = {
    "float": float,
    "int": int,
    "str": str,
    "bool": bool,
    "abs": abs,
    "min": min,
    "max": max,
    "sum": sum,
    "round": rounded,
    "pow": lambda a, b: binary(ast.Pow, a, b),
    "repr": repr,
    "divmod": divmod,
    "any": any,
    "all": all,
    "complex": complex,
    "tuple": tuple,
}
