"""Reference analyses of the inference problems on disk: script, thinned posteriors, provenance.

In ``reference_solutions``, beside the curves of the one-shot tasks, lie for each inference problem

``T2_ngc3198.py``                 ``problems(data, names)`` and ``analyses(data, names)``, both by name
``T2_ngc3198__disc_m_l_0.5.npz``  posterior of one problem: ``chain`` (runs, samples, parameters), ``names``
``T2_ngc3198.json``               seeds, versions, convergence, medians of the full chains, hashes

A posterior whose hashes do not fit script and data is refused.
"""

from __future__ import annotations

import json
import re
import runpy
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from reliability.errors import OutputError, ReferenceSolutionError
from reliability.inference_tasks import InferenceTask, read_columns, read_words
from reliability.likelihoods import Analysis, Problem
from reliability.literature import load_literature
from reliability.posterior_records import Estimate
from reliability.reference_scripts import FOLDER
from reliability.references import SCHEMA, read_provenance, sha256
from reliability.tasks import data_folder

if TYPE_CHECKING:
    from reliability.records import FloatArray


@dataclass(frozen=True, slots=True)
class StoredPosterior:
    """The committed posterior of one problem."""

    problem: str
    names: tuple[str, ...]
    chain: FloatArray
    """Shape (independent runs, thinned samples, parameters)."""
    provenance: Mapping[str, object]
    """Seeds, walkers, steps, autocorrelation times, R-hat, medians and standard deviations of the full chains."""

    @property
    def samples(self) -> dict[str, FloatArray]:
        """All samples by parameter."""
        return dict(zip(self.names, self.chain.reshape(-1, len(self.names)).T, strict=True))


@dataclass(frozen=True, slots=True)
class AnalysisResult:
    """What one analysis finds for the literature's parameters, and what that would score."""

    name: str
    is_named: bool
    """Whether its PRS is *the* ceiling of the task."""
    assumes: str
    estimates: Mapping[str, Estimate]
    prs: float


@dataclass(frozen=True, slots=True)
class InferenceReference:
    """All reference analyses of one inference problem."""

    task: str
    results: tuple[AnalysisResult, ...]
    posteriors: Mapping[str, StoredPosterior]
    provenance: Mapping[str, object]

    @property
    def named(self) -> AnalysisResult:
        """The analysis that sets the ceiling."""
        return next(result for result in self.results if result.is_named)

    @property
    def ceiling(self) -> float:
        """PRS of the named analysis: what a right, converged analysis of the given data scores (METRICS, PRS)."""
        return self.named.prs

    @property
    def ceiling_range(self) -> tuple[float, float]:
        """Lowest and highest PRS over all analyses."""
        scores = [result.prs for result in self.results]
        return min(scores), max(scores)


# ----------------------------------------------------------------------------------------------------------- scripts


def script_of(task: InferenceTask) -> Path:
    """The reference script of a task."""
    path = data_folder(FOLDER) / f"{task.id}_{task.name.split('_', 1)[1]}.py"
    if not path.is_file():
        raise ReferenceSolutionError(f"{path}: no reference script of {task.id}")
    return path


def problems_of(task: InferenceTask) -> dict[str, Problem]:
    """The problems of a task by name, from its reference script and data."""
    return cast("dict[str, Problem]", _call(task, "problems"))


def analyses_of(task: InferenceTask) -> dict[str, Analysis]:
    """The analyses of a task by name, from its reference script and data."""
    return cast("dict[str, Analysis]", _call(task, "analyses"))


def named_problem(task: InferenceTask) -> Problem:
    """The problem that the named analysis samples: the likelihood by which reported values are judged."""
    return problems_of(task)[analyses_of(task)[task.analysis].problem]


def _call(task: InferenceTask, function: str) -> object:
    script = runpy.run_path(str(script_of(task)))
    return script[function](read_columns(task.data), read_words(task.data))


