"""What is installed works without the checkout; what the documents say is so."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import reliability

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
README = (ROOT / "README.md").read_text()


@pytest.mark.slow
def test_the_wheel_works_in_any_directory(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=300)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")

    def run(*arguments):
        # -I -P would drop PYTHONPATH; the folder is put first by hand, so that the checkout cannot stand in
        code = f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r}); import reliability.cli as c; "
        code += f"assert c.__file__.startswith({str(tmp_path)!r}); sys.exit(c.main({list(arguments)!r}))"
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "t14" in run("tasks")
    assert "rotation curve" in run("prompt", "T2")
    assert (tmp_path / "data.ecsv").is_file()
    assert "set_cosmology" in run("references", "--script", "t12")
    run("score", str(ROOT / "examples" / "trials" / "careful-agent"), "-o", "run", "--no-figures", "--workers", "1")
    assert (tmp_path / "run" / "scores.csv").read_bytes().count(b"\n") == 29
    assert "Which system can be trusted" in (tmp_path / "run" / "report.html").read_text()


def test_one_version():
    assert reliability.__version__ == PROJECT["version"]
    assert f"version: {PROJECT['version']}" in (ROOT / "CITATION.cff").read_text()
    assert f"## {PROJECT['version']}" in (ROOT / "CHANGELOG.md").read_text()


def test_every_dependency_has_its_reason_and_its_pin():
    reasons = (ROOT / "CONTRIBUTING.md").read_text()
    pins = {line.split("==")[0].lower() for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line}
    for requirement in PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]:
        name = re.match(r"[\w-]+", requirement)[0]
        assert name in pins, f"{name} is not pinned in constraints.txt"
    for requirement in PROJECT["dependencies"]:
        name = re.match(r"[\w-]+", requirement)[0]
        assert f"| {name} |" in reasons, f"no reason for {name} in CONTRIBUTING.md"


def test_the_readme_shows_what_the_demo_prints(capsys):
    from reliability.cli.printing import print_systems
    from reliability.results import read_run
    from reliability.summaries import ScoreColumns, summarise

    _, scores = read_run(ROOT / "results" / "example")
    print_systems(summarise(ScoreColumns(scores), {}, 0).systems.rows)
    assert capsys.readouterr().out in README


def test_every_command_in_the_readme_exists():
    from reliability.cli import main

    commands = set(re.findall(r"^reliability (\w+)|`reliability (\w+)", README, re.MULTILINE))
    for name in {a or b for a, b in commands}:
        with pytest.raises(SystemExit) as stop:
            main([name, "--help"])
        assert stop.value.code == 0


def test_no_path_of_this_machine_and_no_registry_in_the_project():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if tracked.returncode:  # an unpacked archive instead of a clone: every file counts
        paths = [
            p.relative_to(ROOT) for folder in ("reliability", "tests", "examples") for p in (ROOT / folder).rglob("*")
        ]
    else:
        paths = [Path(line) for line in tracked.stdout.splitlines()]
    home = str(Path.home())
    for path in paths:
        if (
            path.suffix in {".py", ".md", ".toml", ".json", ".txt", ".cff", ".csv"}
            and (ROOT / path).stat().st_size < 10**6
        ):
            text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
            assert str(ROOT) not in text, path
            assert len(home) < 4 or f"{home}/" not in text, path
