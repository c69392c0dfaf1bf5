"""What a script told CAMB and what CAMB left at its defaults, noted while the script runs.

Values are read from CAMB's own structures when it computes.  Whether a value was *told* cannot be read there, so every
write to a structure is noted in a ledger, by the address of the structure: a field that the script writes itself is
set; one that a CAMB method writes is set if the script passed the argument it comes from, else a default.  Copies of a
structure carry its notes along.  Nothing here knows of the tables of the static reader: the two check each other.

Runs inside the recorded process, in any interpreter that has CAMB: standard library and CAMB only.
"""

from __future__ import annotations

import ctypes
import functools
import inspect
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import camb
from camb import model
from camb.baseconfig import CAMB_Structure, F2003Class
from camb.model import CAMBparams

Note = tuple[str, int | None]
"""State (``set`` or ``default``) and line of the script."""

FIELDS = {
    "H0": ("", "H0"),
    "ombh2": ("", "ombh2"),
    "omch2": ("", "omch2"),
    "omk": ("", "omk"),
    "Alens": ("", "Alens"),
    "YHe": ("", "YHe"),
    "TCMB": ("", "TCMB"),
    "WantTensors": ("", "WantTensors"),
    "NonLinear": ("", "NonLinear"),
    "As": ("InitPower", "As"),
    "ns": ("InitPower", "ns"),
    "nrun": ("InitPower", "nrun"),
    "r": ("InitPower", "r"),
    "nt": ("InitPower", "nt"),
    "w": ("DarkEnergy", "w"),
    "wa": ("DarkEnergy", "wa"),
    "kmax": ("Transfer", "kmax"),
    "reion_exp_power": ("Reion", "reion_exp_power"),
}
"""Parameters that are a number in a structure: the part of ``CAMBparams``, and the field."""

ARGUMENTS = {
    "H0": ("H0", "cosmomc_theta", "thetastar"),
    "NonLinear": ("nonlinear", "lens_potential_accuracy"),
    "optical_depth": ("tau",),
    "redshift": ("zrei",),
    "Reion": ("reionization_model",),
    "DarkEnergy": ("dark_energy_model",),
    "InitPower": ("initial_power_model", "initial_power_params"),
}
"""Arguments that a field comes from, where they are not called like it."""

REMEMBERED = {
    "set_cosmology": ("mnu", "nnu", "num_massive_neutrinos", "neutrino_hierarchy"),
    "set_for_lmax": ("lmax", "lens_potential_accuracy"),
}
"""Arguments that CAMB keeps in another form: their values are remembered from the call."""

FORGOTTEN = {
    "omnuh2": ("mnu",),
    "num_nu_massless": ("nnu",),
    "num_nu_massive": ("nnu", "num_massive_neutrinos"),
    "nu_mass_eigenstates": ("neutrino_hierarchy", "num_massive_neutrinos"),
    "nu_mass_degeneracies": ("neutrino_hierarchy", "nnu"),
    "nu_mass_fractions": ("neutrino_hierarchy", "mnu"),
    "nu_mass_numbers": ("neutrino_hierarchy", "num_massive_neutrinos"),
    "max_l": ("lmax",),
    "max_eta_k": ("lens_potential_accuracy",),
}
"""Fields that, written by the script itself, make a remembered argument untrue."""

PARTS = ("InitPower", "Reion", "DarkEnergy", "Transfer")
MAX_UNKNOWN = 100


class _Call:
    """A method of CAMB's that is running: which of its arguments the script passed."""

    __slots__ = ("given", "name", "names")

    def __init__(self, name: str, names: frozenset[str], given: set[str]) -> None:
        self.name, self.names, self.given = name, names, given


