"""The nouns of the suite: frozen records that the stages hand to one another.

``Task`` says what is asked and what is right, ``Trial`` what an agent left behind, ``TrialScore`` what we make of it.
A value that could not be had is ``None``, and a reason stands beside it; it is never 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]

Number = int | float
Setting = bool | int | float | str
ParameterState = Literal["set", "default", "unresolved"]
FailureMode = Literal["A", "B", "C", "D"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One observation a person can act on."""

    check: str
    """Short stable name of the rule, e.g. ``duplicate_x``."""
    message: str
    """One plain sentence."""
    line: int | None = None
    """1-based line in the agent's code or file, where there is one."""


# --------------------------------------------------------------------------------------------------- tasks


@dataclass(frozen=True, slots=True)
class Grid:
    """The x values a task asks for: ``multipoles`` (integers start..stop), ``linear`` or ``log`` (n points)."""

    kind: Literal["multipoles", "linear", "log"]
    start: float
    stop: float
    n: int


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Largest shortfall ``1 - s`` of each sub-score that a right answer may show."""

    nrmse: float
    smape: float
    ccc: float


@dataclass(frozen=True, slots=True)
class Task:
    """One task: every number of ``task.toml``, and where its files are."""

    id: str
    """``t01`` .. ``t14``, or the user's own."""
    name: str
    """Folder name, e.g. ``t01_tt_ombh2``; the reference solution carries the same."""
    folder: Path
    title: str
    group: str
    """Complexity group of the paper, section 4.1."""
    quantity: str
    unit: str
    columns: tuple[str, str]
    x_label: str
    y_label: str
    grid: Grid
    parameters: Mapping[str, float]
    """Numbers the prompt states."""
    formulas: Mapping[str, str]
    """``[derived]``: name -> arithmetic over the parameters, as written."""
    derived: Mapping[str, float]
    """``[derived]``, worked out."""
    settings: Mapping[str, Setting]
    """Settings that change the answer, as CAMB names them."""
    files: tuple[str, ...] = ()
    """Input files handed to the agent, relative to ``folder``."""
    words: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Each parameter in words, and its unit (empty: dimensionless)."""

    @property
    def truth(self) -> dict[str, float]:
        """Stated and derived numbers together: what the agent's code should tell CAMB."""
        return {**self.parameters, **self.derived}


# --------------------------------------------------------------------------------------------------- agent's output


@dataclass(frozen=True, slots=True)
class Curve:
    """Two columns of finite numbers, sorted by x, as read from an agent's or a reference file."""

    x: FloatArray
    y: FloatArray
    x_name: str
    y_name: str
    column_rule: str
    """Which rule picked the two columns."""
    n_columns: int
    """Numeric columns found."""
    n_dropped: int = 0
    """Rows dropped because x or y was not finite."""
    is_ambiguous: bool = False
    """The same x occurs with different y: never accurate."""
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class UnreadableCurve:
    """The agent's output file holds no curve; ``reason`` says why. An agent's failure, hence data."""

    reason: str


@dataclass(frozen=True, slots=True)
class ParameterReading:
    """What the code tells CAMB about one parameter."""

    name: str
    value: Setting | None
    """The value; with state ``default`` CAMB's own default; ``None`` if it is not known."""
    state: ParameterState
    line: int | None = None
    reason: str = ""
    """Why it is unresolved, or how it was converted."""


@dataclass(frozen=True, slots=True)
class CambModel:
    """One set of parameters that the code makes CAMB compute."""

    parameters: Mapping[str, ParameterReading]
    line: int | None
    """Line of the call that computes; ``None`` if no compute call was found."""


@dataclass(frozen=True, slots=True)
class ResultReading:
    """One call that reads what CAMB computed, with settings of its own."""

    call: str
    """CAMB's name, e.g. ``CAMBdata.get_total_cls``."""
    line: int | None
    model: int | None
    """Place of the computed model in :attr:`CodeReading.models`; ``None`` if it is not certain which."""
    settings: Mapping[str, ParameterReading]
    """The arguments (``CMB_unit``, ``raw_cl``, ``lmax``, ``minkh``, ...) by name."""
    spectra: tuple[str, ...] = ()
    """What the code takes of the result, in order: ``"TT"``, ``"total BB"``; ``"?"`` where the column is not known."""


