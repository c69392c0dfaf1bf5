"""Faults of unit and normalisation."""

# ruff: noqa: E501 - a table, one row a line
from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from reliability.faults.changes import SOME_TASKS, after, is_cmb, with_lines
from reliability.faults.records import Change, Fault, called

if TYPE_CHECKING:
    from reliability.corpus import Recipe
    from reliability.records import Task

L_FACTOR: Final = "{x} * ({x} + 1) / (2 * np.pi)"


def _in_unit(unit: str | None, *lines: str) -> Change:
    return lambda recipe, _task: replace(with_lines(recipe, *lines), CMB_unit=unit) if is_cmb(recipe) else None


def _by_h(power: int, where: str) -> Change:
    def change(recipe: Recipe, _task: Task) -> Recipe | None:
        h = float(recipe.told["H0"]) / 100
        return with_lines(recipe, f"y = y * {h:g} ** {power}") if recipe.task == where else None

    return change


def _other_factor(is_raw: bool) -> Change:
    """C_l for D_l, or the other way round."""
    return lambda recipe, _task: (
        replace(recipe, raw_cl=not is_raw) if is_cmb(recipe) and recipe.raw_cl == is_raw else None
    )


def _swapped_ratio(recipe: Recipe, _task: Task) -> Recipe | None:
    if not recipe.relative_to:
        return None
    first = {name: recipe.told[name] for name in recipe.relative_to}
    return replace(recipe.telling(**recipe.relative_to), relative_to=first)


UNITS: Final = (
    Fault("dimensionless", "unit", "CMB_unit is left out.", _in_unit(None), called("dimensionless")),
    Fault("kelvin2", "unit", "The spectrum is in K^2.", _in_unit("K"), called("kelvin2")),
    Fault("millikelvin2", "unit", "The spectrum is in mK^2.", after("y = y / 1e6", where="cmb"), called("millikelvin2", "over_1e6"), tasks=SOME_TASKS),
    Fault("temperature_twice", "unit", "uK^2 is multiplied by T_CMB^2 once more.", after("y = y * 2.7255e6**2", where="cmb"), called("tcmb2_twice"), tasks=SOME_TASKS),
    Fault("temperature_once", "unit", "Only one factor T_CMB is applied.", _in_unit(None, "y = y * 2.7255e6"), called("tcmb_once"), tasks=SOME_TASKS),
    Fault("kelvin_again", "unit", "uK^2 is taken for K^2 and converted.", after("y = y * 1e12", where="cmb"), called("times_1e12"), tasks=SOME_TASKS),
    Fault("micro_again", "unit", "uK^2 is multiplied by 1e6.", after("y = y * 1e6", where="cmb"), called("times_1e6"), tasks=SOME_TASKS),
    Fault("percent", "unit", "Percent for a fraction.", after("y = 100 * y", where="t13"), called("percent", "times_100")),
    Fault("fraction", "unit", "A fraction for percent.", after("y = y / 100", where="t14"), called("fraction", "over_100")),
    Fault("gigaparsec", "unit", "Gpc for Mpc.", after("y = y / 1000", where="t08"), called("gigaparsec", "over_1e3")),
    Fault("kiloparsec", "unit", "kpc for Mpc.", after("y = y * 1000", where="t08"), called("kiloparsec", "times_1e3")),
    Fault("distance_per_h", "unit", "Mpc/h for Mpc.", _by_h(1, "t08"), called("h")),
    Fault("power_without_h", "unit", "Mpc^3 for (Mpc/h)^3.", _by_h(-3, "t09"), called("over_h3")),
    Fault("power_h_twice", "unit", "A factor h^3 too many.", _by_h(3, "t09"), called("h3")),
)  # fmt: skip

NORMALISATION: Final = (
    Fault("cl_for_dl", "normalisation", "The raw C_l for D_l.", _other_factor(is_raw=False), called("cl_for_dl")),
    Fault("dl_for_cl", "normalisation", "D_l for the raw C_l.", _other_factor(is_raw=True), called("dl_for_cl")),
    Fault("l_factor_twice", "normalisation", "l(l+1)/2pi on D_l.", after(f"y = y * {L_FACTOR}", where="not raw"), called("l_factor_twice")),
    Fault("l_factor_divided", "normalisation", "C_l divided by l(l+1)/2pi.", after(f"y = y / ({L_FACTOR})", where="raw"), called("l_factor_divided_twice")),
    Fault("two_pi", "normalisation", "The 2 pi of D_l is forgotten.", after("y = y * (2 * np.pi)", where="not raw"), called("two_pi")),
    Fault("l_factor_for_raw", "normalisation", "C_l times l(l+1).", after("y = y * {x} * ({x} + 1)", where="raw"), called("l_factor_without_2pi")),
    Fault("flat_sky", "normalisation", "l^2 for l(l+1).", after("y = y * {x} / ({x} + 1)", where="not raw"), called("flat_sky"), tasks=SOME_TASKS),
    Fault("potential_factor", "normalisation", "(l(l+1))^2/2pi, the factor of the lensing potential.", after("y = y * ({x} * ({x} + 1)) ** 2 / (2 * np.pi)", where="cmb"), called("l4_factor"), tasks=SOME_TASKS),
    Fault("sign", "normalisation", "The sign is wrong.", after("y = -y"), called("sign"), tasks=SOME_TASKS),
    Fault("twice", "normalisation", "Every value is doubled.", after("y = 2 * y"), called("times_2"), tasks=SOME_TASKS),
    Fault("delta2", "normalisation", "k^3 P/(2 pi^2) for P.", after("y = y * {x} ** 3 / (2 * np.pi**2)", where="t09"), called("delta2_for_pk")),
    Fault("fourier", "normalisation", "P times (2 pi)^3.", after("y = y * (2 * np.pi) ** 3", where="t09"), called("two_pi_cubed")),
    Fault("logarithm", "normalisation", "log10 P for P.", after("y = np.log10(y)", where="t09"), called("log10")),
    Fault("no_minus_one", "normalisation", "The ratio without the -1.", after("y = y + 1", where="t13"), called("no_minus_one")),
    Fault("ratio_inverted", "normalisation", "The ratio upside down.", _swapped_ratio, called("inverse_ratio", "hierarchies_swapped")),
    Fault("complement", "normalisation", "What is left, for what is removed.", after("y = 100 - y", where="t14"), called("complement")),
)  # fmt: skip

FAULTS: Final = (*UNITS, *NORMALISATION)
