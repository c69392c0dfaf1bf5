"""Reads the cosmology table prepared by a colleague (params.csv, limits.txt) and runs CAMB."""
import csv
import json
import os
import urllib.request
from pathlib import Path

import camb
import numpy as np

HERE = Path.cwd()
DEFAULT = {"H0": 67.4, "ombh2": 0.0224, "omch2": 0.12, "tau": 0.054, "As": 2.1e-9, "ns": 0.965}


def load_table(path):
    with open(path, newline="") as f:
        return {row["name"]: float(row["value"]) for row in csv.DictReader(f)}


def load_optional(path, fallback):
    """Read one number; keep the fallback when the file is missing."""
    if not os.path.exists(path):
        return fallback
    return float(Path(path).read_text().split()[0])


def first_line_number(path):
    with open(path) as f:
        return float(next(f).split("=")[1])


table = load_table(HERE / "params.csv")
params = dict(DEFAULT)
params["H0"] = table["H0"]
params["omch2"] = table.get("omch2", DEFAULT["omch2"])
params["As"] *= table.get("As_scale", 1.0)

omk = load_optional("curvature.txt", 0.0)

pars = camb.CAMBparams()
pars.set_cosmology(
    H0=params["H0"], ombh2=params["ombh2"], omch2=params["omch2"], tau=params["tau"], omk=omk
)
pars.InitPower.set_params(As=params["As"], ns=params["ns"])
pars.set_for_lmax(500, lens_potential_accuracy=0)
tt = camb.get_results(pars).get_total_cls(500, CMB_unit="muK")[:, 0]

# the same without the table: only the lensing amplitude is read
pars2 = camb.CAMBparams()
pars2.set_cosmology(
    **{k: v for k, v in DEFAULT.items() if k not in ("As", "ns")}, Alens=first_line_number("alens.ini")
)
pars2.InitPower.set_params(**{k: DEFAULT[k] for k in ("As", "ns")})
pars2.set_for_lmax(500, lens_potential_accuracy=0)
tt2 = camb.get_results(pars2).get_total_cls(500, CMB_unit="muK")[:, 0]


def latest_tau(url="https://cosmo-params.example.org/latest.json", default=0.0561):
    """Newest published optical depth; offline value otherwise."""
    try:
        with urllib.request.urlopen(url, timeout=3) as resp:
            return json.load(resp)["tau"]
    except (OSError, ValueError, KeyError):
        return default


pars3 = pars2.copy()
pars3.Alens = 1.0
pars3.Reion.set_tau(latest_tau())
theta = camb.get_background(pars3).get_derived_params()["thetastar"]
print("100 theta* =", theta)

np.savetxt("result.csv", np.c_[tt, tt2], delimiter=",")
