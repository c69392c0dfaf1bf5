"""Makes the committed reference set: curves, variants, tolerances, provenance.

    python benchmarks/make_reference_variants.py --camb PYTHON_1_6_6 PYTHON_1_6_0 [--tasks t08 t12] [--reuse]

The interpreter that runs this must have the CAMB of the committed set; ``--camb`` names two more interpreters that need
only CAMB and numpy: the other supported line (enters the tolerance) and one that is held back from it. ``--reuse``
keeps variant curves whose task, script and change are the same as before. All takes half an hour on two cores.

A variant changes only what a prompt does not fix (these are right answers), or makes a known mistake
(a near miss). Roles: ``envelope`` sets the tolerance; ``held_back`` must be accurate; ``near_miss`` must not be.
"""

import argparse
import json
import math
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np

from reliability.metrics import numerical_accuracy_score
from reliability.records import Reference, Tolerance
from reliability.reference_runs import check_curve, compute_reference, n_cores, provenance, write_reference
from reliability.reference_scripts import FOLDER, find_script, script_arguments
from reliability.references import NEEDED_VARIATIONS, SCHEMA, curve_text, numbers_sha256, sha256
from reliability.right_answers import FLOOR, is_right_answer
from reliability.tasks import data_folder, load_tasks

INSEPARABLE = {
    # mistakes that change the curve by less than right answers differ among themselves; PAS or nothing can see them
    ("t12", "lens_accuracy_ignored"): "EE at l <= 100 moves by 0.06 %, the two CAMB lines differ by 0.11 %",
    ("t13", "H0_67.3"): "0.08 % of the range in the mean, AccuracyBoost 2 moves the reference by 1.1 %",
    ("t14", "H0_67.3"): "0.8 % of the range, AccuracyBoost 2 moves the reference by 1.7 %",
}
MARGIN = 1.1
# A handful of right answers does not quite reach the edge of all of them: in task 13 AccuracyBoost 1.5, held back, lies
# 4 % outside the envelope in CCC. One factor for all tasks, too small to let any near miss in.
LMAX_FIXED = {"t14"}  # its lmax ends the residual potential, so a larger one is another question


@dataclass(frozen=True)
class Change:
    name: str
    role: str
    arguments: dict = field(default_factory=dict)  # arguments of compute replaced by these
    options: dict = field(default_factory=dict)  # of compute_reference
    interpreter: int | None = None  # index into --camb


def changes(task) -> list[Change]:
    """All variants of one task."""
    has = {**task.parameters, **task.derived, **task.settings}
    found = [
        Change("accuracy_boost_2", "envelope", options={"accuracy_boost": 2.0}),
        Change("camb_other_line", "envelope", interpreter=0),
        Change("two_threads", "envelope", options={"threads": 2}),
        Change("accuracy_boost_1.5", "held_back", options={"accuracy_boost": 1.5}),
        Change("camb_held_back", "held_back", interpreter=1),
    ]
    if "lmax" in has and task.id not in LMAX_FIXED:
        found += [Change(f"lmax_plus_{d}", "envelope", {"lmax": has["lmax"] + d}) for d in (250, 500, 1000)]
        found.append(Change("lmax_plus_750", "held_back", {"lmax": has["lmax"] + 750}))
    mistakes = near_misses(task, has)
    return found + [replace(c, role="inseparable") if (task.id, c.name) in INSEPARABLE else c for c in mistakes]


def near_misses(task, has) -> list[Change]:
    """Mistakes that agents make."""
    found = []
    if "Alens" in has:
        found.append(Change("unlensed", "near_miss", {"Alens": 0.0}))
    elif "lmax" in has and "noise.csv" not in task.files:
        found.append(Change("unlensed", "near_miss", options={"unlensed": True}))
    if "lens_potential_accuracy" in has:
        # CAMB 2 without the stated setting: at least 4, and non-linear lensing; task 6: 0, linear
        changed = (
            {"lens_potential_accuracy": 0, "NonLinear": "NonLinear_none"}
            if has["lens_potential_accuracy"]
            else {"lens_potential_accuracy": max(4.0, (has["lmax"] - 1500) / 500)}
        )
        found.append(Change("lens_accuracy_ignored", "near_miss", changed))
    if "reion_exp_power" in has:
        found.append(Change("reionization_power_ignored", "near_miss", {"reion_exp_power": 1.0}))
        found.append(Change("reionization_model_ignored", "near_miss", {"reionization_model": "TanhReionization"}))
    if "neutrino_hierarchy_numerator" in has:
        top, bottom = has["neutrino_hierarchy_numerator"], has["neutrino_hierarchy_denominator"]
        swapped = {"neutrino_hierarchy_numerator": bottom, "neutrino_hierarchy_denominator": top}
        found.append(Change("hierarchies_swapped", "near_miss", swapped))
    if has.get("H0") == 67.5:
        found.append(Change("H0_67.3", "near_miss", {"H0": 67.3}))
    return found


