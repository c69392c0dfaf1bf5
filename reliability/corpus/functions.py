"""How a script carries its numbers through functions and classes."""

# ruff: noqa: ARG001, D103 - the functions of a table share a signature, and their names say what they write

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from reliability.corpus.calls import Refs
from reliability.corpus.page import INTEGERS, Page, call, dict_literal, indent
from reliability.corpus.values import Build, Carried, Numbers, ValueStyle, texts
from reliability.records import Number

MAKERS: Final = ("make_params", "build_cosmology", "setup_camb", "get_params")


def _maker(page: Page, numbers: Numbers, build: Build) -> list[str]:
    """Body of a function whose arguments are the parameters under CAMB's names."""
    return [*build(Refs({name: name for name in numbers})), f"return {page.pars}"]


def _called(page: Page, name: str, free: Sequence[str], arguments: Sequence[str] = ()) -> list[str]:
    return call(name, [*free, *arguments], page.pars)


def _signature(name: str, free: Sequence[str], arguments: Sequence[str]) -> str:
    return f"{name}({', '.join([*free, *arguments])})"


# ----------------------------------------------------------------------------------------------------- functions


def function_defaults(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    name = page.rng.choice(MAKERS)
    defaults = [f"{n}={t}" for n, t in texts(page, numbers).items()]
    page.define(page.function(_signature(name, free, defaults), _maker(page, numbers, build)))
    return Carried(_called(page, name, free))


def some_defaults(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    """Some by default, some overridden by the caller."""
    name, written = page.rng.choice(MAKERS), texts(page, numbers)
    given = [n for n in numbers if page.rng.random() < 0.4]
    defaults = [f"{n}={'None' if n in given and n in INTEGERS else written[n]}" for n in numbers]
    other = [
        f"{n}={page.number(n, numbers[n] + 1)}" if n in given else d for n, d in zip(numbers, defaults, strict=True)
    ]
    page.define(page.function(_signature(name, free, other), _maker(page, numbers, build)))
    return Carried(_called(page, name, free, [f"{n}={written[n]}" for n in given]))


def caller_keywords(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    name = page.rng.choice(MAKERS)
    star = ["*"] if page.rng.random() < 0.5 else []
    page.define(page.function(_signature(name, free, [*star, *numbers]), _maker(page, numbers, build)))
    return Carried(_called(page, name, free, [f"{n}={t}" for n, t in texts(page, numbers).items()]))


def caller_positional(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    name = page.rng.choice(MAKERS)
    page.define(page.function(_signature(name, free, list(numbers)), _maker(page, numbers, build)))
    return Carried(_called(page, name, free, list(texts(page, numbers).values())))


def star_arguments(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    name = page.rng.choice(MAKERS)
    page.define(page.function(_signature(name, free, list(numbers)), _maker(page, numbers, build)))
    values = call("", list(texts(page, numbers).values()), "values")
    return Carried([*values, *_called(page, name, free, ["*values"])])


def keyword_dict(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    name = page.rng.choice(MAKERS)
    refs = Refs({n: f'kwargs["{n}"]' if page.rng.random() < 0.7 else f'kwargs.get("{n}")' for n in numbers})
    page.define(page.function(_signature(name, free, ["**kwargs"]), [*build(refs), f"return {page.pars}"]))
    return Carried(_called(page, name, free, [f"{n}={t}" for n, t in texts(page, numbers).items()]))


def dict_argument(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    name, argument = page.rng.choice(MAKERS), page.rng.choice(("params", "cosmo", "config"))
    refs = Refs({n: f'{argument}["{n}"]' for n in numbers})
    page.define(page.function(_signature(name, free, [argument]), [*build(refs), f"return {page.pars}"]))
    return Carried([*dict_literal("fiducial", texts(page, numbers)), *_called(page, name, free, ["fiducial"])])


def dict_to_keywords(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    name = page.rng.choice(MAKERS)
    page.define(page.function(_signature(name, free, list(numbers)), _maker(page, numbers, build)))
    return Carried([*dict_literal("fiducial", texts(page, numbers)), *_called(page, name, free, ["**fiducial"])])


def partial_keywords(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    page.need("from functools import partial")
    page.define(page.function(_signature("make_model", free, list(numbers)), _maker(page, numbers, build)))
    fixed = [f"{n}={t}" for n, t in texts(page, numbers).items()]
    half = len(fixed) // 2
    lines = call("partial", ["make_model", *fixed[:half]], "fiducial_model")
    return Carried([*lines, *_called(page, "fiducial_model", free, fixed[half:])])


def closure(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    inner = page.function(_signature("build", free, []), _maker(page, numbers, build))
    page.define(page.function(_signature("model_builder", [], list(numbers)), [*inner, "", "return build"]))
    made = call("model_builder", [f"{n}={t}" for n, t in texts(page, numbers).items()], "build_model")
    return Carried([*made, *_called(page, "build_model", free)])


def nested_function(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    variables = [f"{page.variable(n)} = {t}" for n, t in texts(page, numbers).items()]
    body = [*build(Refs({n: page.variable(n) for n in numbers})), f"return {page.pars}"]
    inner = page.function(_signature("configure", free, []), body)
    return Carried([*variables, "", *inner, "", *_called(page, "configure", free)])


def lambda_values(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    density = {n: v for n, v in numbers.items() if n in ("ombh2", "omch2")}
    written = texts(page, numbers)
    h = float(numbers.get("H0", 100)) / 100
    lines = [f"h = {h!r}", "physical = lambda omega, h=h: omega * h**2"]
    lines += [f"{page.variable(n)} = physical({v / h**2!r})" for n, v in density.items()]
    lines += [f"{page.variable(n)} = (lambda: {t})()" for n, t in written.items() if n not in density]
    return Carried([*lines, *build(Refs({n: page.variable(n) for n in numbers}))])


def returned_tuple(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    returned = indent([f"{t},  # {n}" for n, t in texts(page, numbers).items()])
    lines = page.function("cosmology_values()", ["return (", *returned, ")"])
    page.define(lines)
    names = [page.variable(n) for n in numbers]
    target = ", ".join(names) + "," * (len(names) == 1)
    return Carried([f"{target} = cosmology_values()", *build(Refs({n: page.variable(n) for n in numbers}))])


def returned_dict(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    lines = dict_literal("values", texts(page, numbers))
    page.define(page.function("load_parameters()", [*lines, "return values"]))
    return Carried(["p = load_parameters()", *build(Refs({n: f'p["{n}"]' for n in numbers}))])


def global_statement(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    names = {n: f"g_{n}" for n in numbers}
    page.define([f"{name} = None" for name in names.values()])
    body = [f"global {', '.join(names.values())}", *(f"{names[n]} = {t}" for n, t in texts(page, numbers).items())]
    page.define(page.function("set_globals()", body))
    return Carried(["set_globals()", *build(Refs(names))])


# ------------------------------------------------------------------------------------------------------- classes


def class_constants(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    page.define(["class Config:", *indent([f"{n} = {t}" for n, t in texts(page, numbers).items()])])
    refs = {n: f"Config.{n}" for n in numbers}
    return Carried(build(Refs(refs)), refs)


def _with_fields(page: Page, numbers: Numbers) -> list[str]:
    page.need("from dataclasses import dataclass")
    fields = [f"{n}: {'int' if n in INTEGERS else 'float'} = {t}" for n, t in texts(page, numbers).items()]
    return ["@dataclass", "class Cosmology:", *indent(fields)]


def dataclass_fields(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    page.define(_with_fields(page, numbers))
    return Carried(["cosmo = Cosmology()", *build(Refs({n: f"cosmo.{n}" for n in numbers}))])


def dataclass_as_dict(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    page.define(_with_fields(page, numbers))
    page.need("from dataclasses import asdict")
    return Carried(["values = asdict(Cosmology())", *build(Refs({n: f'values["{n}"]' for n in numbers}))])


def _class(
    page: Page, header: list[str], build: Build, *, fields: Sequence[str], refs: Mapping[str, str], free: Sequence[str]
) -> list[str]:
    start = page.function(f"__init__(self, {', '.join(fields)})", header)
    method = page.function(_signature("camb_params", ["self", *free], []), [*build(Refs(refs)), f"return {page.pars}"])
    return ["class CosmologyModel:", *indent([*start, "", *method])]


def class_state(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    fields = [f"{n}={t}" for n, t in texts(page, numbers).items()]
    refs = {n: f"self.{n}" for n in numbers}
    page.define(_class(page, [f"self.{n} = {n}" for n in numbers], build, fields=fields, refs=refs, free=free))
    return Carried(["cosmology = CosmologyModel()", *_called(page, "cosmology.camb_params", free)])


def class_caller(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    refs = {n: f"self.{n}" for n in numbers}
    page.define(_class(page, [f"self.{n} = {n}" for n in numbers], build, fields=list(numbers), refs=refs, free=free))
    made = call("CosmologyModel", [f"{n}={t}" for n, t in texts(page, numbers).items()], "cosmology")
    return Carried([*made, *_called(page, "cosmology.camb_params", free)])


def class_property(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    h = float(numbers.get("H0", 100)) / 100
    densities: dict[str, Number] = {n: v / h**2 for n, v in numbers.items() if n in ("ombh2", "omch2")}
    lines = ["class Cosmology:", f"    h = {h!r}"]
    for name, text in texts(page, numbers).items():
        worked_out = f"return {densities[name]!r} * self.h**2" if name in densities else f"return {text}"
        body = "return 100 * self.h" if name == "H0" else worked_out
        lines += ["", "    @property", *indent(page.function(f"{name}(self)", [body]))]
    page.define(lines)
    return Carried(["model_values = Cosmology()", *build(Refs({n: f"model_values.{n}" for n in numbers}))])


def namedtuple_fields(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    page.need("from collections import namedtuple")
    page.define([f'Cosmology = namedtuple("Cosmology", "{" ".join(numbers)}")'])
    made = call("Cosmology", [f"{n}={t}" for n, t in texts(page, numbers).items()], "cosmo")
    return Carried([*made, *build(Refs({n: f"cosmo.{n}" for n in numbers}))])


def simple_namespace(page: Page, numbers: Numbers, build: Build, free: tuple[str, ...]) -> Carried:
    page.need("from types import SimpleNamespace")
    made = call("SimpleNamespace", [f"{n}={t}" for n, t in texts(page, numbers).items()], "cosmo")
    return Carried([*made, *build(Refs({n: f"cosmo.{n}" for n in numbers}))])


FUNCTION_STYLES: Final[Mapping[str, ValueStyle]] = {
    style.__name__: style
    for style in (
        function_defaults,
        some_defaults,
        caller_keywords,
        caller_positional,
        star_arguments,
        keyword_dict,
        dict_argument,
        dict_to_keywords,
        partial_keywords,
        closure,
        nested_function,
        lambda_values,
        returned_tuple,
        returned_dict,
        global_statement,
        class_constants,
        dataclass_fields,
        dataclass_as_dict,
        class_state,
        class_caller,
        class_property,
        namedtuple_fields,
        simple_namespace,
    )
}
