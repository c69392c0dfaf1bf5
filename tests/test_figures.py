"""Figures: what they show, what they must not hide, and the same bytes from the same input."""

import dataclasses
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from reliability import statistics
from reliability.figures import (
    figure_curve,
    figure_failure_modes,
    figure_mean_metrics,
    figure_task_scores,
    save_figure,
)
from reliability.records import Curve, Grid, Reference, Task, Tolerance, TrialScore, UnreadableCurve
from reliability.summaries import ScoreColumns, summarise


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch):
    """Intervals are drawn here, not judged."""
    monkeypatch.setattr(statistics, "N_RESAMPLES", 50)


NAMES = ["CMBAgent (CAMB context)", "no context", "Base LLM"]
HOSTILE = ["$\\frac{1}{0}$", "a" * 200, "=cmd|' /C calc'!A0", "名前", "<script>&amp;", "new\nline\x00", "_x^2_", ""]


def make_score(system, task, trial, **values):
    base = {f.name: None for f in dataclasses.fields(TrialScore)}
    base |= dict.fromkeys(("esr_reason", "code_file", "output_file", "notes", "unscored_reason", "condition"), "")
    base |= {"system": system, "task": task, "trial": trial, "parameters": ()}
    return TrialScore(**(base | values))


def many(names, n_tasks=14, n_trials=10):
    generator = np.random.default_rng(4)
    for system in names:
        for t in range(n_tasks):
            for k in range(n_trials):
                pas, nas = generator.beta(8, 1), generator.beta(2, 1)
                mode = "B" if pas < 0.5 else "C" if nas < 0.5 else "D"
                scores = {"esr": 1, "pas": pas, "pas_low": pas, "nas": nas, "score": pas * nas, "mode": mode}
                yield make_score(system, f"t{t + 1:02}", k, **scores)


def summary(scores):
    return summarise(ScoreColumns(scores), {}, 1)


def paper_figures(scores):
    s = summary(scores)
    return figure_mean_metrics(s.systems.rows), figure_task_scores(s.tasks.rows), figure_failure_modes(s.systems.rows)


def words(figure):
    from matplotlib.text import Text

    return [t.get_text() for t in figure.findobj(Text) if t.get_text()]


TASK = Task(
    *("t01", "t01_x", Path(), "A spectrum", "single call", "D_l", "uK^2", ("l", "TT"), "multipole l", "D_l^TT [uK^2]"),
    Grid("multipoles", 2, 500, 499),
    *({}, {}, {}, {}),
)
X = np.arange(2.0, 501.0)
REFERENCE = Reference("t01", X, 1e3 / X + 5, Tolerance(1e-3, 1e-3, 1e-5))


def curve(x, y):
    return Curve(np.asarray(x, float), np.asarray(y, float), "l", "TT", "declared names", 2)


# ------------------------------------------------------------------------------------------------------- files


def test_same_input_same_bytes(tmp_path):
    for run in ("a", "b"):
        for i, figure in enumerate(paper_figures(many(HOSTILE[:3], 3, 2))):
            save_figure(figure, tmp_path / run / f"figure_{i}")
        save_figure(figure_curve(TASK, curve(X, 2 * REFERENCE.y), REFERENCE), tmp_path / run / "curve")
    files = sorted(p.name for p in (tmp_path / "a").iterdir())
    assert len(files) == 8
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_files_carry_no_date_and_no_version(tmp_path):
    png, svg = save_figure(figure_curve(TASK, None, REFERENCE), tmp_path / "curve.v1")
    assert (png.name, svg.name) == ("curve.v1.png", "curve.v1.svg")
    assert b"Matplotlib" not in png.read_bytes()
    assert b"dc:date" not in svg.read_bytes()
    assert png.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_svg_of_hostile_names_is_well_formed_and_keeps_them_as_text(tmp_path):
    _, svg = save_figure(paper_figures(many(HOSTILE, 2, 1))[2], tmp_path / "f")
    texts = {"".join(e.itertext()) for e in ET.parse(svg).iter() if e.tag.endswith("text")}
    assert {"$\\frac{1}{0}$", "<script>&amp;", "new line", "_x^2_"} <= texts
    assert not any("script" in e.tag for e in ET.parse(svg).iter())


