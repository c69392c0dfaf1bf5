"""Which of an agent's names stands for which of ours.

A name is a quantity (``M200``) and a function of it (``log10``). Both sides are read so; where only the function
differs a formula leads from one to the other, and where a name leaves open which function is meant (``log M_b``) that
is said and nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

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
    {("Omega_m", "Omega_Lambda"): "one minus", ("Omega_Lambda", "Omega_m"): "one minus", ("h", "H0"): "100 *"}
)
"""Quantities that give another, in a flat universe: (theirs, ours) -> function."""
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


class Candidate(NamedTuple):
    """One of their parameters that may be ours."""

    name: str
    formula: str
    """From their number to ours; empty if `unclear` says why there is none."""
    unclear: str = ""


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


def candidates(names: Sequence[str], ours: str, aliases: Iterable[str]) -> list[Candidate]:
    """Their names that stand for ours, each with the formula, or with the reason why it is not clear."""
    target = read_name(ours)
    canon = _canonical(target.quantity)
    declared = {plain_name(alias) for alias in aliases}
    found = []
    for name in names:
        theirs = read_name(name)
        if name == ours or plain_name(name) in declared:
            found.append(Candidate(name, "x"))
        elif (function := _function_of(theirs, canon)) is None:
            continue
        elif function == "log":
            found.append(Candidate(name, "", "its name does not say whether log is ln or log10"))
        elif theirs.unit:
            found.append(Candidate(name, "", f"its unit {theirs.unit!r} may stand for a factor"))
        elif function == "100 *" and not target.function:
            found.append(Candidate(name, "100 * x"))
        elif formula := _BY_FUNCTION.get((function, target.function)):
            found.append(Candidate(name, formula))
    return found


def _function_of(theirs: Reading, ours: str) -> str | None:
    """Which function of our quantity theirs is; ``None`` if it is another quantity."""
    quantity = _canonical(theirs.quantity)
    if quantity == ours:
        return theirs.function
    relation = _RELATED.get((quantity, ours))
    if relation is None or theirs.function not in ("", relation):
        return None
    return "" if theirs.function == relation else relation


def _canonical(quantity: str) -> str:
    """The quantity that a plain name stands for; itself if none."""
    for known, others in ALIASES.items():
        if quantity == plain_name(known) or quantity in others:
            return known
    return quantity


_BY_FUNCTION: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        **{(same, same): "x" for same in ("", "log10", "ln", "one minus")},
        ("", "log10"): "log10(x)",
        ("", "ln"): "ln(x)",
        ("log10", ""): "10**x",
        ("ln", ""): "exp(x)",
        ("ln", "log10"): "x / ln(10)",
        ("log10", "ln"): "x * ln(10)",
        ("one minus", ""): "1 - x",
        ("", "one minus"): "1 - x",
    }
)
"""(their function, our function) -> formula."""
