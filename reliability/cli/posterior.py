"""``posterior``: can these chains be trusted?"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING

from reliability.cli.options import Commands, add_command
from reliability.cli.printing import print_json, print_table, say
from reliability.errors import InputError
from reliability.tables import clean_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reliability.posterior_checks import Examination
    from reliability.posterior_records import CheckFinding, Posterior, Prior
    from reliability.posterior_tasks import TaskVerdict


def add_posterior(commands: Commands) -> None:
    """Add the command ``posterior``."""
    sub = add_command(
        commands,
        "posterior",
        _posterior,
        "Check a posterior: prior bounds, convergence, degeneracies, modes; with --task plausibility, fit and PRS too.",
    )
    sub.add_argument(
        "chain",
        type=Path,
        metavar="CHAIN",
        help="emcee HDF5, GetDist or Cobaya text, ArviZ netCDF, npz, npy, CSV, ECSV, Parquet, summary.json, a report",
    )
    sub.add_argument("--task", metavar="ID", help="inference problem, T1 to T4")
    sub.add_argument("--priors", type=Path, metavar="FILE.json", help='{"name": [low, high], ...}; null: no bound')
    sub.add_argument("--report", type=Path, metavar="FILE.md", help="compare with the values that this text states")
    sub.add_argument("--names", metavar="A,B,...", help="names of the parameters, where the file has none")
    sub.add_argument("--discard", type=float, default=0.0, metavar="SHARE", help="leave out first steps (default 0)")
    sub.add_argument(
        "--trial",
        action="append",
        type=Path,
        default=[],
        metavar="CHAIN",
        help="another trial, to see drift between them",
    )
    sub.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder for figures: traces and a corner plot")


def _posterior(arguments: argparse.Namespace) -> int:
    from reliability.posterior_checks import Examination, check_posterior, drift
    from reliability.posteriors import read_posterior, read_priors

    names = arguments.names.split(",") if arguments.names else None
    posterior = read_posterior(arguments.chain, names=names, discard=arguments.discard)
    priors = read_priors(arguments.priors) if arguments.priors else {}
    priors, notes = _by_names(priors, posterior)
    examination = Examination(posterior, priors)
    findings = check_posterior(examination)
    verdict = _judge(arguments.task, posterior, priors) if arguments.task else None
    if verdict is not None:
        findings += verdict.findings
        notes += verdict.notes
    if arguments.trial:
        others = [read_posterior(path, names=names, discard=arguments.discard) for path in arguments.trial]
        findings += drift([examination, *(Examination(other) for other in others)])
    if arguments.report:
        notes += _differences(arguments.report, posterior)
    figures = _draw(arguments.output, examination, findings, verdict) if arguments.output else []
    notes = [clean_text(note) for note in (*posterior.notes, *notes)]
    if arguments.json:
        content = _as_json(posterior, findings, verdict)
        print_json({"file": str(arguments.chain), **content, "notes": notes, "figures": figures})
        return 0
    _print(posterior, findings, verdict)
    for note in notes:
        say(f"note: {note}")
    for path in figures:
        say(f"figure: {path}")
    return 0


def _by_names(priors: Mapping[str, Prior], posterior: Posterior) -> tuple[dict[str, Prior], list[str]]:
    """The priors under the chain's names; TeX and separators make no other name. Those of no parameter are noted."""
    from reliability.posteriors.names import plain_name

    known = {plain_name(name): name for name in posterior.names}
    found: dict[str, Prior] = {}
    notes = []
    for name, prior in priors.items():
        theirs = name if name in posterior.names else known.get(plain_name(name))
        if theirs is None:
            notes.append(f"a prior is given for {name}, which is no parameter of the chain")
        else:
            found[theirs] = prior
    return found, notes


def _judge(task_id: str, posterior: Posterior, priors: Mapping[str, Prior]) -> TaskVerdict:
    from reliability.posterior_tasks import find_inference_task, judge_by_task

    return judge_by_task(posterior, find_inference_task(task_id), priors)


