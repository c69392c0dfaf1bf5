"""Pictures of a posterior: traces of its chains, and a corner plot with priors and flags."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from reliability.figure_style import (
    BLACK,
    BLUE,
    COLUMN_WIDTH,
    FONT_SIZE,
    GREEN,
    MM,
    ORANGE,
    SKY,
    VERMILION,
    new_figure,
    shorten,
    style,
)
from reliability.posterior_checks.density import log_density

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from reliability.posterior_checks import Examination
    from reliability.posterior_records import CheckFinding, Literature
    from reliability.records import FloatArray

MAX_DRAWN = 8
"""Parameters in a figure; flagged ones come first."""
MAX_POINTS = 20_000
"""Samples in a corner plot."""
_MANY_POINTS = 2000
MAX_TRACE = 1000
"""Steps of a trace that are drawn."""
MAX_CHAINS = 16
_ROW, _EDGE = 16 * MM, 15 * MM


def figure_corner(
    examination: Examination,
    findings: Sequence[CheckFinding] = (),
    literature: Mapping[str, Literature] = MappingProxyType({}),
) -> Figure | None:
    """Return the marginals of one and two parameters; priors in orange, flags in red, published values as green bands.

    `literature` goes by the chain's names. With more than eight parameters the flagged ones are drawn first, and the
    title says how many are not. ``None`` if none varies.
    """
    import corner
    from matplotlib.figure import Figure

    names, flags = _choose(examination, findings)
    if not names:
        return None
    rows, weights = _points(examination, names)
    with style(), _quiet():
        size = COLUMN_WIDTH * (1 + 0.28 * max(0, len(names) - 3))
        figure = Figure(figsize=(size, size))
        labels = [_label(name) for name in names]
        corner.corner(
            rows, fig=figure, weights=weights, labels=labels, color=BLUE, plot_datapoints=len(rows) < _MANY_POINTS,
            hist_kwargs={"density": True}, max_n_ticks=3, labelpad=0.05, range=[_range(row) for row in rows.T],
        )  # fmt: skip
        edge = _EDGE / size
        figure.subplots_adjust(
            left=edge, bottom=edge, right=1 - 0.2 * edge, top=1 - 0.5 * edge, wspace=0.06, hspace=0.06
        )
        axes = np.array(figure.axes).reshape(len(names), len(names))
        for i, name in enumerate(names):
            _draw_prior(axes[i, i], examination, name)
            if name in literature:
                _draw_published(axes[i, i], literature[name])
            if name in flags:
                axes[i, i].set_title("\n".join(flags[name]), color=VERMILION, fontsize=FONT_SIZE - 2, pad=2)
        left_out = len(_drawable(examination)) - len(names)
        if left_out:
            figure.suptitle(f"{left_out} more parameters are not drawn", x=0.98, ha="right")
    return figure


def figure_traces(examination: Examination, findings: Sequence[CheckFinding] = ()) -> Figure | None:
    """Return each parameter's chains against their steps; ``None`` if the samples are no chain, or none varies."""
    names, flags = _choose(examination, findings)
    if not names or examination.chains(names[0]) is None:
        return None
    with style():
        figure = new_figure(COLUMN_WIDTH, _ROW * (len(names) + 0.7))
        all_axes = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
        for axes, name in zip(all_axes, names, strict=True):
            chains = examination.chains(name)
            if chains is not None:
                _draw_traces(axes, chains)
            axes.set_ylabel(_label(name), color=VERMILION if name in flags else BLACK)
        all_axes[-1].set_xlabel("step")
        n_chains = len(examination.posterior.lengths)
        title = (
            f"{n_chains} chain{'s' if n_chains > 1 else ''}"
            if n_chains <= MAX_CHAINS
            else f"{MAX_CHAINS} of {n_chains}"
        )
        figure.suptitle(title, x=0.01, ha="left")
        figure.align_ylabels()
    return figure


def _draw_traces(axes: Axes, chains: FloatArray) -> None:
    every = max(1, chains.shape[1] // MAX_TRACE)
    steps = np.arange(0, chains.shape[1], every)
    for i, chain in enumerate(chains[:: max(1, len(chains) // MAX_CHAINS)][:MAX_CHAINS]):
        axes.plot(steps, chain[::every], lw=0.4, color=(BLUE, ORANGE, SKY, BLACK)[i % 4], rasterized=True)


def _drawable(examination: Examination) -> list[str]:
    return [name for name in examination.names if not examination.is_constant(name)]


def _choose(examination: Examination, findings: Sequence[CheckFinding]) -> tuple[list[str], dict[str, list[str]]]:
    """The parameters to draw, in the chain's order, and the checks that flag each."""
    names = _drawable(examination)
    flags: dict[str, list[str]] = {}
    for finding in findings:
        for name in (finding.parameter or "").split(", ") if finding.flagged else ():
            if finding.check not in flags.setdefault(name, []):
                flags[name].append(finding.check)
    first = sorted(names, key=lambda name: name not in flags)[:MAX_DRAWN]
    return [name for name in names if name in first], flags


def _points(examination: Examination, names: Sequence[str]) -> tuple[FloatArray, FloatArray | None]:
    """The samples of these parameters, shape (samples, parameters), evenly thinned, and their weights."""
    posterior = examination.posterior
    every = max(1, posterior.n_samples // MAX_POINTS)
    rows = np.stack([posterior.column(name)[::every] for name in names], axis=1)
    return rows, None if posterior.weights is None else posterior.weights[::every]


def _range(row: FloatArray) -> tuple[float, float]:
    """Where nearly all samples are: a few far out must not squeeze the rest."""
    low, high = np.quantile(row, (0.0005, 0.9995))
    is_many = row.size >= _MANY_POINTS and low < high
    return (float(low), float(high)) if is_many else (float(row.min()), float(row.max()))


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep corner from logging that a panel has too few points for contours; one sees that."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(before)


def _draw_prior(axes: Axes, examination: Examination, name: str) -> None:
    prior = examination.priors.get(name)
    if prior is None:
        return
    low, high = axes.get_xlim()
    if prior.is_proper:
        x = np.linspace(low, high, 300)
        with np.errstate(divide="ignore"):
            axes.plot(x, np.exp(log_density(prior, x)), color=ORANGE, lw=1.0)
    for bound in (prior.low, prior.high):
        if low < bound < high:
            axes.axvline(bound, color=ORANGE, lw=1.0, ls=":")


def _draw_published(axes: Axes, known: Literature) -> None:
    """One sigma as a band, or, where it lies beside the panel, an arrow and the distance in words."""
    low, high = axes.get_xlim()
    if low < known.value + known.sigma and known.value - known.sigma < high:
        axes.axvspan(max(low, known.value - known.sigma), min(high, known.value + known.sigma), color=GREEN, alpha=0.25)
        return
    is_left = known.value < low
    words = f"← {known.value:.4g}" if is_left else f"{known.value:.4g} →"
    x, side = (0.02, "left") if is_left else (0.98, "right")
    axes.text(x, 0.9, words, ha=side, color=GREEN, transform=axes.transAxes, fontsize=FONT_SIZE - 1)


def _label(name: str) -> str:
    """A name as it stands; a dollar would start TeX, which an agent's name may break."""
    return shorten(name, 18).replace("$", "")
