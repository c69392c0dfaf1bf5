"""Grid of background models: generator of dicts from itertools, islice, filter and star-unpacking."""
import itertools as it
from functools import reduce
from operator import or_

import camb
import numpy as np

GRID = {
    "H0": np.linspace(65, 70, 3),
    "omk": (-0.01, 0, 0.01),
    "w": [-1.05, -0.95],
}
BASE = {"ombh2": 22.4e-3, "omch2": 12e-2}


def points(grid):
    keys, vals = zip(*grid.items())
    for combo in it.product(*vals):
        yield dict(zip(keys, combo))


def keep(pt):
    return not (pt["omk"] and pt["w"] < -1)


def pipeline(n):
    pts = filter(keep, points(GRID))
    yield from it.islice(pts, 1, 2 * n, 2)


def build(pt):
    pt = reduce(or_, [BASE, pt])
    w = pt.pop("w")
    pars = camb.CAMBparams()
    pars.set_dark_energy(w=w, dark_energy_model="ppf" if w < -1 else "fluid")
    pars.set_cosmology(**pt)
    return pars


def chi_star(pars):
    d = camb.get_background(pars).get_derived_params()
    return d["DAstar"], d["rdrag"]


results = []
for i, pt in enumerate(pipeline(3)):
    first, *rest = pt.values()
    results.append((first, *rest, *chi_star(build(pt))))

# best "fit": recompute the last point of the scan with a fixed tilt
(*_, last) = pipeline(3)
pars = build({**last, "omch2": 0.1195})
pars.InitPower.set_params(ns=0.965)
pars.set_for_lmax(500, lens_potential_accuracy=0)
tt = camb.get_results(pars).get_total_cls(500, CMB_unit="muK")[:, 0]

np.savetxt("grid.csv", results, delimiter=",")
np.savetxt("result.csv", tt)
