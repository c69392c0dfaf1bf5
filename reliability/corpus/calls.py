"""How the values reach CAMB: the calls that make a ``CAMBparams``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from reliability.corpus.page import Page, call, dict_literal
from reliability.records import Setting

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "cosmology": (
        "H0",
        "ombh2",
        "omch2",
        "omk",
        "mnu",
        "nnu",
        "YHe",
        "TCMB",
        "num_massive_neutrinos",
        "neutrino_hierarchy",
        "tau",
        "Alens",
    ),
    "power": ("As", "ns", "nrun", "r", "nt"),
    "dark_energy": ("w", "wa"),
    "lmax": ("lmax", "lens_potential_accuracy"),
    "matter": ("redshift", "kmax"),
}
"""Parameters by the call that takes them."""


@dataclass(frozen=True, slots=True)
class Refs:
    """How the code that calls CAMB refers to each value."""

    values: Mapping[str, str]
    """Name of the parameter to an expression."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """Group to an expression for a dict that holds exactly the group's carried values."""
    free: tuple[str, ...] = ()
    """Names that are variables of the code around, in no dict."""


Told = Mapping[str, Setting]
CallStyle = Callable[[Page, Told, Refs], list[str]]


def keywords(told: Told, group: str, refs: Refs) -> list[str]:
    """The arguments of one group as a call takes them."""
    names = [name for name in GROUPS[group] if name in told]
    held_back = [name for name in GROUPS[group] if name in refs.values and name not in told]
    if group in refs.groups and not held_back:  # what the dict holds for later must not be handed over now
        rest = [f"{name}={refs.values[name]}" for name in names if name in refs.free or isinstance(told[name], str)]
        return [f"**{refs.groups[group]}", *rest]
    return [f"{name}={refs.values[name]}" for name in names]


def _matter(told: Told, refs: Refs) -> list[str]:
    arguments = [f"redshifts=[{refs.values['redshift']}]"] if "redshift" in told else []
    return [*arguments, *([f"kmax={refs.values['kmax']}"] if "kmax" in told else [])]


def _new(page: Page) -> str:
    return f"{page.pars} = {page.camb('CAMBparams')}()"


def _reionization(page: Page, told: Told, refs: Refs) -> list[str]:
    """The model first: it would otherwise forget tau."""
    lines = []
    if "reionization_model" in told:
        text = refs.values["reionization_model"]
        by_class = f"{page.pars}.Reion = {page.camb('reionization.' + str(told['reionization_model']))}()"
        lines.append(page.rng.choice((f"{page.pars}.set_classes(reionization_model={text})", by_class)))
    if "reion_exp_power" in told:
        lines.append(f"{page.pars}.Reion.reion_exp_power = {refs.values['reion_exp_power']}")
    return lines


def _switches(page: Page, told: Told, refs: Refs) -> list[str]:
    lines = []
    if "WantTensors" in told:
        lines.append(f"{page.pars}.WantTensors = {refs.values['WantTensors']}")
    if "NonLinear" in told:
        symbol = page.camb(f"model.{told['NonLinear']}")
        lines.append(f"{page.pars}.NonLinear = {page.rng.choice((symbol, refs.values['NonLinear']))}")
    return lines


def _rest(page: Page, told: Told, refs: Refs) -> list[str]:
    """Everything after cosmology and primordial power."""
    lines = []
    if any(name in told for name in GROUPS["dark_energy"]):
        lines += call(f"{page.pars}.set_dark_energy", keywords(told, "dark_energy", refs))
    if any(name in told for name in GROUPS["matter"]):
        lines += call(f"{page.pars}.set_matter_power", _matter(told, refs))
    if "lmax" in told:
        arguments = keywords(told, "lmax", refs)
        if "lmax" not in refs.groups and page.rng.random() < 0.5:
            arguments[0] = refs.values["lmax"]
        lines += call(f"{page.pars}.set_for_lmax", arguments)
    # after set_for_lmax, which may change NonLinear
    return [*lines, *_switches(page, told, refs)]


def methods(page: Page, told: Told, refs: Refs) -> list[str]:
    """The way of CAMB's own examples."""
    return [
        _new(page),
        *_reionization(page, told, refs),
        *call(f"{page.pars}.set_cosmology", keywords(told, "cosmology", refs)),
        *call(f"{page.pars}.InitPower.set_params", keywords(told, "power", refs)),
        *_rest(page, told, refs),
    ]


def set_params_call(page: Page, told: Told, refs: Refs) -> list[str]:
    """All in one call of ``camb.set_params``."""
    arguments = [*keywords(told, "cosmology", refs), *keywords(told, "power", refs)]
    for group in ("dark_energy", "lmax"):
        if any(name in told for name in GROUPS[group]):
            arguments += keywords(told, group, refs)
    arguments += _matter(told, refs)
    arguments += [f"{n}={refs.values[n]}" for n in ("reionization_model", "WantTensors", "NonLinear") if n in told]
    exponent = {n: told[n] for n in ("reion_exp_power",) if n in told}
    made = call(page.camb("set_params"), arguments, page.pars)
    return [*made, *_reionization(page, exponent, refs)]


