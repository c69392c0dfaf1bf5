"""Runs agents' code where it can do no harm: see :class:`Sandbox`, and ``reliability doctor`` for the proof.

::

    backend = choose_backend(Mode.FULL)                        # or an error that says what this machine refuses
    sandbox = Sandbox(folder, Limits(seconds=600), readable=interpreter_paths(python), backend=backend)
    result = sandbox.run([python, "solve.py"], env={"OMP_NUM_THREADS": "1"})
"""

from reliability.sandbox.backends import available_backend, choose_backend, partial_backend
from reliability.sandbox.places import interpreter_paths
from reliability.sandbox.records import GIB, MIB, Backend, Ended, Limits, Mode, Output, SandboxResult
from reliability.sandbox.runner import Sandbox

__all__ = [
    "GIB",
    "MIB",
    "Backend",
    "Ended",
    "Limits",
    "Mode",
    "Output",
    "Sandbox",
    "SandboxResult",
    "available_backend",
    "choose_backend",
    "interpreter_paths",
    "partial_backend",
]
