"""Every exception this package raises on purpose.

An agent's failure is data (see :mod:`reliability.records`); an exception means that *we* could not judge.

::

    ReliabilityError           says what, where and what would be allowed; the CLI prints it as one line, exit code 2
    ├── InputError             a file, folder or option of the user's is not usable
    │   ├── TaskError          a task folder is incomplete or contradicts itself
    │   ├── UnknownTaskError   no task has this id
    │   └── OutputError        the place where results should go is not usable
    ├── ReferenceSolutionError a reference solution could not be run, found or trusted
    ├── SandboxError           an agent's code cannot be run safely here
    └── UndefinedScore         a formula has no value for these numbers (also a ``ValueError``)
"""

from __future__ import annotations


class ReliabilityError(Exception):
    """Root of all errors raised on purpose; the message is one line."""


class InputError(ReliabilityError):
    """A file, folder or option is not usable."""


class TaskError(InputError):
    """A task folder is incomplete, has a typo, or contradicts itself."""


class UnknownTaskError(InputError):
    """No task has this id."""


class OutputError(InputError):
    """Results cannot be written there, or would replace somebody else's."""


class ReferenceSolutionError(ReliabilityError):
    """A reference solution could not be run, found or trusted."""


class SandboxError(ReliabilityError):
    """An agent's code cannot be run safely on this machine, or not in this folder."""


class UndefinedScore(ReliabilityError, ValueError):  # noqa: N818 - a value that is missing, not a fault
    """A formula has no value for these numbers; the message is the reason."""
