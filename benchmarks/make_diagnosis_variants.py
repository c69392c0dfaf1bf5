"""Makes the alternatives of the reference set: curves of known mistakes, from which a wrong curve is diagnosed.

    python benchmarks/make_diagnosis_variants.py --camb PYTHON_1_6 [--tasks t08 t12]

The interpreter that runs this must have the CAMB of the committed set; ``--camb`` names one of the other line. The
task's own reference script runs with one thing changed (:mod:`_alternatives_worker`). How far the two lines differ in
an alternative is its tolerance. One that is a right answer, has no shape, or repeats another is left out, and the
provenance says so. Steps in one parameter go with them, two for each. All takes about half an hour on two cores.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from reliability.errors import UndefinedScore
from reliability.metrics import numerical_accuracy_score
from reliability.reference_scripts import FOLDER, find_script, script_arguments
from reliability.references import SCHEMA, load_reference, numbers_sha256, sha256
from reliability.right_answers import is_right_answer
from reliability.tasks import data_folder, load_tasks
from reliability.variants import ARRAYS, INDEX

KEPT_BITS = 32  # of 52: relative rounding 1e-10, and the files are a third smaller
MARGIN = 1.5  # two lines of CAMB are a small sample of right answers
CAP = 0.1  # no alternative is looser than this
LINE_DEPENDENT = {"lmax_at_edge", "lmax_default"}  # what the lines do beyond lmax is not the same; both are kept
COLUMNS = ("TT", "EE", "BB", "TE")
STEPS = {
    "H0": 0.04,
    "ombh2": 0.05,
    "omch2": 0.05,
    "ns": 0.03,
    "As": 0.1,
    "tau": 0.3,
    "mnu": 0.7,
    "r": 0.5,
    "Alens": 0.1,
}
ABSOLUTE_STEPS = {"omk": 0.03}


def changes(task, arguments):
    """Every alternative of one task: name -> patches and arguments."""
    found = {name: {"patches": [["forget", name.removeprefix("omitted_")]]} for name in omitted(arguments)}
    if "tau" in arguments:
        found["tau_dropped"] = {"patches": [["forget", "tau"]]}
    if "lens_potential_accuracy" in arguments:
        found |= lensing_settings(arguments)
    if "raw_cl" in arguments:
        found |= spectra(task, arguments)
    if "redshift" in arguments:
        found |= matter_power()
    if "reionization_model" in arguments:
        found["reionization_power_ignored"] = {"arguments": {"reion_exp_power": 1.0}}
        found["reionization_model_ignored"] = {"arguments": {"reionization_model": "TanhReionization"}}
    if "neutrino_hierarchy_numerator" in arguments:
        found |= hierarchies(arguments)
    if "noise_file" in arguments:
        kinds = ("unscaled", "scaled_again", "without_2pi", "unpadded", "of_potential", "of_TT", "of_EE")
        found |= {f"noise_{kind}": {"patches": [["noise", kind]]} for kind in kinds}
    return found


def omitted(arguments):
    return [f"omitted_{name}" for name in ("ombh2", "omch2", "omk", "mnu", "As", "ns") if name in arguments]


def lensing_settings(arguments):
    lmax = arguments["lmax"]
    automatic = {"lens_potential_accuracy": max(4.0, (lmax - 1500) / 500), "NonLinear": "NonLinear_lens"}
    found = {"lens_accuracy_default": {"arguments": automatic}}
    if arguments["lens_potential_accuracy"]:
        linear = {"lens_potential_accuracy": 0, "NonLinear": "NonLinear_none"}
        found["lens_accuracy_0"] = {"arguments": linear}
    else:
        found["lens_accuracy_1"] = {"arguments": {"lens_potential_accuracy": 1, "NonLinear": "NonLinear_lens"}}
    if "raw_cl" in arguments:
        found["lmax_default"] = {"patches": [["lens_setup", "never"]]}
        found["lmax_at_edge"] = {"patches": [["lens_setup", "to_the_edge"]]}
    return found


def spectra(task, arguments):
    own = task.columns[1]
    found = {f"spectrum_{c}": {"patches": [["spectrum", j]]} for j, c in enumerate(COLUMNS) if c != own}
    found |= {f"potential_{c}": {"patches": [["potential", j]]} for j, c in enumerate(("PP", "PT", "PE"))}
    if "Alens" in arguments:
        alens = arguments["Alens"]
        found["unlensed"] = {"arguments": {"Alens": 0.0}}
        found["not_delensed"] = {"arguments": {"Alens": 1.0}}
        found["efficiency_as_alens"] = {"arguments": {"Alens": 1 - alens}}
        found["spectrum_scaled"] = {"patches": [["scaled"]]}
        found["spectrum_scaled_by_efficiency"] = {"patches": [["scaled"]], "arguments": {"Alens": 1 - alens}}
        found["spectrum_mixed"] = {"patches": [["mixed"]]}
    else:
        found["unlensed"] = {"patches": [["instead", "get_unlensed_total_cls"]]}
    if own == "BB":  # what is left without lensing is the tensor part
        del found["unlensed"]
    if arguments["WantTensors"]:
        parts = [["zero", "get_partially_lensed_cls"]], [["zero", "get_tensor_cls"]]
        if "Alens" not in arguments:
            parts = [["instead", "get_tensor_cls"]], [["instead", "get_lensed_scalar_cls"]]
        else:
            found["total_scaled"] = {"patches": [["scaled_total"]]}
        found["tensor_only"], found["tensor_missing"] = ({"patches": p} for p in parts)
    return found


def matter_power():
    found = {f"redshift_{z}": {"arguments": {"redshift": z}} for z in (1, 2)}
    found["nonlinear"] = {"arguments": {"NonLinear": "NonLinear_both"}}
    return found | {"baryons_and_cdm": {"patches": [["power", "baryons_and_cdm"]]}}


def hierarchies(arguments):
    top, bottom = "neutrino_hierarchy_numerator", "neutrino_hierarchy_denominator"
    return {
        "hierarchies_swapped": {"arguments": {top: arguments[bottom], bottom: arguments[top]}},
        "degenerate_denominator": {"arguments": {bottom: "degenerate"}},
        "degenerate_numerator": {"arguments": {top: "degenerate"}},
    }


def steps(arguments):
    """Two steps in each parameter: name -> the changed argument."""
    found = {}
    for name in (*STEPS, *ABSOLUTE_STEPS):
        if name not in arguments or (name == "r" and not arguments["WantTensors"]):
            continue
        at = arguments[name]
        for sign, word in ((-1, "down"), (1, "up")):
            value = at + sign * (ABSOLUTE_STEPS.get(name) or STEPS[name] * at)
            found[f"step_{name}_{word}"] = {"arguments": {name: value}}
    return found


def compute(python, script, arguments, wanted):
    """Curves and a report of what failed, from one process with one thread."""
    worker = Path(__file__).with_name("_alternatives_worker.py")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        request = {"script": str(script), "arguments": dict(arguments), "changes": wanted}
        request |= {"curves": str(place / "curves.npz"), "report": str(place / "report.json")}
        (place / "request.json").write_text(json.dumps(request), encoding="utf-8")
        command = [python, "-P", str(worker), str(place / "request.json")]
        subprocess.run(command, check=True, cwd=place, env={"OMP_NUM_THREADS": "1"}, stdout=subprocess.DEVNULL)
        with np.load(place / "curves.npz", allow_pickle=False) as curves:
            return dict(curves), json.loads((place / "report.json").read_text(encoding="utf-8"))


def shortfalls(x, y, x_ref, y_ref):
    try:
        scores = numerical_accuracy_score(x, y, x_ref, y_ref)
        return {key: 1 - getattr(scores, f"s_{key}") for key in ("nrmse", "smape", "ccc")}
    except (UndefinedScore, TypeError):
        return None


def refusal(curve, reference, others):
    """Why a curve is no alternative; empty if it is one."""
    x, y = curve
    if np.ptp(y) == 0 or not np.isfinite(y).all():
        return "no shape"
    if is_right_answer(numerical_accuracy_score(x, y, reference.x, reference.y), y, reference):
        return "a right answer"
    return next((f"equal to {name}" for name, other in others.items() if np.allclose(y, other, rtol=1e-6, atol=0)), "")


def rounded(y):
    """The array with its last bits zero, which compress to nothing."""
    unit = np.int64(1) << (52 - KEPT_BITS)
    return ((y.view(np.int64) + unit // 2) & ~(unit - 1)).view(np.float64)


def make_task(task, place, other_python):
    script, reference = find_script(task).resolve(), load_reference(task)
    arguments = script_arguments(task, script)
    alternatives, stepped = changes(task, arguments), steps(arguments)
    jobs = ((sys.executable, {**alternatives, **stepped}), (other_python, alternatives))
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda job: compute(job[0], script, arguments, job[1]), jobs))
    (curves, report), (other, other_report) = results
    kept, entries, left_out = {}, {}, dict(report["failures"])
    for name in sorted(LINE_DEPENDENT & set(other)):
        line = f"{name}@{other_report['versions']['camb']}"
        alternatives[line], curves[line] = {**alternatives[name], "line": "other"}, other[name]
    for name, change in {**alternatives, **stepped}.items():
        if name not in curves:
            continue
        why = "" if name in stepped else refusal(curves[name], reference, kept)
        if why:
            left_out[name] = why
            continue
        kept[name] = np.ascontiguousarray(rounded(curves[name][1]))
        entries[name] = dict(change)
        if name in alternatives:
            found = shortfalls(*other[name], *curves[name]) if name in other else None
            floor = vars_of(reference.tolerance)
            entries[name]["tolerance"] = {
                k: float(f"{min(CAP, max(v, MARGIN * (found or floor)[k])):.3g}") for k, v in floor.items()
            }
    path = place / ARRAYS.format(task.name)
    np.savez_compressed(path, allow_pickle=False, **kept)
    print(task.id, len(kept), path.stat().st_size, left_out, other_report["failures"], flush=True)
    return {
        "numbers_sha256": numbers_sha256(task),
        "script_sha256": sha256(script),
        "arrays_sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "versions": report["versions"],
        "other_line": other_report["versions"]["camb"],
        "alternatives": entries,
        "left_out": left_out,
    }


def vars_of(tolerance):
    return {key: getattr(tolerance, key) for key in ("nrmse", "smape", "ccc")}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--camb", required=True, metavar="PYTHON", help="interpreter with the other CAMB line")
    parser.add_argument("--tasks", nargs="*", default=[])
    options = parser.parse_args()
    place = data_folder(FOLDER) / "variants"
    index = place / INDEX
    entries = json.loads(index.read_text(encoding="utf-8"))["tasks"] if index.exists() else {}
    for task in load_tasks().values():
        if options.tasks and task.id not in options.tasks:
            continue
        entries[task.id] = make_task(task, place, options.camb)
        made_by = "benchmarks/make_diagnosis_variants.py"
        record = {"schema": SCHEMA, "made_by": made_by, "tasks": dict(sorted(entries.items()))}
        index.write_text(json.dumps(record, indent=1, allow_nan=False) + "\n", encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
