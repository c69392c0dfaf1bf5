"""Runs the code that trials handed in, and says whether it makes the output that they handed in with it.

::

    from reliability.reexecution.attempts import Settings
    from reliability.reexecution.run import reexecute

    rows = reexecute([Path("trials")], Path("results/again"), Settings(choose_backend()), versions=["1.6.6", "2.0.5"])
"""

from reliability.reexecution.records import Reexecution, Verdict

__all__ = ["Reexecution", "Verdict"]
