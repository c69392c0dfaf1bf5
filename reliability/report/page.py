"""From a template to a page: everything escaped, style and script inside, and a policy that lets nothing else run."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from reliability import __version__
from reliability.records import TrialScore
from reliability.report.agent_text import is_right, short
from reliability.report.names import anchor, trial_name

OPTIONAL = {"reexecution": "re-execution"}
"""Columns of ``scores.csv`` that a run may leave empty, and their headings; shown where they say something."""


def optional_values(score: TrialScore) -> list[tuple[str, str]]:
    """Return (heading, text) of the optional columns that this trial has."""
    found = [(label, str(getattr(score, name, "") or "")) for name, label in OPTIONAL.items()]
    return [(label, text) for label, text in found if text]


def render(template: str, **values: Any) -> Markup:
    """Return a part of a page."""
    return Markup(_environment().get_template(template).render(values))


def render_page(template: str, title: str, **values: Any) -> str:
    """Return a whole page with its content security policy."""
    style, script = _asset("report.css"), _asset("report.js")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}';"
        " base-uri 'none'; form-action 'none'"
    )
    inside = {"policy": Markup(policy), "style": Markup(style), "script": Markup(script)}
    return str(render(template, title=title, version=__version__, **inside, **values))


@cache
def _asset(name: str) -> str:
    """Return a file of the package; it must not end the element that it is put into."""
    text = (resources.files("reliability.report") / "assets" / name).read_text(encoding="utf-8").strip()
    assert "</" not in text
    return text


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("reliability.report"),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=False,
    )
    filters: Mapping[str, Any] = {
        "fixed": _fixed,
        "digits": lambda value, n: "–" if value is None else _fixed(value, n),
        "eps": lambda value: f"{value:.3f}" if value == 0 or value >= 1e-3 else f"{value:.0e}",
        "seconds": _seconds,
        "signed": _signed,
        "short": lambda text, n: short(str(text), n),
        "anchor": anchor,
        "trial_name": trial_name,
        "is_right": is_right,
        "optional": optional_values,
    }
    environment.filters.update(filters)
    return environment


def _fixed(value: float, digits: int) -> str:
    """Return a number with so many decimals; what is not quite 1 is not written as 1."""
    text = f"{value:.{digits}f}"
    return "> " + f"{1 - 10.0**-digits:.{digits}f}" if digits and float(text) == 1 and 1 - value > 1e-6 else text


def _signed(value: float) -> str:
    text = f"{value:+.2f}".replace("-", "−")
    return "0.00" if text[1:] == "0.00" else text


def _seconds(value: float) -> str:
    if value < 120:
        return f"{value:.0f} s"
    return f"{value / 60:.1f} min" if value < 7200 else f"{value / 3600:.1f} h"
