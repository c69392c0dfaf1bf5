"""Is the input wrong or the pipeline? The reference, computed with the parameters that an agent's code sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from reliability.camb_code import read_camb_code
from reliability.diagnosis import Diagnosis, diagnose
from reliability.parameter_accuracy import parameter_accuracy
from reliability.records import Reference
from reliability.reference_runs import compute_reference
from reliability.reference_scripts import find_script, script_arguments

if TYPE_CHECKING:
    from reliability.records import Curve, Setting, Task

Verdict = Literal["wrong input, right pipeline", "wrong input, wrong pipeline", "wrong pipeline", "right", "unknown"]


@dataclass(frozen=True, slots=True)
class Rerun:
    """What the reference says of an agent's curve when it is given the agent's own numbers."""

    verdict: Verdict
    parameters: Mapping[str, tuple[Setting, Setting]]
    """Those that differ: name -> (in the code, asked)."""
    unresolved: tuple[str, ...]
    """Parameters that could not be read; the task's own values stood in for them."""
    diagnosis: Diagnosis | None = None
    """Of the curve against the reference with the agent's numbers, by transformations only."""
    camb: str = ""
    """Version that computed it; empty if nothing had to be computed."""
    reason: str = ""


def rerun(source: str | bytes, curve: Curve, task: Task, reference: Reference) -> Rerun:
    """Return whether wrong parameters alone explain a curve.

    The parameters are read from the agent's source, which is not run. The task's own reference script computes the
    curve that they should give, in another process. Raises :class:`ReferenceSolutionError` if it cannot.
    """
    reading = read_camb_code(source)
    read = parameter_accuracy(reading, task).parameters
    if reading.syntax_error or not reading.models:
        reason = (
            f"the code does not parse: {reading.syntax_error}" if reading.syntax_error else "the code calls no CAMB"
        )
        return Rerun("unknown", {}, (), reason=reason)
    known = [p for p in read if p.parameter in task.truth]
    changed = {p.parameter: (p.value, p.reference) for p in known if p.value is not None and p.value != p.reference}
    unresolved = tuple(p.parameter for p in known if p.value is None)
    plain = diagnose(curve, task, reference)
    if plain.status == "accurate":
        return Rerun("right", changed, unresolved, plain)
    if not changed:
        return Rerun("wrong pipeline", changed, unresolved, plain)
    script = find_script(task)
    arguments = script_arguments(task, script)
    arguments |= {name: value for name, (value, _) in changed.items() if name in arguments}
    done = compute_reference(script, arguments)
    # how right answers deviate was found out for the task's own numbers; their size holds for others as well
    own = replace(reference, x=done.x, y=done.y, variations=None)
    diagnosis = diagnose(curve, task, own)
    is_right = diagnosis.status == "accurate"
    verdict: Verdict = "wrong input, right pipeline" if is_right else "wrong input, wrong pipeline"
    return Rerun(verdict, changed, unresolved, diagnosis, done.versions["camb"])
