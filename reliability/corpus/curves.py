"""From the model to x and y: what is computed, which spectrum is taken, in which unit, and how it is saved."""

# ruff: noqa: ARG001 - the functions of a table share a signature, and their names say what they write

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from reliability.corpus.page import Page, call
from reliability.corpus.recipes import PARTIAL, Recipe

COLUMNS: Final = ("TT", "EE", "BB", "TE")
"""In CAMB's order."""
READING_STYLES: Final = ("method", "spectra_dict", "spectra_of_params", "by_hand")
"""A call for each spectrum; ``get_cmb_power_spectra``; the same with ``params``, which computes again; D_l from C_l, or
the other way round, and the unit, worked out in the script."""
SPECTRA: Final[Mapping[str, str]] = {
    "get_total_cls": "total",
    "get_lensed_scalar_cls": "lensed_scalar",
    "get_unlensed_total_cls": "unlensed_total",
    "get_unlensed_scalar_cls": "unlensed_scalar",
    "get_tensor_cls": "tensor",
}
"""Names of the spectra in what ``get_cmb_power_spectra`` returns."""


def x_name(recipe: Recipe) -> str:
    """The script's variable for x."""
    return {"multipoles": "ell", "linear": "z", "log": "kh"}[recipe.grid.kind]


def computes_again(recipe: Recipe, reading: str) -> bool:
    """Whether reading the results computes the model a second time."""
    return reading == "spectra_of_params" and recipe.call in SPECTRA and not recipe.plus


def curve_lines(page: Page, recipe: Recipe, reading: str, late: Mapping[str, str], target: str = "y") -> list[str]:
    """Lines that compute the model and end with x and `target`; `late` refers to what is told on reading."""
    background = recipe.call == "angular_diameter_distance"
    if background or page.rng.random() < 0.7:
        function = "get_background" if background else "get_results"
        lines = [f"results = {page.camb(function)}({page.pars})"]
    else:
        lines = [f"results = {page.camb('CAMBdata')}()", f"results.calc_power_spectra({page.pars})"]
    if background:
        lines += _distance(page, recipe, target)
    elif recipe.call == "get_matter_power_spectrum":
        lines += _matter_power(page, recipe, target)
    elif recipe.call == "delensing_efficiency":
        lines += _delensing(page, recipe, target)
    else:
        lines += _spectrum(page, recipe, reading, late, target)
    factor = recipe.factor.replace("x", x_name(recipe)).replace(f"e{x_name(recipe)}p", "exp")
    return [*lines, *([f"{target} = {target} * ({factor})"] if factor else [])]


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(value)


def _distance(page: Page, recipe: Recipe, target: str) -> list[str]:
    page.need("import numpy as np")
    grid = recipe.grid
    spaced = "linspace" if grid.kind == "linear" else "geomspace"
    x = f"z = np.{spaced}({_number(grid.start)}, {_number(grid.stop)}, {grid.n})"
    if page.rng.random() < 0.7:
        return [x, f"{target} = results.angular_diameter_distance(z)"]
    return [x, f"{target} = np.array([results.angular_diameter_distance(zi) for zi in z])"]


def _matter_power(page: Page, recipe: Recipe, target: str) -> list[str]:
    grid = recipe.grid
    arguments = [f"minkh={_number(grid.start)}", f"maxkh={_number(grid.stop)}", f"npoints={grid.n}"]
    lines = call("results.get_matter_power_spectrum", arguments, "kh, z_values, pk")
    return [*lines, f"{target} = pk[0{page.rng.choice((']', ', :]'))}"]


def _range(recipe: Recipe) -> tuple[int, int]:
    return int(recipe.grid.start), int(recipe.grid.stop)


def _spectrum(page: Page, recipe: Recipe, reading: str, late: Mapping[str, str], target: str) -> list[str]:
    page.need("import numpy as np")
    start, stop = _range(recipe)
    by_hand = reading == "by_hand"
    raw = recipe.raw_cl != by_hand
    unit = recipe.CMB_unit if not (by_hand and recipe.CMB_unit == "muK") else None
    settings = [f"lmax={stop}", *([f'CMB_unit="{unit}"'] if unit else []), f"raw_cl={raw}"]
    if not raw and page.rng.random() < 0.5:
        settings.pop()  # CAMB's default
    column = COLUMNS.index(recipe.spectrum)
    lines, parts = [f"ell = np.arange({start}, {stop + 1})"], []
    for name, function in (("cls", recipe.call), ("tensor_cls", recipe.plus)):
        if function is not None:
            lines += _read(page, name, function, settings, reading, late=late, is_only=recipe.plus is None)
            parts.append(f"{name}[{start}:{stop + 1}, {column}]")
    lines.append(f"{target} = {' + '.join(parts)}")
    if by_hand:
        page.need("import numpy as np")
        times = "* ell * (ell + 1) / (2 * np.pi)" if raw else "* 2 * np.pi / (ell * (ell + 1))"
        lines.append(f"{target} = {target} {times}")
        lines += [f"{target} = {target} * 2.7255e6**2  # muK^2"] if recipe.CMB_unit == "muK" else []
    return lines


