import json
from pathlib import Path
import camb
import numpy as np

FALLBACK = {"H0": 70.4, "ombh2": 0.0227, "omch2": 0.1123}


def load(path="params.json"):
    try:
        with open(path) as fh:
            return json.load(fh)
    except FileNotFoundError:
        return dict(FALLBACK)


cfg = load()
ns = 0.95
if Path("ns.txt").exists():
    ns = float(Path("ns.txt").read_text())
try:
    As = np.loadtxt("As.txt").item()
except OSError:
    As = 2.4e-9

pars = camb.CAMBparams()
pars.set_cosmology(**cfg, mnu=0.0, num_massive_neutrinos=0)
pars.InitPower.set_params(As=As, ns=ns)
pars.set_matter_power(redshifts=[1.0], kmax=0.5, nonlinear=True)
res = camb.get_results(pars)
kh, z, pk = res.get_matter_power_spectrum(minkh=1e-3, maxkh=0.3, npoints=20)
np.savetxt("pk.csv", np.c_[kh, pk[0]], delimiter=",", header="k,P")
