"""Computations and the results read from them: which models are computed, and what is taken from each."""

from __future__ import annotations

from typing import Any, Final

from reliability.camb_code import camb_table as table
from reliability.camb_code.camb_binding import Arguments
from reliability.camb_code.camb_objects import NUMBER, copy_of, given
from reliability.camb_code.camb_objects import default as default_of
from reliability.camb_code.camb_reading import STAGE, CambReading, items_of
from reliability.camb_code.values import CambObject, Read, Reading, Sequence, Spectrum, Unknown

PIVOT: Final = 0.05
"""Pivot scale at which the scalar power is As, and at which CAMB looks at it (1/Mpc)."""
MAX_READS: Final = 500
"""Reads of results noted; further ones are one finding."""


COMPUTING: Final = frozenset(
    {
        "calc_power_spectra",
        "calc_transfers",
        "calc_background",
        "calc_background_no_thermo",
        "power_spectra_from_transfer",
        "set_params",
    }
)
"""Methods that read nothing."""


class CambResults(CambReading):
    """``CAMBdata``: computing, and reading with settings of its own."""

    def calculate(self, results: CambObject, params: Any, line: int | None, stage: str) -> None:
        """Compute a model from these parameters; `results` keep a copy of them, as CAMB does."""
        if type(params) is CambObject:
            self._check(params, line, stage)
        kept = self.born(copy_of(params)) if type(params) is CambObject else params
        put = self.state.put
        put(results.cells, "Params", kept)
        put(results.cells, STAGE, stage)
        put(results.cells, "model", self.computed(params, line))

    def _check(self, params: CambObject, line: int | None, stage: str) -> None:
        """Raise what CAMB raises for parameters that it does not compute."""
        now = {name: cell.value for name, cell in params.cells.items() if type(cell) is Reading}
        if now.get("ombh2") == 0:
            raise self.camb_error("CAMB computes nothing before ombh2 is set", line, "CAMBValueError")
        power = params.cells.get("InitPower")
        if stage != "powers" or type(power) is not CambObject or power.kind != "InitialPowerLaw":
            return
        cells = [power.cells.get(name) for name in ("As", "r", "pivot_scalar")]
        values: list[Any] = [cell.value if type(cell) is Reading else cell for cell in cells]
        amplitude, ratio, pivot = values
        if type(ratio) in NUMBER and ratio > 0 and now.get("WantTensors") is False:
            raise self.camb_error("r > 0, but WantTensors is not set", line)
        is_lensed = all(now.get(name) is True for name in ("WantScalars", "WantCls", "DoLensing"))
        if is_lensed and pivot == PIVOT and type(amplitude) in NUMBER and amplitude > table.MAX_SCALAR_POWER:
            raise self.camb_error(f"As = {amplitude} is far too large to lens the spectrum", line)

    def computed(self, params: Any, line: int | None) -> CambObject:
        """Note that a model is computed."""
        model = self.born(self.snapshot(params, line))
        self._record(model)
        return model

    def _record(self, model: CambObject) -> None:
        events = self.state.log["events"]
        self.state.spend(20 + len(events) // 8)
        self.state.put(self.state.log, "events", (*events, model))

    def results_method(
        self, owner: CambObject, call: str, name: str, bound: dict[str, Any], arguments: Arguments
    ) -> Any:
        """Call a method of results."""
        line = arguments.line
        if call in table.COMPUTES and bound.get("params") is not None:
            self.calculate(owner, bound["params"], line, table.COMPUTES[call])
        elif name == "set_params":
            params = bound.get("params")
            self.state.put(owner.cells, "Params", self.born(copy_of(params)) if type(params) is CambObject else params)
        elif name == "power_spectra_from_transfer" or (name == "calc_power_spectra" and "Params" in owner.cells):
            params = owner.cells.get("Params", Unknown("these results have no parameters", line))
            power = bound.get("initial_power_params") if name == "power_spectra_from_transfer" else None
            if power is not None and type(params) is CambObject:
                self.set(params, "InitPower", power, line)
            self.calculate(owner, params, line, "powers")
        if name not in COMPUTING:
            self.check_read(owner, call, bound, arguments)
        if name == "get_partially_lensed_cls":
            self._partially_lensed(owner, bound.get("Alens", arguments.hole), line)
        elif name == "get_lensed_cls_with_spectrum":
            self.find("lensed_with_own_spectrum", "a lensing spectrum of the script's own is used, without Alens", line)
        return self.result_of(call, owner.cells.get("model"), bound, arguments)

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

    # --------------------------------------------------------------------------------------------------------- reads

    def result_of(self, call: str, model: Any, bound: dict[str, Any], arguments: Arguments) -> Unknown:
        """What a call on results returns: unknown numbers, of which it is known how they were asked for."""
        line = arguments.line
        result = Unknown(f"the result of {call.rpartition('.')[2]} is not known without running", line, is_tame=True)
        columns = table.READS.get(call)
        if call == "CAMBdata.get_sigma8_0":
            result.is_array = False
        if columns is None:
            return result
        settings = {}
        for name, _, default in self.signatures[call]:
            if name in ("params", "Alens"):  # reported with the model
                continue
            if name in bound:
                settings[name] = given(bound[name], line)
            elif arguments.hole is not None:
                settings[name] = Reading(arguments.hole, "unresolved", line)
            else:
                settings[name] = default_of(None, "CAMB's own") if default == "<other>" else default_of(default)
        read = Read(call, line, model if type(model) is CambObject else None, settings)
        self._note(read)
        if columns:
            result.is_array = True if type(columns) is tuple else None
            result.spectrum = Spectrum(read, self._asked_for(columns, bound))
        return result

    @staticmethod
    def _asked_for(columns: Any, bound: dict[str, Any]) -> Any:
        """Of several arrays by name those that the call names."""
        names = items_of(bound["spectra"]) if type(columns) is dict and "spectra" in bound else None
        if names is None or not all(type(name) is str for name in names):
            return columns
        return {name: columns[name] for name in names if name in columns}

    def take(self, spectrum: Spectrum, index: Any) -> Spectrum | None:
        """Follow ``result[index]``: note a spectrum that is taken, return what can be indexed further."""
        if type(spectrum.columns) is dict:  # several arrays by name
            columns = spectrum.columns.get(index) if type(index) is str else None
            return Spectrum(spectrum.read, columns, index) if columns else None
        row, column = index if type(index) is tuple and len(index) == 2 else (index, slice(None))
        if spectrum.is_transposed:
            row, column = column, row
        if type(column) is not slice:
            n = len(spectrum.columns)
            name = spectrum.columns[column] if type(column) is int and -n <= column < n else "?"
            self._note((spectrum.read, f"{spectrum.name} {name}".strip()))
            return None
        return spectrum.transposed() if type(row) is int else spectrum

    def _note(self, entry: Any) -> None:
        reads = self.state.log["reads"]
        if type(entry) is tuple and entry in reads:  # the same spectrum, taken multipole by multipole
            return
        if len(reads) < MAX_READS:
            self.state.spend(4 + len(reads) // 8)
            self.state.put(self.state.log, "reads", (*reads, entry))
        else:
            self.find(
                "too_many_reads", f"results are read more than {MAX_READS} times; the others are not listed", None
            )