def own_checks(task, x, y) -> list[dict]:
    """An independent fact about each task; each a dict(name, passed, value, bound)."""
    fact, name, low, high = FACTS[task.id]
    value = float(fact(task, x, y))
    return [{"name": name, "passed": bool(low <= value <= high), "value": value, "bound": [low, high]}]


def astropy_difference(task, x, y):
    from astropy import units as u
    from astropy.cosmology import LambdaCDM

    p = task.truth
    h = p["H0"] / 100
    om = (p["ombh2"] + p["omch2"]) / h**2
    # neutrinos as in CAMB: one massive of three, N_eff 3.044
    radiation = {"Tcmb0": 2.7255, "Neff": 3.044, "m_nu": [0.0, 0.0, p["mnu"]] * u.eV, "Ob0": p["ombh2"] / h**2}
    any_lambda = LambdaCDM(p["H0"], om, 0.7, **radiation)
    ode0 = 1 - p["omk"] - om - any_lambda.Ogamma0 - any_lambda.Onu0
    other = LambdaCDM(p["H0"], om, ode0, **radiation).angular_diameter_distance(x).to_value(u.Mpc)
    return np.max(np.abs(y[1:] / other[1:] - 1))


def raw(task, x, y):
    return y if task.settings["raw_cl"] else y * 2 * np.pi / (x * (x + 1))


def acoustic_peak(task, x, y):
    return x[np.argmax(raw(task, x, y) * x * (x + 1))]


def white_level(task, x, y):
    return np.sqrt(np.mean(raw(task, x, y)[x < 100])) * 180 * 60 / np.pi


def reionization_bump(task, _x, y):
    return y[:20].max() / (task.truth["tau"] / 0.06) ** 2


def recombination_over_bump(_task, x, y):
    """l(l+1)C_l at l = 80 over l = 8, between the two bumps of gravitational waves."""
    dl = y * x * (x + 1)
    return dl[78] / dl[6]


PEAK = "first acoustic peak, l"
FACTS = {
    # task: what is computed, its name, lower and upper bound
    "t01": (acoustic_peak, PEAK, 200, 230),
    "t02": (acoustic_peak, f"{PEAK} (an open universe moves it up)", 230, 260),
    "t03": (acoustic_peak, PEAK, 200, 230),
    "t04": (acoustic_peak, PEAK, 200, 230),
    "t05": (reionization_bump, "reionization bump over (tau/0.06)^2, uK^2", 0.01, 0.06),
    "t06": (white_level, "lensing B modes at l < 100 as white noise (about 5), uK arcmin", 4.0, 5.5),
    "t07": (recombination_over_bump, "B modes: recombination bump over the dip before it", 3, 30),
    "t08": (astropy_difference, "distances of astropy, largest relative difference", 0, 2e-5),
    "t09": (lambda _task, x, y: x[np.argmax(y)], "k/h of the maximum (equality)", 0.012, 0.022),
    "t10": (recombination_over_bump, "B modes: recombination bump over the dip before it", 3, 30),
    "t11": (acoustic_peak, PEAK, 200, 230),
    "t12": (reionization_bump, "reionization bump over (tau/0.06)^2, uK^2", 0.01, 0.06),
    "t13": (lambda _task, _x, y: np.abs(y).max(), "largest absolute difference", 2e-4, 5e-3),
    "t14": (lambda _task, _x, y: 50 - np.abs(y - 50).max(), "distance of the efficiency from 0 and 100 percent", 5, 50),
}


def envelope(reference, curves) -> Tolerance:
    """Largest shortfall of each sub-score over the envelope's curves, with the margin, not below the floor."""
    worst = {"nrmse": FLOOR.nrmse, "smape": FLOOR.smape, "ccc": FLOOR.ccc}
    for x, y in curves:
        scores = numerical_accuracy_score(x, y, *reference)
        worst = {key: max(value, MARGIN * (1 - getattr(scores, f"s_{key}"))) for key, value in worst.items()}
    return Tolerance(**{key: round_up(value) for key, value in worst.items()})


def round_up(value: float) -> float:
    """Three significant digits, upwards: the envelope's own curves must pass."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 2)
    return float(f"{math.ceil(value / unit - 1e-9) * unit:.3g}")


def variations(y, names, curves):
    """Deviations of the envelope's curves, as ``load_reference`` takes them."""
    right = [curves[name][1] for name in names if not np.allclose(curves[name][1], y, rtol=1e-12, atol=0)]
    kinds = {name.split("_")[0] for name in names}
    return np.array(right) - y if right and kinds >= NEEDED_VARIATIONS else None


