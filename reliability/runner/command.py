"""An agent that is a command: one process in the sandbox, which is given the prompt."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from reliability.errors import InputError, SandboxError
from reliability.runner.records import PROMPT, Ask, Attempt, Fault
from reliability.runner.surroundings import Surroundings, find_program, program_paths
from reliability.sandbox import Backend, Ended

EX_TEMPFAIL = 75
"""Exit code by which an agent says that what it runs on failed, not it (``sysexits.h``)."""
PLACEHOLDERS = ("prompt", "prompt_file", "workdir", "task", "seed")
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class CommandSystem:
    """A command with placeholders; made by :func:`command_system`."""

    template: str
    words: tuple[str, ...]
    surroundings: Surroundings
    network: bool
    passed: Mapping[str, str]
    """Variables of the caller's environment that the agent gets, e.g. the key of its model."""

    @property
    def backend(self) -> Backend:
        """The sandbox in which the command runs."""
        return self.surroundings.backend

    def settings(self) -> Mapping[str, object]:
        """The command as it was given, and what it can reach."""
        return {"command": self.template, "network": self.network, "env": sorted(self.passed)}

    def secrets(self) -> Mapping[str, str]:
        """What was passed on from the caller's environment."""
        return self.passed

    def attempt(self, ask: Ask, work: Path) -> Attempt | Fault:
        """Run the command once; only a sandbox that does not start or exit code 75 is no failure of the agent."""
        values = {
            "prompt": ask.prompt,
            "prompt_file": str(work / PROMPT),
            "workdir": str(work),
            "task": ask.task,
            "seed": str(ask.seed),
        }
        (work / PROMPT).write_text(ask.prompt, encoding="utf-8")
        command = [_PLACEHOLDER.sub(lambda found: values[found[1]], word) for word in self.words]
        try:
            result = self.surroundings.run(command, work, network=self.network)
        except SandboxError as error:
            return Fault(str(error))
        if result.ended is Ended.FINISHED and result.exit_code == EX_TEMPFAIL:
            return Fault(f"the agent ended with exit code {EX_TEMPFAIL}: {_last_line(result.stderr.text)}")
        return Attempt(result)


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return ascii(lines[-1][:200]) if lines else "it did not say why"


def command_system(
    template: str, surroundings: Surroundings, *, network: bool = False, passed: Mapping[str, str] | None = None
) -> CommandSystem:
    """A system that runs this command for each trial.

    The text is split into words as a shell would, and nothing else of a shell: placeholders are filled in afterwards,
    so that a prompt stays one word whatever it holds. The program is looked up now, and files of the caller's that a
    word names (``my/agent.py``) can be read in the sandbox.

    Raises :class:`InputError` if the command cannot be split, has an unknown placeholder, or names no program.
    """
    try:
        words = shlex.split(template)
    except ValueError as error:
        raise InputError(f"--command: {error}") from None
    if not words:
        raise InputError("--command: is empty")
    used = {name for word in words for name in _PLACEHOLDER.findall(word)}
    known = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
    if unknown := used - {*PLACEHOLDERS}:
        raise InputError(f"--command: no placeholder {{{min(unknown)}}}; there are {known}")
    if not used & {"prompt", "prompt_file"}:
        raise InputError("--command: the agent never gets its prompt; give it {prompt} or {prompt_file}")
    program = find_program(words[0])
    files = {word: Path(os.path.abspath(word)) for word in words[1:] if _is_file(word)}  # noqa: PTH100 - keeps links
    return CommandSystem(
        template=template,
        words=(str(program), *(str(files.get(word, word)) for word in words[1:])),
        surroundings=_with_readable(surroundings, (*program_paths(program), *files.values()), passed or {}),
        network=network,
        passed=dict(passed or {}),
    )


def _is_file(word: str) -> bool:
    """Whether a word is meant as a file of the caller's: it looks like a path, and is one."""
    return ("/" in word or "." in word) and not _PLACEHOLDER.search(word) and Path(word).is_file()


def _with_readable(old: Surroundings, readable: tuple[Path, ...], environment: Mapping[str, str]) -> Surroundings:
    return replace(old, readable=(*old.readable, *readable), environment={**old.environment, **environment})
