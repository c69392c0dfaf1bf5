"""From the scores of many trials to the rows of ``tasks.csv``, ``systems.csv`` and ``pairs.csv``.

Pure: numbers in, rows out. Which value a trial contributes to which mean is decided in one place, `_contributions`.
"""

from __future__ import annotations

import hashlib
import json
import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from reliability.records import TrialScore
from reliability.statistics import Estimate, nested_means, paired_differences, pass_hat_k, pool_size, resampled_means

if TYPE_CHECKING:
    from reliability.statistics import FloatArray

MEASURES = ("esr", "pas", "nas", "score", "pas_scored", "nas_scored", "accurate", "wrong", "silent_failure")
"""What is averaged, with an interval; all in [0, 1]."""
MODES = ("A", "B", "C", "D", "unknown")
MAX_PASS_K = 100
"""Largest k for which pass^k gets a column."""
MISSING_DATA_POLICY = (
    "esr, pas, nas, score: all attempted trials, as in the paper: without output NAS = 0 and Score = 0, unparsable code"
    " PAS = 0; pas_scored: only trials with code that parses; nas_scored: only trials with a curve;"
    " silent_failure: only trials with text; what could not be scored is left out and counted; where no valid"
    " output has a Score there is no mean Score"
)
"""Stated in every table and in the manifest."""

_COUNTS = ("attempted", "completed", "unscored", *(f"n_{mode}" for mode in MODES))
_MEANS = tuple(f"{m}{suffix}" for m in MEASURES for suffix in ("", "_low", "_high", "_n", "_trials"))
_MONEY = tuple(f"{m}{suffix}" for m in ("cost_usd", "duration_s") for suffix in ("", "_total", "_n"))
_SUMMARY_COLUMNS = (*_COUNTS, *(f"share_{mode}" for mode in MODES), *_MEANS, *_MONEY, "unit_flag_n")
TASK_COLUMNS = ("system", "condition", "level", "group", "task", "n_tasks", *_SUMMARY_COLUMNS, "missing_data")
"""``level`` is ``task``, ``group`` or ``all``. pass_1, pass_2 .. follow before ``missing_data``."""
SYSTEM_COLUMNS = ("system", "condition", "n_tasks", *_SUMMARY_COLUMNS, "missing_data")
PAIR_COLUMNS = (
    *("first", "second", "condition", "metric", "difference", "low", "high", "difference_trials"),
    *("n", "n_missing", "n_tasks", "interval", "missing_data"),
)

Cell = str | int | float | None
Row = dict[str, Cell]


class Table(NamedTuple):
    """Column names, and rows that have a value for each of them."""

    columns: tuple[str, ...]
    rows: list[Row]


class Summary(NamedTuple):
    """The three tables made from the trial scores."""

    tasks: Table
    systems: Table
    pairs: Table


_EXTRA = ("cost_usd", "duration_s", "completed", "unscored", "mode", "unit_flag")
_N = len(MEASURES)
_ACCURATE, _ESR, _SCORE = (MEASURES.index(name) for name in ("accurate", "esr", "score"))


def _contributions(score: TrialScore) -> tuple[float | None, ...]:
    """Return what one trial adds: MEASURES, then _EXTRA; ``None`` is left out of a mean."""
    left_nothing = score.esr == 0 and score.nas is None
    unparsable = score.pas is not None and score.pas_low is None
    return (
        score.esr,
        score.pas,
        0.0 if left_nothing else score.nas,
        score.score,
        None if unparsable else score.pas,
        score.nas,
        score.accurate,
        score.wrong,
        score.silent_failure,
        score.cost_usd,
        score.duration_s,
        float(score.output_file != ""),
        float(score.score is None),
        MODES.index(score.mode or "unknown"),
        score.unit_flag,
    )


def _only_failures_have_scores(values: FloatArray) -> bool:
    """Return whether there are valid outputs among these trials, but none that has a Score.

    Where the valid outputs cannot be scored (no code was kept), what is left is the zeros of mode A. Their mean would
    be 0 by construction, whatever the outputs are worth.
    """
    valid = values[:, _ESR] == 1
    return bool(valid.any() and not np.isfinite(values[valid, _SCORE]).any())


