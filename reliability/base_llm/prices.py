"""What an answer cost, from its token counts and a table of prices; unknown is missing, with a reason."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reliability.errors import InputError
from reliability.runner.records import Usage

MILLION = 1e6


@dataclass(frozen=True, slots=True)
class Price:
    """USD per million tokens."""

    prompt: float
    completion: float


def load_prices(path: Path) -> dict[str, Price]:
    """Model -> price. Raises :class:`InputError` if the file is not such a table."""
    try:
        models = tomllib.loads(path.read_text(encoding="utf-8"))["models"]
        prices = {str(name): Price(float(p["prompt"]), float(p["completion"])) for name, p in models.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: no table of prices (models.NAME = {{prompt, completion}}): {error}") from None
    if any(not (0 <= value < MILLION) for price in prices.values() for value in (price.prompt, price.completion)):
        raise InputError(f"{path}: a price must be 0 or more USD per million tokens")
    return prices


def usage_of(tokens: Mapping[str, int], model: str, prices: Mapping[str, Price]) -> Usage:
    """Tokens and cost of one answer; 1e6 prompt tokens at a price of 2 and no answer cost 2 USD."""
    if model not in prices:
        return Usage(None, tokens, f"no price is given for {model} (RELIABILITY_LLM_PRICES)")
    if not {"prompt", "completion"} <= tokens.keys():
        return Usage(None, tokens, "the answer does not tell its tokens")
    price = prices[model]
    cost = (tokens["prompt"] * price.prompt + tokens["completion"] * price.completion) / MILLION
    return Usage(cost, tokens)
