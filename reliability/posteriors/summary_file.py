"""``summary.json``: a value and an error for each parameter, in any of the common spellings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reliability.agent_files import load_json
from reliability.posterior_records import MAX_VALUE, Estimate, Posterior
from reliability.posteriors.columns import is_own_column
from reliability.posteriors.limits import MAX_NAME, MAX_PARAMETERS, unreadable

_CONTAINERS = ("parameters", "params", "posterior", "posteriors", "summary", "results", "estimates")
_VALUE = ("median", "q50", "p50", "50%", "value", "mean", "estimate", "best", "best_fit", "bestfit", "map")
"""The first that is there; the paper scores medians."""
_SIGMA = ("sigma", "std", "sd", "stddev", "err", "error", "uncertainty", "1sigma", "one_sigma", "sigma_68")
_MINUS = ("minus", "err_minus", "error_minus", "sigma_minus", "lower_error", "err_low", "minus_1sigma", "lower_err")
_PLUS = ("plus", "err_plus", "error_plus", "sigma_plus", "upper_error", "err_high", "plus_1sigma", "upper_err")
_LOW = ("q16", "p16", "16%", "lower", "low", "ci_lower", "lower_68", "ci68_low")
_HIGH = ("q84", "p84", "84%", "upper", "high", "ci_upper", "upper_68", "ci68_high")


def read_summary(path: Path) -> Posterior:
    """Return the values in a JSON file: name -> number, ``[value, error]``, ``[value, minus, plus]`` or an object.

    Objects name their numbers (``median``, ``std``, ``q16``, ...). The names may stand in an object ``parameters``.
    Raises :class:`InputError` if there are none.
    """
    try:
        content = load_json(path)
    except ValueError as error:
        raise unreadable(path, f"no JSON: {error}") from None
    if not isinstance(content, dict):
        raise unreadable(path, "not a JSON object of parameters")
    inside = next((content[k] for k in _CONTAINERS if isinstance(content.get(k), dict)), None)
    estimates: dict[str, Estimate] = {}
    left: list[str] = []
    for name, given in (content if inside is None else inside).items():
        clean = " ".join(name.split())
        estimate = None if is_own_column(clean) else _estimate(given)
        if estimate is None or not clean.isprintable() or not 0 < len(clean) <= MAX_NAME:
            left.append(ascii(name)[1:-1][:MAX_NAME])
        else:
            estimates[clean] = estimate
    if not estimates or len(estimates) > MAX_PARAMETERS:
        raise unreadable(path, f"{len(estimates)} parameters with a value (1 to {MAX_PARAMETERS} are read)")
    notes = (f"entries left out, no value of a parameter: {', '.join(left[:20])}",) if left else ()
    return Posterior(tuple(estimates), "summary", estimates, format="summary.json", notes=notes)


def _number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and abs(value) <= MAX_VALUE else None  # NaN is not


def _estimate(given: Any) -> Estimate | None:
    """Return what is given for one parameter, ``None`` if it is no finite value."""
    if isinstance(given, Mapping):
        return _from_object(given)
    if isinstance(given, Sequence) and not isinstance(given, str):
        numbers = [_number(item) for item in given]
        if not 1 <= len(numbers) <= 3 or numbers[0] is None:
            return None
        minus, plus = (numbers[1], numbers[-1]) if len(numbers) > 1 else (None, None)
        return Estimate(numbers[0], _size(minus), _size(plus))
    value = _number(given)
    return None if value is None else Estimate(value)


def _from_object(given: Mapping[str, Any]) -> Estimate | None:
    plain = {str(key).casefold(): _number(item) for key, item in given.items()}

    def first(keys: Sequence[str]) -> float | None:
        return next((plain[key] for key in keys if plain.get(key) is not None), None)

    value, sigma, low, high = first(_VALUE), first(_SIGMA), first(_LOW), first(_HIGH)
    if value is None:
        return None
    minus, plus = first(_MINUS), first(_PLUS)
    if minus is None and plus is None and low is not None and high is not None:
        # "lower" is a quantile where it lies below the value, else an error
        minus, plus = (value - low, high - value) if low <= value <= high else (low, high)
    return Estimate(value, _size(sigma if minus is None else minus), _size(sigma if plus is None else plus))


def _size(error: float | None) -> float | None:
    return None if error is None else abs(error)