def _without_selected_scores(values: FloatArray) -> FloatArray:
    """Return one task's trials, without their Scores if only failures have one."""
    if _only_failures_have_scores(values):
        values = values.copy()
        values[:, _SCORE] = np.nan
    return values


class ScoreColumns:
    """The numbers of many trials, in columns: some 130 bytes a trial, however long its notes."""

    def __init__(self, scores: Iterable[TrialScore] = ()) -> None:
        """Start with these trials; more are added one by one."""
        self._addresses: dict[tuple[str, str, str], int] = {}
        self._cells = array("q")
        self._trials = array("q")
        self._values = array("d")
        for score in scores:
            self.add(score)

    def __len__(self) -> int:
        """Return the number of trials."""
        return len(self._cells)

    def add(self, score: TrialScore) -> None:
        """Add one trial."""
        address = (score.system, score.condition, score.task)
        self._cells.append(self._addresses.setdefault(address, len(self._addresses)))
        self._trials.append(score.trial)
        self._values.extend(math.nan if v is None else v for v in _contributions(score))

    def cells(self) -> list[_Cell]:
        """Return the trials of each system, condition and task, sorted; the order of adding leaves no trace."""
        values = np.array(self._values, dtype=float).reshape(len(self), _N + len(_EXTRA))
        order = np.lexsort((*values.T, np.array(self._trials), np.array(self._cells)))
        bounds = np.cumsum(np.bincount(np.array(self._cells, dtype=np.int64), minlength=len(self._addresses)))
        parts = [_without_selected_scores(part) for part in np.split(values[order], bounds[:-1])]
        return sorted((_Cell(*address, parts[i]) for address, i in self._addresses.items()), key=lambda c: c.address)


@dataclass(frozen=True, slots=True, eq=False)
class _Cell:
    system: str
    condition: str
    task: str
    values: FloatArray

    @property
    def address(self) -> tuple[str, str, str]:
        return self.system, self.condition, self.task

    @property
    def judged(self) -> tuple[int, int]:
        """Trials of which we know whether they are accurate, and how many are."""
        accurate = self.values[:, _ACCURATE]
        return int(np.isfinite(accurate).sum()), int(np.nansum(accurate))


def summarise(scores: ScoreColumns, groups: Mapping[str, str], seed: int) -> Summary:
    """Return the tables of a run.

    Parameters
    ----------
    groups
        Task id -> complexity group; group means are made from it. A task without one stands alone.
    seed
        Every row draws from its own stream, made from the seed and the row's address, so that no row depends on which
        others there are or on the order in which trials were scored.
    """
    by_system = {key: list(cells) for key, cells in groupby(scores.cells(), key=lambda c: (c.system, c.condition))}
    pools = {key: _pools(cells, seed) for key, cells in by_system.items()}
    task_rows: list[Row] = []
    system_rows: list[Row] = []
    for (system, condition), cells in by_system.items():
        mine = pools[system, condition]
        for cell in cells:
            row = _summary_row([cell], mine, _rng(seed, "task", *cell.address))
            address = {"level": "task", "group": groups.get(cell.task, ""), "task": cell.task}
            task_rows.append({"system": system, "condition": condition, **address, **row})
        for group in sorted({groups[c.task] for c in cells if groups.get(c.task)}):
            members = [c for c in cells if groups.get(c.task) == group]
            row = _summary_row(members, mine, _rng(seed, "group", system, condition, group))
            task_rows.append({"system": system, "condition": condition, "level": "group", "group": group, **row})
        row = _summary_row(cells, mine, _rng(seed, "system", system, condition))
        task_rows.append({"system": system, "condition": condition, "level": "all", "group": "", **row})
        system_rows.append({"system": system, "condition": condition, **row})
    return Summary(
        _table(TASK_COLUMNS, task_rows), _table(SYSTEM_COLUMNS, system_rows), _pair_table(by_system, pools, seed)
    )


def _rng(seed: int, *address: str) -> np.random.Generator:
    digest = hashlib.sha256(json.dumps(address).encode()).digest()
    return np.random.default_rng([seed, *np.frombuffer(digest, dtype="<u4").tolist()])


