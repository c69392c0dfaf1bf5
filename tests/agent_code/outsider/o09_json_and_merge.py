import json
import camb
import numpy as np

CONFIG = json.loads("""
{
  "name": "B modes with tensors",
  "cosmology": {"H0": 67.77, "ombh2": 0.02214, "omch2": 0.1187, "tau": 0.0925, "omk": 0},
  "power": {"As": 2.21e-9, "ns": 0.9608, "r": 0.08},
  "settings": {"lmax": 250, "WantTensors": true, "nonlinear": null}
}
""")

defaults = {"H0": 70, "mnu": 0.06, "tau": 0.06, "ombh2": 0.022, "omch2": 0.12}
cosmo = defaults | CONFIG["cosmology"]
cosmo.setdefault("mnu", 0.3)
cosmo.setdefault("YHe", 0.246)
power = {**CONFIG["power"]}
power["ns"] += 0.004
r = power.pop("r")

pars = camb.CAMBparams()
pars.set_cosmology(**cosmo)
pars.InitPower.set_params(r=r, **power)
pars.WantTensors = CONFIG["settings"].get("WantTensors", False)
if CONFIG["settings"]["nonlinear"] is not None:
    pars.NonLinear = camb.model.NonLinear_both
lmax = CONFIG.get("settings", {}).get("lmax", 2500)
pars.set_for_lmax(lmax, lens_potential_accuracy=0)
out = camb.get_results(pars).get_cmb_power_spectra(CMB_unit="muK", spectra=["total"], lmax=lmax)["total"]
np.savetxt("bb.csv", out[2:, 2])
