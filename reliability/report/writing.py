"""``report.html`` of a run, and the files beside it, replaced one by one, the page itself last."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from reliability.errors import OutputError
from reliability.report.details import TrialDetail, trial_detail
from reliability.report.inputs import ReportInput, read_input
from reliability.report.links import FOLDER, MANIFEST, Part, make_links, parts
from reliability.report.names import trial_name
from reliability.report.overview import by_cell
from reliability.report.page import render_page
from reliability.report.sections import ReportData, make_sections
from reliability.summaries import ScoreColumns, summarise
from reliability.tables import strict_json, text_cell, write_text

PAGE = "report.html"
SCHEMA = 1
INLINE_TRIALS = 100
INLINE_BYTES = 5_000_000
"""Up to so many trials and bytes all views stand in the page itself."""
MAX_LISTED = 10_000
"""Trials listed on the page; of more, the first of each system and task."""


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """What was written, and what could not be shown."""

    page: Path
    n_files: int
    """Files beside the page."""
    missing: Sequence[str]


Progress = Callable[[int, int], object]
"""Called with the trials shown so far and their number."""


def write_report(
    folder: Path,
    *,
    roots: Sequence[Path] | None = None,
    tasks_folder: Path | None = None,
    progress: Progress | None = None,
) -> WrittenReport:
    """Write ``report.html`` into the folder of a finished run, with the points of its curves beside it.

    Up to a hundred trials the page holds everything; of more, the views of trials are files in ``report/``, listed
    with their hashes in ``report/manifest.json``. The same run and trials give the same bytes.

    Parameters
    ----------
    roots
        Where the trials are now, if not where the manifest says.
    tasks_folder
        The tasks that were scored, if not the fourteen.

    Raises
    ------
    InputError
        If the folder is no finished run, or `roots` cannot be used.
    OutputError
        If the files cannot be written, or ``report/`` is not a report's.
    """
    source = read_input(folder, roots=roots, tasks_folder=tasks_folder)
    try:
        files = _Files(folder)
        data = _write_parts(source, files, progress)
        lead, sections = _lead(source), make_sections(data)
        title = "Can these numbers be trusted?"
        page = render_page("report.html", title, lead=lead, missing=source.missing, sections=sections)
        files.finish()
        write_text(folder / PAGE, page)
    except OSError as error:
        raise OutputError(f"{folder}: the report cannot be written there: {error.strerror or error}") from None
    return WrittenReport(folder / PAGE, len(files), source.missing)


def _write_parts(source: ReportInput, files: _Files, progress: Progress | None) -> ReportData:
    """Write what goes beside the page; return what the page is made from."""
    cells = by_cell(source.scores)
    summary = summarise(ScoreColumns(source.scores), {}, int(source.manifest["seed"]))
    n_each = max(1, MAX_LISTED // len(cells)) if cells and len(source.scores) > MAX_LISTED else len(source.scores)
    listed = list(parts({key: scores[:n_each] for key, scores in cells.items()}))
    views = _inline_views(source, listed)
    links = make_links(listed, is_inline=views is not None)
    n_done, n_listed = 0, sum(len(part.scores) for part in listed)
    for part in listed:
        details = views[part.stem] if views is not None else [trial_detail(s, source) for s in part.scores]
        if any(detail.plot for detail in details):
            files.write(part.csv, _points(details), part)
        if views is None:
            files.write(part.html, [_part_page(part, details, source)], part)
        n_done += len(details)
        if progress is not None:
            progress(n_done, n_listed)
    return ReportData(source, cells, summary, links, listed, views or {})


def _inline_views(source: ReportInput, listed: Sequence[Part]) -> dict[str, list[TrialDetail]] | None:
    """Return the views of all trials by part, ``None`` if they are too many or too large for one page."""
    if len(source.scores) > INLINE_TRIALS:
        return None
    views = {part.stem: [trial_detail(s, source) for s in part.scores] for part in listed}
    size = sum(detail.size for details in views.values() for detail in details)
    return views if size <= INLINE_BYTES else None


def _part_page(part: Part, details: Sequence[TrialDetail], source: ReportInput) -> str:
    lead = source.title(part.key[1])
    data = part.csv.removeprefix(f"{FOLDER}/")
    return render_page("cell.html", part.name, lead=lead, details=details, href_data=data)


def _points(details: Sequence[TrialDetail]) -> Iterator[str]:
    """Yield a table of the points in the drawings, the reference once."""
    yield "trial,curve,x,y\n"
    has_reference = False
    for detail in details:
        for curve, x, y in detail.plot.points if detail.plot else ():
            if curve == "reference" and has_reference:
                continue
            has_reference = True
            trial = "" if curve == "reference" else str(detail.score.trial)
            pairs = zip(x.tolist(), y.tolist(), strict=True)
            yield "".join([f"{trial},{curve},{a:.8g},{b:.8g}\n" for a, b in pairs])


def _lead(source: ReportInput) -> str:
    n_systems = len({(s.system, s.condition) for s in source.scores})
    n_tasks = len({s.task for s in source.scores})
    counts = ((len(source.scores), "trial"), (n_systems, "system"), (n_tasks, "task"))
    return ", ".join(f"{n:,} {word}{'' if n == 1 else 's'}" for n, word in counts) + "."


class _Files:
    """The files beside the page. The manifest names them, so that a later report can remove what it no longer needs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._place = folder / FOLDER
        self._manifest = self._place / MANIFEST
        self._written: dict[str, dict[str, object]] = {}
        self._before = self._earlier()
        self._place.mkdir(exist_ok=True)
        if not self._before:
            write_text(self._manifest, strict_json({"schema": SCHEMA, "files": {}}))

    def __len__(self) -> int:
        return len(self._written)

    def _earlier(self) -> set[str]:
        if not self._place.exists():
            return set()
        try:
            files = json.loads(self._manifest.read_text(encoding="utf-8"))["files"]
            return {name for name in files if "/" not in name and "\\" not in name}
        except (OSError, ValueError, KeyError, TypeError):
            if self._place.is_dir() and not any(self._place.iterdir()):
                return set()
            raise OutputError(f"{self._place}: is not the folder of a report; move it away") from None

    def write(self, name: str, chunks: Iterable[str], part: Part) -> None:
        text = "".join(chunks)
        write_text(self._folder / name, text)
        raw = text.encode("utf-8", "backslashreplace")
        trials = [text_cell(trial_name(score.address)) for score in part.scores]
        digest = hashlib.sha256(raw).hexdigest()
        self._written[name.removeprefix(f"{FOLDER}/")] = {"bytes": len(raw), "sha256": digest, "trials": trials}

    def finish(self) -> None:
        write_text(self._manifest, strict_json({"schema": SCHEMA, "files": self._written}))
        for name in self._before - self._written.keys():
            (self._place / name).unlink(missing_ok=True)
