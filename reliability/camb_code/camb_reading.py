"""Reading computed results: which calls certainly do not raise, which certainly do, and which may.

A script that catches what a read raises goes on with something else, so a call counts as not raising only if every
argument is known and good.  The rules are CAMB's own (``camb/results.py`` of 1.6.6 and 2.0.5).
"""

from __future__ import annotations

from typing import Any, Final

from reliability.camb_code import camb_table as table
from reliability.camb_code.camb_binding import UNCERTAIN, Arguments, CambBinding
from reliability.camb_code.camb_objects import NUMBER
from reliability.camb_code.state import OF_ARRAYS, ScriptRaises
from reliability.camb_code.values import CambObject, Reading, Sequence, Unknown

OF_READS: Final = ("CAMBError", "CAMBValueError", "AssertionError", *OF_ARRAYS)
"""What reading results raises."""
STAGE: Final = "@stage"
"""Cell of results that says how far they are computed."""
WITH_SPECTRA: Final = frozenset({"lmax", "CMB_unit", "raw_cl", "spectra", "Alens", "params"})
WITH_MATTER: Final = frozenset({"minkh", "maxkh", "npoints", "nonlinear", "hubble_units", "k_hunit", "params"})
"""Arguments whose good values are known; any other may be wrong."""
UNITS: Final = ("muK", "K")
MIN_POINTS: Final = 3
"""Of a matter power spectrum; 1.6 asks for two."""


def items_of(value: Any) -> list[Any] | None:
    """Items of a list, tuple or array, if they are known one by one."""
    items = value.cells["v"] if type(value) is Sequence else value
    return list(items) if type(items) in (list, tuple) else None


