# ruff: noqa: PLR0911, ARG001, ARG005  (one signature for every row of the tables)
"""Python's own functions and the parts of numpy, os, pathlib, json, argparse that set numbers in agents' scripts."""

from __future__ import annotations

import ast
import builtins
import json
import math
import sys
import tomllib
from collections.abc import Callable
from typing import Any, Final

from reliability.camb_code.arithmetic import BINARY, CONSTANTS, FUNCTIONS, NotComputed, binary
from reliability.camb_code.camb_objects import copy_of
from reliability.camb_code.core import OPEN, Core
from reliability.camb_code.state import ScriptExits, ScriptRaises
from reliability.camb_code.values import (
    AVAILABLE,
    SCALARS,
    Bound,
    Builtin,
    CambObject,
    Class,
    External,
    Function,
    Instance,
    Mapping,
    OneOf,
    PathText,
    Sequence,
    Unknown,
)

ZERO: Final = Builtin("@zero")
"""What a ``Counter`` gives for a key it does not have."""
SET_OPERATIONS: Final = frozenset({ast.Sub, ast.BitAnd, ast.BitOr, ast.BitXor})
MAX_ITEMS: Final = 20_000
MAX_APPLIED: Final = 64
"""A function is called for at most so many items, by ``map``, ``sorted`` and their like."""
MAX_ARRAY: Final = 512
"""Longer numpy arrays are grids, not parameters."""
UFUNCS: Final[dict[str, type[ast.operator]]] = {
    "power": ast.Pow,
    "float_power": ast.Pow,
    "add": ast.Add,
    "subtract": ast.Sub,
    "multiply": ast.Mult,
    "divide": ast.Div,
    "true_divide": ast.Div,
    "pow": ast.Pow,
}
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


def is_known(value: Any) -> bool:
    """Whether a value is a plain Python scalar or a tuple of them."""
    kind = type(value)
    return kind in SCALARS or (kind is tuple and all(is_known(item) for item in value))


def items_of(value: Any) -> list[Any] | None:
    """The items a loop over a value meets, if they are known."""
    kind = type(value)
    if kind is tuple:
        return list(value)
    if kind is Sequence:
        contents = value.cells["v"]
        return contents if type(contents) is list else None
    if kind is Mapping:
        contents = value.cells["v"]
        return list(contents) if type(contents) is dict else None
    if kind is str and len(value) <= MAX_ITEMS:
        return list(value)
    if kind is Instance and value.cls is not None and OPEN not in value.cells:
        fields = next((each.fields for each in value.cls.mro if each.is_tuple), None)
        return [value.cells.get(name) for name in fields] if fields is not None else None
    return None


def in_order(value: Any) -> bool:
    """Whether the order of the items is known: that of a set is not."""
    if type(value) is not Sequence or value.kind != "set":
        return True
    contents = value.cells["v"]
    return type(contents) is not list or len(contents) < 2


class NotPlain(Exception):  # noqa: N818
    """A value has parts that are not known, or of a kind of their own."""


def plain(value: Any, depth: int = 0) -> Any:
    """A known value as Python's own, or :class:`NotPlain`."""
    if is_known(value):
        return value
    if depth < 6:
        contents = value.cells["v"] if type(value) in (Sequence, Mapping) else None
        if type(value) is tuple:
            return tuple(plain(item, depth + 1) for item in value)
        if type(contents) is list and value.kind in ("list", "set", "keys", "range"):
            items = [plain(item, depth + 1) for item in contents]
            return items if value.kind == "list" else range(0) if value.kind == "range" else set(items)
        if type(contents) is dict and value.factory is None:
            return {k: plain(v, depth + 1) for k, v in contents.items()}
    raise NotPlain


