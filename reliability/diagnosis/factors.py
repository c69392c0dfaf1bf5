"""The factors and maps of the catalogue as numbers: which apply to a task, and what they do to a curve."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from reliability.records import FloatArray, Task

T_CMB = 2.7255
"""Kelvin; CAMB's default temperature of the background, by which it converts units."""

Function = Callable[["FloatArray"], "FloatArray"]


def is_temperature_power(task: Task) -> bool:
    """Return whether the values carry the unit of temperature squared."""
    return task.unit in ("uK^2", "muK^2", "µK^2")


def constant_factors(task: Task) -> dict[str, float]:
    """Return the constant factors that may occur in a task: id -> what the right values are multiplied by."""
    two_pi = 2 * math.pi
    factors = {"sign": -1.0, "times_2": 2.0}
    factors |= {"two_pi": two_pi, "four_pi": 2 * two_pi, "two_pi2": two_pi * math.pi, "four_pi2": two_pi**2}
    factors |= {"two_pi_cubed": two_pi**3}
    if task.unit == "1":
        factors["percent"] = 100.0
    elif task.unit == "percent":
        factors["fraction"] = 0.01
    if "percent" not in factors:
        factors["times_100"] = 100.0
    if "Mpc" in task.unit or "Mpc" in task.x_label:
        h = task.truth.get("H0", math.nan) / 100
        factors |= {"h": h, "h2": h**2, "h3": h**3}
    if task.unit == "Mpc":
        factors |= {"kiloparsec": 1e3, "gigaparsec": 1e-3}
    else:
        factors["times_1e3"] = 1e3
    factors |= {"times_1e6": 1e6, "times_1e12": 1e12}
    if is_temperature_power(task):
        t_squared = (T_CMB * 1e6) ** 2
        factors |= {"dimensionless": 1 / t_squared, "kelvin2": 1e-12, "millikelvin2": 1e-6, "tcmb2_twice": t_squared}
        factors |= {"tcmb2_kelvin": T_CMB**2, "tcmb2_divided": T_CMB**-2}
        factors |= {"tcmb_once": 1e-6 / T_CMB, "tcmb_once_too_many": T_CMB * 1e6}
        if "tau" in task.truth:
            factors["exp_2tau"] = math.exp(2 * task.truth["tau"])
    factors |= {f"over_{n.removeprefix('times_')}": 1 / v for n, v in factors.items() if _has_inverse(n)}
    named = {
        value: name for name, value in reversed(factors.items())
    }  # of equal factors the first, more special, stays
    return {name: value for value, name in named.items() if math.isfinite(value)}


def _has_inverse(name: str) -> bool:
    special = ("sign", "percent", "fraction", "kiloparsec", "gigaparsec", "dimensionless", "kelvin2", "millikelvin2")
    return name not in special and not name.startswith("tcmb")


def x_factors(task: Task) -> dict[str, Function]:
    """Return the factors that depend on x and may occur in a task: id -> function of x."""
    powers: dict[str, Function] = {f"x_power_{p:+d}": _power(p) for p in (1, -1, 2, -2, 3, -3, 4, -4)}
    if task.grid.kind == "multipoles":
        is_raw = bool(task.settings.get("raw_cl", not is_temperature_power(task)))
        return _multipole_factors(is_raw) | powers
    if task.grid.kind == "log":
        known: dict[str, Function] = {
            "delta2_for_pk": lambda k: k**3 / (2 * math.pi**2),
            "over_delta2": lambda k: 2 * math.pi**2 / k**3,
        }
        return known | powers
    distances: dict[str, Function] = {
        "distance_comoving": lambda z: 1 + z,
        "distance_luminosity": lambda z: (1 + z) ** 2,
        "over_1pz": lambda z: 1 / (1 + z),
        "over_1pz2": lambda z: (1 + z) ** -2,
    }
    return distances | {name: f for name, f in powers.items() if "-" not in name}


def _power(p: int) -> Function:
    return lambda x: x ** float(p)


def _multipole_factors(is_raw: bool) -> dict[str, Function]:
    pi2 = 2 * math.pi
    missing, twice = ("l_factor_divided_twice", "dl_for_cl") if is_raw else ("cl_for_dl", "l_factor_twice")
    return {
        twice: lambda ell: ell * (ell + 1) / pi2,
        missing: lambda ell: pi2 / (ell * (ell + 1)),
        "l_factor_without_2pi": lambda ell: ell * (ell + 1),
        "over_l_factor_without_2pi": lambda ell: 1 / (ell * (ell + 1)),
        "l2_factor": lambda ell: ell**2 / pi2,
        "over_l2_factor": lambda ell: pi2 / ell**2,
        "flat_sky": lambda ell: ell / (ell + 1),
        "over_flat_sky": lambda ell: (ell + 1) / ell,
        "l4_factor": lambda ell: (ell * (ell + 1)) ** 2 / pi2,
        "over_l4_factor": lambda ell: pi2 / (ell * (ell + 1)) ** 2,
        "l4_factor_squared": lambda ell: (ell * (ell + 1) / pi2) ** 2,
        "over_l4_factor_squared": lambda ell: (pi2 / (ell * (ell + 1))) ** 2,
        "beam_factor": lambda ell: (2 * ell + 1) / (2 * pi2),
        "over_beam_factor": lambda ell: 2 * pi2 / (2 * ell + 1),
    }


def value_maps(task: Task, y: FloatArray) -> dict[str, FloatArray]:
    """Return what simple maps of the values make of the right curve `y`: id -> curve."""
    found: dict[str, FloatArray] = {}
    if task.unit == "1" and (y > -1).all():
        found |= {"no_minus_one": 1 + y, "inverse_ratio": 1 / (1 + y) - 1, "inverse_ratio_no_minus_one": 1 / (1 + y)}
    if task.unit == "percent":
        found["complement"] = 100 - y
    if (y > 0).all():
        found |= {"log10": np.log10(y), "natural_log": np.log(y), "square_root": np.sqrt(y)}
    return found


MAP_INVERSES: Mapping[str, Function] = MappingProxyType(
    {
        "no_minus_one": lambda y: y - 1,
        "inverse_ratio": lambda y: 1 / (1 + y) - 1,
        "inverse_ratio_no_minus_one": lambda y: 1 / y - 1,
        "complement": lambda y: 100 - y,
        "log10": lambda y: 10**y,
        "natural_log": np.exp,
        "square_root": np.square,
    }
)
"""What undoes each of the maps."""
