"""Reads one ``task.toml`` and refuses everything that is not exactly as documented.

``task.toml`` is the only home of a task's numbers, so a typo there must never pass as a default. The format::

    id = "t01"                      title, group, quantity, unit, x_label, y_label: text
    columns = ["l", "TT"]           names of the two CSV columns
    files = ["noise.csv"]           optional: input files beside task.toml, handed to the agent

    [grid]                          kind = "multipoles": every integer start..stop; "linear" or "log": n points
    [parameters]                    numbers that the prompt states (PARAMETER_WORDS)
    [derived]                       optional: name = "arithmetic over the parameters"
    [settings]                      optional: settings that change the answer (SETTINGS)
    [words]                         optional: names of your own in [parameters]: name = ["what it is", "unit"]
"""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from reliability.errors import TaskError
from reliability.records import Grid, Setting, Task

TOML_FILE = "task.toml"
PROMPT_FILE = "prompt.md"
MAX_TOML_BYTES = 256 * 1024
MAX_GRID_POINTS = 1_000_000

PARAMETER_WORDS: dict[str, tuple[str, str]] = {
    # CAMB's name (or the task's own): what it is in words, unit
    "H0": ("Hubble constant", "km/s/Mpc"),
    "ombh2": ("baryon density, Omega_b h^2", ""),
    "omch2": ("cold dark matter density, Omega_c h^2", ""),
    "omk": ("curvature density, Omega_k", ""),
    "w": ("dark energy equation of state", ""),
    "wa": ("evolution of the dark energy equation of state", ""),
    "mnu": ("sum of the neutrino masses", "eV"),
    "nnu": ("effective number of relativistic species, N_eff", ""),
    "YHe": ("primordial helium mass fraction", ""),
    "TCMB": ("CMB temperature today", "K"),
    "tau": ("optical depth to reionization", ""),
    "As": ("amplitude of the primordial scalar power at the pivot scale", ""),
    "ns": ("scalar spectral index", ""),
    "nrun": ("running of the scalar spectral index", ""),
    "r": ("tensor-to-scalar ratio at the pivot scale", ""),
    "nt": ("tensor spectral index", ""),
    "Alens": ("scaling of the lensing potential power", ""),
    "delensing_efficiency": ("delensing efficiency, the fraction by which the lensing potential power is reduced", ""),
}
"""The only home of the parameters' names in words and of their units (empty: dimensionless)."""

SETTINGS: dict[str, type | tuple[str, ...]] = {
    # name: kind of number (bool and text are their own kinds), or the words allowed
    "lmax": int,
    "lens_potential_accuracy": float,
    "NonLinear": ("NonLinear_none", "NonLinear_pk", "NonLinear_lens", "NonLinear_both"),
    "WantTensors": bool,
    "raw_cl": bool,
    "CMB_unit": ("muK", "K"),
    "kmax": float,
    "redshift": float,
    "neutrino_hierarchy": ("degenerate", "normal", "inverted"),
    "neutrino_hierarchy_numerator": ("degenerate", "normal", "inverted"),
    "neutrino_hierarchy_denominator": ("degenerate", "normal", "inverted"),
    "num_massive_neutrinos": int,
    "reionization_model": ("TanhReionization", "ExpReionization"),
    "reion_exp_power": float,
    "dark_energy_model": ("fluid", "ppf"),
    "halofit_version": str,
}
"""Settings a task may fix, with CAMB's names. ``redshift`` is that of the matter power; ``neutrino_hierarchy_``
``numerator`` and ``denominator`` are for a ratio of two models."""

_TEXTS = ("id", "title", "group", "quantity", "unit", "x_label", "y_label")
_TABLES = ("grid", "parameters", "derived", "settings", "words")
_REQUIRED = (*_TEXTS, "columns", "grid", "parameters")