def _pools(cells: Sequence[_Cell], seed: int) -> dict[str, FloatArray]:
    size = pool_size(len(cells))
    return {c.task: resampled_means(c.values[:, :_N], _rng(seed, "pool", *c.address), size) for c in cells}


def _summary_row(cells: Sequence[_Cell], pools: Mapping[str, FloatArray], rng: np.random.Generator) -> Row:
    """Return one row of means over these cells of one system; pass^k in columns pass_1, pass_2 .."""
    values = np.concatenate([c.values for c in cells])
    extra = {name: values[:, _N + i] for i, name in enumerate(_EXTRA)}
    n = len(values)
    row: Row = {"n_tasks": len(cells), "attempted": n}
    row["completed"], row["unscored"] = int(extra["completed"].sum()), int(extra["unscored"].sum())
    mode_counts = np.bincount(extra["mode"].astype(int), minlength=len(MODES)).tolist()
    row |= {f"n_{mode}": count for mode, count in zip(MODES, mode_counts, strict=True)}
    row |= {f"share_{mode}": count / n for mode, count in zip(MODES, mode_counts, strict=True)}
    estimates = nested_means([c.values[:, :_N] for c in cells], rng, [pools[c.task] for c in cells])
    for measure, e in zip(MEASURES, estimates, strict=True):
        row |= {measure: e.value, f"{measure}_low": e.low, f"{measure}_high": e.high}
        row |= {f"{measure}_n": e.n, f"{measure}_trials": e.mean_over_trials}
    if _only_failures_have_scores(values):
        row |= {"score": None, "score_low": None, "score_high": None, "score_n": 0, "score_trials": None}
    for name in ("cost_usd", "duration_s"):
        known = extra[name][np.isfinite(extra[name])]
        total = math.fsum(known)
        row |= {name: total / known.size if known.size else None, f"{name}_total": total if known.size else None}
        row[f"{name}_n"] = known.size
    row["unit_flag_n"] = int(np.nansum(extra["unit_flag"]))
    row["missing_data"] = MISSING_DATA_POLICY
    counts = [c.judged for c in cells if c.judged[0]]
    for k in range(1, min([n for n, _ in counts], default=0) + 1)[:MAX_PASS_K]:
        row[f"pass_{k}"] = math.fsum(pass_hat_k(n, c, k) for n, c in counts) / len(counts)
    return row


def _table(columns: tuple[str, ...], rows: list[Row]) -> Table:
    """Return a table in which every row has every column, with the pass^k columns that occur."""
    largest_k = max((k for row in rows for k in range(1, MAX_PASS_K + 1) if f"pass_{k}" in row), default=0)
    columns = (*columns[:-1], *(f"pass_{k}" for k in range(1, largest_k + 1)), columns[-1])
    return Table(columns, [{name: row.get(name) for name in columns} for row in rows])


def _pair_table(
    by_system: Mapping[tuple[str, str], list[_Cell]], pools: Mapping[tuple[str, str], dict[str, FloatArray]], seed: int
) -> Table:
    rows: list[Row] = []
    for one, two in combinations(sorted(by_system, key=lambda key: (key[1], key[0])), 2):
        if one[1] != two[1]:
            continue
        cells = [{c.task: c for c in by_system[key]} for key in (one, two)]
        common = sorted(cells[0].keys() & cells[1].keys())
        rng = _rng(seed, "pair", one[0], *two)
        values = [[side[task].values[:, :_N] for task in common] for side in cells]
        drawn = ([pools[one][task] for task in common], [pools[two][task] for task in common])
        estimates = paired_differences(values[0], values[1], rng, drawn) or (_NO_COMMON_TASK,) * _N
        rows += [_pair_row(one[0], *two, m, e) for m, e in zip(MEASURES, estimates, strict=True)]
    return Table(PAIR_COLUMNS, rows)


_NO_COMMON_TASK = Estimate(None, None, None, 0, 0, 0, None, "none")


def _pair_row(first: str, second: str, condition: str, metric: str, e: Estimate) -> Row:
    values = (first, second, condition, metric, e.value, e.low, e.high, e.mean_over_trials, e.n, e.n_missing)
    return dict(zip(PAIR_COLUMNS, (*values, e.n_tasks, e.method, MISSING_DATA_POLICY), strict=True))
