"""One trial as its view shows it: numbers, findings, curve, parameters, code, and what the agent said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import escape

from reliability.agent_files import read_bytes
from reliability.curves import read_curve
from reliability.records import Curve, ParameterScore, Trial, TrialScore
from reliability.report.agent_text import CodeLine, code_lines, report_excerpt
from reliability.report.curve_plot import CurvePlot, plot_curve
from reliability.report.inputs import ReportInput, find_file
from reliability.report.verdicts import DISCLOSED, Verdict, disclosure, findings, noted_lines, verdict
from reliability.trial_code import MAX_SOURCE, read_texts


@dataclass(frozen=True, slots=True)
class TrialDetail:
    """All that is shown of one trial."""

    score: TrialScore
    verdict: Verdict
    findings: Sequence[str]
    evidence: str
    """The sentence that disclosed a problem; empty if the agent said nothing."""
    parameters: Sequence[ParameterScore]
    plot: CurvePlot | None = None
    code: Sequence[CodeLine] = ()
    said: str = ""
    """Markup, escaped."""
    missing: Sequence[str] = ()
    """What is not shown, and why, a sentence each."""

    @property
    def size(self) -> int:
        """About how many characters of a page its view takes."""
        code = sum(len(escape(line.text)) + 12 for line in self.code)
        plot = len(self.plot.svg) if self.plot else 0
        return 2000 + code + plot + len(self.said) + sum(map(len, self.findings)) + 250 * len(self.parameters)

    @property
    def code_numbers(self) -> set[int]:
        """Lines of the script that can be linked to."""
        return {line.number for line in self.code if line.says}


def trial_detail(score: TrialScore, source: ReportInput) -> TrialDetail:
    """Return what is shown of one trial; what cannot be read any more is named in ``missing``."""
    found = verdict(score)
    parameters = source.parameters.get(score.address, ())
    evidence = disclosure(score) if score.silent_failure != 1 else ""
    trial = source.trials.get(score.address)
    missing: list[str] = []
    plot: CurvePlot | None = None
    code: Sequence[CodeLine] = ()
    said = ""
    if trial is not None:
        if source.has_changed(trial, score):
            missing.append("Its files have changed since they were scored; what is shown here is what they hold now.")
        plot = _plot(score, trial, source, missing)
        code = _code(score, trial, parameters, missing, noted_lines(score))
        said = report_excerpt(read_texts(trial), evidence)
    sentences = findings(score)
    if evidence and found is not DISCLOSED:
        sentences.append(f"The agent's text names a problem: “{evidence}”")
    return TrialDetail(score, found, sentences, evidence, parameters, plot, code, said, missing)


def _plot(score: TrialScore, trial: Trial, source: ReportInput, missing: list[str]) -> CurvePlot | None:
    task, reference = source.tasks.get(score.task), source.references.get(score.task)
    if task is None or reference is None:
        return None
    if not score.output_file:
        return None
    path = find_file(trial, score.output_file)
    if path is None:
        missing.append(f"The output {score.output_file} is no longer there.")
        return None
    curve = read_curve(path, columns=task.columns, max_bytes=int(source.manifest["options"]["max_bytes"]))
    return plot_curve(task, curve if isinstance(curve, Curve) and curve.n_columns > 1 else None, reference)


def _code(
    score: TrialScore, trial: Trial, parameters: Sequence[ParameterScore], missing: list[str], noted: set[int]
) -> Sequence[CodeLine]:
    if not score.code_file:
        return ()
    path = find_file(trial, score.code_file)
    if path is None:
        missing.append(f"The script {score.code_file} is no longer there.")
        return ()
    try:
        return code_lines(read_bytes(path, MAX_SOURCE), parameters, noted)
    except OSError as error:
        missing.append(f"The script {score.code_file} cannot be read: {error.strerror or error}.")
        return ()
