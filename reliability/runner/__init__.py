"""Runs an agent on tasks: clean work folders, a sandbox, trials in the native layout; see :func:`run_system`."""

from reliability.runner.command import CommandSystem, command_system
from reliability.runner.records import Ask, Attempt, Fault, System, Usage, seed_of
from reliability.runner.run import State, run_system
from reliability.runner.surroundings import Surroundings

__all__ = [
    "Ask",
    "Attempt",
    "CommandSystem",
    "Fault",
    "State",
    "Surroundings",
    "System",
    "Usage",
    "command_system",
    "run_system",
    "seed_of",
]