def _differences(report: Path, posterior: Posterior) -> list[str]:
    """Where a report states another value than the chain has: by more than a third of the error."""
    from reliability.posteriors import match_names, read_report
    from reliability.posteriors.limits import check_file

    check_file(report)
    try:
        stated = read_report(report)
    except InputError as error:
        return [str(error)]
    notes = []
    for name, estimate in match_names(stated, posterior.names).posterior.estimates.items():
        chain = posterior.estimates[name]
        if chain.sigma and abs(estimate.value - chain.value) > chain.sigma / 3:
            notes.append(f"the report states {name} = {estimate.value:.5g}, the chain has {chain.value:.5g}")
    return notes or [f"{report.name}: {len(stated.names)} values stated, none at odds with the chain"]


def _draw(
    folder: Path, examination: Examination, findings: Sequence[CheckFinding], verdict: TaskVerdict | None
) -> list[str]:
    from reliability.figure_style import save_figure
    from reliability.posterior_figures import figure_corner, figure_traces

    if not examination.has_samples:
        say("no figure: there are no samples")
        return []
    drawn = {
        "corner": figure_corner(examination, findings, verdict.published if verdict else {}),
        "traces": figure_traces(examination, findings),
    }
    figures = {name: figure for name, figure in drawn.items() if figure is not None}
    if not figures:
        say("no figure: no parameter varies")
    return [str(path) for name, figure in figures.items() for path in save_figure(figure, folder / name)]


def _print(posterior: Posterior, findings: Sequence[CheckFinding], verdict: TaskVerdict | None) -> None:
    walkers = {"ensemble": "walkers", "chains": "chains"}.get(posterior.structure)
    rows = f"{posterior.n_samples} samples" + (f" of {len(posterior.lengths)} {walkers}" if walkers else "")
    print(clean_text(f"{posterior.format}: {rows if posterior.n_samples else 'values only, no samples'}\n"))
    rows_of = [(name, e.value, e.minus, e.plus) for name, e in posterior.estimates.items()]
    print_table(("parameter", "median", "minus", "plus"), rows_of)
    if verdict is not None:
        _print_recovery(verdict)
    flagged = [finding for finding in findings if finding.flagged]
    print(f"\n{len(flagged)} of {len(findings)} findings are flagged")
    header = ("", "check", "value", "threshold", "finding")
    ordered = sorted(findings, key=lambda finding: not finding.flagged)
    print_table(header, [("!" if f.flagged else "", f.check, f.value, f.threshold, f.message) for f in ordered])


def _print_recovery(verdict: TaskVerdict) -> None:
    found = verdict.recovery
    print()
    header = ("parameter", "value", "literature", "sigma", "off by (lit. sigma)", "off by (both)", "score")
    rows = [
        (p.parameter, p.value, p.literature.value, p.literature.sigma, p.deviation, p.combined_deviation, p.score)
        for p in found.parameters
    ]
    print_table(header, rows)
    print(f"PRS  {'-' if found.prs is None else f'{found.prs:.3f}'}{f'  ({found.reason})' if found.reason else ''}")


def _as_json(posterior: Posterior, findings: Sequence[CheckFinding], verdict: TaskVerdict | None) -> dict[str, object]:
    parameters = {n: {"median": e.value, "minus": e.minus, "plus": e.plus} for n, e in posterior.estimates.items()}
    content: dict[str, object] = {
        "format": posterior.format,
        "structure": posterior.structure,
        "n_samples": posterior.n_samples,
        "n_chains": len(posterior.lengths),
        "parameters": parameters,
        "findings": [_row(finding) for finding in findings],
    }
    if verdict is not None:
        content["recovery"] = _recovery_row(verdict)
    return content


def _row(finding: CheckFinding) -> dict[str, object]:
    return {
        "check": finding.check,
        "parameter": finding.parameter,
        "flagged": finding.flagged,
        "value": _finite(finding.value),
        "threshold": _finite(finding.threshold),
        "message": clean_text(finding.message),
    }


def _recovery_row(verdict: TaskVerdict) -> dict[str, object]:
    found = verdict.recovery
    rows = {
        p.parameter: {
            "value": p.value,
            "literature": p.literature.value,
            "sigma": p.literature.sigma,
            "source": p.literature.source,
            "score": p.score,
            "deviation": _finite(p.deviation),
            "combined_deviation": _finite(p.combined_deviation),
        }
        for p in found.parameters
    }
    return {"prs": found.prs, "reason": found.reason or None, "missing": list(found.missing), "parameters": rows}


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