def test_the_users_matplotlib_settings_neither_matter_nor_change(tmp_path):
    import matplotlib as mpl

    plain, _ = save_figure(paper_figures(many(NAMES, 2, 2))[0], tmp_path / "plain")
    with mpl.rc_context({"font.size": 20, "axes.facecolor": "red", "savefig.dpi": 10, "text.color": "blue"}):
        before = dict(mpl.rcParams)
        styled, _ = save_figure(paper_figures(many(NAMES, 2, 2))[0], tmp_path / "styled")
        assert dict(mpl.rcParams) == before
    assert plain.read_bytes() == styled.read_bytes()


def test_importing_the_module_does_not_import_matplotlib():
    code = "import sys, reliability.figures; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ------------------------------------------------------------------------------------------------------- readable


def stays_on_the_page(figure):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    drawn = figure.get_tightbbox(canvas.get_renderer())
    width, height = figure.get_size_inches()
    return drawn.x0 > -0.01 and drawn.y0 > -0.01 and drawn.x1 < width + 0.01 and drawn.y1 < height + 0.01


@pytest.mark.parametrize("names", [NAMES, [f"{i} {n}" for i, n in enumerate(HOSTILE * 2)]], ids=["three", "sixteen"])
@pytest.mark.filterwarnings("ignore:Glyph")
def test_text_is_large_enough_and_stays_on_the_page(names):
    from matplotlib.text import Text

    for figure in paper_figures(many(names, 14, 1)):
        assert stays_on_the_page(figure)
        assert min(t.get_fontsize() for t in figure.findobj(Text) if t.get_text()) >= 7
        if names is NAMES:
            assert figure.get_figwidth() * 25.4 == pytest.approx(84)


def test_axes_say_what_and_in_which_unit():
    one, two, three = paper_figures(many(NAMES, 2, 2))
    assert "mean of task means (0 to 1)\nwith 95 % interval" in words(one)
    assert "mean Score = PAS × NAS (0 to 1)" in words(two)
    assert "share of attempted trials [%]" in words(three)
    assert {"multipole l", "Dₗᵀᵀ [µK²]"} <= set(words(figure_curve(TASK, curve(X, REFERENCE.y), REFERENCE)))


def test_modes_and_metrics_differ_in_more_than_colour():
    from reliability.figures import METRICS, MODES

    assert len({marker for *_, marker in METRICS}) == len(METRICS)
    assert len({hatch for *_, hatch in MODES}) == len(MODES)


# ------------------------------------------------------------------------------------------------------- truth


def points(figure):
    axes = figure.axes[0]
    marked = [line for line in axes.lines if line.get_marker() not in ("None", None, "")]
    return sorted((round(float(line.get_ydata()[0]), 2), float(line.get_xdata()[0])) for line in marked)


def test_figure_1_draws_the_means_and_intervals():
    rows = summary(many(NAMES, 3, 4)).systems.rows
    figure = figure_mean_metrics(rows)
    expected = [(round(i + 0.2 * (j - 1.5), 2), r[m]) for i, r in enumerate(rows) for j, m in enumerate(METRIC_NAMES)]
    assert points(figure) == sorted(expected)
    drawn = {tuple(line.get_xdata()) for line in figure.axes[0].lines if len(line.get_xdata()) == 2}
    assert {(r[f"{m}_low"], r[f"{m}_high"]) for r in rows for m in METRIC_NAMES} <= drawn


METRIC_NAMES = ("esr", "pas", "nas", "score")


def test_a_metric_without_data_is_said_to_be_missing_not_drawn_as_zero():
    scores = [make_score("a", "t01", k, esr=1, nas=0.5) for k in range(3)]  # no code was kept
    figure = figure_mean_metrics(summary(scores).systems.rows)
    assert [x for _, x in points(figure)] == [1.0, 0.5]
    assert {"PAS: no data", "Score: no data"} <= set(words(figure))


def test_figure_2_hatches_what_was_not_attempted():
    scores = [s for s in many(NAMES, 3, 2) if (s.system, s.task) != ("no context", "t02")]
    rows = summary(scores).tasks.rows
    figure = figure_task_scores(rows)
    grid = figure.axes[0].images[0].get_array()
    systems = sorted(NAMES)
    assert np.argwhere(np.ma.getmaskarray(grid)).tolist() == [[1, systems.index("no context")]]
    assert "no data" in words(figure)
    assert len([p for p in figure.axes[0].patches if p.get_hatch()]) == 1
    by_cell = {(r["task"], r["system"]): r["score"] for r in rows if r["level"] == "task"}
    assert grid[0, 0] == by_cell["t01", systems[0]]
    assert "no data" not in words(figure_task_scores(summary(many(NAMES, 2, 1)).tasks.rows))