def agreement(reference, other) -> dict:
    """How two CAMB lines agree: largest relative difference (or of the range where the curve crosses zero), and NAS."""
    y, z = reference[1], other.y
    crosses = y.min() <= 0
    scale = np.ptp(y) if crosses else np.abs(y)
    scores = numerical_accuracy_score(other.x, z, *reference)
    return {
        "max_difference": float(f"{np.max(np.abs(z - y) / scale):.3g}"),
        "measure": "of the range" if crosses else "relative",
        "of_range": float(f"{np.max(np.abs(z - y)) / np.ptp(y):.3g}"),
        "nas": round(scores.nas, 7),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--camb", nargs=2, required=True, metavar="PYTHON", help="other line, held-back line")
    parser.add_argument("--tasks", nargs="*", default=[])
    parser.add_argument("--reuse", action="store_true")
    options = parser.parse_args()
    place = data_folder(FOLDER)
    (place / "variants").mkdir(exist_ok=True)
    index = place / "variants" / "provenance.json"
    before = json.loads(index.read_text(encoding="utf-8"))["variants"] if index.exists() else {}
    entries = dict(before)
    for task in load_tasks().values():
        if options.tasks and task.id not in options.tasks:
            continue
        make_task(task, place, entries, before if options.reuse else {}, options.camb)
        record = {
            "schema": SCHEMA,
            "made_by": "benchmarks/make_reference_variants.py",
            "variants": dict(sorted(entries.items())),
        }
        index.write_text(json.dumps(record, indent=1, allow_nan=False) + "\n", encoding="utf-8", newline="\n")
    return 0


def make_task(task, place, entries, before, interpreters) -> None:
    script = find_script(task)
    arguments = script_arguments(task, script)
    base = compute_reference(script, arguments)
    reference = (base.x, base.y)
    todo = changes(task)

    def run(change):
        python = sys.executable if change.interpreter is None else interpreters[change.interpreter]
        return compute_reference(script, {**arguments, **change.arguments}, python=python, **change.options)

    def reusable(change):
        entry = before.get(file_name(task, change))
        same = {"arguments": change.arguments, "options": change.options}
        same |= {"numbers_sha256": numbers_sha256(task), "script_sha256": sha256(script)}
        return bool(entry) and all(entry[key] == value for key, value in same.items())

    fresh = [change for change in todo if not reusable(change)]
    single = [change for change in fresh if "threads" not in change.options]
    with ThreadPoolExecutor(n_cores()) as pool:  # one OpenMP thread each
        results = dict(zip([change.name for change in single], pool.map(run, single), strict=True))
    results |= {change.name: run(change) for change in fresh if change not in single}
    curves = {}
    for change in todo:
        path = place / "variants" / file_name(task, change)
        if change.name in results:
            done = results[change.name]
            path.write_text(curve_text(task, done.x, done.y), encoding="utf-8", newline="\n")
            entries[path.name] = {
                "task": task.id,
                "name": change.name,
                "role": change.role,
                "arguments": change.arguments,
                "options": change.options,
                "versions": dict(done.versions),
                "seconds": round(done.seconds, 2),
                "numbers_sha256": numbers_sha256(task),
                "script_sha256": sha256(script),
                "curve_sha256": sha256(path),
            }
        table = np.loadtxt(path, delimiter=",", skiprows=1)
        curves[change.name] = (table[:, 0], table[:, 1])
    for name in [n for n, e in entries.items() if e["task"] == task.id and e["name"] not in curves]:
        (place / "variants" / name).unlink(missing_ok=True)
        del entries[name]

    made_from = [change.name for change in todo if change.role == "envelope"]
    tolerance = envelope(reference, [curves[name] for name in made_from])
    checks = [*check_curve(task, *reference), *own_checks(task, *reference)]
    lines = {}
    for name in ("camb_other_line", "camb_held_back"):
        version = entries[f"{task.name}__{name}.csv"]["versions"]["camb"]
        lines[version] = agreement(reference, type(base)(*curves[name], 0.0, {}))
    judged = Reference(task.id, *reference, tolerance, {}, variations(reference[1], made_from, curves))
    for change in todo:
        scores = numerical_accuracy_score(*curves[change.name], *reference)
        accurate = is_right_answer(scores, curves[change.name][1], judged)
        entry = entries[file_name(task, change)]
        entry["scores"] = {k: float(f"{1 - getattr(scores, f's_{k}'):.3g}") for k in ("nrmse", "smape", "ccc")}
        entry["role"], entry["accurate"] = change.role, accurate
        if change.role == "inseparable":
            entry["reason"] = INSEPARABLE[task.id, change.name]
        wrong = accurate == (change.role == "near_miss")
        print(task.id, change.role, change.name, entry["scores"], "UNEXPECTED" if wrong else "", flush=True)
    for check in checks:
        print(task.id, check, "" if check["passed"] else "FAILED", flush=True)
    print(task.id, lines, tolerance, flush=True)
    record = provenance(task, script, base, tolerance, checks)
    record |= {"camb_lines": lines, "tolerance_from": made_from, "tolerance_margin": MARGIN}
    write_reference(task, *reference, record, place)


def file_name(task, change) -> str:
    return f"{task.name}__{change.name}.csv"


if __name__ == "__main__":
    raise SystemExit(main())
