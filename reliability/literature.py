"""The published values that posteriors are compared with, and the ranges that are plausible, each with its source.

``literature_refs/T1.toml`` .. ``T4.toml``::

    [paper]         prs that [PW] Table 2 prints, meaning (what that score says, from what our analyses score)
    [[values]]      parameter, value, sigma, unit, key (of references.bib), place (table or section), note
    [[plausible]]   parameter, low, high, sources (keys), note
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from reliability.errors import TaskError
from reliability.metrics import parameter_recovery_score
from reliability.posterior_records import Literature, PlausibleRange
from reliability.task_format import check_keys, number_value, read_toml, suggestion, text_value
from reliability.tasks import data_folder

FOLDER = "literature_refs"
BIBLIOGRAPHY = "references.bib"
_TABLES = ("task", "paper", "values", "plausible")
_VALUE_KEYS = ("parameter", "value", "sigma", "unit", "key", "place", "note")
_RANGE_KEYS = ("parameter", "low", "high", "sources", "note")


@dataclass(frozen=True, slots=True)
class PublishedValue:
    """A published value of one parameter, with all that is known about it."""

    parameter: str
    value: float
    sigma: float
    unit: str
    key: str
    """BibTeX key in ``references.bib``."""
    place: str
    """Table or section."""
    note: str
    """What is to be known about it; empty if nothing."""


@dataclass(frozen=True, slots=True)
class LiteratureTable:
    """What is published on the parameters of one task."""

    task: str
    paper_prs: float
    """PRS of the trials in Table 2 of [PW]."""
    paper_meaning: str
    """What that score says, in view of the reference analyses."""
    values: tuple[PublishedValue, ...]
    plausible: Mapping[str, PlausibleRange]
    """Values of a parameter that would surprise nobody of the field."""

    @property
    def references(self) -> dict[str, Literature]:
        """Value and sigma of each parameter that is scored, by name."""
        return {v.parameter: Literature(v.value, v.sigma, v.key) for v in self.values}

    def recovery(self, estimates: Mapping[str, float]) -> float:
        """PRS of these values (Eq. 8 of [PW]); :class:`~reliability.errors.UndefinedScore` if one is missing."""
        return parameter_recovery_score(estimates, {v.parameter: (v.value, v.sigma) for v in self.values})


def load_literature(task_id: str, folder: Path | None = None) -> LiteratureTable:
    """The literature on a task; :class:`TaskError` names file, key and what is allowed."""
    folder = data_folder(FOLDER) if folder is None else folder
    path = folder / f"{task_id}.toml"
    table = read_toml(path)
    check_keys(path, "top level", table, _TABLES, required=_TABLES)
    if table["task"] != task_id:
        raise TaskError(f"{path}: task must be {task_id!r}, found {table['task']!r}")
    known = bibliography_keys(folder)
    values = tuple(_value(path, entry, known) for entry in _entries(path, "values", table["values"], _VALUE_KEYS))
    ranges = _entries(path, "plausible", table["plausible"], _RANGE_KEYS)
    (paper,) = _entries(path, "paper", [table["paper"]], ("prs", "meaning"))
    return LiteratureTable(
        task=task_id,
        paper_prs=number_value(path, "paper", "prs", paper["prs"]),
        paper_meaning=text_value(path, "[paper]", "meaning", paper["meaning"]),
        values=values,
        plausible=dict(_range(path, entry, known) for entry in ranges),
    )


def bibliography_keys(folder: Path) -> frozenset[str]:
    """The keys of ``references.bib``."""
    path = folder / BIBLIOGRAPHY
    try:
        return frozenset(re.findall(r"^@\w+\{(\w+),", path.read_text(encoding="utf-8"), re.MULTILINE))
    except (OSError, UnicodeDecodeError) as error:
        raise TaskError(f"{path}: cannot be read as a bibliography") from error


def _entries(path: Path, name: str, value: object, keys: tuple[str, ...]) -> Iterator[dict[str, object]]:
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise TaskError(f"{path}: [[{name}]] must be a list of tables")
    for entry in value:
        check_keys(path, f"[[{name}]]", entry, keys, required=keys)
        yield entry


def _value(path: Path, entry: dict[str, object], known: frozenset[str]) -> PublishedValue:
    words = {key: text_value(path, "[[values]]", key, entry[key]) for key in ("parameter", "key", "place")}
    value, sigma = (number_value(path, "values", key, entry[key]) for key in ("value", "sigma"))
    if sigma <= 0:
        raise TaskError(f"{path}: [[values]]: sigma of {words['parameter']} must be above 0, found {sigma!r}")
    _check_source(path, words["key"], known)
    return PublishedValue(**words, value=value, sigma=sigma, unit=str(entry["unit"]), note=str(entry["note"]))


def _range(path: Path, entry: dict[str, object], known: frozenset[str]) -> tuple[str, PlausibleRange]:
    parameter = text_value(path, "[[plausible]]", "parameter", entry["parameter"])
    low, high = (number_value(path, "plausible", key, entry[key]) for key in ("low", "high"))
    sources = entry["sources"]
    if low >= high or not isinstance(sources, list) or not sources:
        raise TaskError(f"{path}: [[plausible]]: {parameter} needs low < high and at least one source")
    for source in sources:
        _check_source(path, source, known)
    return parameter, PlausibleRange(low, high, ", ".join(sources))


def _check_source(path: Path, key: str, known: frozenset[str]) -> None:
    if key not in known:
        raise TaskError(f"{path}: {key!r} is not in {BIBLIOGRAPHY}; {suggestion(str(key), known)}")
