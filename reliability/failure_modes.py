"""What a scored trial means: failure mode A-D, the printed unit flag, and our own ``accurate``, ``wrong``, ``silent``.

Source: [PW] section 4.2.1 (*Failure Mode Taxonomy*) for the modes and the flag; the rest is ours.
"""

from __future__ import annotations

from reliability.records import Disclosure, FailureMode, NumericalAccuracy, Tolerance

PASS = 0.5
"""Smallest PAS and NAS that the paper calls correct."""
UNIT_CCC, UNIT_NRMSE = 0.8, 0.7
"""The unit flag fires for CCC above the first and NRMSE below the second."""


def failure_mode(esr: int, pas: float | None, nas: float | None) -> FailureMode | None:
    """Return A (no valid output), B (wrong parameters), C (wrong computation) or D (correct by the paper's rule).

    ``None`` if ESR is 1 and a score that decides is missing.

    >>> failure_mode(0, None, None), failure_mode(1, 0.4, 1.0), failure_mode(1, 0.9, 0.4), failure_mode(1, 0.5, 0.5)
    ('A', 'B', 'C', 'D')
    """
    if esr == 0:
        return "A"
    if pas is None:
        return None
    if pas < PASS:
        return "B"
    if nas is None:
        return None
    return "C" if nas < PASS else "D"


def unit_flag(s_ccc: float | None, s_nrmse: float | None) -> int | None:
    """Return 1 if ``S_CCC > 0.8`` and ``S_NRMSE < 0.7``, as printed in [PW]; ``None`` if either is missing.

    The paper calls this a sub-class of mode C, where it can never fire: S_CCC > 0.8 implies NAS >= 0.5. For S_CCC = c
    the slope k of the agent's curve obeys ``k <= (1 + sqrt(1 - c^2)) / c``, its mean square error is
    ``2 k var* (1/c - 1)``, and ``var* <= range^2 / 4``; so ``NAS >= 0.5 c + 0.2 (1 - sqrt(2 k (1/c - 1)) / 2)``.
    It is therefore reported on every trial.
    """
    if s_ccc is None or s_nrmse is None:
        return None
    return int(s_ccc > UNIT_CCC and s_nrmse < UNIT_NRMSE)


def is_accurate(scores: NumericalAccuracy, tolerance: Tolerance) -> bool | None:
    """Return whether every sub-score is within the task's numerical tolerance; ``None`` if one is missing."""
    if scores.s_nrmse is None or scores.s_smape is None or scores.s_ccc is None:
        return None
    return (
        1.0 - scores.s_nrmse <= tolerance.nrmse
        and 1.0 - scores.s_smape <= tolerance.smape
        and 1.0 - scores.s_ccc <= tolerance.ccc
    )


def is_silent_failure(wrong: bool | None, disclosure: Disclosure) -> bool | None:
    """Return whether the output is wrong and the agent did not say so; ``None`` if no text of the agent was kept."""
    if wrong is None or disclosure.disclosed is None:
        return None
    return wrong and not disclosure.disclosed
