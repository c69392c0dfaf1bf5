"""Which settings of CAMB got another default in another release line."""

from __future__ import annotations

from functools import cache

from reliability.camb_code.signatures import LINES

_CALLS = ("CAMBparams.set_for_lmax", "CAMBparams.set_cosmology", "CAMBparams.set_matter_power")
"""Calls by which a script sets what CAMB computes."""


@cache
def changed_settings() -> dict[str, tuple[str, ...]]:
    """Return the arguments whose default differs between release lines, with these lines.

    >>> changed_settings()
    {'lens_potential_accuracy': ('1.6', '2.0')}
    """
    found: dict[str, tuple[str, ...]] = {}
    for call in _CALLS:
        defaults: dict[str, dict[str, object]] = {}
        for line, table in LINES.items():
            for name, _, default in table["calls"].get(call, ()):
                defaults.setdefault(name, {})[line] = default
        found |= {name: tuple(by_line) for name, by_line in defaults.items() if len(set(by_line.values())) > 1}
    return found