def _read(
    page: Page, name: str, function: str, settings: list[str], reading: str, *, late: Mapping[str, str], is_only: bool
) -> list[str]:
    if function == PARTIAL:
        return call(f"results.{function}", [late["Alens"], *settings], name)
    if reading.startswith("spectra") and is_only:
        arguments = [*([page.pars] if reading == "spectra_of_params" else []), *settings]
        key = SPECTRA[function]
        return [*call("results.get_cmb_power_spectra", arguments, "powers"), f'{name} = powers["{key}"]']
    return call(f"results.{function}", settings, name)


def _delensing(page: Page, recipe: Recipe, target: str) -> list[str]:
    page.need("import numpy as np")
    start, stop = _range(recipe)
    lmax = recipe.told["lmax"]
    [noise_file] = recipe.files
    return [
        f"c_phi = results.get_lens_potential_cls({lmax})[:, 0]",
        f'l_noise, n_noise = np.loadtxt("{noise_file}", delimiter=",", skiprows=1, unpack=True)',
        f"n_phi = np.interp(np.arange(2, {lmax} + 1), l_noise, n_noise)",
        f"residual = np.zeros({page.pars}.max_l + 1)",
        f"residual[2:{lmax} + 1] = c_phi[2:] * (1 - c_phi[2:] / (c_phi[2:] + n_phi))",
        f"ell = np.arange({start}, {stop + 1})",
        f"bb_lensed = results.get_lensed_scalar_cls({stop})[{start}:, 2]",
        f"bb_delensed = results.get_lensed_cls_with_spectrum(residual, {stop})[{start}:, 2]",
        f"{target} = 100 * (bb_lensed - bb_delensed) / bb_lensed",
    ]


# -------------------------------------------------------------------------------------------------------- saving

SaveStyle = Callable[[Page, Recipe], list[str]]


def _savetxt(page: Page, recipe: Recipe) -> list[str]:
    page.need("import numpy as np")
    arguments = [f'"{recipe.output}"', f"np.column_stack([{x_name(recipe)}, y])", f'delimiter="{recipe.separator}"']
    arguments += [f'header="{recipe.separator.join(recipe.columns)}"', 'comments=""']
    return call("np.savetxt", arguments)


def _with_open(page: Page, recipe: Recipe) -> list[str]:
    x, sep = x_name(recipe), recipe.separator
    return [
        f'with open("{recipe.output}", "w") as f:',
        f'    f.write("{sep.join(recipe.columns)}\\n")',
        f"    for a, b in zip({x}, y):",
        f'        f.write(f"{{a}}{sep}{{b:.10e}}\\n")',
    ]


def _csv_writer(page: Page, recipe: Recipe) -> list[str]:
    page.need("import csv")
    names = ", ".join(f'"{c}"' for c in recipe.columns)
    return [
        f'with open("{recipe.output}", "w", newline="") as handle:',
        f'    writer = csv.writer(handle, delimiter="{recipe.separator}")',
        f"    writer.writerow([{names}])",
        f"    writer.writerows(zip({x_name(recipe)}.tolist(), y.tolist()))",
    ]


def _path_text(page: Page, recipe: Recipe) -> list[str]:
    page.need("from pathlib import Path")
    x, sep = x_name(recipe), recipe.separator
    return [
        f'rows = ["{sep.join(recipe.columns)}"]',
        f'rows += [f"{{float(a)!r}}{sep}{{float(b)!r}}" for a, b in zip({x}, y)]',
        f'Path("{recipe.output}").write_text("\\n".join(rows) + "\\n")',
    ]


def _pandas(page: Page, recipe: Recipe) -> list[str]:
    x, (first, second) = x_name(recipe), recipe.columns
    frame = f'pd.DataFrame({{"{first}": {x}, "{second}": y}})'
    frame += f'.to_csv("{recipe.output}", sep="{recipe.separator}", index=False)'
    return [
        "try:",
        "    import pandas as pd",
        "",
        f"    {frame}",
        "except ImportError:",
        *(f"    {line}" for line in _savetxt(page, recipe)),
    ]


SAVE_STYLES: Final[Mapping[str, SaveStyle]] = {
    "savetxt": _savetxt,
    "with_open": _with_open,
    "csv_writer": _csv_writer,
    "path_text": _path_text,
    "pandas": _pandas,
}


def saving_lines(page: Page, recipe: Recipe, save: str) -> list[str]:
    """Lines that write the curve to the file, with what the recipe does besides."""
    before, instead, after = (
        [line.replace("{x}", x_name(recipe)) for line in lines]
        for lines in (recipe.ending.before, recipe.ending.instead, recipe.ending.after)
    )
    if any("np." in line for line in (*before, *instead, *after)):
        page.need("import numpy as np")
    return [*before, *(instead or SAVE_STYLES[save](page, recipe)), *after]
