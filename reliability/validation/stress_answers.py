"""Answers to a task: right ones, wrong ones, edits that some score must see, and answers in a known order of quality.

Everything is made from what is committed: the reference script and curve, and the curves of known mistakes and of
shifted parameters. No CAMB is run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from reliability.references import curve_text, load_variants, render_script
from reliability.validation.response import response

if TYPE_CHECKING:
    from reliability.diagnosis import Alternatives, ParameterStep
    from reliability.records import FloatArray, Reference, Task


@dataclass(frozen=True, slots=True)
class Setting:
    """What an edit may use: the task, what is known of it, and random numbers of its own."""

    task: Task
    reference: Reference
    alternatives: Alternatives
    rng: np.random.Generator

    def step(self, parameter: str) -> ParameterStep | None:
        """Return the committed curves with this parameter shifted, if there are any."""
        return next((s for s in self.alternatives.steps if s.parameter == parameter), None)


@dataclass(frozen=True, slots=True)
class Answer:
    """A script and a curve, and how they are stored."""

    code: str | None
    x: FloatArray
    y: FloatArray
    file: bytes | None = None
    """The output file; ``None``: the curve as plain CSV."""
    output_name: str = "result.csv"
    code_name: str = "code/solve.py"


Edit = Callable[[Answer, Setting], Answer | None]
"""Returns ``None`` where the task has nothing to edit in this way."""


def plain_csv(answer: Answer, setting: Setting) -> str:
    """Return the curve as a CSV text with the declared header."""
    return curve_text(setting.task, answer.x, answer.y)


def right_answer(setting: Setting) -> Answer:
    """Return the reference script and the reference curve."""
    return Answer(render_script(setting.task), setting.reference.x, setting.reference.y)


def telling(code: str, parameter: str, value: float) -> str | None:
    """Return a plain script with another value of one parameter; ``None`` if it has no such line."""
    changed, n = re.subn(rf"(?m)^{parameter} = .*$", f"{parameter} = {value!r}", code)
    return changed if n == 1 else None


def shifted(setting: Setting, parameter: str, size: float) -> Answer | None:
    """Return the answer of an agent that got one parameter wrong by this relative error, in code and curve.

    `size` 1 and -1 stand for the whole committed step up and down. ``None`` where there are no steps.
    """
    step, right = setting.step(parameter), right_answer(setting)
    if step is None or not setting.task.truth[parameter]:
        return None
    at = setting.task.truth[parameter]
    value = {1.0: step.high, -1.0: step.low}.get(size, at * (1.0 + size))
    code = telling(right.code or "", parameter, value)
    return None if code is None else replace(right, code=code, y=response(setting.reference.y, at, step, value))


BASES: Final[Mapping[str, Callable[[Setting], Answer | None]]] = MappingProxyType(
    {
        "right": right_answer,
        "wrong parameter": lambda setting: shifted(setting, "H0", 1.0),
        "wrong unit": lambda setting: replace(right_answer(setting), y=1e6 * setting.reference.y),
    }
)
"""Answers whose scores should survive the edits that change nothing: of each kind that the scores tell apart."""


# ---------------------------------------------------------------------------------------- edits that should matter


def _curve(change: Callable[[FloatArray, np.random.Generator], FloatArray]) -> Edit:
    return lambda answer, setting: replace(answer, y=change(answer.y, setting.rng))


def _noise(size: float) -> Edit:
    return _curve(lambda y, rng: y * (1.0 + size * rng.standard_normal(y.size)))


def _unlensed(answer: Answer, setting: Setting) -> Answer | None:
    variant = load_variants(setting.task).get("unlensed")
    return None if variant is None else replace(answer, y=variant.y)


def _code_only(parameter: str, factor: float) -> Edit:
    def edit(answer: Answer, setting: Setting) -> Answer | None:
        right = setting.task.truth.get(parameter)
        code = telling(answer.code or "", parameter, factor * right) if right else None
        return None if code is None else replace(answer, code=code)

    return edit


def _untold(parameter: str) -> Edit:
    """The code does not hand the parameter to CAMB."""

    def edit(answer: Answer, _: Setting) -> Answer | None:
        code, n = re.subn(rf", {parameter}={parameter}\b", "", answer.code or "")
        return replace(answer, code=code) if n else None

    return edit


CURVE = frozenset({"nas", "accurate"})
MATTERING: Final[Mapping[str, tuple[frozenset[str], Edit]]] = MappingProxyType(
    {
        "times 1.01": (CURVE, _curve(lambda y, _: 1.01 * y)),
        "times 2": (CURVE, _curve(lambda y, _: 2.0 * y)),
        "times 1e12": (CURVE, _curve(lambda y, _: 1e12 * y)),
        "sign": (CURVE, _curve(lambda y, _: -y)),
        "all zero": (CURVE, _curve(lambda y, _: 0.0 * y)),
        "columns exchanged": (CURVE, lambda answer, _: replace(answer, x=answer.y, y=answer.x)),
        "shifted by one row": (CURVE, _curve(lambda y, _: np.concatenate([y[1:], y[-1:]]))),
        "lensing removed": (CURVE, _unlensed),
        "noise 1e-4": (frozenset({"nas"}), _noise(1e-4)),
        "noise 1e-3": (CURVE, _noise(1e-3)),
        "noise 1e-2": (CURVE, _noise(1e-2)),
        "noise 1e-1": (CURVE, _noise(1e-1)),
        "second half missing": (
            frozenset({"esr", "nas", "accurate"}),
            lambda answer, _: replace(answer, x=answer.x[: answer.x.size // 2], y=answer.y[: answer.x.size // 2]),
        ),
        "H0 4 % high": (CURVE | {"pas"}, lambda _, setting: shifted(setting, "H0", 1.0)),
        "ombh2 5 % low": (CURVE | {"pas"}, lambda _, setting: shifted(setting, "ombh2", -1.0)),
        "H0 4 % high in the code": (frozenset({"pas"}), _code_only("H0", 1.04)),
        "ns not told": (frozenset({"pas"}), _untold("ns")),
        "ombh2 not told": (frozenset({"pas"}), _untold("ombh2")),
        "code that does not parse": (frozenset({"pas"}), lambda answer, _: replace(answer, code="def compute(:\n")),
    }
)
"""Edit -> the scores that should change, and the edit; made on the right answer."""


# ------------------------------------------------------------------------------------- answers in order of quality


def _parameter(parameter: str) -> Callable[[Setting], Iterator[Answer | None]]:
    return lambda setting: (shifted(setting, parameter, size) for size in (1e-4, 1e-3, 1e-2, 1.0))


def _scaled(setting: Setting) -> Iterator[Answer]:
    right = right_answer(setting)
    return (replace(right, y=(1.0 + size) * right.y) for size in (1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0))


def _noisy(setting: Setting) -> Iterator[Answer]:
    right = right_answer(setting)
    noise = setting.rng.standard_normal(right.y.size)  # the same, scaled: the order is certain, not only likely
    return (replace(right, y=right.y * (1.0 + size * noise)) for size in (1e-5, 1e-4, 1e-3, 1e-2, 1e-1))


def _rounded(setting: Setting) -> Iterator[Answer]:
    right = right_answer(setting)
    texts = ([f"{v:.{digits - 1}e}" for v in right.y.tolist()] for digits in (7, 6, 5, 4, 3, 2, 1))
    return (replace(right, y=np.array(values, dtype=np.float64)) for values in texts)


def _shifted_rows(setting: Setting) -> Iterator[Answer]:
    right = right_answer(setting)
    return (replace(right, y=np.concatenate([right.y[n:], np.repeat(right.y[-1], n)])) for n in (1, 2, 4, 8))


def _cut(setting: Setting) -> Iterator[Answer]:
    right = right_answer(setting)
    sizes = (round(share * right.x.size) for share in (0.99, 0.96, 0.9, 0.75, 0.5, 0.1))
    return (replace(right, x=right.x[:n], y=right.y[:n]) for n in sizes)


def _untold_in_turn(setting: Setting) -> Iterator[Answer | None]:
    """Ever fewer parameters in the code, beside the right curve."""
    answer: Answer | None = right_answer(setting)
    for name in ("ns", "omch2", "ombh2"):
        answer = None if answer is None else _untold(name)(answer, setting)
        yield answer


ORDERED: Final[Mapping[str, Callable[[Setting], Iterator[Answer | None]]]] = MappingProxyType(
    {
        **{f"error in {name}": _parameter(name) for name in ("H0", "omch2", "As", "ns")},
        "scale": _scaled,
        "noise": _noisy,
        "printed digits": _rounded,
        "rows shifted": _shifted_rows,
        "end missing": _cut,
        "parameters not told": _untold_in_turn,
    }
)
"""Family -> answers from better to worse; the right answer, better than all, is not among them."""


def ordered_pairs(answers: int) -> list[tuple[int, int]]:
    """Return (better, worse) places in a family of that many answers, place 0 being the right one.

    >>> ordered_pairs(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return [(better, worse) for worse in range(answers) for better in range(worse)]
