"""CAMB's functions, classes and methods, called on abstract values."""

from __future__ import annotations

from typing import Any

from reliability.camb_code import camb_table as table
from reliability.camb_code.camb_binding import Arguments
from reliability.camb_code.camb_objects import NUMBER, copy_of, given, new_params, new_part
from reliability.camb_code.camb_objects import default as default_of
from reliability.camb_code.camb_reading import OF_READS
from reliability.camb_code.camb_results import CambResults
from reliability.camb_code.camb_setters import ACTIONS, REWRITES
from reliability.camb_code.state import ScriptRaises
from reliability.camb_code.values import SCALARS, CambObject, Mapping, Reading, Unknown, unresolved_reason


class CambCalls(CambResults):
    """Actions of CAMB's functions, classes and methods."""

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
            self.computed(Unknown("run_ini computes from a file", arguments.line), arguments.line)
        self.state.doubt("Exception")
        return Unknown(f"the result of camb.{name} is not known without running", arguments.line, is_tame=True)

    def _construct(self, kind: str, arguments: Arguments) -> CambObject:
        line = arguments.line
        if kind == "CAMBdata":
            return self.born(CambObject("CAMBdata", {}))
        if arguments.positional:
            self.refuse(kind, "takes no positional arguments", "too_many_arguments", line)
        made = self.born(new_params() if kind == "CAMBparams" else new_part(kind))
        if kind == "InitialPowerLaw":
            self.method(made, "set_params", arguments)
        elif kind != "SplinedInitialPower":
            known = self.fields.get(kind, {"fields": []})["fields"]
            for name, value in arguments.keywords.items():
                if known and name not in known:
                    self.refuse(kind, f"has no argument {name}", "unknown_argument", line)
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
            params.cells["NonLinear"] = default_of(
                "NonLinear_none", "the interpolator computes linear power, whatever was set"
            )
        if not all(type(value) in SCALARS for name, value in bound.items() if name != "params"):
            self.state.doubt(*OF_READS)
        results = self.born(CambObject("CAMBdata", {}))
        self.calculate(results, params, line, table.COMPUTES[call])
        if call == "camb.get_matter_power_interpolator":
            return self.result_of(call, results.cells["model"], bound, arguments)
        return results

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
            return self.results_method(owner, call, name, bound, arguments)
        if action is None:
            self.state.doubt("Exception")
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

    # ------------------------------------------------------------------------------------------------------- setters

    def _set_params(self, arguments: Arguments) -> Any:
        """``camb.set_params``: hands every argument to the setters that know it, the rest to attributes."""
        line, given_names = arguments.line, dict(arguments.keywords)
        params = arguments.positional[0] if arguments.positional else given_names.pop("cp", None)
        given_names.pop("verbose", None)
        if "ALens" in given_names:
            raise self.camb_error("Alens is spelt ALens", line, "ValueError")
        if params is None:
            params = self.born(new_params())
        if type(params) in SCALARS:
            raise self.camb_error("cp is no CAMBparams", line, "AssertionError")
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
        known = type(ratio) is Reading and type(ratio.value) in NUMBER
        if type(ratio) is Reading and (not known or ratio.value > 0):
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
