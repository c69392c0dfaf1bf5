"""Values travel through text: regex on the task statement, Decimal, f-strings with rounding, eval-free parser."""
import ast
import re
from decimal import Decimal, localcontext
from string import Template

import camb
import numpy as np

TASK = """
Compute the lensed TT power spectrum D_l for a LambdaCDM cosmology with H_0 = 67.5 km/s/Mpc,
Omega_b h^2 = 0.022, Omega_c h^2 = 0.122, m_nu = 0.06 eV, Omega_k = 0, tau = 0.06,
A_s = 2 x 10^-9 and n_s = 0.965; lmax = 500.  (Do not use tau = 0.09.)
"""

PATTERNS = {
    "H0": r"H_0\s*=\s*([\d.]+)",
    "ombh2": r"Omega_b h\^2\s*=\s*([\d.]+)",
    "omch2": r"Omega_c h\^2\s*=\s*([\d.]+)",
    "mnu": r"m_nu\s*=\s*(?P<v>\d*\.\d+)",
    "tau": r"tau\s*=\s*([0-9]+\.[0-9]+)",
    "omk": r"Omega_k\s*=\s*(-?\d+)",
}


def parse(text):
    out = {k: float(m[1]) for k, rx in PATTERNS.items() if (m := re.search(rx, text))}
    mant, expo = re.search(r"A_s = (\d+) x 10\^(-?\d+)", text).groups()
    out["As"] = float(f"{mant}e{expo}")
    out["ns"] = float(re.findall(r"n_s = (\S+?);", text)[0])
    out["lmax"] = int(text.split("lmax =")[1].split(".")[0])
    return out


def run(d):
    d = dict(d)
    pars = camb.CAMBparams()
    prim = {k: d.pop(k) for k in ("As", "ns")}
    lmax = d.pop("lmax")
    pars.set_cosmology(**d)
    pars.InitPower.set_params(**prim)
    pars.set_for_lmax(lmax, lens_potential_accuracy=0)
    return camb.get_results(pars).get_total_cls(lmax, CMB_unit="muK")[:, 0]


spec = parse(TASK)
first = run(spec)

with localcontext() as ctx:
    ctx.prec = 4
    h = Decimal(str(spec["H0"])) / 100
    ombh2 = Decimal("0.0487251") * h * h
spec["ombh2"] = float(ombh2)
spec["ns"] = float(f"{0.96605:.3f}")
spec["H0"] = float("%.1f" % (100 * float(h) + 0.26))

literal = Template("{'As': $a, 'tau': ${t}e-2, 'omk': -$k}").substitute(a="2_100e-12".replace("_", ""), t=5.4, k=0.003)
spec |= ast.literal_eval(literal)
second = run(spec)

spec["omch2"] = sum(map(float, "0.100,0.0195".split(",")))
spec["mnu"] = float.fromhex("0x1.999999999999ap-4")
third = run(spec)

np.savetxt("result.csv", np.c_[first, second, third], delimiter=",")
