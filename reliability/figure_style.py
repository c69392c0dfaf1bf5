"""How the figures look and how they are saved: one journal column wide (84 mm), 7 pt type, fit for grey print."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reliability.tables import clean_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MM = 1 / 25.4
COLUMN_WIDTH = 84 * MM
FONT_SIZE = 7
MAX_NAME = 24
"""Longer names lose their middle."""

# Okabe & Ito (2008), Color Universal Design: told apart with every common kind of colour vision.
BLUE, ORANGE, GREEN, VERMILION, SKY, BLACK = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#000000"
_STYLE: Mapping[str, Any] = {
    "font.size": FONT_SIZE,
    "font.family": "DejaVu Sans",  # comes with matplotlib, so the same everywhere
    **dict.fromkeys(("axes.titlesize", "axes.labelsize", "legend.fontsize", "figure.titlesize"), FONT_SIZE),
    **dict.fromkeys(("xtick.labelsize", "ytick.labelsize"), FONT_SIZE),
    **dict.fromkeys(("axes.linewidth", "xtick.major.width", "ytick.major.width", "hatch.linewidth"), 0.5),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "lines.linewidth": 1.0,
    "svg.hashsalt": "reliability",
    "svg.fonttype": "none",  # text stays text: searchable, editable, and small
}


@contextmanager
def style() -> Iterator[None]:
    """Draw with our style, whatever the user's matplotlibrc says, and leave no trace."""
    import matplotlib.style

    with matplotlib.style.context(["default", dict(_STYLE)]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # an exotic name must not spoil a figure
        yield


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure of this size, in inches, that arranges itself."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def shorten(text: str, length: int = MAX_NAME) -> str:
    """Return the text on one line, with an ellipsis in the middle if it is too long.

    >>> shorten("a-very-long-name-of-a-system-v1.5", 15)
    'a-very-…em-v1.5'
    """
    text = clean_text(text)
    if len(text) <= length:
        return text
    half = (length - 1) // 2
    return f"{text[: length - 1 - half]}…{text[-half:]}"


def save_figure(figure: Figure, stem: Path) -> tuple[Path, Path]:
    """Write ``<stem>.png`` (300 dpi) and ``<stem>.svg``, and return their paths.

    The same figure gives the same bytes with the same matplotlib: no date, no version, no random ids.
    """
    png, svg = (stem.with_name(f"{stem.name}.{kind}") for kind in ("png", "svg"))
    stem.parent.mkdir(parents=True, exist_ok=True)
    with style():
        figure.savefig(png, dpi=300, metadata={"Software": None})
        figure.savefig(svg, metadata={"Date": None, "Creator": None})
    return png, svg
