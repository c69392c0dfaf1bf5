"""``params``: what a script tells CAMB."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from reliability.cli.options import Commands, add_command
from reliability.cli.printing import print_json, print_table
from reliability.errors import InputError
from reliability.tables import clean_text


def add_params(commands: Commands) -> None:
    """Add the command ``params``."""
    sub = add_command(commands, "params", _params, "Print what a script tells CAMB, read without running it.")
    sub.add_argument("script", type=Path, metavar="FILE.py")
    sub.add_argument("--camb-line", choices=("2.0", "1.6"), default="2.0", help="whose signatures and defaults apply")


def _params(arguments: argparse.Namespace) -> int:
    from reliability.agent_files import read_bytes
    from reliability.camb_code import read_camb_code
    from reliability.camb_code.reader import MAX_SOURCE_BYTES

    try:
        source = read_bytes(arguments.script, MAX_SOURCE_BYTES)
    except OSError as error:
        raise InputError(f"{arguments.script}: cannot be read: {error.strerror}") from None
    reading = read_camb_code(source, camb_line=arguments.camb_line)
    if arguments.json:
        models = [{"line": m.line, "parameters": [asdict(p) for p in m.parameters.values()]} for m in reading.models]
        findings = [asdict(finding) for finding in reading.findings]
        print_json({"models": models, "findings": findings, "syntax_error": reading.syntax_error})
        return 0
    for number, model in enumerate(reading.models, 1):
        where = f"computed in line {model.line}" if model.line else "never computed"
        print(f"model {number} of {len(reading.models)}, {where}")
        rows = [(p.name, str(p.value), p.state, p.line, p.reason) for p in model.parameters.values()]
        print_table(("parameter", "value", "state", "line", "reason"), rows)
    for finding in reading.findings:
        print(clean_text(f"line {finding.line}: {finding.message}" if finding.line else finding.message))
    if reading.syntax_error:
        print(clean_text(f"does not parse: {reading.syntax_error}"))
    return 0
