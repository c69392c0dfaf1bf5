"""Faults of what is computed: another spectrum, tensors or lensing left out, settings other than stated."""

# ruff: noqa: E501 - a table, one row a line
from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from reliability.corpus.recipes import PARTIAL
from reliability.faults.changes import SOME_TASKS, after, is_cmb, is_tensor, telling, with_lines
from reliability.faults.records import Change, Fault, Names, called

if TYPE_CHECKING:
    from reliability.corpus import Recipe
    from reliability.records import Task

NEXT: Final = {"TT": ("EE", "TE"), "EE": ("BB", "TT"), "BB": ("EE", "TT")}
"""Columns that are taken for the right one."""


def _column(i: int) -> Change:
    return lambda recipe, _task: replace(recipe, spectrum=NEXT[recipe.spectrum][i]) if is_cmb(recipe) else None


def _column_name(i: int) -> Names:
    return lambda task: (f"spectrum_{NEXT[task.columns[1]][i]}",)


def _without_tensors(recipe: Recipe, _task: Task) -> Recipe | None:
    if not is_tensor(recipe):
        return None
    call = recipe.call if recipe.plus else "get_lensed_scalar_cls"
    return replace(recipe, call=call, plus=None)


def _tensors_off(recipe: Recipe, _task: Task) -> Recipe | None:
    return replace(recipe, plus=None).telling(WantTensors=None, r=None) if is_tensor(recipe) else None


def _tensor_only(recipe: Recipe, _task: Task) -> Recipe | None:
    return replace(recipe, call="get_tensor_cls", plus=None).telling(Alens=None) if is_tensor(recipe) else None


def _unlensed(recipe: Recipe, _task: Task) -> Recipe | None:
    changed = replace(recipe, call="get_unlensed_total_cls", plus=None).telling(Alens=None)
    return changed if is_cmb(recipe) else None


def _unlensed_names(task: Task) -> tuple[str, ...]:
    if task.columns[1] != "BB":
        return ("unlensed",)
    return ("tensor_only",) if task.settings["WantTensors"] else ("all_zero",)  # all B modes are of lensing


def _whole_lensing(recipe: Recipe, _task: Task) -> Recipe | None:
    changed = replace(recipe, call="get_total_cls", plus=None).telling(Alens=None)
    return changed if recipe.call == PARTIAL else None


def _efficiency(recipe: Recipe, _task: Task) -> Recipe | None:
    left = float(recipe.told.get("Alens", 1.0))
    return recipe.telling(Alens=round(1 - left, 12)) if recipe.call == PARTIAL else None


def _scaled(recipe: Recipe, task: Task) -> Recipe | None:
    whole = _whole_lensing(recipe, task)
    return with_lines(whole, f"y = {float(recipe.told['Alens']):.6g} * y") if whole else None


def _lens_accuracy(recipe: Recipe, _task: Task) -> Recipe | None:
    if not is_cmb(recipe):
        return None
    if recipe.told["lens_potential_accuracy"]:
        return recipe.telling(lens_potential_accuracy=0, NonLinear="NonLinear_none")
    return recipe.telling(lens_potential_accuracy=1, NonLinear="NonLinear_lens")


def _lens_accuracy_names(task: Task) -> tuple[str, ...]:
    return ("lens_accuracy_0",) if task.settings["lens_potential_accuracy"] else ("lens_accuracy_1",)


def _at_the_edge(recipe: Recipe, _task: Task) -> Recipe | None:
    has_margin = is_cmb(recipe) and recipe.grid.stop > 1000
    return recipe.telling(lmax=int(recipe.grid.stop)) if has_margin else None


def _lmax_left_out(recipe: Recipe, _task: Task) -> Recipe | None:
    return recipe.telling(lmax=None, lens_potential_accuracy=None) if is_cmb(recipe) else None


def _hierarchy(first: str, second: str) -> Change:
    def change(recipe: Recipe, _task: Task) -> Recipe | None:
        changed = replace(recipe, relative_to={"neutrino_hierarchy": second})
        return changed.telling(neutrino_hierarchy=first) if recipe.relative_to else None

    return change


FAULTS: Final = (
    Fault("next_column", "spectrum", "The column beside the right one is read.", _column(0), _column_name(0)),
    Fault("other_column", "spectrum", "Another column is read.", _column(1), _column_name(1)),
    Fault("x_twice", "spectrum", "x is saved as y.", after("y = 1.0 * {x}"), called("y_is_x"), tasks=SOME_TASKS),
    Fault("comoving_distance", "spectrum", "The comoving distance.", after("y = y * (1 + {x})", where="t08"), called("distance_comoving")),
    Fault("luminosity_distance", "spectrum", "The luminosity distance.", after("y = y * (1 + {x}) ** 2", where="t08"), called("distance_luminosity")),
    Fault("tensor_missing", "tensor", "Only the scalar spectrum is read.", _without_tensors, called("tensor_missing")),
    Fault("tensors_off", "tensor", "Tensors are not computed.", _tensors_off, called("tensor_missing")),
    Fault("r_left_out", "tensor", "Tensors are computed with r = 0.", telling(r=None), called("tensor_missing"), tasks=frozenset({"t07", "t10"})),
    Fault("tensor_only", "tensor", "Only the tensor spectrum is read.", _tensor_only, called("tensor_only")),
    Fault("unlensed", "lensing", "The unlensed spectrum is read.", _unlensed, _unlensed_names),
    Fault("not_delensed", "lensing", "Nothing is delensed.", _whole_lensing, called("not_delensed")),
    Fault("efficiency_as_alens", "lensing", "The efficiency is taken for the lensing that is left.", _efficiency, called("efficiency_as_alens")),
    Fault("spectrum_scaled", "lensing", "The lensed spectrum is scaled.", _scaled, lambda task: ("total_scaled",) if task.settings["WantTensors"] else ("spectrum_scaled",)),
    Fault("lens_accuracy_other", "setting", "Another lens_potential_accuracy than stated.", _lens_accuracy, _lens_accuracy_names),
    Fault("lens_accuracy_left_out", "setting", "lens_potential_accuracy is not told.", lambda r, _t: r.telling(lens_potential_accuracy=None, NonLinear=None) if is_cmb(r) else None, called("lens_accuracy_default")),
    Fault("lmax_left_out", "setting", "set_for_lmax is not called.", _lmax_left_out, called("lmax_default", "zero_tail", "truncated")),
    Fault("lmax_at_edge", "setting", "The spectrum is computed to its last multipole only.", _at_the_edge, called("lmax_at_edge")),
    Fault("nonlinear", "setting", "The non-linear power spectrum.", lambda r, _t: r.telling(NonLinear="NonLinear_both") if "kmax" in r.told else None, called("nonlinear")),
    Fault("redshift_1", "setting", "Redshift 1.", telling(redshift=1), called("redshift_1")),
    Fault("kmax_small", "setting", "kmax is 0.1.", telling(kmax=0.1)),
    Fault("degenerate_denominator", "setting", "Equal masses for the normal hierarchy.", _hierarchy("inverted", "degenerate"), called("degenerate_denominator")),
    Fault("degenerate_numerator", "setting", "Equal masses for the inverted hierarchy.", _hierarchy("degenerate", "normal"), called("degenerate_numerator")),
    Fault("reionization_default", "setting", "CAMB's own reionization model.", telling(reionization_model=None, reion_exp_power=None), called("reionization_model_ignored")),
    Fault("reionization_power", "setting", "The power of the reionization is not set.", telling(reion_exp_power=None), called("reionization_power_ignored")),
)  # fmt: skip
