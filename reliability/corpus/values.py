"""How a script carries its numbers to the code that calls CAMB: plain names, tables and text.

A value style gets the numbers and a function that writes the calls, and returns lines that end with the model made.
:mod:`~reliability.corpus.functions` has the styles that go through functions and classes.
"""

# ruff: noqa: ARG001, D103 - the functions of a table share a signature, and their names say what they write

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from reliability.corpus.calls import GROUPS, Refs
from reliability.corpus.page import INTEGERS, Page, call, dict_literal, indent
from reliability.records import Number

Numbers = Mapping[str, Number]
Build = Callable[[Refs], list[str]]


@dataclass(frozen=True, slots=True)
class Carried:
    """Lines that make the model, and how code outside them can refer to a value."""

    lines: list[str]
    late: Mapping[str, str] = field(default_factory=dict)
    """Names that hold at module level; others must be written again."""


ValueStyle = Callable[[Page, Numbers, Build, tuple[str, ...]], Carried]
"""Page, numbers, what writes the calls, and the variables of the code around that the calls use."""


def texts(page: Page, numbers: Numbers) -> dict[str, str]:
    """Each number as source text."""
    return {name: page.number(name, value) for name, value in numbers.items()}


def reals(numbers: Numbers) -> dict[str, Number]:
    """The numbers that may be written as floats."""
    return {name: value for name, value in numbers.items() if name not in INTEGERS}


def whole(page: Page, numbers: Numbers) -> dict[str, str]:
    """Text of those that are whole numbers."""
    return {name: page.number(name, value) for name, value in numbers.items() if name in INTEGERS}


def _assigned(page: Page, numbers: Numbers, text: Callable[[str, Number], str], mark: str = "") -> list[str]:
    return [f"{page.variable(name)}{mark} = {text(name, value)}" for name, value in numbers.items()]


def _local(page: Page, numbers: Numbers, build: Build, before: list[str]) -> Carried:
    return Carried([*before, *build(Refs({name: page.variable(name) for name in numbers}))])


# --------------------------------------------------------------------------------------------------------- names