def set_params_on_existing(page: Page, told: Told, refs: Refs) -> list[str]:
    """``set_params(cp=...)``, part after part."""
    change = page.camb("set_params")
    lines = [
        _new(page),
        *_reionization(page, told, refs),
        *call(change, [f"cp={page.pars}", *keywords(told, "cosmology", refs)], page.pars),
        *call(change, [f"cp={page.pars}", *keywords(told, "power", refs)], page.pars),
    ]
    return [*lines, *_rest(page, told, refs)]


def attributes(page: Page, told: Told, refs: Refs) -> list[str]:
    """Fields written directly, where CAMB has a field."""
    held = [n for n in ("As", "ns", "r") if n in told]
    first = {n: v for n, v in told.items() if n not in ("omk",)}
    lines = [_new(page), *_reionization(page, told, refs)]
    lines += call(f"{page.pars}.set_cosmology", keywords(first, "cosmology", Refs(refs.values)))
    lines += [f"{page.pars}.omk = {refs.values['omk']}"] if "omk" in told else []
    if told.get("r"):  # set_params also makes the tensor tilt consistent with r
        lines += call(f"{page.pars}.InitPower.set_params", [f"r={refs.values['r']}"])
    lines += [f"{page.pars}.InitPower.{n} = {refs.values[n]}" for n in held]
    return [*lines, *_rest(page, told, refs)]


def setattr_loop(page: Page, told: Told, refs: Refs) -> list[str]:
    """Primordial parameters by ``setattr`` in a loop."""
    held = {n: refs.values[n] for n in ("As", "ns") if n in told}
    lines = [_new(page), *_reionization(page, told, refs)]
    lines += call(f"{page.pars}.set_cosmology", keywords(told, "cosmology", refs))
    if told.get("r") is not None:
        lines += call(f"{page.pars}.InitPower.set_params", [f"r={refs.values['r']}"])
    lines += dict_literal("primordial", held)
    lines += ["for key, value in primordial.items():", f"    setattr({page.pars}.InitPower, key, value)"]
    return [*lines, *_rest(page, told, refs)]


def _with_power(page: Page, told: Told, refs: Refs, put: str) -> list[str]:
    lines = [_new(page), *_reionization(page, told, refs)]
    lines += call(f"{page.pars}.set_cosmology", keywords(told, "cosmology", refs))
    lines.append(f"primordial = {page.camb('initialpower.InitialPowerLaw')}()")
    lines += call("primordial.set_params", keywords(told, "power", refs))
    return [*lines, put.format(pars=page.pars), *_rest(page, told, refs)]


def power_law_object(page: Page, told: Told, refs: Refs) -> list[str]:
    """An ``InitialPowerLaw`` of its own, assigned."""
    return _with_power(page, told, refs, "{pars}.InitPower = primordial")


def set_initial_power(page: Page, told: Told, refs: Refs) -> list[str]:
    """An ``InitialPowerLaw`` of its own, handed over."""
    return _with_power(page, told, refs, "{pars}.set_initial_power(primordial)")


def overwritten(page: Page, told: Told, refs: Refs) -> list[str]:
    """A first guess that the right values replace."""
    lines = methods(page, told, refs)
    guess = {"H0": "70", "ombh2": "0.0226", "omch2": "0.112"}
    first = call(f"{page.pars}.set_cosmology", [f"{n}={v}" for n, v in guess.items() if n in told])
    return [lines[0], *first, f"{page.pars}.InitPower.set_params(As=2.1e-9, ns=0.96)", *lines[1:]]


def on_a_copy(page: Page, told: Told, refs: Refs) -> list[str]:
    """A base model, copied, and completed."""
    base = {n: v for n, v in told.items() if n in GROUPS["cosmology"] or n.startswith("reion")}
    lines = [_new(page), *_reionization(page, base, refs)]
    lines += call(f"{page.pars}.set_cosmology", keywords(told, "cosmology", refs))
    lines = [line.replace(f"{page.pars}.", "base.").replace(f"{page.pars} =", "base =") for line in lines]
    lines += [f"{page.pars} = base.copy()", "base.H0 = 70.0"]
    lines += call(f"{page.pars}.InitPower.set_params", keywords(told, "power", refs))
    return [*lines, *_rest(page, told, refs)]


CALL_STYLES: Final[Mapping[str, CallStyle]] = {
    "methods": methods,
    "set_params_call": set_params_call,
    "set_params_on_existing": set_params_on_existing,
    "attributes": attributes,
    "setattr_loop": setattr_loop,
    "power_law_object": power_law_object,
    "set_initial_power": set_initial_power,
    "overwritten": overwritten,
    "on_a_copy": on_a_copy,
}
