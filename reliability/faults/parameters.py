"""Faults of the values that CAMB is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from reliability.faults.changes import SOME_TASKS, telling
from reliability.faults.records import Change, Fault, called

if TYPE_CHECKING:
    from reliability.corpus import Recipe
    from reliability.records import Number, Task

SIZES: Final[Mapping[str, tuple[float, ...]]] = {
    "H0": (-0.003, 0.03),
    "ombh2": (0.1,),
    "omch2": (0.05,),
    "ns": (0.01,),
    "As": (0.05,),
    "tau": (0.2,),
    "mnu": (1.0,),
    "r": (0.2,),
    "Alens": (-0.1,),
}
"""Relative errors that are seeded; the first is the one in a published set of tasks."""
DEFAULTS: Final[Mapping[str, float | None]] = {
    "ombh2": 0.022, "omch2": 0.12, "omk": 0.0, "mnu": 0.06, "tau": None, "As": 2e-9, "ns": 0.96,
}  # fmt: skip
"""What CAMB has where nothing is said; of tau it makes its own."""
OWN: Final = {"H0": 67.36, "ombh2": 0.02237, "omch2": 0.12, "tau": 0.0544, "As": 2.1e-9, "ns": 0.9649}
"""Planck 2018 (TT,TE,EE+lowE+lensing), as every model knows them."""


def _names(name: str) -> tuple[str, ...]:
    # an amplitude alone is a factor of a linear spectrum: both names say so
    return ("parameter", "scale", "parameters_in_code") if name == "As" else ("parameter", "parameters_in_code")


def _scaled(name: str, by: float) -> Change:
    def change(recipe: Recipe, _task: Task) -> Recipe | None:
        value = recipe.told.get(name)
        if not isinstance(value, float | int) or isinstance(value, bool) or not value:
            return None
        return recipe.telling(**{name: float(f"{value * (1 + by):.6g}")})

    return change


def _omitted(name: str) -> Change:
    def change(recipe: Recipe, _task: Task) -> Recipe | None:
        is_other = name in recipe.told and recipe.told[name] != DEFAULTS[name]
        return recipe.telling(**{name: None}) if is_other else None

    return change


def _defaults_left_out(recipe: Recipe, _task: Task) -> Recipe | None:
    same: dict[str, Number | None] = {n: None for n, v in DEFAULTS.items() if v is not None and recipe.told.get(n) == v}
    return recipe.telling(**same) if same else None


def _densities_swapped(recipe: Recipe, _task: Task) -> Recipe:
    return recipe.telling(ombh2=recipe.told["omch2"], omch2=recipe.told["ombh2"])


def _fraction_for_density(recipe: Recipe, _task: Task) -> Recipe:
    value, h = float(recipe.told["ombh2"]), float(recipe.told["H0"]) / 100
    return recipe.telling(ombh2=float(f"{value / h**2:.6g}"))


def _own_cosmology(recipe: Recipe, _task: Task) -> Recipe:
    return replace(recipe, told={**recipe.told, **{n: v for n, v in OWN.items() if n in recipe.told}})


def _of_size(name: str, by: float) -> Fault:
    percent = f"{abs(by) * 100:g}"
    word = "low" if by < 0 else "high"
    return Fault(
        f"{name}_{percent.replace('.', 'p')}pc_{word}",
        "parameter",
        f"{name} is {percent} % too {word}.",
        _scaled(name, by),
        called(*_names(name)),
        name,
    )


FAULTS: Final = (
    *(_of_size(name, by) for name, sizes in SIZES.items() for by in sizes),
    Fault(
        "omk_p02", "parameter", "omk is 0.02 too large.", telling(omk=0.02), called(*_names("omk")), "omk",
        tasks=frozenset(f"t{i:02d}" for i in range(1, 15)) - {"t02"},
    ),
    *(
        Fault(
            f"omitted_{name}",
            "parameter",
            f"{name} is not told to CAMB, whose default is another.",
            _omitted(name),
            called("tau_dropped" if name == "tau" else f"omitted_{name}", *_names(name)),
            name,
            tasks=SOME_TASKS if name in ("omch2", "ns") else frozenset(),
        )
        for name in DEFAULTS
    ),
    Fault(
        "defaults_left_out", "parameter", "What CAMB has by default is not told to it.", _defaults_left_out,
        tasks=SOME_TASKS,
    ),
    Fault(
        "densities_swapped", "parameter", "ombh2 and omch2 are swapped.", _densities_swapped,
        called("parameters_in_code"), tasks=SOME_TASKS,
    ),
    Fault(
        "fraction_for_density", "parameter", "Omega_b is given as ombh2.", _fraction_for_density,
        called("parameter", "parameters_in_code"), "ombh2", tasks=SOME_TASKS),
    Fault(
        "own_cosmology", "parameter", "The values are Planck's, not the task's.", _own_cosmology,
        called("parameters_in_code"), tasks=SOME_TASKS,
    ),
)  # fmt: skip
