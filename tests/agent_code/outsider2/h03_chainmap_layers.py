"""Layered configuration: defaults < survey preset < user JSON. Writes lensed TT/EE."""
import copy
import json
from collections import ChainMap

import numpy as np
import camb

DEFAULTS = {
    "cosmo": {"H0": 67.36, "ombh2": 0.02237, "omch2": 0.12, "tau": 0.0544, "mnu": 0.06},
    "primordial": {"As": 2.1e-9, "ns": 0.9649},
    "run": {"lmax": 1000, "lens_potential_accuracy": 0},
}

PRESETS = {
    "wmap9": {
        "cosmo": {"H0": 69.32, "ombh2": 0.02264, "omch2": 0.1138, "tau": 0.089},
        "primordial": {"As": 2.41e-9, "ns": 0.9608},
    },
    "act": {"cosmo": {"H0": 67.6, "tau": 0.065}},
}

USER = json.loads(
    """
    {
      "preset": "wmap9",
      "cosmo": {"H0": 70.0, "tau": null},
      "primordial": {"ns": 0.97},
      "run": {"lmax": 800}
    }
    """
)


def deep_update(dst, src):
    for k, v in src.items():
        if isinstance(v, dict):
            deep_update(dst.setdefault(k, {}), v)
        elif v is not None:
            dst[k] = v
    return dst


def build(user):
    cfg = copy.deepcopy(DEFAULTS)
    user = dict(user)
    preset = user.pop("preset", None)
    if preset:
        deep_update(cfg, PRESETS[preset])
    deep_update(cfg, user)
    return cfg


def run(cosmo, primordial, run):
    p = camb.CAMBparams()
    p.set_cosmology(**cosmo)
    p.InitPower.set_params(**primordial)
    p.set_for_lmax(run.pop("lmax"), **run)
    return camb.get_results(p)


cfg = build(USER)
res = run(**copy.deepcopy(cfg))
tot = res.get_total_cls(800, CMB_unit="muK")

# A second variant using ChainMap: first mapping wins
layer = ChainMap({"omch2": 0.125}, PRESETS["act"]["cosmo"], DEFAULTS["cosmo"])
res2 = run(dict(layer), {**cfg["primordial"], **DEFAULTS["primordial"], "ns": 1.0}, dict(cfg["run"]))
tot2 = res2.get_total_cls(800, CMB_unit="muK")

np.savetxt("result.csv", np.c_[np.arange(801), tot[:, 0], tot2[:, 0]], delimiter=",", header="l,a,b")
