"""How the parts of a script are put together, and what stands around them."""

# ruff: noqa: ARG001, D103 - the functions of a table share a signature, and their names say what they write

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from reliability.corpus.page import Page, indent
from reliability.records import Setting


@dataclass(frozen=True, slots=True)
class Stages:
    """The lines of a script in the order in which they run."""

    before: list[str]
    """Needs nothing and hands on nothing."""
    params: list[str]
    """Makes the model; empty where `curve` makes it."""
    curve: list[str]
    """From the model to x and y."""
    save: list[str]
    x: str
    pars: str

    @property
    def passed(self) -> str:
        """What the second stage takes from the first."""
        return self.pars if self.params else ""


Structure = Callable[[Page, Stages], list[str]]


def _all(stages: Stages) -> list[str]:
    parts = (stages.before, stages.params, stages.curve, stages.save)
    lines = [line for part in parts if part for line in (*part, "")]
    return lines[:-1]


def flat(page: Page, stages: Stages) -> list[str]:
    return _all(stages)


def main_guard(page: Page, stages: Stages) -> list[str]:
    page.define(page.function("main()", _all(stages)))
    return ['if __name__ == "__main__":', "    main()"]


def main_called(page: Page, stages: Stages) -> list[str]:
    page.define(page.function("run()", [*_all(stages), f"return {stages.x}, y"]))
    return [f"{stages.x}, y = run()", f'print("points:", len({stages.x}))']


def _functions(page: Page, stages: Stages) -> list[str]:
    """Defines a function for each stage, and returns the calls."""
    calls = list(stages.before)
    if stages.params:
        page.define(page.function("prepare()", [*stages.params, f"return {stages.pars}"]))
        calls.append(f"{stages.pars} = prepare()")
    page.define(page.function(f"compute({stages.passed})", [*stages.curve, f"return {stages.x}, y"]))
    page.define(page.function(f"save({stages.x}, y)", stages.save))
    return [*calls, f"{stages.x}, y = compute({stages.passed})", f"save({stages.x}, y)"]


def functions(page: Page, stages: Stages) -> list[str]:
    return _functions(page, stages)


def functions_in_main(page: Page, stages: Stages) -> list[str]:
    page.define(page.function("main()", [*_functions(page, stages), "return 0"]))
    page.need("import sys")
    return ['if __name__ == "__main__":', "    sys.exit(main())"]


def nested(page: Page, stages: Stages) -> list[str]:
    curve = page.function(f"spectrum({stages.passed})", [*stages.curve, f"return {stages.x}, y"])
    got = f"{stages.x}, y = spectrum({stages.passed})"
    page.define(page.function("main()", [*stages.before, *stages.params, "", *curve, "", got, *stages.save]))
    return ["main()"]


def pipeline_class(page: Page, stages: Stages) -> list[str]:
    lines = ["class Pipeline:", "    def __init__(self):", "        self.pars = None", "        self.curve = None"]
    if stages.params:
        body = [*stages.params, f"self.pars = {stages.pars}", "return self"]
        lines += ["", *indent(page.function("setup(self)", body))]
    taken = [f"{stages.pars} = self.pars"] if stages.params else []
    compute = [*taken, *stages.curve, f"self.curve = ({stages.x}, y)", "return self"]
    lines += ["", *indent(page.function("compute(self)", compute))]
    page.define([*lines, "", *indent(page.function("save(self)", [f"{stages.x}, y = self.curve", *stages.save]))])
    setup = ".setup()" if stages.params else ""
    return [*stages.before, f"Pipeline(){setup}.compute().save()"]


def try_except(page: Page, stages: Stages) -> list[str]:
    work = _all(replace(stages, save=[]))
    failed = ["except Exception as error:", '    print(f"CAMB failed: {error}")', "    raise"]
    return ["try:", *indent(work), *failed, "else:", *indent(stages.save), "finally:", '    print("finished")']


def retries(page: Page, stages: Stages) -> list[str]:
    work = ["try:", *indent(_all(replace(stages, save=[]))), "    break", "except RuntimeError as error:"]
    work += ["    if attempt == 2:", "        raise", '    print("retrying after", error)']
    return ["for attempt in range(3):", *indent(work), *stages.save]


def decorated(page: Page, stages: Stages) -> list[str]:
    page.need("import functools", "import time")
    timed = page.function(
        "timed(function)",
        [
            "@functools.wraps(function)",
            "def wrapper(*args, **kwargs):",
            "    start = time.time()",
            "    value = function(*args, **kwargs)",
            '    print(f"{function.__name__}: {time.time() - start:.1f} s")',
            "    return value",
            "",
            "return wrapper",
        ],
    )
    page.define(timed)
    page.define(["@timed", *page.function("main()", _all(stages))])
    return ["main()"]


