"""The report of a large run: seconds to build, size of the page, and time until it can be used in a browser.

The trials are hard links to those of ``examples/trials``, mixed anew for each system: all kinds of failure occur.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from reliability.report import write_report

EXAMPLES = Path(__file__).parents[1] / "examples" / "trials"
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--no-first-run"),
)


def write_trials(root: Path, n_systems: int, n_each: int) -> int:
    """Write `n_systems` x 14 x `n_each` trials; return their number."""
    agents = sorted(path.name for path in EXAMPLES.iterdir())
    tasks = sorted(path.name for path in (EXAMPLES / agents[0]).iterdir())
    for i in range(n_systems):
        for t, task in enumerate(tasks):
            for n in range(n_each):
                agent, trial = agents[(n * (i + 1) + t) % len(agents)], n % 2
                source = EXAMPLES / agent / task / str(trial)
                shutil.copytree(source, root / f"system-{i:02d}" / task / str(n), copy_function=_link)
    return n_systems * len(tasks) * n_each


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another disk
        shutil.copyfile(source, target)


def build(run: Path) -> None:
    start, start_cpu = time.perf_counter(), time.process_time()
    report = write_report(run)
    seconds, cpu = time.perf_counter() - start, time.process_time() - start_cpu
    files = list((run / "report").iterdir())
    largest = max(files, key=lambda path: path.stat().st_size)
    total = sum(path.stat().st_size for path in files)
    print(
        f"  built in {seconds:.1f} s, {cpu:.1f} s of one core's time; page {report.page.stat().st_size / 2**20:.2f} MiB"
    )
    print(
        f"  {len(files)} files beside it, {total / 2**20:.0f} MiB, the largest {largest.stat().st_size / 2**20:.2f} MiB"
    )


def browse(run: Path, browser: str) -> None:
    """Print how long the page takes until its script has run, and how long sorting and filtering take."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=list(FLAGS))
        for page_name in ("report.html", _a_part(run)):
            page = chromium.new_page()
            start = time.perf_counter()
            page.goto((run / page_name).resolve().as_uri())
            page.wait_for_selector("html[data-ready]", state="attached")
            wall = time.perf_counter() - start
            timing = page.evaluate("performance.getEntriesByType('navigation')[0].domInteractive")
            print(f"  {page_name}: usable after {wall:.2f} s (DOM interactive {timing / 1e3:.2f} s)")
            if page_name == "report.html":
                print(f"  sorted by Score in {_timed(page, 'sort'):.2f} s, filtered in {_timed(page, 'filter'):.2f} s")
        chromium.close()


def _a_part(run: Path) -> str:
    files = json.loads((run / "report" / "manifest.json").read_text())["files"]
    return "report/" + max((name for name in files if name.endswith(".html")), key=lambda name: files[name]["bytes"])


_WORK = {
    "sort": "[...document.querySelectorAll('#t-trials th button')].find(b => b.textContent === 'Score').click()",
    "filter": "(() => { const f = document.getElementById('find'); f.value = 'system-03 t05';"
    " f.form.dispatchEvent(new Event('input')); })()",
}


def _timed(page: object, what: str) -> float:
    script = (
        f"() => new Promise(done => {{ const t = performance.now(); {_WORK[what]};"
        " requestAnimationFrame(() => setTimeout(() => done(performance.now() - t))); })"
    )
    return page.evaluate(script) / 1e3  # type: ignore[attr-defined]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--systems", type=int, default=10)
    parser.add_argument("--each", type=int, default=36, help="trials of each system at each task")
    parser.add_argument("--browser", default=shutil.which("chromium") or shutil.which("google-chrome"))
    parser.add_argument("--keep", type=Path, metavar="DIR", help="work here and leave it")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = arguments.keep or Path(scratch)
        n = write_trials(root / "trials", arguments.systems, arguments.each)
        print(f"{n} trials")
        command = [sys.executable, "-m", "reliability", "score", str(root / "trials"), "-o", str(root / "run")]
        start = time.perf_counter()
        subprocess.run([*command, "--no-figures", "--no-report"], check=True, stdout=subprocess.DEVNULL)
        print(f"  scored in {time.perf_counter() - start:.1f} s")
        build(root / "run")
        if arguments.browser:
            browse(root / "run", arguments.browser)


if __name__ == "__main__":
    main()
