# ruff: noqa: ARG001  (one signature for every row of ACTIONS)
"""What the setters of ``CAMBparams`` and its parts write: one action a method, in the table :data:`ACTIONS`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from reliability.camb_code import camb_table as table
from reliability.camb_code.camb_binding import UNCERTAIN, Arguments, CambBinding
from reliability.camb_code.camb_objects import NUMBER, given, new_part
from reliability.camb_code.camb_objects import default as default_of
from reliability.camb_code.state import ScriptRaises
from reliability.camb_code.values import CambObject, External, Mapping, Reading, Sequence, Unknown

Action = Callable[[CambBinding, CambObject, dict[str, Any], Arguments], Any]


def _number(camb: CambBinding, name: str, value: Any, line: int | None) -> None:
    if type(value) in (str, tuple, Mapping, CambObject) or (type(value) is Sequence and value.kind != "array"):
        camb.find("wrong_type", f"{name} must be a number: Python raises here", line)
        raise ScriptRaises("TypeError", f"{name} must be a number", line)


def _check_cosmology(camb: CambBinding, bound: dict[str, Any], arguments: Arguments) -> None:
    """Raise what ``set_cosmology`` raises for these values."""
    line, hole = arguments.line, arguments.hole
    theta = bound.get("cosmomc_theta") or bound.get("thetastar")
    hubble = bound.get("H0")
    if theta is None and hubble is None and hole is None:
        raise camb.camb_error("set_cosmology needs H0, cosmomc_theta or thetastar", line)
    for name in ("H0", *table.COSMOLOGY, "tau"):
        if bound.get(name) is not None:
            _number(camb, name, bound[name], line)
    if theta is not None and hubble is not None and type(hubble) not in UNCERTAIN and type(theta) not in UNCERTAIN:
        raise camb.camb_error("set_cosmology takes H0 or theta, not both", line)
    if isinstance(hubble, int | float) and hubble < 1:
        raise camb.camb_error(f"H0 = {hubble} is too small, it is in km/s/Mpc", line, "CAMBValueError")
    tau, zrei = bound.get("tau"), bound.get("zrei")
    if tau is not None and zrei is not None and type(tau) not in UNCERTAIN and type(zrei) not in UNCERTAIN:
        raise camb.camb_error("set_cosmology takes tau or zrei, not both", line)
    mass, massive = bound.get("mnu", 0.06), bound.get("num_massive_neutrinos", 1)
    if type(massive) in NUMBER and not massive and type(mass) in NUMBER and mass:
        raise camb.camb_error("a neutrino mass needs num_massive_neutrinos > 0", line)
    if type(massive) is float and massive != int(massive):
        raise camb.camb_error("num_massive_neutrinos must be a whole number", line, "AssertionError")
    sterile, neutrinos = bound.get("meffsterile", 0.0), bound.get("nnu", table.STANDARD_NNU)
    if type(sterile) in NUMBER and sterile > 0 and type(neutrinos) in NUMBER and neutrinos < table.STANDARD_NNU:
        raise camb.camb_error(f"a sterile neutrino needs nnu >= {table.STANDARD_NNU}", line)
    if camb.line_name != "1.6" and hole is None:
        is_given = [value is not None for value in (bound.get("omnuh2_active"), mass)]
        if all(is_given) or not any(is_given):
            raise camb.camb_error("set_cosmology takes one of mnu and omnuh2_active", line)


def _hierarchy(camb: CambBinding, value: Any, line: int | None) -> Any:
    """Name of a neutrino hierarchy, which may be given by number."""
    n = len(table.HIERARCHIES)
    if type(value) is int and 1 - n <= value <= n:
        return table.HIERARCHIES[value - 1]
    if type(value) not in UNCERTAIN and value not in table.HIERARCHIES:
        kind = "IndexError" if type(value) is int else "ValueError"
        raise camb.camb_error(f"neutrino_hierarchy {value!r} does not exist", line, kind)
    return value


def _set_cosmology(camb: CambBinding, pars: CambObject, bound: dict[str, Any], arguments: Arguments) -> CambObject:
    put, line, hole = camb.state.put, arguments.line, arguments.hole
    defaults = {row[0]: row[2] for row in camb.signatures["CAMBparams.set_cosmology"]}
    _check_cosmology(camb, bound, arguments)
    theta, hubble = bound.get("cosmomc_theta") or bound.get("thetastar"), bound.get("H0")
    hierarchy = _hierarchy(camb, bound.get("neutrino_hierarchy", "degenerate"), line)

    def store(name: str, value: Any, default: Any) -> None:
        if name in bound and value is not None:
            put(pars.cells, name, given(value, line))
        elif hole is not None:
            put(pars.cells, name, Reading(hole, "unresolved", line))
        else:
            reason = "from big-bang nucleosynthesis" if name == "YHe" else ""
            put(pars.cells, name, default_of(default, reason))

    for name in table.COSMOLOGY:
        store(name, bound.get(name), defaults[name])
    store("neutrino_hierarchy", hierarchy, "degenerate")
    if bound.get("omnuh2_active") is not None or ("mnu" in bound and bound["mnu"] is None):
        put(pars.cells, "mnu", Reading(Unknown("mnu follows from omnuh2_active"), "unresolved", line))
    if theta is not None:
        name = "cosmomc_theta" if bound.get("cosmomc_theta") is not None else "thetastar"
        put(pars.cells, "H0", Reading(Unknown(table.SOLVER.format(name=name)), "unresolved", line))
    else:
        put(pars.cells, "H0", given(hubble, line) if hubble is not None else Reading(hole, "unresolved", line))
    _set_optical_depth(camb, pars.cells["Reion"], bound.get("tau"), bound.get("zrei"), arguments)
    return pars


def _set_optical_depth(camb: CambBinding, reion: Any, tau: Any, zrei: Any, arguments: Arguments) -> None:
    if type(reion) is not CambObject:
        return
    put, line = camb.state.put, arguments.line
    if tau is not None:
        put(reion.cells, "use_optical_depth", Reading(True, "set", line))
        put(reion.cells, "optical_depth", given(tau, line))
    elif zrei is not None:
        put(reion.cells, "use_optical_depth", Reading(False, "set", line))
        put(reion.cells, "redshift", given(zrei, line))
    elif arguments.hole is not None:
        put(reion.cells, "use_optical_depth", Reading(True, "set", line))
        put(reion.cells, "optical_depth", Reading(arguments.hole, "unresolved", line))


def _set_power(camb: CambBinding, power: CambObject, bound: dict[str, Any], arguments: Arguments) -> CambObject:
    put, line, hole = camb.state.put, arguments.line, arguments.hole
    parameterization = bound.get("parameterization", hole or table.CONSISTENT_TILT)
    if type(parameterization) not in UNCERTAIN and parameterization not in table.TENSOR_TILTS:
        raise camb.camb_error(f"InitPower.set_params does not take parameterization {parameterization!r}", line)
    for name in ("As", "ns", "nrun", "r", "pivot_scalar"):
        if name in bound:
            _number(camb, name, bound[name], line)
            put(power.cells, name, given(bound[name], line))
        elif hole is not None:
            put(power.cells, name, Reading(hole, "unresolved", line))
        else:
            put(power.cells, name, default_of(table.CLASS_FIELDS["InitialPowerLaw"][name]))
    if bound.get("nt") is not None:
        put(power.cells, "nt", given(bound["nt"], line))
    elif hole is not None:
        put(power.cells, "nt", Reading(hole, "unresolved", line))
    else:
        if type(bound.get("ntrun")) in NUMBER and bound["ntrun"]:
            raise camb.camb_error("ntrun is given without nt", line)
        if type(parameterization) not in UNCERTAIN and parameterization != table.CONSISTENT_TILT:
            raise camb.camb_error(f"{parameterization!r} needs nt", line)
        r, ns = (power.cells[name].value for name in ("r", "ns"))
        known = type(r) in NUMBER and type(ns) in NUMBER
        nt = -r / 8 * (2 - ns - r / 8) + 0.0 if known else None
        put(power.cells, "nt", default_of(nt, "from inflation consistency"))
    return power


def _set_dark_energy_params(camb: CambBinding, energy: CambObject, bound: dict[str, Any], arguments: Arguments) -> None:
    put, line, hole = camb.state.put, arguments.line, arguments.hole
    if "w" not in table.CLASS_FIELDS.get(energy.kind, ()):
        return
    tabulated = bound.get("use_tabulated_w", False)
    for name, default in (("w", -1.0), ("wa", 0)):
        if tabulated is not False:
            put(energy.cells, name, Reading(Unknown("w is given as a table", line), "unresolved", line))
        elif name in bound:
            put(energy.cells, name, given(bound[name], line))
        else:
            put(energy.cells, name, Reading(hole or default, "unresolved" if hole else "default"))
    w, wa = (energy.cells[name].value for name in ("w", "wa"))
    if type(w) in NUMBER and type(wa) in NUMBER:
        if w + wa > 0:
            raise camb.camb_error(f"w + wa = {w + wa} is above 0", line)
        if energy.kind == "DarkEnergyFluid" and wa and min(w, w + wa) < -1 - PHANTOM:
            raise camb.camb_error("the fluid model of dark energy cannot have w below -1 with wa", line)


PHANTOM: Final = 1e-6
"""How far below -1 CAMB lets w of the fluid model be."""


def _class_name(value: Any) -> str | None:
    """Name of a CAMB class given as text or as the class itself."""
    if type(value) is str:
        return table.CLASS_NAMES.get(value, value)
    return value.path.rsplit(".", 1)[1] if type(value) is External else None


def _new_of_class(camb: CambBinding, pars: CambObject, part: str, value: Any, line: int | None) -> CambObject | None:
    """A new structure of a named class; ``None``, and the part unknown, if the name is not known."""
    name = _class_name(value)
    if name is None:
        camb.state.put(pars.cells, part, Unknown(f"the class for {part} is not known", line))
        return None
    if table.PART_OF_CLASS.get(name) != part:
        raise camb.camb_error(f"CAMB has no {part} class {name}", line, "CAMBValueError")
    made = camb.born(new_part(name))
    if part == "Reion":
        made.cells["kind"] = Reading(name, "set", line)
    return made


def _set_dark_energy(camb: CambBinding, pars: CambObject, bound: dict[str, Any], arguments: Arguments) -> CambObject:
    kind = bound.get("dark_energy_model", arguments.hole or "fluid")
    made = _new_of_class(camb, pars, "DarkEnergy", kind, arguments.line)
    if made is not None:
        _set_dark_energy_params(camb, made, bound, arguments)
        camb.state.put(pars.cells, "DarkEnergy", made)
    return pars


def _set_dark_energy_w_a(
    camb: CambBinding, pars: CambObject, bound: dict[str, Any], arguments: Arguments
) -> CambObject:
    camb.state.put(pars.cells, "DarkEnergy", Unknown("w is given as a table", arguments.line))
    return pars


def _set_classes(camb: CambBinding, pars: CambObject, bound: dict[str, Any], arguments: Arguments) -> None:
    parts = ("DarkEnergy", "InitPower", "NonLinearModel", "Recomb", "Reion")
    arg_names = ("dark_energy_model", "initial_power_model", "non_linear_model", "recombination_model")
    for part, name in zip(parts, (*arg_names, "reionization_model"), strict=True):
        value = bound.get(name, arguments.hole)
        if value is not None and value != "":
            if part == "Reion" and camb.tau_of(pars.cells["Reion"]).state == "set":
                camb.find("tau_dropped", "set_classes replaces the reionization model and with it tau", arguments.line)
            made = _new_of_class(camb, pars, part, value, arguments.line)
            if made is not None:
                camb.state.put(pars.cells, part, made)


def _set_reion_extra(camb: CambBinding, reion: CambObject, bound: dict[str, Any], arguments: Arguments) -> None:
    power = bound.get("reion_exp_power", arguments.hole)
    if power is not None and "reion_exp_power" in reion.cells:
        camb.state.put(reion.cells, "reion_exp_power", given(power, arguments.line))


def _set_tau(camb: CambBinding, reion: CambObject, bound: dict[str, Any], arguments: Arguments) -> CambObject:
    _set_optical_depth(camb, reion, bound.get("tau"), None, arguments)
    return reion


def _set_zrei(camb: CambBinding, reion: CambObject, bound: dict[str, Any], arguments: Arguments) -> CambObject:
    _set_optical_depth(camb, reion, None, bound.get("zrei"), arguments)
    return reion


def _switch_nonlinear(camb: CambBinding, pars: CambObject, bit: int, on: Any, reading: Reading) -> None:
    """Turn non-linear P(k) (bit 1) or lensing (bit 2) on or off, leaving the other as it is."""
    now = pars.cells["NonLinear"]
    old = now.value if type(now) is Reading else None
    if type(on) in UNCERTAIN:
        value: Any = on
    elif old in table.NONLINEAR:
        index = table.NONLINEAR.index(old)
        value = table.NONLINEAR[index | bit if on else index & ~bit]
    else:
        value = old if old is not None else Unknown("NonLinear was not known before")
    state = "unresolved" if type(value) in UNCERTAIN else reading.state
    if state == "default" and type(now) is Reading and now.state == "set":
        state = "set"
    camb.state.put(pars.cells, "NonLinear", Reading(value, state, reading.line, reading.reason))


def _set_matter_power(camb: CambBinding, pars: CambObject, bound: dict[str, Any], arguments: Arguments) -> CambObject:
    line, hole = arguments.line, arguments.hole
    redshifts = bound.get("redshifts")
    items = redshifts.cells["v"] if type(redshifts) is Sequence else redshifts
    if type(redshifts) in NUMBER:
        raise camb.camb_error("set_matter_power takes a list of redshifts", line, "TypeError")
    if type(items) in (list, tuple):
        if not items:
            raise camb.camb_error("set_matter_power needs redshifts", line)
        if camb.line_name != "1.6" and any(type(z) in NUMBER and z < 0 for z in items):
            raise camb.camb_error("set_matter_power takes no negative redshifts", line, "CAMBValueError")
    if bound.get("kmax") is not None:
        _number(camb, "kmax", bound["kmax"], line)
    transfer = pars.cells["Transfer"]
    if type(transfer) is CambObject:
        kmax = (
            given(bound["kmax"], line) if "kmax" in bound else Reading(hole or 1.2, "unresolved" if hole else "default")
        )
        camb.state.put(transfer.cells, "kmax", kmax)
        is_known = isinstance(items, list | tuple) and all(type(z) in NUMBER for z in items)
        zs = tuple(items or ()) if is_known else Unknown("the redshifts are not known", line)
        camb.state.put(
            transfer.cells, table.REDSHIFTS, Reading((0.0,), "default") if redshifts is None else given(zs, line)
        )
    camb.state.put(pars.cells, "WantTransfer", Reading(True, "set", line))
    nonlinear = bound.get("nonlinear", hole)
    if nonlinear is not None:
        _switch_nonlinear(camb, pars, 1, nonlinear, Reading(None, "set", line, "by set_matter_power(nonlinear=)"))
    return pars


def _set_nonlinear_lensing(camb: CambBinding, pars: CambObject, bound: dict[str, Any], arguments: Arguments) -> None:
    on = bound.get("nonlinear", arguments.hole)
    _switch_nonlinear(camb, pars, 2, on, Reading(None, "set", arguments.line, "by set_nonlinear_lensing"))


def _set_for_lmax(camb: CambBinding, pars: CambObject, bound: dict[str, Any], arguments: Arguments) -> CambObject:
    put, line, hole = camb.state.put, arguments.line, arguments.hole
    lmax = bound.get("lmax", hole)
    if type(lmax) not in (*UNCERTAIN, int, bool):
        camb.find("wrong_type", f"set_for_lmax takes an integer, not {lmax!r}: Python raises here", line)
        raise ScriptRaises("TypeError", "lmax must be an integer", line)
    put(pars.cells, "lmax", given(lmax, line))
    accuracy = bound.get("lens_potential_accuracy", hole)
    is_given = "lens_potential_accuracy" in bound and accuracy is not None
    if accuracy is None:
        accuracy = 0
        if camb.line_name != "1.6":
            accuracy = max(4.0, (lmax - 1500.0) / 500.0) if type(lmax) is int else Unknown("it depends on lmax", line)
    reading = given(accuracy, line)
    put(pars.cells, "lens_potential_accuracy", reading if is_given or hole else Reading(accuracy, "default"))
    nonlinear = bound.get("nonlinear", hole)
    named = is_given or nonlinear is not None
    effect = Reading(None, "set" if named else "default", line, "by set_for_lmax(lens_potential_accuracy=)")
    if (
        type(accuracy) in UNCERTAIN
        and (named or hole or accuracy is not None)
        and not (not is_given and nonlinear is None and hole is None)
    ):
        _switch_nonlinear(camb, pars, 2, accuracy, effect)
    elif type(accuracy) in UNCERTAIN or accuracy:
        _switch_nonlinear(camb, pars, 2, nonlinear if type(nonlinear) in UNCERTAIN else nonlinear is not False, effect)
    elif nonlinear is not None:
        _switch_nonlinear(camb, pars, 2, nonlinear, effect)
    return pars


def _set_initial_power(camb: CambBinding, pars: CambObject, bound: dict[str, Any], arguments: Arguments) -> CambObject:
    value = bound.get("initial_power_params", arguments.hole)
    camb.set(pars, "InitPower", value, arguments.line)
    return pars


def _set_power_function(camb: CambBinding, pars: CambObject, bound: dict[str, Any], arguments: Arguments) -> CambObject:
    reason = "the initial power spectrum is given as a function or table"
    camb.state.put(pars.cells, "InitPower", Unknown(reason, arguments.line))
    return pars


def _set_h0_for_theta(camb: CambBinding, pars: CambObject, bound: dict[str, Any], arguments: Arguments) -> None:
    reason = Unknown(table.SOLVER.format(name="theta"))
    camb.state.put(pars.cells, "H0", Reading(reason, "unresolved", arguments.line))


def _set_params(camb: CambBinding, owner: CambObject, bound: dict[str, Any], arguments: Arguments) -> Any:
    if owner.kind == "InitialPowerLaw":
        return _set_power(camb, owner, bound, arguments)
    if table.PART_OF_CLASS.get(owner.kind) == "DarkEnergy":
        return _set_dark_energy_params(camb, owner, bound, arguments)
    version = bound.get("halofit_version")
    if owner.kind == "Halofit" and type(version) is str and version not in table.HALOFIT_VERSIONS:
        kind = "KeyError" if camb.line_name == "1.6" else "ValueError"
        raise camb.camb_error(f"halofit_version {version!r} does not exist", arguments.line, kind)
    return None


REWRITES = frozenset(
    {"replace", "call_method", "set_w_a_table", "__setattr__", "__delattr__", "__init__", "__setstate__"}
)
"""Methods that may change any field of the object they belong to."""

ACTIONS: Final[dict[str, Action]] = {
    "set_cosmology": _set_cosmology,
    "set_params": _set_params,
    "set_dark_energy": _set_dark_energy,
    "set_dark_energy_w_a": _set_dark_energy_w_a,
    "set_classes": _set_classes,
    "set_extra_params": _set_reion_extra,
    "set_tau": _set_tau,
    "set_zrei": _set_zrei,
    "set_matter_power": _set_matter_power,
    "set_nonlinear_lensing": _set_nonlinear_lensing,
    "set_for_lmax": _set_for_lmax,
    "set_initial_power": _set_initial_power,
    "set_initial_power_function": _set_power_function,
    "set_initial_power_table": _set_power_function,
    "set_H0_for_theta": _set_h0_for_theta,
}
"""Methods of ``CAMBparams`` and its parts that set something; all others only read."""
