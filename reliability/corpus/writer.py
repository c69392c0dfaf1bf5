"""Writes scripts: a recipe in a style, and many of them from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from reliability.corpus.calls import CALL_STYLES, Refs
from reliability.corpus.curves import READING_STYLES, SAVE_STYLES, computes_again, curve_lines, saving_lines, x_name
from reliability.corpus.functions import FUNCTION_STYLES
from reliability.corpus.page import IMPORT_STYLES, Page, indent
from reliability.corpus.recipes import Recipe, expected_model, recipe_for
from reliability.corpus.structure import CLUTTER, FIDUCIAL, MODEL_CLUTTER, STRUCTURES, Stages
from reliability.corpus.values import NEEDS_RUNNING, PLAIN_STYLES, Carried
from reliability.errors import InputError
from reliability.records import CambModel, CodeReading, Number, Task
from reliability.tasks import load_tasks

VALUE_STYLES: Final = {**PLAIN_STYLES, **FUNCTION_STYLES}
PAIR_STYLES: Final = ("helper_twice", "loop", "comprehension")
"""How the two models of a ratio are computed."""
ALL_CLUTTER: Final = (*CLUTTER, *MODEL_CLUTTER)


@dataclass(frozen=True, slots=True)
class Style:
    """How a script is written; each field names one of the options of its table."""

    imports: str = "import"
    values: str = "literals"
    calls: str = "methods"
    reading: str = "method"
    structure: str = "flat"
    save: str = "savetxt"
    pair: str = "helper_twice"
    clutter: tuple[str, ...] = ()

    @property
    def needs_running(self) -> bool:
        """Whether only running tells the values."""
        return self.values in NEEDS_RUNNING


STYLES: Final[Mapping[str, Style]] = {
    **{f"values:{name}": Style(values=name) for name in VALUE_STYLES},
    **{f"imports:{name}": Style(imports=name) for name in IMPORT_STYLES},
    **{f"calls:{name}": Style(calls=name) for name in CALL_STYLES},
    **{f"reading:{name}": Style(reading=name) for name in READING_STYLES},
    **{f"structure:{name}": Style(structure=name) for name in STRUCTURES},
    **{f"save:{name}": Style(save=name) for name in SAVE_STYLES},
    **{f"pair:{name}": Style(pair=name) for name in PAIR_STYLES},
    **{f"clutter:{name}": Style(clutter=(name,)) for name in ALL_CLUTTER},
}
"""One named style for each option, plain in everything else; :func:`draw_style` combines them."""


@dataclass(frozen=True, slots=True)
class AgentScript:
    """A script as an agent would have left it, and what it does."""

    text: str
    recipe: Recipe
    style: Style
    models: tuple[CambModel, ...]
    """What CAMB receives, model by model: every parameter that the recipe determines; no lines."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """What must lie beside it."""

    @property
    def truth(self) -> CodeReading:
        """The models as a reading, to compare others with."""
        return CodeReading(self.models)


def draw_style(rng: random.Random) -> Style:
    """A combination of options, each drawn evenly, with up to three kinds of clutter."""
    return Style(
        imports=rng.choice(tuple(IMPORT_STYLES)),
        values=rng.choice(tuple(VALUE_STYLES)),
        calls=rng.choice(tuple(CALL_STYLES)),
        reading=rng.choice(READING_STYLES),
        structure=rng.choice(tuple(STRUCTURES)),
        save=rng.choice(tuple(SAVE_STYLES)),
        pair=rng.choice(PAIR_STYLES),
        clutter=tuple(rng.sample(ALL_CLUTTER, rng.randrange(4))),
    )


def write_corpus(
    n: int, seed: int, tasks: Sequence[Task] | None = None, styles: Sequence[Style] | None = None
) -> Iterator[AgentScript]:
    """Yield `n` scripts; script i depends on `seed` and i alone, so a longer corpus begins with the shorter one.

    `tasks` (default: the fourteen) take turns; so do `styles`, which are drawn where none are given.
    """
    recipes = [recipe_for(task) for task in (load_tasks().values() if tasks is None else tasks)]
    for i in range(n):
        rng = random.Random(f"{seed}:{i}")
        style = styles[i // len(recipes) % len(styles)] if styles else draw_style(rng)
        yield write_script(recipes[i % len(recipes)], style, rng)


def write_script(recipe: Recipe, style: Style, rng: random.Random) -> AgentScript:
    """Write a recipe in a style; what the style leaves open is drawn from `rng`.

    Raises :class:`InputError` for an option that no table has.
    """
    _check(style)
    recipe = _with_defaults_unsaid(recipe, rng)
    page = Page(rng, style.imports)
    stages = _ratio(page, recipe, style) if recipe.relative_to else _single(page, recipe, style)
    for name in style.clutter:
        if name in CLUTTER:
            stages = CLUTTER[name](page, stages)
    body = STRUCTURES[style.structure](page, stages)
    return AgentScript(_text(page, body, recipe), recipe, style, _models(recipe, style), {**recipe.files, **page.files})


def _check(style: Style) -> None:
    tables: dict[str, tuple[str, Iterable[str]]] = {
        "imports": (style.imports, IMPORT_STYLES),
        "values": (style.values, VALUE_STYLES),
        "calls": (style.calls, CALL_STYLES),
        "reading": (style.reading, READING_STYLES),
        "structure": (style.structure, STRUCTURES),
        "save": (style.save, SAVE_STYLES),
        "pair": (style.pair, PAIR_STYLES),
    }
    for axis, (option, table) in [*tables.items(), *(("clutter", (name, ALL_CLUTTER)) for name in style.clutter)]:
        if option not in table:
            raise InputError(f"style {axis}={option!r} is not one of {', '.join(table)}")


def _with_defaults_unsaid(recipe: Recipe, rng: random.Random) -> Recipe:
    """Many authors do not say what CAMB does anyway."""
    unsaid = {"WantTensors": False, "NonLinear": "NonLinear_none"}
    if recipe.told.get("lens_potential_accuracy"):
        unsaid["NonLinear"] = "NonLinear_lens"
    return recipe.telling(**{n: None for n, v in unsaid.items() if recipe.told.get(n) == v and rng.random() < 0.5})


def _models(recipe: Recipe, style: Style) -> tuple[CambModel, ...]:
    models = [expected_model(told) for told in recipe.models]
    again = models if computes_again(recipe, style.reading) else []
    first = [expected_model(FIDUCIAL)] if "fiducial_first" in style.clutter else []
    return (*first, *models, *again)


# ---------------------------------------------------------------------------------------------------- the stages


def _model_lines(page: Page, recipe: Recipe, style: Style, free: tuple[str, ...]) -> Carried:
    """Lines that make the model of a recipe in which `free` are variables of the code around."""
    told = {n: v for n, v in recipe.told.items() if n not in recipe.told_late}
    carried: dict[str, Number] = {
        n: v for n, v in recipe.told.items() if not isinstance(v, (bool, str)) and n not in free
    }
    others = {n: page.number(n, v) for n, v in told.items() if n not in carried} | {n: n for n in free}

    def build(refs: Refs) -> list[str]:
        lines = CALL_STYLES[style.calls](page, told, replace(refs, values={**refs.values, **others}, free=free))
        return [
            *lines,
            *(line for name in style.clutter if name in MODEL_CLUTTER for line in MODEL_CLUTTER[name](page)),
        ]

    made = VALUE_STYLES[style.values](page, carried, build, free)
    written = {n: page.number(n, recipe.told[n]) for n in recipe.told_late}
    return Carried(made.lines, {**written, **{n: made.late[n] for n in written if n in made.late}})


def _single(page: Page, recipe: Recipe, style: Style) -> Stages:
    model = _model_lines(page, recipe, style, ())
    curve = curve_lines(page, recipe, style.reading, model.late)
    return Stages([], model.lines, curve, saving_lines(page, recipe, style.save), x_name(recipe), page.pars)


def _ratio(page: Page, recipe: Recipe, style: Style) -> Stages:
    """Both models by the same code, with what differs in variables."""
    free = tuple(recipe.relative_to)
    model = _model_lines(page, recipe, style, free)
    one = [*model.lines, *curve_lines(page, recipe, style.reading, model.late, "values")]
    x, save = x_name(recipe), saving_lines(page, recipe, style.save)
    first, second = (", ".join(page.number(n, told[n]) for n in free) for told in recipe.models)
    if style.pair == "loop":
        cases = f"({first}, {second})" if len(free) == 1 else f"[({first}), ({second})]"
        each = f"for {', '.join(free)} in {cases}:"
        lines = ["curves = []", each, *indent([*one, "curves.append(values)"]), "y = curves[0] / curves[1] - 1"]
        return Stages([], [], lines, save, x, page.pars)
    name = page.rng.choice(("power_spectrum", "one_model", "run_camb"))
    page.define(page.function(f"{name}({', '.join(free)})", [*one, f"return {x}, values"]))
    if style.pair == "helper_twice":
        lines = [f"{x}, first = {name}({first})", f"_, second = {name}({second})", "y = first / second - 1"]
    else:
        lines = [f"curves = [{name}(*case) for case in [({first},), ({second},)]]", f"{x} = curves[0][0]"]
        lines.append("y = curves[0][1] / curves[1][1] - 1")
    return Stages([], [], lines, save, x, page.pars)


def _text(page: Page, body: list[str], recipe: Recipe) -> str:
    """The script from top to bottom."""
    titles = ("CAMB calculation of {y} against {x}.", "Compute {y}({x}) with CAMB and write it to a CSV file.", "")
    x, y = recipe.columns
    title = page.rng.choice(titles).format(x=x, y=y)
    blocks = page.blocks
    parts = [[f'"""{title}"""'] if title else [], page.import_lines(body), *blocks, body]
    gap = "\n\n\n" if any(block and block[0].startswith(("def ", "class ", "@")) for block in blocks) else "\n\n"
    return gap.join("\n".join(line.rstrip() for line in part) for part in parts if part) + "\n"


__all__ = ["STYLES", "AgentScript", "Style", "draw_style", "write_corpus", "write_script"]