class KnownFunctions(Core):
    """Calls of builtins and of imported functions."""

    # ---------------------------------------------------------------------------------------------------- imported

    def note_module(self, path: str) -> None:
        """A module is imported."""
        root = path.partition(".")[0]
        if root not in AVAILABLE and root not in sys.stdlib_module_names:
            self.may_raise = True
        if path == "camb" or path.startswith("camb."):
            self.uses_camb = True

    def call_external(self, path: str, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
        """Call something imported that is not CAMB."""
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
                self.may_raise = self.may_raise or not path.startswith(
                    ("os.makedirs", "os.path.", "os.getcwd", "csv.w")
                )
            is_tame = path not in READERS and root in ("numpy", "math", "matplotlib", "csv", "time")
            result = Unknown(f"the result of {path} is not known without running", line, is_tame=is_tame)
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
        for option in options:
            if isinstance(option, str):
                self.files.append((mode, option))
            elif type(option) is Unknown:
                self.files.append((mode, option.tail or None))

    def _numeric(self, root: str, name: str, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
        if root == "numpy":
            self.has_numpy_numbers = True
        if name in FUNCTIONS and len(args) == 1 and not keywords and not (root == "math" and name in OF_ITEMS):
            return self._elementwise(FUNCTIONS[name], args[0], f"{root}.{name}", line)
        if name in UFUNCS and len(args) == 2 and not keywords:
            return self.operate(UFUNCS[name], args[0], args[1], line)
        if root == "math" and name in OF_MATH and all(type(arg) in (int, float, bool) for arg in args):
            try:
                return OF_MATH[name](*args, **{k: v for k, v in keywords.items() if type(v) in (int, float)})
            except (TypeError, ValueError, ArithmeticError) as error:
                raise ScriptRaises(type(error).__name__, str(error), line) from None
        maker = MAKERS.get(name)
        if maker is not None and not (args and type(args[0]) is Unknown and args[0].spectrum is not None):
            try:
                return maker(args, keywords)
            except (TypeError, ValueError, ArithmeticError, KeyError, IndexError):
                return Unknown(f"{root}.{name} of these arguments is not followed", line, is_tame=True)
        return NotImplemented

    def _elementwise(self, function: Callable[[Any], Any], value: Any, what: str, line: int | None) -> Any:
        if type(value) in (int, float, bool):
            if what.endswith((".min", ".max")):
                return value
            try:
                return function(value)
            except (ArithmeticError, ValueError) as error:
                if what.startswith("math."):
                    raise ScriptRaises(type(error).__name__, str(error), line) from None
                return Unknown(f"{what}({value}) is not finite", line)
        if what.startswith("math."):
            self.may_raise = self.may_raise or not (type(value) is Unknown and value.is_tame)
        if type(value) is Unknown:
            return value
        items = items_of(value)
        if items is None or not all(type(item) in (int, float) for item in items) or not items:
            return Unknown(f"{what} of an unknown value", line)
        if what.endswith((".min", ".max")):
            return function(items)
        self.state.spend(len(items) // 4)
        try:
            return Sequence([function(item) for item in items], "array")
        except (ArithmeticError, ValueError):
            return Unknown(f"{what} is not finite", line)

    # --------------------------------------------------------------------------------------------------- operators

    def operate(self, kind: type, a: Any, b: Any, line: int | None) -> Any:
        """``a kind b`` on abstract values."""
        if type(a) in SCALARS and type(b) in SCALARS:
            if kind is ast.Div and isinstance(a, PathText | str) and (type(a) is PathText or type(b) is PathText):
                return PathText(f"{a}/{b}")
            try:
                return binary(kind, a, b)
            except NotComputed as error:
                if error.raised in ("TypeError", "ValueError") or (error.raised and not self.has_numpy_numbers):
                    raise ScriptRaises(error.raised, str(error), line) from None
                self.may_raise = True
                return Unknown(str(error), line)
        if type(a) is OneOf or type(b) is OneOf:
            return self._operate_options(kind, a, b, line)
        if type(a) is Unknown or type(b) is Unknown:
            reason = a.reason if type(a) is Unknown else b.reason
            tail = ""
            if kind is ast.Add and isinstance(b, str):
                tail = (a.tail if type(a) is Unknown else "") + b
            elif kind is ast.Add and type(b) is Unknown:
                tail = b.tail
            elif kind is ast.Div and isinstance(b, str):
                tail = "/" + b
            elif kind is ast.Div and type(b) is Unknown:
                tail = b.tail
            is_tame = all(type(v) in SCALARS or (type(v) is Unknown and v.is_tame) for v in (a, b))
            result = Unknown(reason, line, tail, is_tame)
            spectra = [v.spectrum for v in (a, b) if type(v) is Unknown and v.spectrum is not None]
            result.spectrum = spectra[0] if len(spectra) == 1 else None
            return result
        if kind is ast.BitOr and type(a) is Mapping and type(b) is Mapping and a.factory is not ZERO:
            left, right = a.cells["v"], b.cells["v"]
            if type(left) is dict and type(right) is dict:
                return Mapping({**left, **right})
        return self._operate_sequences(kind, a, b, line)

    def _operate_options(self, kind: type, a: Any, b: Any, line: int | None) -> Any:
        left = a.options if type(a) is OneOf else (a,)
        right = b.options if type(b) is OneOf else (b,)
        if len(left) * len(right) > 16 or not all(type(x) in SCALARS for x in (*left, *right)):
            reason = (a if type(a) is OneOf else b).reason
            return Unknown(f"it depends on {reason}", line)
        results = []
        for x in left:
            for y in right:
                try:
                    results.append(binary(kind, x, y))
                except NotComputed:
                    self.may_raise = True
                    return Unknown("not every alternative has a value", line)
        unique = list(dict.fromkeys(results))
        reason = (a if type(a) is OneOf else b).reason
        if len(unique) == 1:
            return unique[0]
        return OneOf(tuple(unique), reason) if len(unique) <= 8 else Unknown(f"it depends on {reason}", line)

    def _operate_sequences(self, kind: type, a: Any, b: Any, line: int | None) -> Any:
        arrays = [v for v in (a, b) if type(v) is Sequence and v.kind == "array"]
        if arrays:
            items = [items_of(v) if type(v) is Sequence else None for v in (a, b)]
            size = max(len(i) for i in items if i is not None) if any(i is not None for i in items) else 0
            left = items[0] if items[0] is not None else [a] * size
            right = items[1] if items[1] is not None else [b] * size
            flat = all(type(x) in (int, float) for x in (*left, *right))
            if flat and size and len(left) == len(right):
                self.state.spend(size // 4)
                try:
                    return Sequence([BINARY[kind](x, y) for x, y in zip(left, right, strict=True)], "array")
                except (ArithmeticError, TypeError, ValueError, KeyError):
                    pass
            return Unknown("array arithmetic that is not followed", line)
        left_items, right_items = items_of(a), items_of(b)
        if kind is ast.Add and type(a) is type(b) and left_items is not None and right_items is not None:
            joined = left_items + right_items
            if len(joined) <= MAX_ITEMS and type(a) in (tuple, Sequence):
                self.state.spend(len(joined) // 8)
                return tuple(joined) if type(a) is tuple else Sequence(joined)
        if kind in SET_OPERATIONS and type(a) is Sequence and type(b) is Sequence and left_items is not None:
            known = right_items is not None and all(map(is_known, [*left_items, *right_items]))
            if known and right_items is not None and {a.kind, b.kind} <= {"set", "keys"}:
                self.state.spend((len(left_items) + len(right_items)) // 8)
                return Sequence(list(BINARY[kind](set(left_items), set(right_items))), "set")
        if kind is ast.Mult and left_items is not None and type(b) is int and len(left_items) * b <= MAX_ITEMS:
            self.state.spend(len(left_items) * max(b, 0) // 8)
            return tuple(left_items * b) if type(a) is tuple else Sequence(left_items * b)
        return Unknown("this operation is not followed", line)

    # ---------------------------------------------------------------------------------------------------- builtins

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
        if name in ("vars", "globals", "locals"):
            return _dynamic(self, args, keywords, line)
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
            return PLAIN[name](*values)
        except (TypeError, ValueError, ArithmeticError, MemoryError) as error:
            raise ScriptRaises(type(error).__name__, f"{name}: {error}", line) from None
        except NotComputed as error:
            self.may_raise = True
            return Unknown(str(error), line)


# ------------------------------------------------------------------------------------------- tables of what is known

Special = Callable[[KnownFunctions, list[Any], dict[str, Any], "int | None"], Any]


def _array(args: list[Any], keywords: dict[str, Any]) -> Any:
    dtype = keywords.get("dtype")
    if keywords and not (keywords.keys() == {"dtype"} and type(dtype) in (Builtin, External) and len(args) == 1):
        raise TypeError
    if type(dtype) is Builtin and dtype.name != "float":
        raise TypeError
    if type(dtype) is External and dtype.path not in ("numpy.float64", "numpy.double"):
        raise TypeError
    items = items_of(args[0]) if type(args[0]) in (Sequence, tuple) else None
    if items is not None:
        if not all(type(item) in (int, float, str, bool, Unknown, OneOf) for item in items):
            raise TypeError  # rows: a matrix
        if type(args[0]) is Sequence and args[0].kind == "set":
            raise TypeError
        return Sequence(list(items), "array")
    if type(args[0]) in (int, float):
        return args[0]
    raise TypeError


def _linspace(args: list[Any], keywords: dict[str, Any]) -> Any:
    full = dict(zip(("start", "stop", "num"), args, strict=False)) | keywords
    if not full.keys() <= {"start", "stop", "num", "endpoint"}:
        raise TypeError
    n, start, stop = full.get("num", 50), full["start"], full["stop"]
    if not (isinstance(n, int) and 2 <= n <= MAX_ARRAY) or not all(type(v) in (int, float) for v in (start, stop)):
        raise TypeError
    endpoint = full.get("endpoint", True)
    step = (stop - start) / (n - 1 if endpoint else n)
    values = [i * step + start for i in range(n)]
    if endpoint:
        values[-1] = float(stop)
    return Sequence(values, "array")


def _arange(args: list[Any], keywords: dict[str, Any]) -> Any:
    start, stop, step = (0, args[0], 1) if len(args) == 1 else (*args, 1)[:3]
    if keywords or not all(type(v) in (int, float) for v in (start, stop, step)):
        raise TypeError
    n = math.ceil((stop - start) / step)
    if n > MAX_ARRAY:
        raise ValueError
    return Sequence([start + i * step for i in range(n)], "array")


def _filled(value: float) -> Callable[[list[Any], dict[str, Any]], Any]:
    def make(args: list[Any], keywords: dict[str, Any]) -> Any:
        if type(args[0]) is not int or args[0] > MAX_ARRAY or len(args) > 1 or keywords:
            raise TypeError
        return Sequence([value] * args[0], "array")

    return make


def _scalar(kind: Callable[[Any], Any]) -> Callable[[list[Any], dict[str, Any]], Any]:
    def make(args: list[Any], keywords: dict[str, Any]) -> Any:
        if type(args[0]) not in (int, float, str, bool):
            raise TypeError
        return kind(args[0])

    return make


def _total(args: list[Any], keywords: dict[str, Any]) -> Any:
    items = items_of(args[0])
    if items is None or keywords or len(args) > 1 or not all(type(item) in (int, float) for item in items):
        raise TypeError
    return sum(items)


def _of_numbers(function: Callable[..., Any]) -> Callable[[list[Any], dict[str, Any]], Any]:
    def make(args: list[Any], keywords: dict[str, Any]) -> Any:
        if keywords or not all(type(arg) in (int, float, bool) for arg in args):
            raise TypeError
        return function(*args)

    return make


def _numpy_round(value: float, digits: int = 0) -> float:
    """As numpy does it, which scales, rounds and scales back."""
    return float(round(value * 10**digits)) / 10**digits if digits >= 0 else float(round(value, digits))


def _place_of(choose: Callable[..., Any]) -> Callable[[list[Any], dict[str, Any]], Any]:
    def make(args: list[Any], keywords: dict[str, Any]) -> Any:
        items = items_of(args[0])
        if items is None or keywords or len(args) > 1 or not all(type(item) in (int, float) for item in items):
            raise TypeError
        return items.index(choose(items))

    return make


OF_MATH: Final[dict[str, Callable[..., Any]]] = {
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "isclose": math.isclose,
    "hypot": math.hypot,
    "fabs": math.fabs,
    "atan": math.atan,
    "asin": math.asin,
    "acos": math.acos,
    "atan2": math.atan2,
    "cbrt": getattr(math, "cbrt", None) or (lambda value: math.copysign(abs(value) ** (1 / 3), value)),
    "gamma": math.gamma,
    "erf": math.erf,
    "factorial": lambda n: math.factorial(n) if n < 200 else None,
}
"""Functions of :mod:`math` alone, on numbers: what Python raises they raise."""
MAKERS: Final[dict[str, Callable[[list[Any], dict[str, Any]], Any]]] = {
    "array": _array,
    "asarray": _array,
    "linspace": _linspace,
    "arange": _arange,
    "zeros": _filled(0.0),
    "ones": _filled(1.0),
    "float64": _scalar(float),
    "double": _scalar(float),
    "int64": _scalar(int),
    "square": lambda args, keywords: args[0] * args[0],
    "deg2rad": _scalar(math.radians),
    "radians": _scalar(math.radians),
    "sum": _total,
    "clip": _of_numbers(lambda value, low, high: min(max(value, low), high)),
    "round": _of_numbers(_numpy_round),
    "around": _of_numbers(_numpy_round),
    "hypot": _of_numbers(math.hypot),
    "fabs": _of_numbers(math.fabs),
    "degrees": _of_numbers(math.degrees),
    "rad2deg": _of_numbers(math.degrees),
    "isnan": _of_numbers(math.isnan),
    "isfinite": _of_numbers(math.isfinite),
    "mean": lambda args, keywords: _total(args, keywords) / len(items_of(args[0]) or ()),
    "argmax": _place_of(max),
    "argmin": _place_of(min),
}
"""numpy functions that make a known value of known arguments."""

PLAIN: Final[dict[str, Callable[..., Any]]] = {
    "float": float,
    "int": int,
    "str": str,
    "bool": bool,
    "abs": abs,
    "min": min,
    "max": max,
    "sum": sum,
    "round": round,
    "pow": lambda a, b: binary(ast.Pow, a, b),
    "repr": repr,
    "divmod": divmod,
    "any": any,
    "all": all,
    "complex": complex,
    "tuple": tuple,
}


OF_ITEMS: Final = frozenset({"min", "max", "sum", "tuple", "any", "all"})
"""Those of :data:`PLAIN` that only look at the items of what they are given."""


def _exit(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    raise ScriptExits(args[0] if args else None)


def _range(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if args and all(type(arg) is int for arg in args):
        try:
            numbers = range(*args)
            if len(numbers) <= MAX_ITEMS:
                return Sequence(list(numbers), "range")
        except (ValueError, OverflowError):
            pass
    return Unknown("a range that is not known or too long", line)


def _length(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    items = items_of(args[0]) if args else None
    return len(items) if items is not None else Unknown("the length is not known", line)


def _listed(kind: str) -> Special:
    def make(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
        if not args:
            return Sequence([], kind)
        items = items_of(args[0])
        if items is None:
            return Unknown("the items are not known", line)
        if kind == "set":
            if not all(map(is_known, items)):
                return Unknown("a set of values that are not known", line)
            items = list(dict.fromkeys(items))
        elif not in_order(args[0]):
            return Unknown("the order of a set is not known", line)
        lib.state.spend(len(items) // 8)
        return Sequence(list(items), kind)

    return make


def _dict(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    contents: dict[Any, Any] = {}
    if args:
        source = args[0].cells["v"] if type(args[0]) is Mapping else None
        if type(source) is dict:
            contents = dict(source)
        else:
            pairs = items_of(args[0])
            if pairs is None or not all(type(p) is tuple and len(p) == 2 and is_known(p[0]) for p in pairs):
                return Unknown("the contents of the dictionary are not known", line)
            contents = dict(pairs)
    made = Mapping({**contents, **keywords})
    lib.state.born(made.cells)
    return made


def _sorted(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    items = items_of(args[0]) if len(args) == 1 else None
    order = lib.in_sorted_order(items, keywords, line) if items is not None else None
    if order is None:
        lib.may_raise = True
        lib.escape(list(keywords.values()), "sorted", line, only_functions=True)
        return Unknown("the sorted items are not known", line)
    return Sequence(order)


def _extreme(name: str) -> Special:
    """``min`` and ``max``: the first of the items that comes first, or last, in order."""

    def choose(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
        items = items_of(args[0]) if len(args) == 1 else args
        by_key = {k: v for k, v in keywords.items() if k == "key"}
        if not keywords:
            return lib.plain(name, args, line)
        if items is not None and keywords.keys() <= {"key", "default"} and (items or "default" in keywords):
            if not items:
                return keywords["default"]
            order = lib.in_sorted_order(items[::-1] if name == "max" else items, by_key, line)
            if order is not None:
                return order[-1 if name == "max" else 0]
        lib.may_raise = True
        lib.escape([*args, *keywords.values()], name, line, only_functions=True)
        return Unknown(f"the result of {name} is not known without running", line)

    return choose


def _open(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    where = args[0] if args else keywords.get("file")
    mode = args[1] if len(args) > 1 else keywords.get("mode", "r")
    writes = isinstance(mode, str) and any(letter in mode for letter in "wax+")
    lib.note_file("w" if writes else "r", where)
    lib.may_raise = lib.may_raise or not writes
    return Unknown("the content of a file is not known without running", line, is_tame=writes)


def _path(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    return join_path(lib, args or ["."], keywords, line)


def join_path(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """``os.path.join`` and its like."""
    if all(isinstance(arg, str) for arg in args):
        return PathText("/".join(args))
    last = args[-1] if args else None
    tail = last if isinstance(last, str) else last.tail if type(last) is Unknown else ""
    return Unknown("a path that is not wholly known", line, "/" + tail if tail and len(args) > 1 else tail)


def _environment(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """Environment variables are taken to be unset, so the default holds, but for those that every system sets."""
    name = args[0] if args else None
    if type(name) is not str or name in ALWAYS_SET or "env:" in lib.patched or "env:" + name in lib.patched:
        return Unknown("an environment variable", line)
    return args[1] if len(args) > 1 else keywords.get("default")


ALWAYS_SET: Final = frozenset({"HOME", "PATH", "USER", "LOGNAME", "PWD", "SHELL", "LANG", "TMPDIR", "HOSTNAME"})


def _environment_set(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """``os.environ`` changed by the script."""
    known = bool(args) and type(args[0]) is str
    lib.state.put(lib.patched, "env:" + (args[0] if known else ""), True)
    return Unknown("an environment variable", line)


def _toml_loads(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if len(args) == 1 and type(args[0]) is str and not keywords and len(args[0]) < MAX_ITEMS:
        try:
            return abstract(tomllib.loads(args[0]))
        except ValueError as error:
            raise ScriptRaises("TOMLDecodeError", str(error), line) from None
    return Unknown("the TOML text is not known", line)


def _reduce(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    items = items_of(args[1]) if len(args) in (2, 3) and in_order(args[1]) else None
    if items is None or keywords or len(items) > 64 or not (items or len(args) == 3):
        return lib.opaque("functools.reduce", args, keywords, line)
    value, rest = (args[2], items) if len(args) == 3 else (items[0], items[1:])
    for item in rest:
        value = lib.apply(args[0], [value, item], {}, line)
    return value


def _counter(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    items = items_of(args[0]) if args else []
    if items is None or not all(map(is_known, items)) or len(args) > 1:
        return lib.opaque("collections.Counter", args, keywords, line)
    counts = args[0].cells["v"] if args and type(args[0]) is Mapping else {}
    for item in items if not counts else ():
        counts[item] = counts.get(item, 0) + 1
    made = Mapping({**counts, **keywords})
    made.factory = ZERO
    return made


def _deque(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    items = items_of(args[0]) if args else []
    longest = args[1] if len(args) > 1 else keywords.get("maxlen")
    if items is None or not in_order(args[0] if args else None) or not (longest is None or type(longest) is int):
        return lib.opaque("collections.deque", args, keywords, line)
    made = Sequence(list(items) if longest is None else list(items)[max(len(items) - longest, 0) :], "deque", longest)
    lib.state.born(made.cells)
    return made


def _default_dictionary(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    made = _dict(lib, args[1:], keywords, line)
    if type(made) is Mapping and args:
        made.factory = args[0]
    return made


def _json_loads(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if len(args) == 1 and type(args[0]) is str and not keywords:
        try:
            return abstract(json.loads(args[0]))
        except ValueError as error:
            raise ScriptRaises("JSONDecodeError", str(error), line) from None
    return Unknown("the JSON text is not known", line)


def _import_module(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    """As ``import a.b as x``: the module that the dotted name ends with."""
    if len(args) == 1 and type(args[0]) is str and not keywords and not args[0].startswith("."):
        lib.note_module(args[0])
        return External(args[0])
    return Unknown("the module imported by name is not known", line)


def abstract(value: Any) -> Any:
    """A plain Python value as an abstract one."""
    if type(value) is dict:
        return Mapping({k: abstract(v) for k, v in value.items()})
    if type(value) in (list, set):
        return Sequence([abstract(v) for v in value], "list" if type(value) is list else "set")
    if type(value) is tuple:
        return tuple(abstract(v) for v in value)
    return value


def _copy(deep: bool) -> Special:
    def copied(value: Any, depth: int) -> Any:
        kind = type(value)
        if depth > 20:
            return Unknown("the copied value is nested too deeply")
        inner: Callable[[Any], Any] = (lambda v: copied(v, depth + 1)) if deep else (lambda v: v)
        if kind is CambObject:
            return copy_of(value)
        if kind is Sequence:
            items = value.cells["v"]
            return Sequence([inner(i) for i in items] if type(items) is list else items, value.kind)
        if kind is Mapping:
            contents = value.cells["v"]
            twin = Mapping({k: inner(v) for k, v in contents.items()} if type(contents) is dict else contents)
            twin.factory = value.factory
            return twin
        if kind is Instance:
            made = Instance(value.cls)
            if "@member" in value.cells:
                return value
            made.cells.update({k: inner(v) for k, v in value.cells.items() if k != "@dict"})
            return made
        return value if kind in SCALARS or kind is Function else Unknown("a copy of a value that is not known")

    def copy(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
        made = copied(args[0], 0) if args else Unknown("nothing is copied", line)
        return lib.camb.born(made) if type(made) is CambObject else made

    return copy


def _namespace(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    made = Instance(None)
    made.cells.update(keywords)
    return made


def _partial(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    return Bound(args[0], args[1:], keywords) if args else Unknown("functools.partial of nothing", line)


def _first(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    return args[0] if args else None


def _parser(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    made = Instance(None)
    made.cells["@parser"] = Mapping({})
    return made


def _dynamic(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    lib.has_dynamic_names = True
    lib.camb.find("dynamic_code", "the script changes code or names at run time, which is not followed", line)
    lib.poison_all("the script runs code made at run time", line)
    for cells in (lib.module.vars,):
        for key, value in list(cells.items()):
            if type(value) in SCALARS:
                lib.state.put(cells, key, Unknown("code made at run time may change it", line))
    return Unknown("code made at run time is not followed", line)


PYTHON_TYPES: Final[dict[str, type]] = {
    name: getattr(builtins, name)
    for name in ["bool", "bytes", "complex", "dict", "float", "int", "list", "set", "str", "tuple"]
}
NUMBERS: Final = frozenset({"numbers.Number", "numbers.Real", "numbers.Complex"})


def python_type(value: Any) -> type | None:
    """The type of a value, where it is one of Python's own."""
    kind = type(value)
    if kind in SCALARS and kind is not PathText:
        return kind
    if kind is tuple or (kind is Mapping and value.factory is None):
        return tuple if kind is tuple else dict
    if kind is Sequence:
        return {"list": list, "set": set, "range": range}.get(value.kind)
    return None


def type_matches(value: Any, cls: Any, has_numpy_numbers: bool) -> bool | None:
    """``isinstance(value, cls)``, where it is known."""
    if type(cls) is tuple:
        answers = [type_matches(value, each, has_numpy_numbers) for each in cls]
        return True if True in answers else None if None in answers else False
    if type(value) is Instance and value.cls is not None:
        if type(cls) is Class:
            mro, unread = value.cls.mro, [b for each in value.cls.mro for b in each.bases if type(b) is not Class]
            return True if cls in mro else False if not unread else None
        return False if type(cls) is Builtin and not any(each.bases for each in value.cls.mro) else None
    own = python_type(value)
    if own is None or (own in (int, bool) and has_numpy_numbers):
        return None
    if type(cls) is External and cls.path in NUMBERS:
        return issubclass(own, int | float | complex) if cls.path != "numbers.Real" else issubclass(own, int | float)
    if type(cls) is Class:
        return False
    known = PYTHON_TYPES.get(cls.name) if type(cls) is Builtin else None
    return issubclass(own, known) if known is not None else None


def _isinstance(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    answer = type_matches(args[0], args[1], lib.has_numpy_numbers) if len(args) == 2 else None
    return Unknown("the type is not known", line) if answer is None else answer


def _callable(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if len(args) == 1 and type(args[0]) in (Function, Builtin, Class):
        return True
    if len(args) == 1 and python_type(args[0]) is not None:
        return False
    return Unknown("whether it can be called is not known", line)


def _parent_path(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if args and isinstance(args[0], str):
        return PathText(args[0].rpartition("/")[0] or ".")
    return Unknown("a path that is not known", line)


def _base_name(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    if args and isinstance(args[0], str):
        return args[0].rpartition("/")[2]
    return Unknown("a path that is not known", line)


def _super(lib: KnownFunctions, args: list[Any], keywords: dict[str, Any], line: int | None) -> Any:
    return Unknown("super() is not followed", line)


EXTERNAL: Final[dict[str, Special]] = {
    "sys.exit": _exit,
    "os._exit": _exit,
    "os.path.join": join_path,
    "os.path.abspath": _first,
    "os.path.expanduser": _first,
    "os.path.realpath": _first,
    "os.path.dirname": _parent_path,
    "os.path.basename": _base_name,
    "pathlib.Path": _path,
    "pathlib.PurePath": _path,
    "pathlib.PosixPath": _path,
    "os.getenv": _environment,
    "os.environ.get": _environment,
    "os.environ.setdefault": _environment_set,
    "os.environ.update": lambda lib, args, keywords, line: _environment_set(lib, [], {}, line),
    "os.putenv": _environment_set,
    "json.loads": _json_loads,
    "importlib.import_module": _import_module,
    "tomllib.loads": _toml_loads,
    "functools.reduce": _reduce,
    "collections.defaultdict": _default_dictionary,
    "copy.copy": _copy(False),
    "copy.deepcopy": _copy(True),
    "types.SimpleNamespace": _namespace,
    "argparse.Namespace": _namespace,
    "functools.partial": _partial,
    "argparse.ArgumentParser": _parser,
    "asyncio.run": _first,
    "collections.OrderedDict": _dict,
    "collections.Counter": _counter,
    "collections.deque": _deque,
    "types.MappingProxyType": _first,
    "io.open": _open,
    "typing.cast": lambda lib, args, keywords, line: args[1] if len(args) == 2 else Unknown("cast", line),
}
BUILTINS: Final[dict[str, Special]] = {
    "exit": _exit,
    "quit": _exit,
    "range": _range,
    "len": _length,
    "list": _listed("list"),
    "set": _listed("set"),
    "frozenset": _listed("set"),
    "dict": _dict,
    "sorted": _sorted,
    "min": _extreme("min"),
    "max": _extreme("max"),
    "open": _open,
    "exec": _dynamic,
    "eval": _dynamic,
    "isinstance": _isinstance,
    "callable": _callable,
    "super": _super,
}
_AU: Final = 149597870700.0
PHYSICAL: Final[dict[str, float]] = {
    "pi": math.pi,
    "c": 299792458.0,
    "speed_of_light": 299792458.0,
    "h": 6.62607015e-34,
    "k": 1.380649e-23,
    "Boltzmann": 1.380649e-23,
    "e": 1.602176634e-19,
    "eV": 1.602176634e-19,
    "N_A": 6.02214076e23,
    "G": 6.6743e-11,
    "gravitational_constant": 6.6743e-11,
    "au": _AU,
    "astronomical_unit": _AU,
    "parsec": _AU / (math.pi / 180 / 60 / 60),
    "light_year": 365.25 * 86400 * 299792458.0,
    "minute": 60.0,
    "hour": 3600.0,
    "day": 86400.0,
    "year": 365 * 86400.0,
    "Julian_year": 365.25 * 86400,
    "giga": 1e9,
    "mega": 1e6,
    "kilo": 1e3,
    "centi": 1e-2,
    "milli": 1e-3,
    "micro": 1e-6,
    "nano": 1e-9,
    "pico": 1e-12,
}
"""Those of :mod:`scipy.constants` that are exact, or (``G``) the same in CODATA 2018 and 2022."""
EXTERNAL_CONSTANTS: Final[dict[str, Any]] = {
    **{f"{root}.{name}": value for root in ("math", "numpy") for name, value in CONSTANTS.items()},
    **{f"scipy.constants.{name}": value for name, value in PHYSICAL.items()},
    "os.sep": "/",
}
