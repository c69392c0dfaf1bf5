"""``priors.json``: name -> ``[low, high]``, or an object for priors that are not uniform."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reliability.agent_files import load_json
from reliability.posterior_records import Prior
from reliability.posteriors.limits import MAX_NAME, MAX_PARAMETERS, unreadable

_KEYS = frozenset(("kind", "low", "high", "mean", "sigma"))


def read_priors(path: Path) -> dict[str, Prior]:
    """Return the priors in a JSON file, by parameter; :class:`InputError` names the entry that is none.

    A prior is ``[low, high]`` (uniform; ``null`` for no bound), or an object with ``kind`` (``uniform``,
    ``log-uniform`` or ``normal``), ``low`` and ``high``, and for a normal one ``mean`` and ``sigma``.
    """
    try:
        content = load_json(path)
    except ValueError as error:
        raise unreadable(path, f"no JSON: {error}") from None
    if not isinstance(content, dict) or len(content) > MAX_PARAMETERS:
        raise unreadable(path, 'priors are an object, name -> [low, high], e.g. {"H0": [50, 90]}')
    return {name: _prior(path, name, given) for name, given in content.items()}


def _prior(path: Path, name: str, given: Any) -> Prior:
    where = f"prior of {ascii(name)[1:-1][:MAX_NAME]}"
    if isinstance(given, list) and len(given) == 2:
        given = {"low": given[0], "high": given[1]}
    if not isinstance(given, dict) or not set(given) <= _KEYS:
        raise unreadable(path, f"{where} must be [low, high] or have keys of {', '.join(sorted(_KEYS))}")
    kind = given.get("kind", "normal" if {"mean", "sigma"} & set(given) else "uniform")
    low, high = _bound(path, where, given, "low"), _bound(path, where, given, "high")
    low, high = -math.inf if low is None else low, math.inf if high is None else high
    if not low < high:
        raise unreadable(path, f"{where}: low {low:.6g} is not below high {high:.6g}")
    if kind == "uniform":
        return Prior(low, high)
    if kind == "log-uniform":
        if not (low > 0.0 and math.isfinite(high)):
            raise unreadable(path, f"{where}: a log-uniform prior needs bounds above 0")
        return Prior(low, high, "log-uniform")
    mean, sigma = _bound(path, where, given, "mean"), _bound(path, where, given, "sigma")
    if kind != "normal" or mean is None or sigma is None or sigma <= 0.0:
        raise unreadable(path, f"{where}: kind is uniform, log-uniform, or normal with mean and positive sigma")
    return Prior(low, high, "normal", mean, sigma)


def _bound(path: Path, where: str, given: Mapping[str, Any], key: str) -> float | None:
    value = given.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= 1e300:
        raise unreadable(path, f"{where}: {key} must be a finite number or null")
    return float(value)