STRUCTURES: Final[Mapping[str, Structure]] = {
    style.__name__: style
    for style in (
        flat,
        main_guard,
        main_called,
        functions,
        functions_in_main,
        nested,
        pipeline_class,
        try_except,
        retries,
        decorated,
    )
}


# ------------------------------------------------------------------------------------------------------- clutter

FIDUCIAL: Final[Mapping[str, Setting]] = {"H0": 67.36, "ombh2": 0.02237, "omch2": 0.12}
"""What the model is told that some scripts compute first."""

Clutter = Callable[[Page, Stages], Stages]


def prints(page: Page, stages: Stages) -> Stages:
    curve = [*stages.curve, f'print(f"{{len({stages.x})}} points, maximum {{max(y):.4e}}")']
    return replace(stages, before=['print("Starting the CAMB run ...")', *stages.before], curve=curve)


def misleading_comments(page: Page, stages: Stages) -> Stages:
    lines = ["# Planck 2018: H0 = 67.36, ombh2 = 0.02237, omch2 = 0.12, tau = 0.0544", *stages.before]
    page.define(['"""Earlier runs used pars.set_cosmology(H0=70, tau=0.09); see the notes."""'])
    return replace(stages, before=lines)


def logging_lines(page: Page, stages: Stages) -> Stages:
    page.need("import logging")
    page.define(["logging.basicConfig(level=logging.INFO)", "log = logging.getLogger(__name__)"])
    return replace(stages, curve=[*stages.curve, 'log.info("computed %d values", len(y))'])


def plot(page: Page, stages: Stages) -> Stages:
    page.need("import os")
    lines = [
        "try:",
        "    import matplotlib",
        "",
        '    matplotlib.use("Agg")',
        "    import matplotlib.pyplot as plt",
        "",
    ]
    lines += [f"    plt.plot({stages.x}, y)", '    plt.savefig("plot.png")', "    plt.close()"]
    return replace(stages, save=[*stages.save, *lines, "except ImportError:", '    print("no plot")'])


def checks(page: Page, stages: Stages) -> Stages:
    page.need("import numpy as np")
    lines = [f"assert len({stages.x}) == len(y)", "if not np.all(np.isfinite(y)):"]
    return replace(stages, curve=[*stages.curve, *lines, '    raise ValueError("not finite")'])


def fiducial_first(page: Page, stages: Stages) -> Stages:
    values = ", ".join(f"{name}={value!r}" for name, value in FIDUCIAL.items())
    lines = [f"fiducial = {page.camb('set_params')}({values})"]
    lines.append(f"age = {page.camb('get_background')}(fiducial).get_derived_params()['age']")
    return replace(stages, before=[*stages.before, *lines, 'print(f"age of the fiducial universe: {age:.2f} Gyr")'])


def dead_code(page: Page, stages: Stages) -> Stages:
    page.define(page.function("old_version()", [f"pars = {page.camb('set_params')}(H0=70, ombh2=0.0226, omch2=0.112)",
                                                f"return {page.camb('get_results')}(pars)"]))  # fmt: skip
    return stages


CLUTTER: Final[Mapping[str, Clutter]] = {
    style.__name__: style
    for style in (prints, misleading_comments, logging_lines, plot, checks, fiducial_first, dead_code)
}


def unknown_attribute(page: Page) -> list[str]:
    return [f"{page.pars}.Reion.ReionizationExponent = 2"]


def missing_method(page: Page) -> list[str]:
    tried = f"    {page.pars}.set_reionization_history(2)"
    return ["try:", tried, "except AttributeError:", '    print("not available in this version of CAMB")']


def unused_copy(page: Page) -> list[str]:
    return [f"check = {page.pars}.copy()", "check.set_cosmology(H0=70, ombh2=0.0226)", "check.InitPower.As = 3e-9"]


def summary(page: Page) -> list[str]:
    return [f'print(f"H0 = {{{page.pars}.H0}}, ns = {{{page.pars}.InitPower.ns}}")']


MODEL_CLUTTER: Final[Mapping[str, Callable[[Page], Sequence[str]]]] = {
    style.__name__: style for style in (unknown_attribute, missing_method, unused_copy, summary)
}
"""Lines right after the model is made, which change nothing of it."""
