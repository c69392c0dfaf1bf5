"""``doctor``: what this machine can do for the suite."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from reliability.cli.options import Commands, add_command
from reliability.cli.printing import print_json, print_table
from reliability.tables import clean_text


def add_doctor(commands: Commands) -> None:
    """Add the command ``doctor``."""
    sub = add_command(
        commands, "doctor", _doctor, "Attack the sandbox of this machine, and show what else the suite finds here."
    )
    sub.add_argument(
        "--sandbox",
        choices=("full", "partial", "none"),
        help="attack this one (default: the best that works; none: no sandbox, to see what the attacks can do)",
    )


def _doctor(arguments: argparse.Namespace) -> int:
    from reliability.doctor import examine
    from reliability.sandbox import Mode

    found = examine(Mode(arguments.sandbox) if arguments.sandbox else None)
    if arguments.json:
        print_json(asdict(found) | {"contained": found.is_contained})
        return 0 if found.is_contained else 1
    backend = found.backend
    print_table(("attack", "verdict", "evidence"), [(f.attack, f.verdict, f.evidence) for f in found.findings])
    print(f"\nsandbox  {backend.name} ({backend.mode})")
    for name, reason in (backend.refused or {}).items():
        print(clean_text(f"refused  {name}: {reason}"))
    for gap in backend.gaps:
        print(f"open     {gap}")
    print(f"camb     {found.camb or 'absent'}")
    print(f"fonts    {f'{found.fonts} families' if found.fonts else 'absent'}")
    print(clean_text(f"browser  {found.browser or 'absent'}"))
    return 0 if found.is_contained else 1