def read_task(folder: Path) -> Task:
    """The task in ``folder``; :class:`TaskError` names file, table, key and what is allowed."""
    path = folder / TOML_FILE
    data = read_toml(path)
    check_keys(path, "top level", data, (*_REQUIRED, "files", "derived", "settings", "words"), required=_REQUIRED)
    tables = {name: _table(path, name, data.get(name, {})) for name in _TABLES}
    texts = {key: text_value(path, "top level", key, data[key]) for key in _TEXTS}
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", texts["id"]):
        raise TaskError(f"{path}: id {texts['id']!r} must be letters, digits, _ or -, starting with a letter")
    columns = _texts(path, "columns", data["columns"])
    if len(set(columns)) != 2 or len(columns) != 2:
        raise TaskError(f"{path}: columns must be two different names, found {list(columns)}")
    if not (folder / PROMPT_FILE).is_file():
        raise TaskError(f"{folder / PROMPT_FILE}: missing; a task folder holds {TOML_FILE} and {PROMPT_FILE}")
    parameters = {key: number_value(path, "parameters", key, value) for key, value in tables["parameters"].items()}
    words = PARAMETER_WORDS | {key: _own_words(path, key, value) for key, value in tables["words"].items()}
    check_keys(path, "[parameters]", parameters, words)
    formulas = {key: text_value(path, "[derived]", key, value) for key, value in tables["derived"].items()}
    return Task(
        **texts,
        name=folder.name,
        folder=folder,
        columns=(columns[0], columns[1]),
        grid=_grid(path, tables["grid"]),
        parameters=parameters,
        formulas=formulas,
        derived=_derive(path, formulas, parameters),
        settings=_settings(path, tables["settings"]),
        files=_files(path, data.get("files", [])),
        words={key: words[key] for key in parameters},
    )