@dataclass(frozen=True, slots=True)
class CodeReading:
    """What an agent's source says, read without running it."""

    models: tuple[CambModel, ...]
    """In the order in which they are computed; the last one counts for PAS."""
    findings: tuple[Finding, ...] = ()
    syntax_error: str | None = None
    """Set if the source does not parse: then ``models`` is empty and PAS is 0."""
    results: tuple[ResultReading, ...] = ()
    """How the computed results are read, in order."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One attempt of one system at one task: where its files are, and what was recorded about the run."""

    system: str
    task: str
    trial: int
    folder: Path
    layout: str
    condition: str = ""
    code_files: tuple[Path, ...] = ()
    output_file: Path | None = None
    text_files: tuple[Path, ...] = ()
    """Report, final message, chat logs: what the agent said."""
    cost_usd: float | None = None
    duration_s: float | None = None
    exit_code: int | None = None
    status: str = ""
    started: float | None = None
    """Unix time at which the trial began, if recorded."""
    notes: tuple[str, ...] = ()

    @property
    def address(self) -> tuple[str, str, str, int]:
        """(system, task, condition, trial): what tells one trial from another."""
        return self.system, self.task, self.condition, self.trial


# --------------------------------------------------------------------------------------------------- scores


@dataclass(frozen=True, slots=True)
class ExecutionSuccess:
    """ESR with the first condition that failed; ``reason`` is empty iff ``esr`` is 1."""

    esr: Literal[0, 1]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class NumericalAccuracy:
    """NAS and its three sub-scores; a missing one is ``None`` and ``reason`` says why."""

    nas: float | None
    s_nrmse: float | None
    s_smape: float | None
    s_ccc: float | None
    n_outside: int = 0
    """Reference points outside the agent's x-range, where its end values were held."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ParameterScore:
    """One row of ``parameters.csv``."""

    parameter: str
    value: Setting | None
    reference: Setting
    eps: float
    weight: float
    state: ParameterState
    line: int | None = None
    reason: str = ""
    is_extended: bool = False
    """Counts in ``pas_extended`` only."""


@dataclass(frozen=True, slots=True)
class ParameterAccuracy:
    """PAS and its brackets; all ``None`` with a reason where there is no code."""

    pas: float | None
    pas_low: float | None = None
    pas_high: float | None = None
    pas_effective: float | None = None
    pas_extended: float | None = None
    parameters: tuple[ParameterScore, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Disclosure:
    """Whether the agent's own text states a problem with its result; ``None`` if no text was kept."""

    disclosed: bool | None
    evidence: str = ""
    """The sentence."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TrialScore:
    """One row of ``scores.csv``; field names are the column names. ``None`` is written as an empty cell."""

    system: str
    task: str
    condition: str
    trial: int
    esr: int | None
    esr_reason: str
    pas: float | None
    pas_low: float | None
    pas_high: float | None
    pas_effective: float | None
    pas_extended: float | None
    nas: float | None
    s_nrmse: float | None
    s_smape: float | None
    s_ccc: float | None
    score: float | None
    mode: FailureMode | None
    unit_flag: int | None
    accurate: int | None
    wrong: int | None
    silent_failure: int | None
    n_points: int | None
    cost_usd: float | None
    duration_s: float | None
    code_file: str
    output_file: str
    notes: str
    unscored_reason: str
    diagnosis: str = ""
    """Why the curve is wrong: an id of the catalogue, ``unknown``, or empty for an accurate curve or none."""
    diagnosis_text: str = ""
    """The same as a sentence."""
    reexecution: str = ""
    """Whether the code makes the output: a verdict of ``reliability reexecute``, where its table was given."""
    parameters: tuple[ParameterScore, ...] = field(default=(), compare=False)

    @property
    def address(self) -> tuple[str, str, str, int]:
        """(system, task, condition, trial): what tells one trial from another."""
        return self.system, self.task, self.condition, self.trial


# ------------------------------------------------------------------------------------------- reference solutions


@dataclass(frozen=True, slots=True)
class Reference:
    """The right answer of a task, with the tolerance that its variants span."""

    task: str
    x: FloatArray
    y: FloatArray
    tolerance: Tolerance
    provenance: Mapping[str, object] = field(default_factory=dict)
    variations: FloatArray | None = None
    """Shape (variants, points): how right answers deviate from `y`; ``None`` where the task has too few of them."""
