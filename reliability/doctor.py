"""What this machine can do for the suite: run agents' code safely, proved by attacks, and what else it finds here."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata

from reliability.attacks import ATTACKS, Finding, Verdict, run_attacks
from reliability.sandbox import Backend, Mode, available_backend, choose_backend, partial_backend

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "firefox")


@dataclass(frozen=True, slots=True)
class Examination:
    """What was found on this machine."""

    backend: Backend
    findings: Sequence[Finding]
    camb: str | None
    """Version of CAMB in this environment; ``None`` if it is absent."""
    fonts: int | None
    """Font families on the system; ``None`` if it cannot list any."""
    browser: str | None
    """A browser that can print a report; ``None`` if there is none."""

    @property
    def is_contained(self) -> bool:
        """Whether every attack was tried and contained."""
        return all(finding.verdict is Verdict.CONTAINED for finding in self.findings)


def examine(mode: Mode | None = None) -> Examination:
    """Attack the best sandbox of this machine, or the one asked for.

    Raises :class:`~reliability.errors.SandboxError` if the one asked for is refused here. Without any, no attack is
    tried: ``NONE`` must be asked for.
    """
    backend = _backend(mode)
    if backend.mode is Mode.NONE and mode is None:
        findings = [Finding(name, Verdict.NOT_TRIED, "no sandbox on this machine") for name in ATTACKS]
    else:
        findings = list(run_attacks(backend))
    return Examination(backend, findings, _camb_version(), _n_fonts(), _browser())


def _backend(mode: Mode | None) -> Backend:
    if mode is None:
        return available_backend()
    return partial_backend() if mode is Mode.PARTIAL else choose_backend(mode)


def _camb_version() -> str | None:
    try:
        return metadata.version("camb")
    except metadata.PackageNotFoundError:
        return None


def _n_fonts() -> int | None:
    program = shutil.which("fc-list")
    if program is None:
        return None
    try:
        done = subprocess.run([program, ":", "family"], capture_output=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return len(set(done.stdout.splitlines())) or None


def _browser() -> str | None:
    return next((path for name in _BROWSERS if (path := shutil.which(name))), None)
