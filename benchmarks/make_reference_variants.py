"""Makes the committed reference set: curves, variants, tolerances, provenance.

    python benchmarks/make_reference_variants.py --camb PYTHON_1_6_6 PYTHON_1_6_0 [--tasks t08 t12] [--reuse]

The interpreter that runs this must have the CAMB of the committed set; ``--camb`` names two more interpreters that need only
CAMB and numpy: the other supported line (enters the tolerance) and one that is held back from it. ``--reuse`` keeps variant
curves whose task, script and change are the same as before. All takes about half an hour on two cores.

A variant changes only what a prompt does not fix (METRICS 5 calls these right answers), or makes a known mistake
(a near miss). Roles: ``envelope`` sets the tolerance; ``held_back`` must be accurate; ``near_miss`` must not be.
"""

import argparse
import json
import math
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from reliability.failure_modes import is_accurate
from reliability.metrics import numerical_accuracy_score
from reliability.records import Tolerance
from reliability.reference_runs import check_curve, compute_reference, n_cores, provenance, write_reference
from reliability.reference_scripts import FOLDER, find_script, script_arguments
from reliability.references import SCHEMA, TOLERANCE_FLOOR, curve_text, numbers_sha256, sha256
from reliability.tasks import data_folder, load_tasks

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
    found += near_misses(task, has)
    return found


def near_misses(task, has) -> list[Change]:
    """Mistakes that agents make, as METRICS 5 lists them."""
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
    if has.get("H0") == 67.5:
        found.append(Change("H0_67.3", "near_miss", {"H0": 67.3}))
    return found


def own_checks(task, x, y) -> list[dict]:
    """Independent facts about single tasks; each a dict(name, passed, value, bound)."""

    def check(name, value, low, high):
        return {"name": name, "passed": bool(low <= value <= high), "value": float(value), "bound": [low, high]}

    p = task.truth
    if task.id == "t08":
        from astropy import units as u
        from astropy.cosmology import LambdaCDM

        h = p["H0"] / 100
        # neutrinos as CAMB: one massive of three, N_eff 3.044
        mass = [0.0, 0.0, p["mnu"]] * u.eV
        om = (p["ombh2"] + p["omch2"]) / h**2
        radiation = {"Tcmb0": 2.7255, "Neff": 3.044, "m_nu": mass, "Ob0": p["ombh2"] / h**2}
        any_lambda = LambdaCDM(p["H0"], om, 0.7, **radiation)
        ode0 = 1 - p["omk"] - om - any_lambda.Ogamma0 - any_lambda.Onu0
        cosmology = LambdaCDM(p["H0"], om, ode0, **radiation)
        other = cosmology.angular_diameter_distance(x).to_value(u.Mpc)
        return [check("distance of astropy, largest relative difference", np.max(np.abs(y[1:] / other[1:] - 1)), 0, 2e-4)]
    raw = y if task.settings.get("raw_cl") else y * 2 * np.pi / (x * (x + 1))
    if task.id == "t06":
        # Lensing makes white B modes at low l of 4.5 to 5 uK arcmin (Hu & Okamoto 2002; Lewis & Challinor 2006)
        level = np.sqrt(np.mean(raw[x < 100])) * 180 * 60 / np.pi
        return [check("lensing B modes at l < 100 as white noise, uK arcmin", level, 4.0, 5.5)]
    if task.id in ("t01", "t02", "t03", "t04", "t11"):
        dl = raw * x * (x + 1) / (2 * np.pi)
        peak = x[np.argmax(dl)]
        bounds = (150, 240)  # an open universe moves it to larger l, a larger H0 to smaller
        bounds = (230, 260) if p["omk"] > 0 else (200, 230)
        return [check("first acoustic peak, l", peak, *bounds)]
    if task.id in ("t07", "t10"):
        return [check("reionization bump above the recombination plateau, C_2/C_50", y[0] / y[48], 10, 1e4)]
    if task.id == "t05":
        return [check("low-l E modes scale as tau^2, D_l=5 over (tau/0.06)^2, uK^2", y[3] / (p["tau"] / 0.06) ** 2, 0.01, 0.06)]
    if task.id == "t12":
        return [check("largest low-l E modes for this tau, uK^2", y[:20].max() / (p["tau"] / 0.06) ** 2, 0.01, 0.06)]
    if task.id == "t09":
        return [check("k/h of the maximum (equality)", x[np.argmax(y)], 0.012, 0.022)]
    if task.id == "t13":
        return [check("largest absolute difference", np.abs(y).max(), 2e-4, 5e-3)]
    return [check("efficiency in percent, smallest and largest inside", y.min() if y.min() < 100 - y.max() else y.max(), 5, 90)]


def envelope(reference, curves) -> Tolerance:
    """Largest shortfall of each sub-score over the envelope's curves, not below the floor."""
    worst = {"nrmse": TOLERANCE_FLOOR.nrmse, "smape": TOLERANCE_FLOOR.smape, "ccc": TOLERANCE_FLOOR.ccc}
    for x, y in curves:
        scores = numerical_accuracy_score(x, y, *reference)
        for key in worst:
            worst[key] = max(worst[key], 1 - getattr(scores, f"s_{key}"))
    return Tolerance(**{key: round_up(value) for key, value in worst.items()})


def round_up(value: float) -> float:
    """Three significant digits, upwards: the envelope's own curves must pass."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 2)
    return float(f"{math.ceil(value / unit - 1e-9) * unit:.3g}")


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
        record = {"schema": SCHEMA, "made_by": "benchmarks/make_reference_variants.py", "variants": dict(sorted(entries.items()))}
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
        same = {"arguments": change.arguments, "options": change.options, "role": change.role}
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
    for change in todo:
        scores = numerical_accuracy_score(*curves[change.name], *reference)
        accurate = is_accurate(scores, tolerance)
        entry = entries[file_name(task, change)]
        entry["scores"] = {k: float(f"{1 - getattr(scores, f's_{k}'):.3g}") for k in ("nrmse", "smape", "ccc")}
        entry["accurate"] = accurate
        wrong = accurate == (change.role == "near_miss")
        print(task.id, change.role, change.name, entry["scores"], "UNEXPECTED" if wrong else "", flush=True)
    for check in checks:
        print(task.id, check, "" if check["passed"] else "FAILED", flush=True)
    print(task.id, lines, tolerance, flush=True)
    record = provenance(task, script, base, tolerance, checks)
    record |= {"camb_lines": lines, "tolerance_from": made_from}
    write_reference(task, *reference, record, place)


def file_name(task, change) -> str:
    return f"{task.name}__{change.name}.csv"


if __name__ == "__main__":
    raise SystemExit(main())
