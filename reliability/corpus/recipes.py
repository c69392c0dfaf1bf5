"""What a script computes: the values it tells CAMB, the quantity it takes, and the file it writes.

A recipe that :func:`recipe_for` returns gives the right answer.  Change one field with :func:`dataclasses.replace`
(or one value with :meth:`Recipe.telling`) and it gives a known wrong one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from reliability.errors import InputError
from reliability.records import CambModel, Grid, ParameterReading, ParameterState, Setting, Task

Call = Literal[
    "get_total_cls",
    "get_lensed_scalar_cls",
    "get_unlensed_total_cls",
    "get_unlensed_scalar_cls",
    "get_tensor_cls",
    "get_partially_lensed_cls",
    "get_matter_power_spectrum",
    "angular_diameter_distance",
    "delensing_efficiency",
]
"""CAMB's name of what is read from the results; the last one is worked out from three such calls."""

PARTIAL: Final = "get_partially_lensed_cls"
READ: Final = ("CMB_unit", "raw_cl")
"""Settings of a task that belong to reading the results, not to the model."""

QUANTITIES: Final[Mapping[str, tuple[Call, str, Call | None]]] = {
    "t01": ("get_total_cls", "TT", None),
    "t02": ("get_total_cls", "TT", None),
    "t03": ("get_total_cls", "TT", None),
    "t04": ("get_total_cls", "TT", None),
    "t05": ("get_total_cls", "EE", None),
    "t06": ("get_total_cls", "BB", None),
    "t07": ("get_total_cls", "BB", None),
    "t08": ("angular_diameter_distance", "", None),
    "t09": ("get_matter_power_spectrum", "", None),
    "t10": (PARTIAL, "BB", "get_tensor_cls"),
    "t11": (PARTIAL, "TT", None),
    "t12": ("get_total_cls", "EE", None),
    "t13": ("get_matter_power_spectrum", "", None),
    "t14": ("delensing_efficiency", "BB", None),
}
"""Task: what is read, which spectrum of it, and what is added to it."""

DEFAULTS: Final[Mapping[str, Setting | None]] = {
    "omk": 0.0,
    "mnu": 0.06,
    "nnu": 3.044,
    "TCMB": 2.7255,
    "num_massive_neutrinos": 1,
    "neutrino_hierarchy": "degenerate",
    "tau": None,
    "Alens": 1.0,
    "As": 2e-9,
    "ns": 0.96,
    "nrun": 0.0,
    "r": 0.0,
    "w": -1.0,
    "wa": 0.0,
    "WantTensors": False,
    "NonLinear": "NonLinear_none",
    "reionization_model": "TanhReionization",
    "YHe": None,
    "nt": None,
    "kmax": None,
    "lmax": None,
    "lens_potential_accuracy": None,
    "reion_exp_power": None,
}
"""What CAMB has where the script says nothing, the same in 1.6 and 2.0; ``None``: CAMB works it out."""


@dataclass(frozen=True, slots=True)
class Ending:
    """What a script does with its curve at the end, besides what its style says; in the lines ``{x}`` stands for x."""

    before: tuple[str, ...] = ()
    """Lines that change x or y, or stop, before the curve is saved."""
    instead: tuple[str, ...] = ()
    """Lines that save it in another way than the style's."""
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recipe:
    """One computation, right or wrong, however it is written."""

    task: str
    told: Mapping[str, Setting]
    """What CAMB is told, by CAMB's names; ``redshift`` is that of the matter power, and ``Alens`` is told when
    partially lensed spectra are read, else with the cosmology."""
    call: Call
    grid: Grid
    """The x values in the output."""
    columns: tuple[str, str]
    spectrum: str = ""
    """``TT``, ``EE``, ``BB`` or ``TE``: which column of a CMB spectrum is taken."""
    plus: Call | None = None
    """A second spectrum that is added to the first."""
    CMB_unit: str | None = None
    """``muK``, ``K`` or ``None`` for dimensionless, in the output."""
    raw_cl: bool = False
    """Whether the output is C_l rather than D_l."""
    factor: str = ""
    """Arithmetic over ``x`` that multiplies the output, e.g. ``1e12`` or ``x * (x + 1) / (2 * np.pi)``."""
    relative_to: Mapping[str, Setting] = field(default_factory=dict)
    """What a second model is told otherwise; if any, the output is first / second - 1."""
    separator: str = ","
    output: str = "result.csv"
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Input files by name, as they lie beside the script."""
    ending: Ending = Ending()

    def telling(self, **values: Setting | None) -> Recipe:
        """The same recipe with other values told to CAMB; ``None`` leaves one out."""
        told = {**self.told, **values}
        return replace(self, told={name: value for name, value in told.items() if value is not None})

    @property
    def told_late(self) -> tuple[str, ...]:
        """Names that are told when the results are read."""
        return ("Alens",) if self.call == PARTIAL and "Alens" in self.told else ()

    @property
    def models(self) -> tuple[Mapping[str, Setting], ...]:
        """What each computed model is told, in the order in which scripts compute them."""
        return (self.told, {**self.told, **self.relative_to}) if self.relative_to else (self.told,)


def recipe_for(task: Task) -> Recipe:
    """The right recipe of one of the fourteen tasks; :class:`InputError` for a task that has none.

    >>> from reliability.tasks import load_tasks
    >>> recipe_for(load_tasks()["t11"]).told["Alens"]
    0.19999999999999996
    """
    if task.id not in QUANTITIES:
        raise InputError(f"{task.id}: no recipe for this task; there are recipes for {', '.join(QUANTITIES)}")
    call, spectrum, plus = QUANTITIES[task.id]
    used = {name for formula in task.formulas.values() for name in task.parameters if name in formula}
    told: dict[str, Setting] = {n: v for n, v in task.truth.items() if n not in used or n in DEFAULTS}
    told |= {n: v for n, v in task.settings.items() if n not in READ}
    hierarchies = {end: told.pop(f"neutrino_hierarchy_{end}", "") for end in ("numerator", "denominator")}
    if hierarchies["numerator"]:
        told["neutrino_hierarchy"] = hierarchies["numerator"]
    unit = task.settings.get("CMB_unit")
    return Recipe(
        task.id,
        told,
        call,
        task.grid,
        task.columns,
        spectrum,
        plus,
        CMB_unit=str(unit) if unit else None,
        raw_cl=bool(task.settings.get("raw_cl", False)),
        relative_to={"neutrino_hierarchy": hierarchies["denominator"]} if hierarchies["denominator"] else {},
        files={name: (task.folder / name).read_bytes() for name in task.files},
    )


def expected_model(told: Mapping[str, Setting]) -> CambModel:
    """What CAMB holds after it was told this: every parameter that follows from it, set or default.

    Left out is what differs between CAMB 1.6 and 2.0: NonLinear where ``lmax`` is told without a lens accuracy.
    """
    parameters = {name: _reading(name, value, "set") for name, value in told.items() if name != "redshift"}
    for name, value in DEFAULTS.items():
        if name not in told:
            parameters[name] = _reading(name, value, "default")
    if "NonLinear" not in told:
        if told.get("lens_potential_accuracy"):
            parameters["NonLinear"] = _reading("NonLinear", "NonLinear_lens", "set")
        elif "lmax" in told and "lens_potential_accuracy" not in told:
            del parameters["NonLinear"]
    return CambModel(parameters, None)


def _reading(name: str, value: Setting | None, state: ParameterState) -> ParameterReading:
    return ParameterReading(name, value, state)