class CambReading(CambBinding):
    """Raises what reading results raises."""

    def check_read(self, owner: CambObject, call: str, bound: dict[str, Any], arguments: Arguments) -> None:
        """Raise in the script's name, or note that the call may raise, unless its arguments are good."""
        if arguments.hole is not None:
            self.state.doubt("Exception")
        elif call in table.OF_MATTER:
            self._check_matter(owner, call, bound, arguments.line)
        elif table.READS.get(call):
            self._check_spectra(owner, bound, arguments.line)
        elif call in table.OF_BACKGROUND:
            self._check_numbers(bound)
        elif call not in table.COMPUTES or call in table.READS:
            self.state.doubt("Exception")
        if owner.cells.get(STAGE) is None:
            self.state.doubt(*OF_READS)

    def _check_spectra(self, owner: CambObject, bound: dict[str, Any], line: int | None) -> None:
        params = owner.cells.get("Params")
        lenses = self._field(params, "DoLensing")
        if owner.cells.get(STAGE) != "powers" or lenses is not True or not bound.keys() <= WITH_SPECTRA:
            self.state.doubt(*OF_READS)
        self._check_unit(bound.get("CMB_unit"), line)
        self._check_lmax(bound.get("lmax"), line)
        if type(bound.get("raw_cl")) not in (bool, int, float, str, type(None)):
            self.state.doubt("ValueError", "TypeError")
        if "Alens" in bound:
            self._check_amount(bound["Alens"], line)
        if "spectra" in bound:
            self._check_names(bound["spectra"], line)

    def _check_unit(self, unit: Any, line: int | None) -> None:
        if type(unit) is str and unit not in UNITS:
            raise self.camb_error(f"CMB_unit {unit!r} does not exist", line, "CAMBValueError")
        if type(unit) not in (str, *NUMBER, bool, type(None)):
            self.state.doubt("CAMBValueError", "TypeError", "ValueError")

    def _check_lmax(self, lmax: Any, line: int | None) -> None:
        if type(lmax) in (float, str):
            self.find("wrong_type", f"lmax of a spectrum must be an integer, not {lmax!r}: Python raises here", line)
            raise ScriptRaises("TypeError", "lmax must be an integer", line)
        if lmax is not None and not (type(lmax) is int and table.MIN_LMAX <= lmax <= table.MAX_LMAX):
            self.state.doubt(*OF_READS)

    def _check_amount(self, amount: Any, line: int | None) -> None:
        if type(amount) is str:
            self.find("wrong_type", f"Alens must be a number, not {amount!r}: numpy raises here", line)
            raise ScriptRaises("TypeError", "Alens must be a number", line)
        if type(amount) not in NUMBER:
            self.state.doubt(*OF_READS)

    def _check_names(self, names: Any, line: int | None) -> None:
        items = list(names) if type(names) is str else items_of(names)
        if items is None or any(type(name) in UNCERTAIN for name in items):
            self.state.doubt("AttributeError", *OF_READS)
            return
        for name in items:
            if type(name) is str and f"CAMBdata.get_{name}_cls" not in self.signatures:
                self.find("unknown_argument", f"CAMB has no spectra {name!r}: Python raises here", line)
                raise ScriptRaises("AttributeError", f"no spectra {name!r}", line)
            if name not in table.CMB_SPECTRA:
                self.state.doubt("AttributeError", *OF_READS)

    def _check_matter(self, owner: CambObject, call: str, bound: dict[str, Any], line: int | None) -> None:
        params = owner.cells.get("Params")
        wanted = self._field(params, "WantTransfer")
        nonlinear = self._field(params, "NonLinear")
        if wanted is False and nonlinear in ("NonLinear_none", "NonLinear_pk") and owner.cells.get(STAGE):
            kind = "CAMBError" if call in table.ASKS_FOR_K else "AssertionError"
            raise self.camb_error("matter power is read, but set_matter_power is not called", line, kind)
        points = bound.get("npoints", 100)
        if type(points) in NUMBER and points < MIN_POINTS - (self.line_name == "1.6"):
            raise self.camb_error(f"npoints = {points} are too few", line)
        good = wanted is True and bound.keys() <= WITH_MATTER and type(points) is int and points < table.MAX_LMAX
        good = good and all(type(bound.get(name)) in (bool, type(None)) for name in ("nonlinear", "hubble_units"))
        good = good and all(type(bound.get(n, 1)) in NUMBER and bound.get(n, 1) > 0 for n in ("minkh", "maxkh"))
        if call == "CAMBdata.get_sigma8_0" and good:
            transfer = params.cells.get("Transfer") if type(params) is CambObject else None
            redshifts = transfer.cells.get(table.REDSHIFTS) if type(transfer) is CambObject else None
            good = type(redshifts) is Reading and type(redshifts.value) is tuple and min(redshifts.value) == 0
        if not good or owner.cells.get(STAGE) not in ("powers", "transfers"):
            self.state.doubt(*OF_READS)

    def _check_numbers(self, bound: dict[str, Any]) -> None:
        """Distances and times take a number that is not negative, or several."""
        for value in bound.values():
            items = items_of(value)
            items = [value] if items is None else items
            if not all(type(item) in NUMBER and item >= 0 for item in items):
                self.state.doubt(*OF_READS)

    @staticmethod
    def _field(params: Any, name: str) -> Any:
        """A known field of the parameters of results, or unknown."""
        cell = params.cells.get(name) if type(params) is CambObject else None
        return cell.value if type(cell) is Reading else Unknown("not known")

    # ------------------------------------------------------------------------------------------------------- arrays

    def part_is_array(self, owner: Unknown, index: Any, line: int | None) -> bool | None:
        """Whether an item of what CAMB or numpy returns is an array again; an index that does not fit raises."""
        spectrum = owner.spectrum
        if spectrum is None:
            if owner.is_array and type(index) is slice:
                return True
            self.state.doubt("KeyError", *OF_ARRAYS)
            return None
        if type(spectrum.columns) is dict:
            if type(index) is str and index not in spectrum.columns:
                self.find("unknown_attribute", f"these spectra hold no {index!r}: Python raises here", line)
                raise ScriptRaises("KeyError", f"no spectrum {index!r}", line)
            asked = spectrum.read.settings.get("spectra")
            if type(index) is not str or asked is None or asked.state == "unresolved":
                self.state.doubt("KeyError", "TypeError")
            return True
        return self._part_of_spectrum(spectrum, index, line)

    def _part_of_spectrum(self, spectrum: Any, index: Any, line: int | None) -> bool | None:
        places = index if type(index) is tuple else (index,)
        if len(places) > 2 or (len(places) == 2 and spectrum.is_transposed):
            self.state.doubt(*OF_ARRAYS)
            return None
        lmax = spectrum.read.settings.get("lmax")
        n_rows = lmax.value + 1 if lmax is not None and type(lmax.value) is int else None
        sizes = [len(spectrum.columns), n_rows] if spectrum.is_transposed else [n_rows, len(spectrum.columns)]
        for place, size in zip(places, sizes, strict=False):
            if type(place) is int and size is not None and not -size <= place < size:
                raise ScriptRaises("IndexError", f"index {place} of {size}", line)
            if type(place) is not slice and not (type(place) is int and size is not None):
                self.state.doubt(*OF_ARRAYS)
        if all(type(place) is int for place in places):
            return len(places) == 1
        return True if all(type(place) in (int, slice) for place in places) else None