class Ledger:
    """The notes of one process."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.notes: dict[int, dict[str, Any]] = {}
        self.calls: list[_Call] = []
        self.unknown: dict[tuple[str, str], int] = {}

    # ------------------------------------------------------------------------------------------------ where we are

    def line(self) -> int | None:
        """Line of the script that is being run."""
        frame = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_filename.startswith(self.folder):
                return frame.f_lineno
            frame = frame.f_back  # type: ignore[assignment]
        return None

    def is_solving(self) -> bool:
        """Whether CAMB computes to find the value of a parameter, as for ``thetastar``."""
        return any(call.name.startswith("set_") for call in self.calls)

    def was_told(self, field: str) -> bool:
        """Whether the script passed what a running method of CAMB now writes into this field."""
        for argument in ARGUMENTS.get(field, (field,)):
            for call in self.calls:  # the outermost that has the argument decides
                if argument in call.names:
                    if argument in call.given:
                        return True
                    break
        return False

    # ------------------------------------------------------------------------------------------------------- notes

    def of(self, structure: Any) -> dict[str, Any]:
        """The notes on one structure."""
        return self.notes.setdefault(ctypes.addressof(structure), {})

    def forget(self, structure: Any) -> None:
        """A structure is new: what was noted at its address is not about it."""
        self.notes.pop(ctypes.addressof(structure), None)
        if isinstance(structure, CAMBparams):
            for part in PARTS:
                self.notes.pop(ctypes.addressof(getattr(structure, part)), None)

    def copied(self, source: Any, target: Any) -> None:
        """One structure now holds what another one holds."""
        if type(source) is not type(target) or ctypes.addressof(source) == ctypes.addressof(target):
            return
        self.notes[ctypes.addressof(target)] = dict(self.of(source))
        if isinstance(source, CAMBparams):
            for part in PARTS:
                self.copied(getattr(source, part), getattr(target, part))

    def wrote(self, structure: Any, field: str, value: Any) -> None:
        """A field was written."""
        notes = self.of(structure)
        if isinstance(value, F2003Class):
            self.copied(value, getattr(structure, field))
        if self.calls:
            notes[field] = ("set", self.line()) if self.was_told(field) else ("default", None)
            return
        line = self.line()
        notes[field] = ("set", line)
        for name in FORGOTTEN.get(field, ()):
            notes["@" + name] = None

    def wrote_nothing(self, kind: str, name: str, frame: FrameType) -> None:
        """The script assigned to a name that CAMB does not have."""
        if frame.f_code.co_filename.startswith(self.folder) and len(self.unknown) < MAX_UNKNOWN:
            self.unknown.setdefault((kind, name), frame.f_lineno)

    def remember(self, structure: Any, name: str, value: Any, *, is_given: bool, line: int | None) -> None:
        """Keep the value of an argument that CAMB keeps in another form."""
        self.of(structure)["@" + name] = (value, "set" if is_given else "default", line if is_given else None)

    # ------------------------------------------------------------------------------------------------------ reading

    def parameters(self, params: Any) -> dict[str, tuple[Any, str, int | None]]:
        """Every parameter of a model about to be computed: value, state, line."""
        found: dict[str, tuple[Any, str, int | None]] = {}
        for name, (part, field) in FIELDS.items():
            owner = getattr(params, part) if part else params
            value = getattr(owner, field, None)
            state, line = self.of(owner).get(field, ("default", None))
            found[name] = (value, state, line) if value is not None else (None, "default", None)
        if getattr(params.DarkEnergy, "use_tabulated_w", False):
            found["w"] = found["wa"] = (None, "unresolved", None)
        fresh = {"mnu": 0.0 if not params.omnuh2 else None, "num_massive_neutrinos": params.num_nu_massive}
        notes = self.of(params)
        for name in (name for names in REMEMBERED.values() for name in names):
            remembered = notes.get("@" + name, (fresh.get(name), "default", None))
            found[name] = remembered or (None, "unresolved", None)
        found["tau"] = self._tau(params.Reion)
        kind = type(params.Reion).__name__
        found["reionization_model"] = (kind, *notes.get("Reion", ("default", None)))
        return found

    def _tau(self, reion: Any) -> tuple[Any, str, int | None]:
        notes = self.of(reion)
        if getattr(reion, "use_optical_depth", False):
            return (reion.optical_depth, *notes.get("optical_depth", ("default", None)))
        by_redshift = notes.get("redshift", ("default", None))[0] == "set"
        return (None, "unresolved" if by_redshift else "default", None)


# ------------------------------------------------------------------------------------------------------------- hooks


def follow(ledger: Ledger) -> None:
    """From now on every write to CAMB's structures is noted."""
    _follow_writes(ledger)
    _follow_copies(ledger)
    for kind in _classes(CAMB_Structure):
        for name, function in list(vars(kind).items()):
            if name.startswith("set_") and inspect.isfunction(function):
                setattr(kind, name, _noting(ledger, function, REMEMBERED.get(name, ())))
    for module in (camb, camb.camb):
        for name in ("get_matter_power_interpolator", "set_params_cosmomc"):
            function = getattr(module, name, None)
            if inspect.isfunction(function):
                setattr(module, name, _noting(ledger, function, ()))
        module.read_ini = _read_ini(ledger, camb.camb.read_ini)


