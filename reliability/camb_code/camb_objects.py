# ruff: noqa: D107, PLR0911  (the class says it)
"""CAMB structures as abstract objects: making, copying, reading and writing them, and the snapshot at a computation."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from reliability.camb_code import camb_table as table
from reliability.camb_code.signatures import LINES
from reliability.camb_code.state import ScriptRaises, State
from reliability.camb_code.values import CambObject, Cells, OneOf, Reading, Unknown, unresolved_reason
from reliability.records import Finding

NUMBER: Final = (int, float)


def given(value: Any, line: int | None, reason: str = "") -> Reading:
    """A field that the script sets."""
    state = "unresolved" if type(value) in (Unknown, OneOf) else "set"
    return Reading(value, state, line, reason)


@lru_cache(maxsize=1024, typed=True)
def default(value: Any, reason: str = "") -> Reading:
    """A field that CAMB's own default fills (shared: readings are never changed in place)."""
    return Reading(value, "default", None, reason)


def new_part(kind: str) -> CambObject:
    """A new structure of a CAMB class with its default fields."""
    return CambObject(kind, {k: default(v) for k, v in table.CLASS_FIELDS.get(kind, {}).items()})


def new_params() -> CambObject:
    """What ``CAMBparams()`` gives."""
    cells: Cells = _FRESH_CELLS.copy()
    for part, (kind, fields) in _FRESH_PARTS.items():
        cells[part] = CambObject(kind, fields.copy())
    return CambObject("CAMBparams", cells)


_FRESH_CELLS: Final[Cells] = {k: default(v) for k, v in table.FRESH_PARAMS.items()}
_FRESH_PARTS: Final[dict[str, tuple[str, Cells]]] = {
    part: (kind, {k: default(v) for k, v in fields.items()}) for part, (kind, fields) in table.FRESH_PARTS.items()
}


def inner_objects(value: CambObject) -> list[CambObject]:
    """A CAMB object and the structures inside it."""
    parts = [cell for key, cell in value.cells.items() if type(cell) is CambObject and key != "model"]
    return [value, *(inner for part in parts for inner in inner_objects(part))]


def copy_of(value: CambObject) -> CambObject:
    """An independent copy, as CAMB makes on assignment and ``copy()``; Python-only attributes are not copied."""
    cells = {}
    for key, cell in value.cells.items():
        if not key.startswith("@"):
            cells[key] = copy_of(cell) if type(cell) is CambObject and value.kind == "CAMBparams" else cell
    return CambObject(value.kind, cells)


