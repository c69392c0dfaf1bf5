"""The report of a run: what it says, what it must not hide, and that agents' texts cannot reach into it.

A real browser opens the page from disk, so these tests need Chromium or Chrome.
"""

import csv
import dataclasses
import hashlib
import json
import math
import os
import shutil
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from reliability.cli import main
from reliability.errors import InputError, OutputError
from reliability.records import ParameterScore
from reliability.report import compare_runs, overview, write_comparison, write_report, writing
from reliability.report.agent_text import code_lines, report_excerpt, visible
from reliability.report.inputs import read_input
from reliability.report.names import anchor, file_name
from reliability.report.scales import make_scale, number
from reliability.report.thinning import thin
from reliability.report.verdicts import verdict
from reliability.runs import score_run
from reliability.tables import SCORE_COLUMNS, read_scores, write_table

ROOT = Path(__file__).parents[1]
EXAMPLE, TRIALS = ROOT / "results" / "example", ROOT / "examples" / "trials"
BROWSERS = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--no-first-run"),
)


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The committed example with its report."""
    folder = tmp_path_factory.mktemp("demo") / "run"
    shutil.copytree(EXAMPLE, folder)
    write_report(folder, roots=[TRIALS])
    return folder


@pytest.fixture(scope="module")
def split(tmp_path_factory):
    """The same, as a large run would be written: views in files of their own."""
    folder = tmp_path_factory.mktemp("split") / "run"
    shutil.copytree(EXAMPLE, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "INLINE_TRIALS", 10)
        write_report(folder, roots=[TRIALS])
    return folder


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Some trials of every verdict: all that a page can look like, quick to look through."""
    folder = tmp_path_factory.mktemp("small") / "run"
    shutil.copytree(EXAMPLE, folder)
    with (folder / "scores.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    kept = [r for r in rows if r["task"] in ("t02", "t06") or r["unscored_reason"]]
    write_table(folder / "scores.csv", SCORE_COLUMNS, kept)
    write_report(folder, roots=[TRIALS])
    return folder


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """The page of two runs of which one changed."""
    folder = tmp_path_factory.mktemp("compared")
    shutil.copytree(EXAMPLE, folder / "run")
    rows = list(csv.DictReader((folder / "run" / "scores.csv").open(newline="")))
    for row in rows[:3]:
        row.update(mode="C", accurate="0", wrong="1", silent_failure="1")
    write_table(folder / "run" / "scores.csv", SCORE_COLUMNS, rows)
    write_comparison(compare_runs(EXAMPLE, folder / "run"), folder / "page")
    return folder / "page"


SAID = (
    "Done. <script>document.title = 'pwned'</script> {{ 7 * 7 }} The result is unreliable <b onclick=alert(1)>here</b>."
)
CODE = """import camb
# </pre></details><script>document.title = "pwned"</script>
text = "<img src=x onerror=document.title='pwned'>" + "{{ 7 * 7 }}{% raw %}"
pars = camb.set_params(H0=70, ombh2=0.022)  # \u202e turned
results = camb.get_results(pars)
"""
SYSTEM = "<img src=x onerror=document.title='pwned'>"
FILE = "\"><svg onload=document.title='pwned'>.py"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A run of one trial that tries to get script into the page through everything an agent can name or write."""
    root = tmp_path_factory.mktemp("hostile")
    trial = root / "trials" / SYSTEM / "t08" / "0"
    (trial / "code").mkdir(parents=True)
    (trial / "code" / FILE).write_text(CODE)
    (trial / "report.md").write_text(SAID)
    header = "<script>document.title='pwned'</script>,\"'><img src=x onerror=alert(1)>\"\n"
    (trial / "result.csv").write_text(header + "".join(f"{z / 100},{z * 7}\n" for z in range(401)))
    (trial / "trial.json").write_text(json.dumps({"status": "</script><script>document.title='pwned'</script>"}))
    score_run([root / "trials"], root / "run")
    write_report(root / "run")
    return root / "run"


# ------------------------------------------------------------------------------------------- parts


def test_thinning_keeps_ends_and_extremes_of_each_column():
    rng = np.random.default_rng(2)
    along, y = np.linspace(0, 1, 5000), rng.normal(size=5000)
    kept = thin(along, y, columns=50)
    assert kept[0] == 0
    assert kept[-1] == 4999
    assert len(kept) <= 102
    for column in range(50):
        inside = y[100 * column : 100 * column + 100]
        assert {inside.min(), inside.max()} <= set(y[kept].tolist())
    y[17] = np.nan
    assert 17 not in thin(along, y, columns=50)


def test_scales_have_round_ticks_inside_and_put_values_in_order():
    linear = make_scale("linear", np.array([0.0, 9.3]))
    assert linear.ticks(6) == [0, 2, 4, 6, 8]
    log = make_scale("log", np.array([1e-8, 1e4]))
    assert log.ticks(6) == [1e-8, 1e-5, 1e-2, 1e1, 1e4]
    assert log.positions(np.array([-1.0, 1e-2])).tolist() == [pytest.approx(math.nan, nan_ok=True), pytest.approx(0.5)]
    both = make_scale("symlog", np.array([-1e6, 1e6]), linear=1.0)
    assert both.positions(np.array([0.0]))[0] == pytest.approx(0.5)
    assert 0.0 in both.ticks(6)
    assert [number(v) for v in (0, 1e-5, -2.5e7, 0.02, 1500, 10000)] == ["0", "10⁻⁵", "−2.5×10⁷", "0.02", "1500", "10⁴"]


def test_names_become_files_that_cannot_clash():
    names = [
        "a/t01",
        "A/t01",
        "a_/t01",
        "a /t01",
        "../t01",
        "名前/t01",
        "<b>/t01",
        "a" * 300 + "/t01",
        "a" * 301 + "/t01",
    ]
    files = [file_name(name).lower() for name in names]
    assert len(set(files)) == len(names)
    assert all(set(f) <= set("abcdefghijklmnopqrstuvwxyz0123456789_.-@") and len(f) < 100 for f in files)
    assert not any(f.startswith(".") for f in files)
    assert anchor("a b/t01/0") == "a%20b/t01/0"


def parameter(name, line, eps=0.0, state="set"):
    return ParameterScore(name, "1", "2", eps, 1.0, state, line)


def test_code_is_counted_as_python_counts_it_and_says_what_is_wrong():
    source = b"a = 1\x0c\r\nb = '\xe2\x80\xa8'\rcamb.set_params(H0=70)\n"
    lines = code_lines(source, [parameter("H0", 3, 0.04), parameter("ns", 3), parameter("tau", None, 1.0, "default")])
    assert [line.number for line in lines] == [1, 2, 3, 4]
    assert lines[0].text == "a = 1\\u000c"
    assert lines[1].text == "b = '\\u2028'"
    assert (lines[2].says, lines[2].is_right) == ("H0 ✗ should be 2, ns ✓", False)


def test_long_code_shows_its_start_and_what_stands_around_parameters():
    source = b"\n".join(b"x = %d" % i for i in range(1, 9001))
    lines = code_lines(source, [parameter("H0", 8000, 0.5)])
    assert [line.text for line in lines if not line.number] == ["7591 lines left out", "992 lines left out"]
    assert next(line for line in lines if line.says).text == "x = 8000"
    assert len(lines) < 500
    (long,) = code_lines(b"y" * 10_000, [])
    assert len(long.text) == 400


def test_no_script_can_make_its_view_large():
    lines = code_lines(b"\n".join([b"<&>\"'" * 1000] * 20_000), [])
    assert sum(len(line.text) for line in lines) < 50_000
    assert max(len(line.text) for line in lines) == 400


def test_the_report_of_the_agent_is_cut_around_the_evidence():
    text = "word " * 5000 + "It is <wrong>. " + "word " * 5000
    shown = str(report_excerpt([text], "It is <wrong>."))
    assert "<mark>It is &lt;wrong&gt;.</mark>" in shown
    assert len(shown) < 6200
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert visible("a\x00\u202eb\tc\n") == "a\\u0000\\u202eb\tc\n"


# ------------------------------------------------------------------------------------------- what is said


def test_the_causes_are_all_the_score_that_was_lost():
    scores = list(read_scores(EXAMPLE / "scores.csv"))
    causes = overview.causes(scores)
    lost = math.fsum(1 - s.score for s in scores if s.score is not None)
    assert math.fsum(c.lost for c in causes) == pytest.approx(lost, abs=1e-3 * len(scores))
    assert (causes[0].id, causes[0].n_trials, causes[0].lost) == ("no valid output", 22, 22.0)
    assert [c.lost for c in causes] == sorted((c.lost for c in causes), reverse=True)


def test_verdicts_are_those_of_the_table():
    rows = list(csv.DictReader((EXAMPLE / "scores.csv").open()))
    for score, row in zip(read_scores(EXAMPLE / "scores.csv"), rows, strict=True):
        expected = {
            row["esr"] == "0": "none",
            row["accurate"] == "1": "accurate",
            row["silent_failure"] == "1": "silent",
            row["wrong"] == "1" and row["silent_failure"] == "0": "disclosed",
        }[True]
        assert verdict(score).id == expected


def test_nothing_of_the_run_is_missing_on_the_page(demo):
    page = (demo / "report.html").read_text()
    for score in read_scores(demo / "scores.csv"):
        assert f'id="{anchor("/".join(map(str, (score.system, score.task, score.trial))))}"' in page
    assert page.count("<h2 ") == len({"systems", "matrix", "modes", "causes", "unscored", "limits", "trials"})
    assert "1 of 84 trials have no Score" in page


def test_the_same_run_gives_the_same_bytes(demo, tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "run")
    write_report(tmp_path / "run", roots=[TRIALS])
    files = sorted(p.relative_to(demo) for p in demo.rglob("*") if p.is_file())
    assert files == sorted(p.relative_to(tmp_path / "run") for p in (tmp_path / "run").rglob("*") if p.is_file())
    for name in files:
        assert (demo / name).read_bytes() == (tmp_path / "run" / name).read_bytes(), name


def test_the_points_of_a_drawing_are_those_of_the_agent(demo):
    rows = list(csv.DictReader((demo / "report" / "hasty-agent_t05.csv").open()))
    drawn = {float(r["x"]): float(r["y"]) for r in rows if (r["trial"], r["curve"]) == ("1", "agent")}
    with (TRIALS / "hasty-agent" / "t05" / "1" / "result.csv").open() as file:
        whole = {float(r["l"]): float(r["EE"]) for r in csv.DictReader(file)}
    assert len(drawn) > 100
    assert drawn == {x: pytest.approx(whole[x], rel=1e-7) for x in drawn}


def test_without_a_curve_the_reference_stands_alone(demo):
    page = (demo / "report.html").read_text()
    view = page.split('id="failing-agent/t05/0"')[1].split('<details class="trial"')[0]
    assert "the reference; the agent left no curve" in view
    assert 'class="agent"' not in view.split("<svg")[1].split("</svg>")[0]
    assert view.count('<b id="failing-agent/t05/0:7" class="note">') == 1


def test_files_beside_the_page_are_listed_with_their_hashes(split):
    files = json.loads((split / "report" / "manifest.json").read_text())["files"]
    assert {p.name for p in (split / "report").iterdir()} == {*files, "manifest.json"}
    for name, entry in files.items():
        raw = (split / "report" / name).read_bytes()
        assert (len(raw), hashlib.sha256(raw).hexdigest()) == (entry["bytes"], entry["sha256"])
    shown = [trial for name, entry in files.items() if name.endswith(".html") for trial in entry["trials"]]
    assert len(shown) == len(set(shown)) == 84


def test_a_report_made_again_leaves_no_old_files(split, tmp_path):
    shutil.copytree(split, tmp_path / "run")
    write_report(tmp_path / "run", roots=[TRIALS])
    assert not list((tmp_path / "run" / "report").glob("*.html"))


def test_missing_sources_are_said_and_are_no_error(tmp_path, monkeypatch):
    shutil.copytree(EXAMPLE, tmp_path / "run")
    monkeypatch.chdir(tmp_path)
    found = write_report(tmp_path / "run")
    assert "examples/trials" in found.missing[0]
    page = found.page.read_text()
    assert "No curves, code and reports of the agents" in page
    assert "The optical depth never reached CAMB" in page
    with pytest.raises(InputError, match="gone"):
        write_report(tmp_path / "run", roots=[tmp_path / "gone"])


def test_changed_files_are_said(tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "run")
    shutil.copytree(TRIALS, tmp_path / "trials")
    (tmp_path / "trials" / "hasty-agent" / "t05" / "1" / "report.md").write_text("All is well now.")
    (tmp_path / "trials" / "hasty-agent" / "t06" / "0" / "result.csv").unlink()
    page = write_report(tmp_path / "run", roots=[tmp_path / "trials"]).page.read_text()
    assert page.count("Its files have changed since they were scored") == 2
    assert "The output result.csv is no longer there." in page


def test_damaged_tables_and_foreign_folders_are_refused_in_one_line(tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "run")
    (tmp_path / "run" / "report").mkdir()
    (tmp_path / "run" / "report" / "thesis.tex").write_text("mine")
    with pytest.raises(OutputError, match="is not the folder of a report"):
        write_report(tmp_path / "run", roots=[TRIALS])
    assert not (tmp_path / "run" / "report.html").exists()
    (tmp_path / "run" / "parameters.csv").write_text("a,b\n")
    with pytest.raises(InputError, match=r"parameters\.csv, line 1"):
        read_input(tmp_path / "run", roots=[TRIALS])


def test_an_optional_column_shows_where_it_says_something(demo, tmp_path):
    assert "re-execution" not in (demo / "report.html").read_text().split('id="trials"')[0]
    scores = list(read_scores(demo / "scores.csv"))
    assert "reexecution" in {f.name for f in dataclasses.fields(scores[0])}
    shutil.copytree(EXAMPLE, tmp_path / "run")
    text = (tmp_path / "run" / "scores.csv").read_text().splitlines()
    position = text[0].split(",").index("reexecution")
    row = next(csv.reader([text[1]]))
    row[position] = "fabricated"
    with (tmp_path / "run" / "scores.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([text[0].split(","), row])
    page = write_report(tmp_path / "run", roots=[TRIALS]).page.read_text()
    assert '<th scope="col">re-execution</th>' in page
    assert "<td>fabricated</td>" in page


def test_the_command_says_where_the_page_is_and_refuses_in_one_line(tmp_path, capsys):
    shutil.copytree(EXAMPLE, tmp_path / "run")
    page = tmp_path / "run" / "report.html"
    assert main(["report", str(tmp_path / "run"), "--trials", str(TRIALS), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["page"], found["missing"], page.is_file()) == (str(page), [], True)
    before = page.read_bytes()
    assert main(["report", str(tmp_path / "run"), "--trials", str(tmp_path / "gone")]) == 2
    assert main(["report", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n"), "Traceback" in said.err) == ("", 2, False)
    assert page.read_bytes() == before


# ------------------------------------------------------------------------------------------- in a browser


def find_browser():
    named = os.environ.get("RELIABILITY_BROWSER")
    found = named or next((path for path in map(shutil.which, BROWSERS) if path), None)
    if found is None:
        pytest.fail(
            "no Chromium or Chrome for the tests of the report; run: apt-get install -y chromium", pytrace=False
        )
    return found


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        yield chromium
        chromium.close()


class Opened:
    """A page, all that it asked for, and all that it complained about."""

    def __init__(self, browser, path, fragment="", **options):
        self.context = browser.new_context(**{"viewport": {"width": 1400, "height": 1000}, **options})
        self.page = self.context.new_page()
        self.requests, self.complaints = [], []
        self.page.on("request", lambda request: self.requests.append(request))  # noqa: PLW0108 - no builtin is taken
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.complaints.append(dialog.message), dialog.dismiss()))
        self.page.goto(path.resolve().as_uri() + fragment)
        self.page.wait_for_selector("html[data-ready]", state="attached")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()

    def quiet(self):
        """Only the page itself was loaded, and nothing complained."""
        return not self.complaints and len(self.requests) == 1 and self.requests[0].url.startswith("file:")


def column(page, i, table="t-trials"):
    rows = "[...document.getElementById(t).tBodies[0].rows].filter(r => !r.hidden)"
    script = f"([t, i]) => {rows}.map(r => r.cells[i].innerText)"
    return page.evaluate(script, [table, i])


@pytest.mark.slow
def test_tables_sort_and_filter(browser, demo):
    with Opened(browser, demo / "report.html") as opened:
        page = opened.page
        page.click("#t-trials th:has-text('Score') button")
        values = [float(v) if v != "–" else -1.0 for v in column(page, 4)]
        assert values == sorted(values, reverse=True)
        page.click("#t-trials th:has-text('Score') button")
        values = [float(v) if v != "–" else 9.0 for v in column(page, 4)]
        assert values == sorted(values)
        assert page.get_attribute("#t-trials th:has-text('Score')", "aria-sort") == "ascending"
        page.select_option("#by-verdict", "silent")
        assert page.inner_text("#shown") == "20 of 84 trials"
        page.fill("#find", "T05 tau")
        assert column(page, 1) == ["t05"]
        page.fill("#find", "no such thing")
        assert column(page, 0) == []
        assert opened.quiet(), opened.complaints


@pytest.mark.slow
def test_two_clicks_from_the_heat_map_to_the_reason(browser, demo):
    with Opened(browser, demo / "report.html") as opened:
        page = opened.page
        page.click("#t-matrix tr:has-text('t05') td:last-child a")
        summary = page.locator('[id="hasty-agent/t05/1"] > summary')
        assert summary.is_visible()
        summary.click()
        view = page.locator('[id="hasty-agent/t05/1"]')
        assert "The optical depth never reached CAMB" in view.inner_text()
        assert "The agent said nothing about it." in view.inner_text()
        assert view.locator("svg[role=img]").bounding_box()["width"] > 300
        view.locator("a:text-is('10')").first.click()
        assert view.locator("pre.code").is_visible()
        assert "H0 ✓" in view.locator("b:target em").inner_text()
        page.select_option("#measure", "silent")
        assert column(page, 3, "t-matrix")[4].split() == ["1.00", "0", "of", "2"]
        assert opened.quiet(), opened.complaints


@pytest.mark.slow
def test_a_permalink_opens_its_trial_and_the_keyboard_is_enough(browser, demo):
    with Opened(browser, demo / "report.html", "#hasty-agent/t06/1") as opened:
        page = opened.page
        view = page.locator('[id="hasty-agent/t06/1"]')
        assert view.evaluate("e => e.open && e.getBoundingClientRect().top < innerHeight")
        assert view.locator(".said q").inner_text()
        page.locator('[id="hasty-agent/t07/0"] > summary').focus()
        page.keyboard.press("Enter")
        assert page.locator('[id="hasty-agent/t07/0"]').evaluate("e => e.open")
        page.locator("#t-systems th button").first.focus()
        page.keyboard.press("Enter")
        assert page.get_attribute("#t-systems th", "aria-sort") == "ascending"
        assert opened.quiet(), opened.complaints


@pytest.mark.slow
def test_a_permalink_finds_its_file_in_a_large_run(browser, split):
    with Opened(browser, split / "report.html") as opened:
        opened.page.click("#t-trials tr:has-text('hasty-agent') a >> nth=9")
        opened.page.wait_for_url("**/report/hasty-agent_t05.html#hasty-agent/t05/1")
        assert opened.page.locator('[id="hasty-agent/t05/1"]').evaluate("e => e.open")
    with Opened(browser, split / "report.html", "#failing-agent/t02/0") as opened:
        opened.page.wait_for_url("**/report/failing-agent_t02.html#failing-agent/t02/0")
        opened.page.click("footer a")
        assert opened.page.url.endswith("report.html#matrix")
        assert not opened.complaints


@pytest.mark.slow
def test_hostile_agents_change_nothing(browser, hostile):
    with Opened(browser, hostile / "report.html") as opened:
        page = opened.page
        page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        assert page.title() == "Can these numbers be trusted?"
        assert page.evaluate("document.querySelectorAll('img, iframe, object, embed, link, form[action]').length") == 0
        assert page.evaluate("document.querySelectorAll('script').length") == 1
        attributes = "[...document.querySelectorAll('*')].flatMap(e => [...e.attributes])"
        assert page.evaluate(f"{attributes}.filter(a => /^on|^style$/i.test(a.name)).length") == 0
        assert SYSTEM in column(page, 0)
        text = page.inner_text("body")
        for part in (FILE, "<script>document.title = 'pwned'</script>", "{{ 7 * 7 }}", "\\u202e turned"):
            assert part in text, part
        assert "<b onclick=alert(1)>here</b>" in page.inner_text("mark")
        assert opened.quiet(), (opened.complaints, opened.requests)


@pytest.mark.slow
def test_the_policy_stops_what_escaping_would_miss(browser, hostile, tmp_path):
    """Script and images put into the page by hand do not run: the second line of defence."""
    bad = "<script>document.title='pwned'</script><img src='https://example.org/x.png'><main>"
    page = (hostile / "report.html").read_text().replace("<main>", bad, 1)
    (tmp_path / "report.html").write_text(page)
    with Opened(browser, tmp_path / "report.html") as opened:
        assert opened.page.title() == "Can these numbers be trusted?"
        assert len(opened.complaints) == 2
        assert [request.url[:5] for request in opened.requests if request.failure is None] == ["file:"]


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1400])
@pytest.mark.parametrize("name", ["report.html", "report/hasty-agent_t06.html", "compare.html"])
def test_everybody_can_read_it(browser, request, width, name):
    axe = (resources.files("axe_playwright_python") / "axe.min.js").read_text()
    run = {"report.html": "small", "compare.html": "compared"}.get(name, "split")
    path = request.getfixturevalue(run) / name
    options = {"viewport": {"width": width, "height": 900}, "bypass_csp": True}  # axe itself is no part of the page
    with Opened(browser, path, "#hasty-agent/t06/1", **options) as opened:
        page = opened.page
        page.evaluate("document.querySelectorAll('details[open] details').forEach(d => { d.open = true; })")
        page.evaluate(axe)
        for scheme, rules in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
            page.emulate_media(color_scheme=scheme)
            found = page.evaluate("rules => axe.run(document, rules)", rules)
            assert len(found["passes"]) >= (1 if rules else 20)
            assert [(v["id"], [n["html"][:120] for n in v["nodes"]][:3]) for v in found["violations"]] == []
        assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.slow
def test_the_comparison_loads_nothing_and_sorts(browser, compared):
    with Opened(browser, compared / "compare.html") as opened:
        opened.page.click("#t-changes th:has-text('trial') button")
        assert len(column(opened.page, 0, "t-changes")) == 3
        assert opened.quiet(), opened.complaints


@pytest.mark.slow
def test_printed_and_without_script_it_can_be_read(browser, demo):
    with Opened(browser, demo / "report.html", "#hasty-agent/t06/1") as opened:
        opened.page.emulate_media(media="print")
        shown = opened.page.evaluate(
            "[...document.querySelectorAll('details.trial')].filter(d => d.offsetHeight).map(d => d.id)"
        )
        assert shown == ["hasty-agent/t06/1"]
        assert not opened.page.locator("nav").is_visible()
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((demo / "report.html").resolve().as_uri() + "#hasty-agent/t06/1")
    assert page.locator("#t-trials tbody tr").count() == 84
    assert not page.locator("#filter").is_visible()
    context.close()
