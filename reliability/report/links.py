"""Where a trial's view is: in the page itself, or in one of the files beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from reliability.records import TrialScore
from reliability.report.names import Address, anchor, cell_name, file_name, trial_name
from reliability.report.overview import CellKey

FOLDER = "report"
MANIFEST = "manifest.json"
FILE_TRIALS = 60
"""Trials whose views stand in one file."""


@dataclass(frozen=True, slots=True)
class Part:
    """The views of some trials of one system at one task: one section of the page, or one file."""

    key: CellKey
    stem: str
    """Name of its files, without ending."""
    scores: Sequence[TrialScore]

    @property
    def name(self) -> str:
        """What a person calls it."""
        return cell_name(*self.key)

    @property
    def csv(self) -> str:
        """The file with the points of its curves, from the run folder."""
        return f"{FOLDER}/{self.stem}.csv"

    @property
    def html(self) -> str:
        """The file with its views, from the run folder, where they are not in the page itself."""
        return f"{FOLDER}/{self.stem}.html"


def parts(cells: Mapping[CellKey, Sequence[TrialScore]]) -> Iterator[Part]:
    """Yield the parts of a report, each small enough for one file."""
    for key, scores in cells.items():
        stem = file_name(cell_name(key[0], key[1], key[2]))
        for i in range(0, len(scores), FILE_TRIALS):
            yield Part(key, f"{stem}.{i // FILE_TRIALS + 1}" if i else stem, scores[i : i + FILE_TRIALS])


@dataclass(frozen=True, slots=True)
class Links:
    """Addresses of trials and of cells, as a page in the run folder writes them."""

    is_inline: bool
    files: Mapping[Address, str] = field(default_factory=dict)
    cells: Mapping[CellKey, str] = field(default_factory=dict)

    def trial(self, address: Address) -> str | None:
        """Return the link to a trial's view, ``None`` if it has none."""
        if address not in self.files:
            return None
        fragment = f"#{anchor(trial_name(address))}"
        return fragment if self.is_inline else self.files[address] + fragment

    def cell(self, key: CellKey) -> str | None:
        """Return the link to all trials of a system at a task."""
        if key not in self.cells:
            return None
        return f"#{anchor(cell_name(*key))}" if self.is_inline else self.cells[key]


def make_links(all_parts: Sequence[Part], *, is_inline: bool) -> Links:
    """Return the links into these parts."""
    files = {score.address: part.html for part in all_parts for score in part.scores}
    cells: dict[CellKey, str] = {}
    for part in all_parts:
        cells.setdefault(part.key, part.html)
    return Links(is_inline, files, cells)