# ----------------------------------------------------------------------------------------------------------- reading


def load_inference_reference(task: InferenceTask) -> InferenceReference:
    """The committed reference analyses of a task.

    Raises :class:`ReferenceSolutionError`, with the command that makes them, if one is missing or if script, data or
    posterior changed since it was made.
    """
    path = script_of(task).with_suffix(".json")
    provenance = read_provenance(path)
    for key, found in _hashes(task).items():
        if provenance.get(key) != found:
            raise ReferenceSolutionError(f"{path}: {key} does not fit; make it again: {_command(task)}")
    entries = cast("Mapping[str, Mapping[str, object]]", provenance["problems"])
    posteriors = {name: _read_posterior(task, name, entry) for name, entry in entries.items()}
    return InferenceReference(task.id, results_of(task, posteriors), posteriors, provenance)


def results_of(task: InferenceTask, posteriors: Mapping[str, StoredPosterior]) -> tuple[AnalysisResult, ...]:
    """What every analysis of a task reads off these posteriors."""
    literature = load_literature(task.id)
    results = []
    for name, analysis in analyses_of(task).items():
        if analysis.problem not in posteriors:
            raise ReferenceSolutionError(f"{task.id}: no posterior of {analysis.problem!r}: {_command(task)}")
        estimates = analysis.estimates(posteriors[analysis.problem].samples)
        prs = literature.recovery({parameter: e.value for parameter, e in estimates.items()})
        results.append(AnalysisResult(name, name == task.analysis, analysis.assumes, estimates, prs))
    return tuple(results)


def _read_posterior(task: InferenceTask, name: str, entry: Mapping[str, object]) -> StoredPosterior:
    import numpy as np

    path = posterior_path(task, name)
    if not path.is_file() or entry.get("sha256") != _sha256_of_bytes(path):
        raise ReferenceSolutionError(f"{path}: missing, or changed since it was made: {_command(task)}")
    with np.load(path, allow_pickle=False) as arrays:
        names = tuple(str(parameter) for parameter in arrays["names"])
        chain = arrays["chain"].astype(np.float64)
    return StoredPosterior(name, names, chain, entry)


# ----------------------------------------------------------------------------------------------------------- writing


def write_inference_reference(
    task: InferenceTask,
    posteriors: Mapping[str, StoredPosterior],
    folder: Path,
    versions: Mapping[str, str],
) -> Path:
    """Write the posteriors of a task and their provenance into `folder`; returns the path of the provenance."""
    import numpy as np

    path = folder / script_of(task).with_suffix(".json").name
    entries = {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, posterior in posteriors.items():
            file = folder / posterior_path(task, name).name
            np.savez_compressed(file, chain=posterior.chain.astype(np.float32), names=np.array(posterior.names))
            entries[name] = {**posterior.provenance, "file": file.name, "sha256": _sha256_of_bytes(file)}
        record = {"schema": SCHEMA, "task": task.id, **_hashes(task), "versions": dict(versions), "problems": entries}
        path.write_text(json.dumps(record, indent=1, allow_nan=False) + "\n", encoding="utf-8", newline="\n")
    except OSError as error:
        raise OutputError(f"{error.filename or folder}: cannot be written ({error.strerror})") from error
    return path


def posterior_path(task: InferenceTask, problem: str) -> Path:
    """Where the committed posterior of a problem lies."""
    slug = re.sub(r"[^a-z0-9.]+", "_", problem.lower())
    return script_of(task).with_name(f"{script_of(task).stem}__{slug}.npz")


def _hashes(task: InferenceTask) -> dict[str, str]:
    return {"script_sha256": sha256(script_of(task)), "data_sha256": sha256(task.data)}


def _sha256_of_bytes(path: Path) -> str:
    import hashlib

    return hashlib.sha256(path.read_bytes()).hexdigest()


def _command(task: InferenceTask) -> str:
    return f"reliability references {task.id} --out {data_folder(FOLDER)}"