def _classes(kind: Any) -> list[Any]:
    return [kind, *(sub for child in kind.__subclasses__() for sub in _classes(child))]


def _noting(ledger: Ledger, function: Callable[..., Any], remembered: tuple[str, ...]) -> Callable[..., Any]:
    """A method of CAMB's that notes which arguments it was given."""
    signature = inspect.signature(function)
    names = frozenset(signature.parameters)
    if function.__name__ == "get_matter_power_interpolator":
        names -= {"nonlinear"}  # about what is read of the result; it computes linear power

    @functools.wraps(function)
    def noted(*args: Any, **kwargs: Any) -> Any:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError:
            return function(*args, **kwargs)  # says in its own words what is wrong
        given = {name for name, value in bound.arguments.items() if value is not None}
        line = ledger.line()
        ledger.calls.append(_Call(function.__name__, names, given))
        try:
            result = function(*args, **kwargs)
        finally:
            ledger.calls.pop()
        bound.apply_defaults()
        for name in remembered:
            if name in bound.arguments:
                value = bound.arguments[name]
                is_given = name in given and _is_given(ledger, name)
                ledger.remember(args[0], name, _hierarchy(value) if name == "neutrino_hierarchy" else value,
                                is_given=is_given, line=line)  # fmt: skip
        if "mnu" in remembered and bound.arguments["mnu"] is None:  # it follows from omnuh2_active
            ledger.of(args[0])["@mnu"] = None
        return result

    noted.__signature__ = signature  # type: ignore[attr-defined]
    return noted


def _is_given(ledger: Ledger, name: str) -> bool:
    """Whether an argument comes from the script, where CAMB's own methods call one another."""
    return all(name in call.given for call in ledger.calls if name in call.names)


def _hierarchy(value: Any) -> Any:
    """CAMB takes a hierarchy by name or number."""
    names = model.neutrino_hierarchies
    return names[value - 1] if isinstance(value, int) else value


def _follow_writes(ledger: Ledger) -> None:
    plain = CAMB_Structure.__setattr__
    kinds = [kind for kind in _classes(CAMB_Structure) if hasattr(kind, "_fields_")]
    fields = {kind: frozenset(name for name, *_ in kind.get_all_fields()) for kind in kinds}

    def setattr_(self: Any, name: str, value: Any) -> None:
        plain(self, name, value)
        if name.startswith("_"):
            return
        if name in fields.get(type(self), ()):
            ledger.wrote(self, name, value)
        elif not any(name in vars(kind) for kind in type(self).__mro__):
            ledger.wrote_nothing(type(self).__name__, name, sys._getframe(1))

    CAMB_Structure.__setattr__ = setattr_


def _follow_copies(ledger: Ledger) -> None:
    new, replace = F2003Class._new_copy.__func__, F2003Class.replace
    getstate, setstate = CAMB_Structure.__getstate__, CAMB_Structure.__setstate__
    defaults = model.set_default_params

    def new_copy(cls: type, source: Any = None) -> Any:
        made = new(cls, source)
        if source is None:
            ledger.notes.pop(ctypes.addressof(made), None)
        else:
            ledger.copied(source, made)
        return made

    def replaced(self: Any, instance: Any) -> None:
        replace(self, instance)
        ledger.copied(instance, self)

    def state_of(self: Any) -> dict[str, Any]:
        return {**getstate(self), "_notes": dict(ledger.of(self))}

    def with_state(self: Any, state: dict[str, Any]) -> None:
        state = dict(state)
        notes = state.pop("_notes", {})
        setstate(self, state)
        ledger.notes[ctypes.addressof(self)] = notes

    def set_defaults(params: Any) -> Any:
        result = defaults(params)
        ledger.forget(params)
        return result

    F2003Class._new_copy = classmethod(new_copy)
    F2003Class.replace = replaced
    CAMB_Structure.__getstate__, CAMB_Structure.__setstate__ = state_of, with_state
    modules: tuple[Any, ...] = (model, sys.modules["camb.results"])
    for module in modules:
        if hasattr(module, "set_default_params"):
            module.set_default_params = set_defaults


def _read_ini(ledger: Ledger, read_ini: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(read_ini)
    def noted(*args: Any, **kwargs: Any) -> Any:
        params, line = read_ini(*args, **kwargs), ledger.line()
        for part, field in FIELDS.values():
            ledger.of(getattr(params, part) if part else params)[field] = ("set", line)
        for name in (name for names in REMEMBERED.values() for name in names):
            ledger.of(params)["@" + name] = None
        return params

    return noted
