"""The command line: the only module that prints or exits.

Results go to stdout (with ``--json`` strict JSON and nothing else), messages and progress bars to stderr.
Exit code 0: done; 1: a comparison failed (``references --check``) or an attack was not contained (``doctor``); 2: the
input cannot be used, said in one line; 130: interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from reliability import __version__
from reliability.cli import (
    diagnose,
    doctor,
    params,
    posterior,
    reexecute,
    references,
    report,
    run,
    scores,
    tasks,
    validate,
)
from reliability.cli.printing import say
from reliability.errors import ReliabilityError

_COMMANDS = (
    run.add_run,
    scores.add_score,
    tasks.add_tasks,
    tasks.add_prompt,
    reexecute.add_reexecute,
    params.add_params,
    references.add_references,
    doctor.add_doctor,
    scores.add_figures,
    report.add_report,
    report.add_compare,
    diagnose.add_diagnose,
    posterior.add_posterior,
    validate.add_validate,
)
"""In the order of ``reliability --help``."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = _parser().parse_args(argv)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except ReliabilityError as error:
        say(f"reliability: error: {' '.join(str(error).split())}")
        return 2
    except KeyboardInterrupt:
        say("reliability: interrupted; nothing is lost, the same command goes on where this one stopped")
        return 130
    except BrokenPipeError:  # the reader of our output has gone, e.g. `| head`
        _drop_stdout()
        return 0
    except OSError as error:  # a full disk, a file where a folder should be: the user's to mend
        say(f"reliability: error: {error.filename or 'the output'}: {error.strerror or error}")
        if error.filename is None:
            _drop_stdout()
        return 2
    return code


def _drop_stdout() -> None:
    """Send what is still to be flushed nowhere, so that the interpreter does not complain at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="reliability", description="Can an AI agent's numbers be trusted, and if not, why?", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"reliability {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for add in _COMMANDS:
        add(commands)
    return parser
