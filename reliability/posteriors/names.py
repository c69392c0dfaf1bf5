"""Whose name means what: an agent's parameters matched to ours, with the conversion applied and recorded.

A name is a quantity (``M200``) and a function of it (``log10``). Both sides are read so; where only the function
differs it is converted, and where a name leaves open which function is meant (``log M_b``), or two parameters claim one
name, that is said and nothing is guessed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from reliability.posterior_records import Estimate, Posterior, Prior

if TYPE_CHECKING:
    from reliability.records import FloatArray

ALIASES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "H0": ("hubble", "hubbleconstant", "hubbleparameter"),
        "Omega_Lambda": ("omegal", "ol", "omegade", "omegav", "omegalambda0", "ol0", "ode", "ode0", "ωλ", "omegavac"),
        "Omega_m": ("om", "omegam0", "om0", "omegamatter", "ωm"),
        "M200": ("m200c",),
        "c": ("c200", "c200c", "concentration", "cnfw", "nfwc"),
        "alpha_N": ("αn", "alphaneptune", "alphaneptunian", "alphanep", "slopen"),
        "alpha_J": ("αj", "alphajupiter", "alphajovian", "alphajup", "slopej"),
        "M_br": ("mbreak", "mb", "mbrk", "breakmass", "massbreak"),
        "sigma_int": ("σint", "sint", "sigmaintrinsic", "intrinsicscatter", "sigintr", "sigint", "scatter"),
        "f": ("fsis",),
    }
)
"""Other names of a quantity, as :func:`plain_name` writes them."""
_RELATED: Mapping[tuple[str, str], str] = MappingProxyType(
    {("Omega_m", "Omega_Lambda"): "one minus", ("Omega_Lambda", "Omega_m"): "one minus"}
)
"""Quantities that give another in a flat universe: (theirs, ours) -> function."""
_FUNCTION = re.compile(r"(log10|lg|ln|loge|log|1-|oneminus)\(?(.+?)\)?")
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_PARENTHESES = re.compile(r"(?<=[^(-])(?<!ln)(?<!lg)(?<!log)(?<!loge)(?<!log10)\(([^()]*)\)$")
"""At the end of a name, and not the argument of a logarithm."""
_SCALED = re.compile(r"\d|jup|mpc|(?<![a-z])h(?![a-z])")
"""Signs in a unit that it is not the usual one."""
_NEUTRAL = re.compile(r"km/s/mpc|kms-1mpc-1|km/\(s\.?mpc\)")
"""Units of H0; the rule above would take their Mpc for a factor."""
_FUNCTIONS = {"lg": "log10", "loge": "ln", "1-": "one minus", "oneminus": "one minus"}


class Reading(NamedTuple):
    """What a name says."""

    quantity: str
    """In plain letters."""
    function: str
    """``""``, ``log10``, ``ln``, ``log`` (which is not said) or ``one minus``."""
    unit: str
    """A unit in the name that may stand for a factor; empty if none does."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """One step from their number to ours; monotone."""

    words: str
    apply: Callable[[FloatArray], FloatArray]
    is_affine: bool = False
    """A uniform prior stays uniform."""


@dataclass(frozen=True, slots=True)
class Matched:
    """A posterior under our names."""

    posterior: Posterior
    """With our parameters only; its notes name each conversion."""
    priors: Mapping[str, Prior]
    """The priors given, converted."""
    used: Mapping[str, str]
    """Our name -> theirs."""
    unclear: Mapping[str, str]
    """Our name -> theirs, where the name leaves open on which scale the number is."""
    missing: tuple[str, ...]
    """Our names that nothing stands for, or more than one parameter claims."""


def plain_name(name: str) -> str:
    """Return a name in plain small letters, without TeX, markup and separators.

    >>> plain_name(r"$\\log_{10} M_{200}$")
    'log10m200'
    """
    text = re.sub(r"\\(?:mathrm|rm|text|mathit|it|operatorname)\b", "", name)
    text = re.sub(r"[\\${}_^\s,*~]", "", text)
    return text if len(text) == 1 else text.casefold()


def read_name(name: str) -> Reading:
    """Return what a name says: quantity, function, and a unit that may stand for a factor.

    >>> read_name("log10(M200/Msun)")
    Reading(quantity='m200', function='log10', unit='')
    """
    units: list[str] = []

    def without(match: re.Match[str]) -> str:
        units.append(match[1])
        return ""

    plain = _PARENTHESES.sub(without, _BRACKETS.sub(without, plain_name(name)))
    function = ""
    if match := _FUNCTION.fullmatch(plain):
        function, plain = _FUNCTIONS.get(match[1], match[1]), match[2]
    quantity, _, per = plain.strip("()").partition("/")
    units.append(per)
    unclear = [unit for unit in units if _SCALED.search(unit) and not _NEUTRAL.fullmatch(unit)]
    return Reading(quantity, function, unclear[0] if unclear else "")


def match_names(
    posterior: Posterior,
    wanted: Sequence[str],
    *,
    priors: Mapping[str, Prior] | None = None,
    aliases: Mapping[str, Iterable[str]] | None = None,
) -> Matched:
    """Return the posterior under our names, each converted where it must be.

    Parameters
    ----------
    wanted
        Our names, e.g. ``("log10_M200", "c")``.
    priors
        By their names.
    aliases
        More of their names, by ours: the task's own.
    """
    given = {**posterior.bounds, **(priors or {})}
    rows: dict[str, tuple[str, Conversion]] = {}
    notes: list[str] = []
    unclear: dict[str, str] = {}
    missing: list[str] = []
    for ours in wanted:
        found = _candidates(posterior.names, ours, tuple((aliases or {}).get(ours, ())))
        exact = [(name, c) for name, c in found if isinstance(c, Conversion) and not c.words]
        usable = exact or [(name, c) for name, c in found if isinstance(c, Conversion)]
        if len(usable) == 1:
            name, conversion = usable[0]
            rows[ours] = (name, conversion)
            if name != ours:
                notes.append(f"{name} read as {ours}{': ' + conversion.words if conversion.words else ''}")
            continue
        missing.append(ours)
        if len(usable) > 1:
            notes.append(f"{ours} could be {' or '.join(name for name, _ in usable)}; none was taken")
        for name, reason in found:
            if isinstance(reason, str):
                notes.append(f"{name} may be {ours}, but {reason}; it was not taken")
                unclear.setdefault(ours, name)
    used = {ours: name for ours, (name, _) in rows.items()}
    converted = _convert(posterior, rows, notes)
    return Matched(converted, _convert_priors(rows, given), used, unclear, tuple(missing))


def _candidates(names: Sequence[str], ours: str, aliases: Sequence[str]) -> list[tuple[str, Conversion | str]]:
    """Their names that stand for ours, each with the conversion, or with the reason why it is not clear."""
    target = read_name(ours)
    canon = _canonical(target.quantity)
    declared = {plain_name(alias) for alias in aliases}
    found: list[tuple[str, Conversion | str]] = []
    for name in names:
        if name == ours or plain_name(name) in declared:
            found.append((name, _CONVERSIONS["", ""]))
            continue
        theirs = read_name(name)
        quantity = _canonical(theirs.quantity)
        function = theirs.function
        if quantity == "h" and canon == "H0" and not function:
            found.append((name, Conversion("100 h", lambda x: 100.0 * x, is_affine=True)))
            continue
        if quantity != canon:
            relation = _RELATED.get((quantity, canon))
            if relation is None or function not in ("", relation):
                continue
            function = "" if function == relation else relation
        if function == "log":
            found.append((name, "its name does not say whether log is ln or log10"))
        elif theirs.unit:
            found.append((name, f"its unit {theirs.unit!r} may stand for a factor"))
        elif (conversion := _CONVERSIONS.get((function, target.function))) is not None:
            found.append((name, conversion))
    return found


def _canonical(quantity: str) -> str:
    """The quantity that a plain name stands for; itself if none."""
    for known, others in ALIASES.items():
        if quantity == plain_name(known) or quantity in others:
            return known
    return quantity


def _power_of(base: float) -> Callable[[FloatArray], FloatArray]:
    def power(x: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            return np.asarray(np.power(base, x), np.float64)

    return power


def _log_of(scale: float) -> Callable[[FloatArray], FloatArray]:
    def log(x: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.log(x) * scale, np.float64)

    return log


_LN10 = math.log(10.0)
_SAME = Conversion("", lambda x: x, is_affine=True)
_CONVERSIONS: Mapping[tuple[str, str], Conversion] = MappingProxyType(
    {
        ("", ""): _SAME,
        ("log10", "log10"): _SAME,
        ("ln", "ln"): _SAME,
        ("one minus", "one minus"): _SAME,
        ("", "log10"): Conversion("its decimal logarithm", _log_of(1.0 / _LN10)),
        ("", "ln"): Conversion("its natural logarithm", _log_of(1.0)),
        ("log10", ""): Conversion("10 to its power", _power_of(10.0)),
        ("ln", ""): Conversion("e to its power", _power_of(math.e)),
        ("ln", "log10"): Conversion("divided by ln 10", lambda x: x / _LN10, is_affine=True),
        ("log10", "ln"): Conversion("times ln 10", lambda x: x * _LN10, is_affine=True),
        ("one minus", ""): Conversion("one minus it", lambda x: 1.0 - x, is_affine=True),
        ("", "one minus"): Conversion("one minus it", lambda x: 1.0 - x, is_affine=True),
    }
)
"""(their function, our function) -> conversion."""


def _convert(posterior: Posterior, rows: Mapping[str, tuple[str, Conversion]], notes: list[str]) -> Posterior:
    estimates: dict[str, Estimate] = {}
    columns = []
    for ours, (name, conversion) in rows.items():
        column = None if posterior.samples is None else conversion.apply(posterior.column(name))
        estimate = _convert_estimate(posterior.estimates[name], conversion)
        if not math.isfinite(estimate.value) or (column is not None and not np.isfinite(column).all()):
            notes.append(f"{name} cannot be converted to {ours} ({conversion.words}): a value is not finite")
            continue
        estimates[ours] = estimate
        if column is not None:
            columns.append(column)
    samples = np.array(columns) if posterior.samples is not None and columns else None
    return Posterior(
        tuple(estimates), posterior.structure if samples is not None else "summary", estimates, samples,
        posterior.lengths, posterior.weights, posterior.acceptance, {}, posterior.format, tuple(notes),
    )  # fmt: skip


def _convert_estimate(estimate: Estimate, conversion: Conversion) -> Estimate:
    if not conversion.words:
        return estimate
    given = (estimate.value, estimate.value - (estimate.minus or 0.0), estimate.value + (estimate.plus or 0.0))
    value, low, high = (float(v) for v in conversion.apply(np.array(given)))
    below, above = sorted((low, high)) if low != high else (low, high)
    minus, plus = abs(value - below), abs(above - value)
    is_known = estimate.minus is not None and estimate.plus is not None
    if not is_known or not (math.isfinite(minus) and math.isfinite(plus)):
        return Estimate(value)
    return Estimate(value, minus, plus)


def _convert_priors(rows: Mapping[str, tuple[str, Conversion]], given: Mapping[str, Prior]) -> dict[str, Prior]:
    """The priors under our names. One whose shape the conversion changes is left out: its bounds alone mislead."""
    converted = {}
    for ours, (name, conversion) in rows.items():
        prior = given.get(name, given.get(ours))
        if prior is None:
            continue
        if not conversion.words:
            converted[ours] = prior
        elif conversion.is_affine and prior.kind == "uniform":
            low, high = sorted(float(v) for v in conversion.apply(np.array([prior.low, prior.high])))
            converted[ours] = Prior(low, high)
    return converted