def test_figure_3_shares_add_up_and_unknown_is_one_of_them():
    scores = [make_score("a", "t01", k, mode=mode) for k, mode in enumerate(["A", "B", None, "D"])]
    figure = figure_failure_modes(summary(scores).systems.rows)
    widths = [p.get_width() for p in figure.axes[0].patches]
    assert widths == [25, 0, 25, 25, 25]
    assert "unknown" in words(figure)


def test_systems_under_a_condition_are_told_apart():
    scores = [make_score("a", "t01", 0, esr=1), make_score("a", "t01", 0, esr=0, condition="rotated")]
    assert {"a", "a @rotated"} <= set(words(figure_mean_metrics(summary(scores).systems.rows)))


@pytest.mark.parametrize("draw", [figure_mean_metrics, figure_task_scores, figure_failure_modes])
def test_no_trials_says_so(draw):
    assert words(draw([])) == ["no trials"]


# ------------------------------------------------------------------------------------------------------- one trial


def residual_of(figure):
    line = figure.axes[1].lines[0]
    return line.get_xdata(), line.get_ydata()


def test_the_residual_is_relative_where_the_reference_keeps_its_sign():
    x, r = residual_of(figure_curve(TASK, curve(X[:100], 1.02 * REFERENCE.y[:100]), REFERENCE))
    np.testing.assert_allclose(r, 2.0, rtol=1e-12)
    np.testing.assert_array_equal(x, X[:100])  # nothing is drawn where the agent has no values


def test_a_large_factor_is_shown_as_a_ratio():
    figure = figure_curve(TASK, curve(X, REFERENCE.y * X), REFERENCE)
    np.testing.assert_allclose(residual_of(figure)[1], X)
    assert "agent / reference" in words(figure)
    assert figure.axes[1].get_yscale() == figure.axes[0].get_yscale() == "log"


def test_the_residual_of_a_sign_changing_reference_is_in_units_of_its_range():
    reference = Reference("t01", X, np.linspace(-1, 1, X.size), REFERENCE.tolerance)
    figure = figure_curve(TASK, curve(X, reference.y + 0.1), reference)
    np.testing.assert_allclose(residual_of(figure)[1], 5.0)
    assert figure.axes[0].get_yscale() == "linear"


def test_values_that_a_log_axis_cannot_show_are_counted():
    figure = figure_curve(TASK, curve(X, np.where(X < 12, -1.0, 1e6 * REFERENCE.y)), REFERENCE)
    assert "agent (10 values ≤ 0 not shown)" in words(figure)


@pytest.mark.parametrize("y", [1e300 * np.sin(X), 0 * X, np.full(X.size, -1e308), np.full(X.size, 5e-324)])
def test_absurd_values_still_make_a_figure(y):
    assert stays_on_the_page(figure_curve(TASK, curve(X, y), REFERENCE))


@pytest.mark.parametrize(
    ("agent", "text"),
    [
        (None, "the agent left no curve"),
        (UnreadableCurve("no numeric column"), "no numeric column"),
        (curve(X + 1000, REFERENCE.y), "no common x"),
        (curve([2.0], [7.0]), "agent"),
    ],
)
def test_without_a_comparable_curve_the_figure_says_why(agent, text):
    figure = figure_curve(TASK, agent, REFERENCE)
    assert text in words(figure)
    assert stays_on_the_page(figure)


def test_the_title_gives_the_verdict_and_the_finding():
    notes = "line 14: raw_cl=True asks CAMB for spectra without l(l+1)/2pi " + "and more " * 100
    score = make_score("sys$tem", "t01", 3, esr=1, pas=0.9, nas=0.3, mode="C", accurate=0, notes=notes)
    figure = figure_curve(TASK, curve(X, REFERENCE.y), REFERENCE, score)
    title = figure.get_suptitle()
    assert "sys$tem, trial 3: mode C, not accurate" in title
    assert "ESR 1   PAS 0.900   NAS 0.300   Score –" in title
    assert "line 14: raw_cl=True" in title
    assert stays_on_the_page(figure)