def read_toml(path: Path) -> dict[str, object]:
    """The tables of a TOML file; :class:`TaskError` if it is unreadable, too large, or not TOML."""
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_TOML_BYTES + 1)
    except OSError as error:
        raise TaskError(f"{path}: cannot be read ({error.strerror}); every task folder needs one") from error
    if len(raw) > MAX_TOML_BYTES:
        raise TaskError(f"{path}: larger than {MAX_TOML_BYTES} bytes, which no task file is")
    try:
        return tomllib.loads(raw.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        raise TaskError(f"{path}: not UTF-8 text (byte {error.start})") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        reason = " ".join(str(error).split())
        raise TaskError(f"{path}: not valid TOML: {reason}") from error


def suggestion(name: str, allowed: Iterable[str]) -> str:
    """``did you mean 'ombh2'?``, or the list of what is allowed."""
    allowed = list(allowed)
    lower = {a.lower(): a for a in allowed}
    close = difflib.get_close_matches(name.lower(), lower, n=3)
    if close:
        # a swap of letters (omhb2) is nearer than another name of equal similarity (omch2)
        best = next((a for a in close if sorted(a) == sorted(name.lower())), close[0])
        return f"did you mean {lower[best]!r}?"
    return f"allowed: {', '.join(allowed)}"


def check_keys(
    path: Path, where: str, found: Iterable[str], allowed: Iterable[str], required: Iterable[str] = ()
) -> None:
    """Refuse a key that is not allowed, with a suggestion, and a required one that is missing."""
    found, allowed = list(found), list(allowed)
    for key in found:
        if key not in allowed:
            raise TaskError(f"{path}: {where}: unknown key {key!r}; {suggestion(key, allowed)}")
    missing = [key for key in required if key not in found]
    if missing:
        raise TaskError(f"{path}: {where}: missing {', '.join(missing)}")


def _table(path: Path, name: str, value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise TaskError(f"{path}: [{name}] must be a table, found {value!r}")
    return value


def _own_words(path: Path, key: str, value: object) -> tuple[str, str]:
    """What a name of the task's own stands for, and its unit; CAMB's names keep theirs."""
    if key in PARAMETER_WORDS or not key.isidentifier():
        raise TaskError(
            f"{path}: [words]: {key!r} must be a name of your own, fit for Python; CAMB's names have theirs"
        )
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(item, str) for item in value):
        raise TaskError(f"{path}: [words]: {key} must be two texts, what it is and its unit, found {value!r}")
    return value[0], value[1]


def text_value(path: Path, where: str, key: str, value: object) -> str:
    """The value, if it is text that says something; a unit may be empty."""
    if not isinstance(value, str) or (not value.strip() and key != "unit"):
        raise TaskError(f"{path}: {where}: {key} must be text, found {value!r}")
    return value


def _texts(path: Path, key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
        raise TaskError(f"{path}: top level: {key} must be a list of texts, found {value!r}")
    return tuple(value)


def number_value(path: Path, table: str, key: str, value: object) -> float:
    """The value, if it is a finite number that arithmetic keeps exact."""
    # TOML knows inf and nan, and Python counts True as 1: neither is a number a task can state.
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TaskError(f"{path}: [{table}]: {key} must be a number, found {value!r}")
    if isinstance(value, int) and abs(value) > 2**53:
        raise TaskError(f"{path}: [{table}]: {key} is too large for exact arithmetic")
    if not math.isfinite(value):
        raise TaskError(f"{path}: [{table}]: {key} must be finite, found {value!r}")
    return value


def _grid(path: Path, table: Mapping[str, object]) -> Grid:
    values = dict(table)
    kind = values.pop("kind", None)
    if kind not in ("multipoles", "linear", "log"):
        raise TaskError(f"{path}: [grid]: kind must be 'multipoles', 'linear' or 'log', found {kind!r}")
    required = ("start", "stop") if kind == "multipoles" else ("start", "stop", "n")
    check_keys(path, "[grid]", values, ("start", "stop", "n"), required=required)
    numbers = {key: number_value(path, "grid", key, value) for key, value in values.items()}
    start, stop = numbers["start"], numbers["stop"]
    integers = [numbers[key] for key in numbers if key == "n" or kind == "multipoles"]
    if not all(isinstance(value, int) for value in integers):
        raise TaskError(f"{path}: [grid]: {'start, stop and n' if kind == 'multipoles' else 'n'} must be whole numbers")
    n = numbers.get("n", stop - start + 1)
    if not start < stop or (kind == "log" and start <= 0) or (kind == "multipoles" and start < 0):
        raise TaskError(f"{path}: [grid]: start {start} and stop {stop} do not make a growing {kind} grid")
    if kind == "multipoles" and n != stop - start + 1:
        raise TaskError(f"{path}: [grid]: n is {n}, but there are {stop - start + 1} multipoles from {start} to {stop}")
    if not 2 <= n <= MAX_GRID_POINTS:
        raise TaskError(f"{path}: [grid]: n must be between 2 and {MAX_GRID_POINTS}, found {n}")
    return Grid(kind=kind, start=start, stop=stop, n=int(n))


def _derive(path: Path, formulas: Mapping[str, str], parameters: Mapping[str, float]) -> dict[str, float]:
    from reliability.camb_code import evaluate_arithmetic

    check_keys(path, "[derived]", formulas, PARAMETER_WORDS)
    derived: dict[str, float] = {}
    for name, formula in formulas.items():
        if name in parameters:
            raise TaskError(f"{path}: [derived]: {name} is stated in [parameters] too; a number has one home")
        try:
            derived[name] = evaluate_arithmetic(formula, {**parameters, **derived})
        except ValueError as error:
            raise TaskError(f"{path}: [derived]: {name} = {formula!r}: {error}") from error
        number_value(path, "derived", name, derived[name])
    return derived


def _settings(path: Path, table: Mapping[str, object]) -> dict[str, Setting]:
    check_keys(path, "[settings]", table, SETTINGS)
    return {key: _setting(path, key, value) for key, value in table.items()}


def _setting(path: Path, key: str, value: object) -> Setting:
    kind = SETTINGS[key]
    if isinstance(kind, tuple):
        if value not in kind:
            raise TaskError(f"{path}: [settings]: {key} must be one of {', '.join(kind)}, found {value!r}")
        return str(value)
    if kind is bool:
        if not isinstance(value, bool):
            raise TaskError(f"{path}: [settings]: {key} must be true or false, found {value!r}")
        return value
    if kind is str:
        return text_value(path, "[settings]", key, value)
    number = number_value(path, "settings", key, value)
    if kind is int and not isinstance(number, int):
        raise TaskError(f"{path}: [settings]: {key} must be a whole number, found {value!r}")
    if number < 0:
        raise TaskError(f"{path}: [settings]: {key} must not be negative, found {value!r}")
    return number


def _files(path: Path, value: object) -> tuple[str, ...]:
    names = _texts(path, "files", value)
    for name in names:
        if Path(name).name != name:
            raise TaskError(f"{path}: files: {name!r} must be a plain file name beside {TOML_FILE}")
        if not (path.parent / name).is_file():
            raise TaskError(f"{path}: files: {name!r} does not exist beside it")
    return names