def literals(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    return Carried(build(Refs(texts(page, numbers))))


def local_variables(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    return _local(page, numbers, build, _assigned(page, numbers, page.number))


def annotated(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    lines = [
        f"{page.variable(n)}: {'int' if n in INTEGERS else 'float'} = {t}" for n, t in texts(page, numbers).items()
    ]
    return _local(page, numbers, build, lines)


def module_constants(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    names = {name: name.upper() if name != "H0" else "HUBBLE" for name in numbers}
    page.define([f"{names[name]} = {text}" for name, text in texts(page, numbers).items()])
    return Carried(build(Refs(names)), names)


def tuple_unpacking(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    names = ", ".join(page.variable(name) for name in numbers)
    return _local(page, numbers, build, [f"{names} = {', '.join(texts(page, numbers).values())}"])


def starred_unpacking(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    first, *others = [page.variable(name) for name in numbers]
    lines = call("", list(texts(page, numbers).values()), f"{first}, *others")
    return _local(page, numbers, build, [*lines, f"{', '.join(others)}{',' * (len(others) == 1)} = others"])


def walrus(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    given = {n: f"({page.variable(n)} := {t})" for n, t in texts(page, numbers).items()}
    return Carried(build(Refs(given)))


def augmented(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    lines = []
    for name, value in numbers.items():
        if name in INTEGERS:
            lines.append(f"{page.variable(name)} = {page.number(name, value)}")
        else:  # half and double are exact
            lines += [f"{page.variable(name)} = {value / 2!r}", f"{page.variable(name)} *= 2"]
    return _local(page, numbers, build, lines)


def expressions(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    page.need("import numpy as np")
    h = float(numbers.get("H0", 100)) / 100
    lines = [f"h = {h!r}"]

    def text(name: str, value: Number) -> str:
        if name == "H0":
            return "100 * h"
        if name in ("ombh2", "omch2"):
            return f"{value / h**2!r} * h**2"
        if name == "As" and "tau" in numbers and page.rng.random() < 0.5:
            factor = float(f"{value * math.exp(-2 * numbers['tau']):.12g}")
            exact = math.isclose(factor * math.exp(2 * numbers["tau"]), value, rel_tol=1e-14)
            factor = factor if exact else value * math.exp(-2 * numbers["tau"])
            return f"{factor!r} * np.exp(2 * {page.variable('tau')})"
        if name == "As" and value > 0:
            return f"np.exp({math.log(1e10 * value)!r}) / 1e10"
        if name == "Alens" and 0 < value < 1:
            return f"1 - {1 - value!r}"
        return page.number(name, value)

    ordered = dict(sorted(numbers.items(), key=lambda item: item[0] == "As"))
    return _local(page, numbers, build, [*lines, *_assigned(page, ordered, text)])


def text_conversions(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    forms = ('float("{}")', 'float(f"{{{}}}")', "float('{}'.strip())")
    return _local(
        page,
        numbers,
        build,
        _assigned(
            page,
            numbers,
            lambda n, v: f'int("{v}")' if n in INTEGERS else page.rng.choice(forms).format(page.number(n, v)),
        ),
    )


def string_split(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    split = reals(numbers)
    names = ", ".join(page.variable(name) for name in split)
    values = " ".join(page.number(name, value) for name, value in split.items())
    lines = call("map", ["float", f'"{values}".split()'], names)
    rest = [f"{page.variable(name)} = {text}" for name, text in whole(page, numbers).items()]
    return _local(page, numbers, build, [*lines, *rest])


def numpy_scalars(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    page.need("import numpy as np")
    return _local(
        page,
        numbers,
        build,
        _assigned(
            page, numbers, lambda n, v: page.number(n, v) if n in INTEGERS else f"np.float64({page.number(n, v)})"
        ),
    )


def numpy_array(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    page.need("import numpy as np")
    held = reals(numbers)
    lines = call("np.array", [f"[{', '.join(page.number(n, v) for n, v in held.items())}]"], "theta")
    refs = {name: f"theta[{i}]" for i, name in enumerate(held)}
    return Carried([*lines, *build(Refs({**refs, **whole(page, numbers)}))])


def conditional_constants(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    page.define(["USE_PLANCK = False", "FLAT = True"])
    lines = ["if USE_PLANCK:"]
    lines += [
        f"    {page.variable(n)} = {page.number(n, v * 2 if n not in INTEGERS else v)}" for n, v in numbers.items()
    ]
    lines += ["else:", *indent(_assigned(page, numbers, page.number))]
    return _local(page, numbers, build, lines)


def conditional_expressions(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    page.define(["FIDUCIAL = 'task'"])
    return _local(
        page,
        numbers,
        build,
        _assigned(
            page,
            numbers,
            lambda n, v: f"{page.number(n, v)} if FIDUCIAL == 'task' else {page.number(n, v + 1)}",
        ),
    )


def match_statement(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    lines = ['setup = "requested"', "match setup:", '    case "planck":']
    lines += indent(_assigned(page, {n: v + 1 for n, v in numbers.items()}, page.number), 2)
    lines += ['    case "requested":', *indent(_assigned(page, numbers, page.number), 2)]
    return _local(page, numbers, build, [*lines, "    case _:", "        raise ValueError(setup)"])


def none_or_value(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    lines = []
    for name, value in numbers.items():
        v = page.variable(name)
        lines += [f"{v} = None", f"{v} = {page.number(name, value)} if {v} is None else {v}"]
    return _local(page, numbers, build, lines)


# -------------------------------------------------------------------------------------------------------- tables


def _subscripts(target: str, numbers: Numbers) -> dict[str, str]:
    return {name: f'{target}["{name}"]' for name in numbers}


def _name(page: Page) -> str:
    return page.rng.choice(("params", "cosmo_params", "settings"))


def dict_subscripts(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    target = _name(page)
    return Carried(
        [*dict_literal(target, texts(page, numbers)), *build(Refs(_subscripts(target, numbers)))],
    )


def module_dict(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    target = _name(page).upper()
    page.define(dict_literal(target, texts(page, numbers)))
    return Carried(build(Refs(_subscripts(target, numbers))), _subscripts(target, numbers))


def nested_dict(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    lines = ["CONFIG = {"]
    refs: dict[str, str] = {}
    for group, names in [*GROUPS.items(), ("other", tuple(set_aside(numbers)))]:
        held = {n: page.number(n, numbers[n]) for n in names if n in numbers}
        if held:
            lines += [f'    "{group}": {{', *(f'        "{n}": {t},' for n, t in held.items()), "    },"]
            refs |= {n: f'CONFIG["{group}"]["{n}"]' for n in held}
    page.define([*lines, "}"])
    return Carried(build(Refs(refs)), refs)


def set_aside(numbers: Numbers) -> list[str]:
    """Numbers that no group of calls takes."""
    return [name for name in numbers if not any(name in names for names in GROUPS.values())]


def dict_get(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    target = _name(page)
    held = {n: t for n, t in texts(page, numbers).items() if page.rng.random() < 0.6}
    refs = {n: f'{target}.get("{n}", {page.number(n, numbers[n] if n not in held else 0)})' for n in numbers}
    return Carried([*dict_literal(target, held), *build(Refs(refs))])


def dict_from_pairs(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    target = _name(page)
    pairs = [f'("{name}", {text})' for name, text in texts(page, numbers).items()]
    lines = [f"{target} = {{}}", *call("for name, value in", [f"[{', '.join(pairs)}]"])]
    lines = [f"{target} = {{}}", "for name, value in [", *(f"    {pair}," for pair in pairs), "]:"]
    return Carried([*lines, f"    {target}[name] = value", *build(Refs(_subscripts(target, numbers)))])


def dict_comprehension(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    target = _name(page)
    names, values = [f'"{name}"' for name in numbers], list(texts(page, numbers).values())
    lines = [*call("", names, "NAMES"), *call("", values, "VALUES")]
    page.define(lines)
    made = f"{target} = {{name: value for name, value in zip(NAMES, VALUES)}}"
    return Carried([made, *build(Refs(_subscripts(target, numbers)))])


def _grouped(numbers: Numbers) -> dict[str, dict[str, Number]]:
    """The numbers by group, where a group's dict can be unpacked into a call."""
    groups = {g: {n: numbers[n] for n in names if n in numbers} for g, names in GROUPS.items() if g != "matter"}
    if "lens_potential_accuracy" not in groups["lmax"]:
        groups.pop("lmax")
    return {g: held for g, held in groups.items() if held}


def _unpacked(page: Page, numbers: Numbers, build: Build, write: Callable[[str, Numbers], list[str]]) -> Carried:
    lines: list[str] = []
    refs = texts(page, numbers)
    targets = {}
    for group, held in _grouped(numbers).items():
        targets[group] = {"cosmology": "cosmo", "power": "inflation", "lmax": "accuracy"}.get(group, group)
        lines += write(targets[group], held)
        refs |= _subscripts(targets[group], held)
    return Carried([*lines, *build(Refs(refs, targets))])


def dict_unpacked(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    return _unpacked(
        page,
        numbers,
        build,
        lambda target, held: call("dict", [f"{n}={t}" for n, t in texts(page, held).items()], target),
    )


def _wrong(page: Page, held: Numbers) -> dict[str, str]:
    """A base with other values, all of which are replaced."""
    return {n: page.number(n, v if n in INTEGERS else v + 1) for n, v in held.items() if page.rng.random() < 0.7}


def dict_merged(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    form = page.rng.choice(("{{**base_{0}, **{0}}}", "base_{0} | {0}"))
    return _unpacked(
        page,
        numbers,
        build,
        lambda target, held: [
            *dict_literal(f"base_{target}", _wrong(page, held)),
            *dict_literal(target, texts(page, held)),
            f"{target} = {form.format(target)}",
        ],
    )


def dict_updated(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    def write(target: str, held: Numbers) -> list[str]:
        changes = [f"{n}={t}" for n, t in texts(page, held).items()]
        return [*dict_literal(target, _wrong(page, held)), *call(f"{target}.update", changes)]

    return _unpacked(page, numbers, build, write)


def dict_copied(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    def write(target: str, held: Numbers) -> list[str]:
        first = next(iter(held))
        lines = dict_literal(f"default_{target}", texts(page, held))
        return [*lines, f"{target} = dict(default_{target})", f'default_{target}["{first}"] = 1']

    return _unpacked(page, numbers, build, write)


def json_text(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    page.need("import json")
    target = _name(page)
    lines = [f'{target} = json.loads("""', *json.dumps(dict(numbers), indent=4).splitlines(), '""")']
    page.define(lines)
    return Carried(build(Refs(_subscripts(target, numbers))), _subscripts(target, numbers))


def argparse_defaults(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    page.need("import argparse")
    lines = ['parser = argparse.ArgumentParser(description="CAMB run")']
    for name, text in texts(page, numbers).items():
        lines.append(f'parser.add_argument("--{name}", type={"int" if name in INTEGERS else "float"}, default={text})')
    refs = {name: f"args.{name}" for name in numbers}
    return Carried([*lines, "args = parser.parse_args()", *build(Refs(refs))])


def environment(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    page.need("import os")
    return _local(
        page,
        numbers,
        build,
        _assigned(
            page,
            numbers,
            lambda n, v: (
                f'{"int" if n in INTEGERS else "float"}(os.environ.get("COSMO_{n.upper()}", "{page.number(n, v)}"))'
            ),
        ),
    )


# ------------------------------------------------------------------------------------- what only running can tell


def config_file(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    page.need("import json")
    page.files["config.json"] = (json.dumps(dict(numbers), indent=2) + "\n").encode()
    lines = ['with open("config.json") as handle:', "    config = json.load(handle)"]
    return Carried([*lines, *build(Refs(_subscripts("config", numbers)))])


def table_file(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    page.need("import numpy as np")
    held = reals(numbers)
    page.files["values.txt"] = "".join(f"{v!r}\n" for v in held.values()).encode()
    refs = {name: f"theta[{i}]" for i, name in enumerate(held)}
    return Carried(['theta = np.loadtxt("values.txt")', *build(Refs({**refs, **whole(page, numbers)}))])


def data_branch(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    page.need("import os")
    lines = ['if os.path.exists("best_fit.txt"):', "    scale = 1.1", "else:", "    scale = 1.0"]
    lines += _assigned(page, numbers, lambda n, v: page.number(n, v) + (" * scale" if n not in INTEGERS else ""))
    return _local(page, numbers, build, lines)


NEEDS_RUNNING: Final = frozenset({"config_file", "table_file", "data_branch"})
"""Styles whose values cannot be known from the text alone."""

PLAIN_STYLES: Final[Mapping[str, ValueStyle]] = {
    style.__name__: style
    for style in (
        literals,
        local_variables,
        annotated,
        module_constants,
        tuple_unpacking,
        starred_unpacking,
        walrus,
        augmented,
        expressions,
        text_conversions,
        string_split,
        numpy_scalars,
        numpy_array,
        conditional_constants,
        conditional_expressions,
        match_statement,
        none_or_value,
        dict_subscripts,
        module_dict,
        nested_dict,
        dict_get,
        dict_from_pairs,
        dict_comprehension,
        dict_unpacked,
        dict_merged,
        dict_updated,
        dict_copied,
        json_text,
        argparse_defaults,
        environment,
        config_file,
        table_file,
        data_branch,
    )
}
