# ruff: noqa: ARG001, ARG005  (one signature for all rows)
"""Functions of :mod:`numpy` and :mod:`math` that make known numbers of known numbers, and constants."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from reliability.camb_code.arithmetic import CONSTANTS
from reliability.camb_code.plain_values import items_of
from reliability.camb_code.values import Builtin, External, OneOf, Sequence, Unknown

MAX_ARRAY: Final = 512
"""Longer numpy arrays are grids, not parameters."""
MAX_GRID: Final = 10_000_000
"""Numbers below this make grids that fit into memory."""
ARRAYS: Final = frozenset(
    """array asarray linspace arange zeros ones empty full logspace geomspace zeros_like ones_like column_stack vstack
    hstack stack concatenate nan_to_num""".split()  # noqa: SIM905
)
"""numpy functions whose result is an array."""
ONE_VALUE: Final = frozenset(
    """allclose all any array_equal sum mean median std min max amin amax argmin argmax""".split()  # noqa: SIM905
)
"""numpy functions whose result is one value, if they are not asked for an axis."""


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


def is_plain_grid(name: str, args: list[Any], keywords: dict[str, Any]) -> bool:
    """Whether numpy certainly makes this array of the size of a grid."""
    if keywords or not args or not all(type(arg) in (int, float) and abs(arg) < MAX_GRID for arg in args):
        return False
    if name == "arange":
        return len(args) < 3 or (len(args) == 3 and abs(args[2]) >= 1)
    size = args[2:] if name == "linspace" else args if name in ("zeros", "ones") else []
    return len(size) == 1 and type(size[0]) is int and size[0] >= 0


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