class CambObjects:
    """Reads and writes CAMB objects for one script and one CAMB line (``"1.6"`` or ``"2.0"``)."""

    def __init__(self, state: State, camb_line: str) -> None:
        if camb_line not in LINES:
            raise ValueError(f"camb_line {camb_line!r} is not known; known: {', '.join(LINES)}")
        self.state = state
        self.line_name = camb_line
        self.signatures: dict[str, list[list[Any]]] = LINES[camb_line]["calls"]
        self.fields: dict[str, dict[str, list[str]]] = LINES[camb_line]["fields"]
        self.modules: dict[str, list[str]] = LINES[camb_line]["modules"]
        self.values: dict[str, Any] = LINES[camb_line]["values"]
        self.findings: dict[tuple[str, str, int | None], Finding] = {}
        self.all_params: list[CambObject] = []
        self.handed_out = ""
        """Why something may be computed that is not seen."""

    def find(self, check: str, message: str, line: int | None) -> None:
        """Note a finding once."""
        if len(self.findings) < 500:
            self.findings.setdefault((check, message, line), Finding(check, message, line))

    def born(self, made: CambObject) -> CambObject:
        """Register a new object with the state, and a new ``CAMBparams`` with those that may be poisoned."""
        for each in inner_objects(made):
            self.state.born(each.cells)
        if made.kind == "CAMBparams":
            self.all_params.append(made)
        return made

    # ------------------------------------------------------------------------------------------------ attributes

    def get(self, owner: CambObject, name: str, line: int | None) -> Any:
        """Value of an attribute that is no method; raises in the script's name if CAMB has none."""
        cell = owner.cells.get(name)
        if type(cell) is Reading:
            return Unknown(unresolved_reason(cell.value), line) if cell.state == "unresolved" else cell.value
        if cell is not None:
            return cell
        if owner.kind == "CAMBparams" and name in table.PLAIN_PARTS:
            part = self.born(new_part(table.PLAIN_PARTS[name]))
            self.state.put(owner.cells, name, part)
            return part
        python_only = owner.cells.get("@" + name)
        if python_only is not None:
            return python_only
        if owner.kind == "CAMBparams" and name == "h":
            hubble = self.get(owner, "H0", line)
            return hubble / 100 if type(hubble) in NUMBER else hubble
        if owner.kind == "CAMBdata" and name == "Params":
            return Unknown("the parameters of these results are not known", line)
        known = self.fields.get(owner.kind)
        if known is None or name in known["fields"] or name in known["names"] or name.startswith("_"):
            return Unknown(f"CAMB's {owner.kind}.{name} is not followed", line)
        self.find("unknown_attribute", f"CAMB's {owner.kind} has no attribute {name}: Python raises here", line)
        raise ScriptRaises("AttributeError", f"{owner.kind} has no attribute {name}", line)

    def set(self, owner: CambObject, name: str, value: Any, line: int | None) -> None:
        """Assign an attribute as CAMB's Python layer does."""
        put, cells = self.state.put, owner.cells
        if owner.kind == "CAMBparams":
            if name in table.FRESH_PARTS or name in table.PLAIN_PARTS:
                self._set_part(owner, name, value, line)
                return
            if name == "h":
                value = value * 100 if type(value) in NUMBER else Unknown("h is not known", line)
                put(cells, "H0", given(value, line, "from h, H0 = 100 h"))
                return
            if name == "NonLinear":
                value = self.nonlinear_name(value, line)
            for affected in table.SIDE_EFFECTS.get(name, ()):
                reason = f"{name} is set directly; the conversion is not followed"
                put(cells, affected, Reading(Unknown(reason, line), "unresolved", line))
        known = self.fields.get(owner.kind)
        if known is not None and name in known["fields"]:
            self._check_type(owner, name, value, line)
            if name.startswith("PK_"):
                put(cells, table.REDSHIFTS, given(Unknown("the redshifts are set directly", line), line))
            if type(cells.get(name)) is Reading or name in table.CLASS_FIELDS.get(owner.kind, ()):
                put(cells, name, given(value, line))
            return
        if name in table.READ_ONLY.get(owner.kind, ()):
            raise ScriptRaises("AttributeError", f"{owner.kind}.{name} cannot be set", line)
        if known is not None and name in known["names"]:  # a method is replaced
            self.poison(owner, f"{name} is set on it, which is not followed", line)
            return
        if not name.startswith("_"):
            message = f"CAMB's {owner.kind} has no field {name}: the assignment changes nothing"
            self.find("unknown_attribute", message, line)
        put(cells, "@" + name, value)

    def _set_part(self, owner: CambObject, name: str, value: Any, line: int | None) -> None:
        if type(value) is CambObject:
            if table.PART_OF_CLASS.get(value.kind) not in (name, None):
                raise ScriptRaises("TypeError", f"{name} cannot hold a {value.kind}", line)
            part = self.born(copy_of(value))
            if name == "Reion":
                part.cells["kind"] = Reading(part.kind, "set", line)
            self.state.put(owner.cells, name, part)
        elif type(value) in (Unknown, OneOf) or value is None:
            self.state.put(owner.cells, name, Unknown(f"{name} is set to an object that is not known", line))
        else:
            self.find("wrong_type", f"{name} takes an instance of a CAMB class: Python raises here", line)
            raise ScriptRaises("TypeError", f"{name} expects an instance", line)

    def _check_type(self, owner: CambObject, name: str, value: Any, line: int | None) -> None:
        """Fields are numbers or switches: CAMB refuses text, ``None`` and switches that are no 0 or 1."""
        cell = owner.cells.get(name)
        old = cell.value if type(cell) is Reading else None
        if type(old) is bool or name.startswith(("Want", "Do")):
            bad = type(value) is str or (type(value) in NUMBER and value not in (0, 1)) or type(value) is float
        else:
            bad = type(old) in NUMBER and (type(value) is str or value is None)
        if bad:
            self.find("wrong_type", f"CAMB refuses {name} = {value!r}", line)
            raise ScriptRaises("TypeError", f"{name} = {value!r}", line)

    def nonlinear_name(self, value: Any, line: int | None) -> Any:
        """Canonical name of a NonLinear setting, which may be given by number."""
        if type(value) is int and 0 <= value < len(table.NONLINEAR):
            return table.NONLINEAR[value]
        if type(value) in (Unknown, OneOf) or value in table.NONLINEAR:
            return value
        self.find("wrong_type", f"CAMB has no NonLinear setting {value!r}: Python raises here", line)
        raise ScriptRaises("ValueError", f"NonLinear = {value!r}", line)

    # -------------------------------------------------------------------------------------------------- snapshots

    def poison(self, value: CambObject, reason: str, line: int | None) -> None:
        """After something unknown may have changed it, nothing about this object is certain."""
        for key, cell in value.cells.items():
            if type(cell) is CambObject and value.kind in ("CAMBparams", "CAMBdata") and key != "model":
                self.poison(cell, reason, line)
            elif type(cell) is Reading and cell.state != "unresolved":
                self.state.put(value.cells, key, Reading(Unknown(reason, line), "unresolved", line))

    def snapshot(self, params: Any, line: int | None) -> CambObject:
        """The model that CAMB computes from these parameters."""
        if type(params) is OneOf:
            reason = f"which CAMBparams is computed depends on {params.reason}"
        elif type(params) is not CambObject:
            reason = f"the CAMBparams computed are not known: {unresolved_reason(params)}"
        else:
            cells = {name: self._reading(params, path) for name, path in table.PARAMETERS.items()}
            cells["tau"] = self.tau_of(params.cells.get("Reion"))
            return CambObject("model", {"line": line, **cells})
        unknown = Reading(Unknown(reason, line), "unresolved", line)
        return CambObject("model", {"line": line, **dict.fromkeys(table.PARAMETERS, unknown)})

    @staticmethod
    def _reading(params: CambObject, path: tuple[str, ...]) -> Reading:
        owner: Any = params
        for part in path[:-1]:
            owner = owner.cells.get(part)
            if type(owner) is not CambObject:
                reason = f"pars.{part} is not known: {unresolved_reason(owner)}"
                return Reading(Unknown(reason), "unresolved")
        name = path[-1]
        if name == "kind":
            cell = owner.cells.get("kind")
            return cell if type(cell) is Reading else default(owner.kind)
        cell = owner.cells.get(name)
        if type(cell) is Reading:
            return cell
        if cell is not None:
            return Reading(Unknown(unresolved_reason(cell)), "unresolved")
        return default(None, f"{owner.kind} has no {name}")

    @staticmethod
    def tau_of(reion: Any) -> Reading:
        """``tau`` counts only while CAMB uses the optical depth rather than a redshift."""
        if type(reion) is not CambObject:
            return Reading(Unknown(f"pars.Reion is not known: {unresolved_reason(reion)}"), "unresolved")
        switch, depth, redshift = (reion.cells.get(k) for k in ("use_optical_depth", "optical_depth", "redshift"))
        if type(switch) is not Reading or type(depth) is not Reading:
            return Reading(Unknown(f"{reion.kind} is not followed"), "unresolved")
        if switch.value is True or switch.value == 1:
            return depth
        if type(switch.value) in (Unknown, OneOf):
            return Reading(Unknown(unresolved_reason(switch.value)), "unresolved")
        if type(redshift) is Reading and redshift.state != "default":
            return Reading(Unknown("reionization is placed by redshift; tau needs CAMB's solver"), "unresolved")
        reason = "CAMB places reionization at its default redshift; no tau is given"
        if depth.state != "default":
            reason = "optical_depth is set, but use_optical_depth is not, so CAMB ignores it"
        return default(None, reason)
