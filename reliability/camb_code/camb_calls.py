# ruff: noqa: PLR0912, ARG001, SIM102  (one signature for every row of ACTIONS)
"""What each CAMB call does to the abstract objects: arguments bound by the real signature, then one action a call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from reliability.camb_code import camb_table as table
from reliability.camb_code.camb_objects import NUMBER, CambObjects, copy_of, given, new_params, new_part
from reliability.camb_code.camb_objects import default as default_of
from reliability.camb_code.state import ScriptRaises
from reliability.camb_code.values import (
    CambObject,
    External,
    Mapping,
    OneOf,
    Reading,
    Sequence,
    Unknown,
    unresolved_reason,
)

UNCERTAIN: Final = (Unknown, OneOf)


@dataclass(slots=True)
class Arguments:
    """Arguments of a call; ``hole`` is why further ones may be hidden in ``*args`` or ``**kwargs``."""

    positional: list[Any]
    keywords: dict[str, Any]
    line: int | None
    hole: Unknown | None = None


class CambCalls(CambObjects):
    """Actions of CAMB's functions, classes and methods."""

    def bind(self, call: str, arguments: Arguments) -> dict[str, Any]:
        """Arguments by name, as Python binds them; a call that Python refuses raises in the script's name."""
        rows = self.signatures[call]
        bound: dict[str, Any] = {}
        places = [row[0] for row in rows if row[1] == "positional"]
        names = {row[0] for row in rows}
        takes_any = any(row[1] == "**" for row in rows)
        if len(arguments.positional) > len(places):
            self._refuse(call, f"takes {len(places)} positional arguments", "too_many_arguments", arguments.line)
        bound.update(zip(places, arguments.positional, strict=False))
        for name, value in arguments.keywords.items():
            if (
                type(value) is Unknown
                and value.may_be_absent
                and (name in bound or (name not in names and not takes_any))
            ):
                continue
            if name in bound:
                self._refuse(call, f"got {name} twice", "unknown_argument", arguments.line)
            if name not in names and not takes_any:
                self._refuse(call, f"has no argument {name}", "unknown_argument", arguments.line)
            bound[name] = value
        if arguments.hole is None:
            for name, _, default in rows:
                if default == "<required>" and name not in bound and not takes_any:
                    self._refuse(call, f"needs the argument {name}", "missing_argument", arguments.line)
        return bound

    def _refuse(self, call: str, why: str, check: str, line: int | None) -> None:
        self.find(check, f"CAMB's {call} {why}: Python raises here and the call sets nothing", line)
        raise ScriptRaises("TypeError", f"{call} {why}", line)

    def _camb_error(self, message: str, line: int | None) -> ScriptRaises:
        self.find("refused_by_camb", f"{message}: CAMB raises here", line)
        return ScriptRaises("CAMBError", message, line)

    # ------------------------------------------------------------------------------------------- functions, classes

    def call(self, path: str, arguments: Arguments) -> Any:
        """Call something imported from CAMB; ``path`` starts with ``camb.``."""
        name = path.rsplit(".", 1)[1]
        if name in table.PART_OF_CLASS or name in ("CAMBparams", "CAMBdata"):
            return self._construct(name, arguments)
        call = "camb." + name
        if call in table.COMPUTES:
            return self._compute_function(call, arguments)
        if name == "set_params":
            return self._set_params(arguments)
        if name in ("read_ini", "set_params_cosmomc"):
            params = self.born(new_params())
            self.poison(params, f"{name} sets it from what is not read here", arguments.line)
            return params
        if name == "run_ini":
            self._computed(Unknown("run_ini computes from a file", arguments.line), arguments.line)
        return Unknown(f"the result of camb.{name} is not known without running", arguments.line, is_tame=True)

    def _construct(self, kind: str, arguments: Arguments) -> CambObject:
        line = arguments.line
        if kind == "CAMBdata":
            return self.born(CambObject("CAMBdata", {}))
        if arguments.positional:
            self._refuse(kind, "takes no positional arguments", "too_many_arguments", line)
        made = self.born(new_params() if kind == "CAMBparams" else new_part(kind))
        if kind == "InitialPowerLaw":
            self.method(made, "set_params", arguments)
        elif kind != "SplinedInitialPower":
            known = self.fields.get(kind, {"fields": []})["fields"]
            for name, value in arguments.keywords.items():
                if known and name not in known:
                    self._refuse(kind, f"has no argument {name}", "unknown_argument", line)
                self.set(made, name, value, line)
        if arguments.hole is not None:
            self.poison(made, arguments.hole.reason, line)
        return made

    def _compute_function(self, call: str, arguments: Arguments) -> Any:
        bound = self.bind(call, arguments)
        params = bound.get("params", arguments.hole or Unknown("no parameters are given"))
        line = arguments.line
        if type(params) is Mapping and call == "camb.get_results":
            contents = params.cells["v"]
            hole = Unknown("the dictionary of parameters is not known", line) if type(contents) is not dict else None
            keywords = {k: v for k, v in contents.items() if type(k) is str} if hole is None else {}
            params = self._set_params(Arguments([], keywords, line, hole))
        if call == "camb.get_matter_power_interpolator" and type(params) is CambObject:
            params = copy_of(params)  # CAMB works on a copy of its own
            kmax = Reading(10.0, "default") if "kmax" not in bound else given(bound["kmax"], line)
            params.cells["Transfer"] = CambObject("TransferParams", {"kmax": kmax})
            nonlinear = bound.get("nonlinear", True)
            if type(nonlinear) in UNCERTAIN:
                params.cells["NonLinear"] = given(nonlinear, line)
            else:
                state = "set" if "nonlinear" in bound else "default"
                name = "NonLinear_pk" if nonlinear else "NonLinear_none"
                params.cells["NonLinear"] = Reading(name, state, line, "by the interpolator's nonlinear argument")
        results = self.born(CambObject("CAMBdata", {}))
        self._calculate(results, params, line)
        if call == "camb.get_matter_power_interpolator":
            return Unknown("a power spectrum is not known without running", line, is_tame=True)
        return results

    def _calculate(self, results: CambObject, params: Any, line: int | None) -> None:
        kept = self.born(copy_of(params)) if type(params) is CambObject else params
        put = self.state.put
        put(results.cells, "Params", kept)
        put(results.cells, "model", self._computed(params, line))

    def _computed(self, params: Any, line: int | None) -> CambObject:
        model = self.born(self.snapshot(params, line))
        self._record(model)
        return model

    def _record(self, model: CambObject) -> None:
        events = self.state.log["events"]
        self.state.spend(20 + len(events) // 8)
        self.state.put(self.state.log, "events", (*events, model))

    # ------------------------------------------------------------------------------------------------------- methods

    def has_method(self, owner: CambObject, name: str) -> bool:
        """Whether CAMB's class has a method of this name."""
        known = f"{owner.kind}.{name}" in self.signatures
        return known or name in ("copy", "__copy__", "__deepcopy__") or name in REWRITES

    def method(self, owner: CambObject, name: str, arguments: Arguments) -> Any:
        """Call a method of a CAMB object."""
        if name in ("copy", "__copy__", "__deepcopy__"):
            return self.born(copy_of(owner))
        if name in REWRITES:
            self.poison(owner, f"{name} may change anything in it", arguments.line)
            return None
        call = f"{owner.kind}.{name}"
        bound = self.bind(call, arguments)
        action = ACTIONS.get(name)
        if owner.kind == "CAMBdata":
            return self._results_method(owner, call, name, bound, arguments)
        if action is None:
            return Unknown(f"the result of {call} is not known without running", arguments.line, is_tame=True)
        try:
            return action(self, owner, bound, arguments)
        except ScriptRaises:
            unknown = Reading(Unknown(f"{call} raised before it was done", arguments.line), "unresolved")
            for field in (*table.COSMOLOGY, "neutrino_hierarchy", "H0") if name == "set_cosmology" else ():
                self.state.put(owner.cells, field, unknown)
            if name == "set_params":
                self.poison(owner, unknown.value.reason, arguments.line)
            raise

    def _results_method(
        self, owner: CambObject, call: str, name: str, bound: dict[str, Any], arguments: Arguments
    ) -> Any:
        line = arguments.line
        if call in table.COMPUTES and bound.get("params") is not None:
            self._calculate(owner, bound["params"], line)
        elif name == "set_params":
            params = bound.get("params")
            self.state.put(owner.cells, "Params", self.born(copy_of(params)) if type(params) is CambObject else params)
        elif (name == "power_spectra_from_transfer") or (name == "calc_power_spectra" and "Params" in owner.cells):
            params = owner.cells.get("Params", Unknown("these results have no parameters", line))
            if name == "power_spectra_from_transfer" and bound.get("initial_power_params") is not None:
                if type(params) is CambObject:
                    self.set(params, "InitPower", bound["initial_power_params"], line)
            self._calculate(owner, params, line)
        elif name == "get_partially_lensed_cls":
            self._partially_lensed(owner, bound.get("Alens", arguments.hole), line)
        elif name == "get_lensed_cls_with_spectrum":
            self.find("lensed_with_own_spectrum", "a lensing spectrum of the script's own is used, without Alens", line)
        return Unknown(f"the result of {name} is not known without running", line, is_tame=True)

    def _partially_lensed(self, results: CambObject, amount: Any, line: int | None) -> None:
        """``Alens`` here belongs to this result; a second, different one is a model of its own."""
        model = results.cells.get("model")
        if type(amount) is Sequence:
            amount = Unknown("Alens is given as a function of multipole", line)
        if type(model) is not CambObject:
            model = self.snapshot(Unknown("these results' parameters are not known", line), line)
            self._record(model)
        reading = given(amount, line, "passed to get_partially_lensed_cls")
        if "partial" in model.cells or self.state.log["events"][-1:] != (model,):
            model = CambObject("model", {**model.cells, "line": line, "Alens": reading, "partial": True})
            self._record(model)
            return
        self.state.put(model.cells, "Alens", reading)
        self.state.put(model.cells, "partial", True)

    # ------------------------------------------------------------------------------------------------------- setters

    def _set_params(self, arguments: Arguments) -> Any:
        """``camb.set_params``: hands every argument to the setters that know it, the rest to attributes."""
        line, given_names = arguments.line, dict(arguments.keywords)
        params = arguments.positional[0] if arguments.positional else given_names.pop("cp", None)
        given_names.pop("verbose", None)
        if "ALens" in given_names:
            raise self._camb_error("Alens is spelt ALens", line)
        if params is None:
            params = self.born(new_params())
        if type(params) is not CambObject:
            return Unknown(f"set_params works on an object that is not known: {unresolved_reason(params)}", line)
        unused = set(given_names)
        for part, setter in table.SETTER_ORDER:
            owner = params if part is None else params.cells.get(part) or self.get(params, part, line)
            if type(owner) is not CambObject:
                continue
            names = {row[0] for row in self.signatures.get(f"{owner.kind}.{setter}", ())}
            chosen = {k: v for k, v in given_names.items() if k in names}
            if chosen:
                unused -= chosen.keys()
                self.method(owner, setter, Arguments([], chosen, line))
        power = params.cells["InitPower"]
        ratio = power.cells.get("r") if type(power) is CambObject else None
        if type(ratio) is Reading and (type(ratio.value) in UNCERTAIN or ratio.value):
            known = type(ratio.value) not in UNCERTAIN
            value = True if known else Unknown("set_params turns tensors on if r is not 0, and r is not known", line)
            self.state.put(params.cells, "WantTensors", given(value, line, "set_params turns tensors on for r > 0"))
        for name in sorted(unused):
            self._set_dotted(params, name, given_names[name], line)
        if arguments.hole is not None:
            self.poison(params, arguments.hole.reason, line)
        return params

    def _set_dotted(self, params: CambObject, name: str, value: Any, line: int | None) -> None:
        owner: Any = params
        *parts, last = name.split(".")
        for part in parts:
            owner = owner.cells.get(part) if type(owner) is CambObject else None
        if type(owner) is not CambObject:
            return
        known = self.fields.get(owner.kind, {"fields": (), "names": ()})
        if last not in known["fields"] and last not in known["names"]:
            self.find("unknown_argument", f"camb.set_params does not know {name}: CAMB raises here", line)
            raise ScriptRaises("CAMBUnknownArgumentError", f"unknown parameter {name}", line)
        self.set(owner, last, value, line)


Action = Callable[[CambCalls, CambObject, dict[str, Any], Arguments], Any]


def _number(camb: CambCalls, name: str, value: Any, line: int | None) -> None:
    if type(value) in (str, tuple, Mapping, CambObject) or (type(value) is Sequence and value.kind != "array"):
        camb.find("wrong_type", f"{name} must be a number: Python raises here", line)
        raise ScriptRaises("TypeError", f"{name} must be a number", line)


def _set_cosmology(camb: CambCalls, pars: CambObject, bound: dict[str, Any], arguments: Arguments) -> CambObject:
    put, line, hole = camb.state.put, arguments.line, arguments.hole
    defaults = {row[0]: row[2] for row in camb.signatures["CAMBparams.set_cosmology"]}
    theta = bound.get("cosmomc_theta") or bound.get("thetastar")
    hubble = bound.get("H0")
    if theta is None and hubble is None and hole is None:
        raise camb._camb_error("set_cosmology needs H0, cosmomc_theta or thetastar", line)
    for name in ("H0", *table.COSMOLOGY, "tau"):
        if bound.get(name) is not None:
            _number(camb, name, bound[name], line)
    if theta is not None and hubble is not None and type(hubble) not in UNCERTAIN and type(theta) not in UNCERTAIN:
        raise camb._camb_error("set_cosmology takes H0 or theta, not both", line)
    if isinstance(hubble, int | float) and hubble < 1:
        raise camb._camb_error(f"H0 = {hubble} is too small, it is in km/s/Mpc", line)
    tau, zrei = bound.get("tau"), bound.get("zrei")
    if tau is not None and zrei is not None and type(tau) not in UNCERTAIN and type(zrei) not in UNCERTAIN:
        raise camb._camb_error("set_cosmology takes tau or zrei, not both", line)
    hierarchy = bound.get("neutrino_hierarchy", "degenerate")
    if type(hierarchy) is int and 1 <= hierarchy <= len(table.HIERARCHIES):
        hierarchy = table.HIERARCHIES[hierarchy - 1]
    if type(hierarchy) not in UNCERTAIN and hierarchy not in table.HIERARCHIES:
        raise camb._camb_error(f"neutrino_hierarchy {hierarchy!r} does not exist", line)
    mass, massive = bound.get("mnu", 0.06), bound.get("num_massive_neutrinos", 1)
    if type(massive) in NUMBER and not massive and type(mass) in NUMBER and mass:
        raise camb._camb_error("a neutrino mass needs num_massive_neutrinos > 0", line)

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


def _set_optical_depth(camb: CambCalls, reion: Any, tau: Any, zrei: Any, arguments: Arguments) -> None:
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


def _set_power(camb: CambCalls, power: CambObject, bound: dict[str, Any], arguments: Arguments) -> CambObject:
    put, line, hole = camb.state.put, arguments.line, arguments.hole
    for name in ("As", "ns", "nrun", "r"):
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
        r, ns = (power.cells[name].value for name in ("r", "ns"))
        known = type(r) in NUMBER and type(ns) in NUMBER
        nt = -r / 8 * (2 - ns - r / 8) + 0.0 if known else None
        put(power.cells, "nt", default_of(nt, "from inflation consistency"))
    return power


def _set_dark_energy_params(camb: CambCalls, energy: CambObject, bound: dict[str, Any], arguments: Arguments) -> None:
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


def _class_name(value: Any) -> str | None:
    """Name of a CAMB class given as text or as the class itself."""
    if type(value) is str:
        return table.CLASS_NAMES.get(value, value)
    return value.path.rsplit(".", 1)[1] if type(value) is External else None


def _new_of_class(camb: CambCalls, pars: CambObject, part: str, value: Any, line: int | None) -> CambObject | None:
    name = _class_name(value)
    if name is None:
        camb.state.put(pars.cells, part, Unknown(f"the class for {part} is not known", line))
        return None
    if table.PART_OF_CLASS.get(name) != part:
        raise camb._camb_error(f"CAMB has no {part} class {name}", line)
    made = camb.born(new_part(name))
    if part == "Reion":
        made.cells["kind"] = Reading(name, "set", line)
    camb.state.put(pars.cells, part, made)
    return made


def _set_dark_energy(camb: CambCalls, pars: CambObject, bound: dict[str, Any], arguments: Arguments) -> CambObject:
    kind = bound.get("dark_energy_model", arguments.hole or "fluid")
    made = _new_of_class(camb, pars, "DarkEnergy", kind, arguments.line)
    if made is not None:
        _set_dark_energy_params(camb, made, bound, arguments)
    return pars


def _set_dark_energy_w_a(camb: CambCalls, pars: CambObject, bound: dict[str, Any], arguments: Arguments) -> CambObject:
    camb.state.put(pars.cells, "DarkEnergy", Unknown("w is given as a table", arguments.line))
    return pars


def _set_classes(camb: CambCalls, pars: CambObject, bound: dict[str, Any], arguments: Arguments) -> None:
    parts = ("DarkEnergy", "InitPower", "NonLinearModel", "Recomb", "Reion")
    arg_names = ("dark_energy_model", "initial_power_model", "non_linear_model", "recombination_model")
    for part, name in zip(parts, (*arg_names, "reionization_model"), strict=True):
        value = bound.get(name, arguments.hole)
        if value is not None and value != "":
            if part == "Reion" and camb._tau(pars.cells["Reion"]).state == "set":
                camb.find("tau_dropped", "set_classes replaces the reionization model and with it tau", arguments.line)
            _new_of_class(camb, pars, part, value, arguments.line)


def _set_reion_extra(camb: CambCalls, reion: CambObject, bound: dict[str, Any], arguments: Arguments) -> None:
    power = bound.get("reion_exp_power", arguments.hole)
    if power is not None and "reion_exp_power" in reion.cells:
        camb.state.put(reion.cells, "reion_exp_power", given(power, arguments.line))


def _set_tau(camb: CambCalls, reion: CambObject, bound: dict[str, Any], arguments: Arguments) -> CambObject:
    _set_optical_depth(camb, reion, bound.get("tau"), None, arguments)
    return reion


def _set_zrei(camb: CambCalls, reion: CambObject, bound: dict[str, Any], arguments: Arguments) -> CambObject:
    _set_optical_depth(camb, reion, None, bound.get("zrei"), arguments)
    return reion


def _switch_nonlinear(camb: CambCalls, pars: CambObject, bit: int, on: Any, reading: Reading) -> None:
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


def _set_matter_power(camb: CambCalls, pars: CambObject, bound: dict[str, Any], arguments: Arguments) -> CambObject:
    line, hole = arguments.line, arguments.hole
    transfer = pars.cells["Transfer"]
    if type(transfer) is CambObject:
        kmax = (
            given(bound["kmax"], line) if "kmax" in bound else Reading(hole or 1.2, "unresolved" if hole else "default")
        )
        camb.state.put(transfer.cells, "kmax", kmax)
    nonlinear = bound.get("nonlinear", hole)
    if nonlinear is not None:
        _switch_nonlinear(camb, pars, 1, nonlinear, Reading(None, "set", line, "by set_matter_power(nonlinear=)"))
    return pars


def _set_nonlinear_lensing(camb: CambCalls, pars: CambObject, bound: dict[str, Any], arguments: Arguments) -> None:
    on = bound.get("nonlinear", arguments.hole)
    _switch_nonlinear(camb, pars, 2, on, Reading(None, "set", arguments.line, "by set_nonlinear_lensing"))


def _set_for_lmax(camb: CambCalls, pars: CambObject, bound: dict[str, Any], arguments: Arguments) -> CambObject:
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


def _set_initial_power(camb: CambCalls, pars: CambObject, bound: dict[str, Any], arguments: Arguments) -> CambObject:
    value = bound.get("initial_power_params", arguments.hole)
    camb.set(pars, "InitPower", value, arguments.line)
    return pars


def _set_power_function(camb: CambCalls, pars: CambObject, bound: dict[str, Any], arguments: Arguments) -> CambObject:
    reason = "the initial power spectrum is given as a function or table"
    camb.state.put(pars.cells, "InitPower", Unknown(reason, arguments.line))
    return pars


def _set_h0_for_theta(camb: CambCalls, pars: CambObject, bound: dict[str, Any], arguments: Arguments) -> None:
    reason = Unknown(table.SOLVER.format(name="theta"))
    camb.state.put(pars.cells, "H0", Reading(reason, "unresolved", arguments.line))


def _set_params(camb: CambCalls, owner: CambObject, bound: dict[str, Any], arguments: Arguments) -> Any:
    if owner.kind == "InitialPowerLaw":
        return _set_power(camb, owner, bound, arguments)
    if table.PART_OF_CLASS.get(owner.kind) == "DarkEnergy":
        return _set_dark_energy_params(camb, owner, bound, arguments)
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
