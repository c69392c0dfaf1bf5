"""Single call camb.set_params with mixed flat and dotted keys, then reuse of the object via cp=."""
import json

import camb

fiducial = {
    "H0": 68.2,
    "ombh2": 0.02233,
    "omch2": 0.1198,
    "tau": 0.06,
    "As": 2.11e-9,
    "ns": 0.9652,
    "lmax": 900,
    "lens_potential_accuracy": 0,
    "Accuracy.AccuracyBoost": 1.0,
    "DarkEnergy.w": -0.93,
    "Reion.delta_redshift": 0.6,
}


def describe(p):
    return {"H0": p.H0, "ns": p.InitPower.ns, "w": p.DarkEnergy.w}


def compute(p, label, store):
    res = camb.get_results(p)
    store[label] = res.get_lensed_scalar_cls(lmax=900, CMB_unit="muK")[:, 0].tolist()
    return res


out = {}
p0 = camb.set_params(**fiducial)
compute(p0, "fiducial", out)

# cp=... modifies p0 in place; only the initial-power setter is triggered by As,
# which puts every other argument of InitPower.set_params back at its default.
p1 = camb.set_params(cp=p0, As=2.2e-9)
assert p1 is p0
compute(p1, "more power", out)

# dotted name goes through plain attribute assignment instead
p2 = camb.set_params(p0.copy(), **{"InitPower.ns": 0.98, "Alens": 1.05})
try:
    compute(p2, "Alens", out)
except camb.CAMBError as exc:
    print("failed:", exc)

# H0 goes through set_cosmology
p3 = camb.set_params(p0, H0=71.0, ombh2=0.0225)
compute(p3, "h71", out)

print(describe(p0), describe(p2))
with open("result.json", "w") as f:
    json.dump(out, f)
