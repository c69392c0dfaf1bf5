import operator
import camb
import numpy as np

PARAMS = {
    "H0": 66.9, "ombh2": 0.0219, "omch2": 0.1222, "omk": 0.0,
    "InitPower.As": 2.02e-9, "InitPower.ns": 0.958,
    "Alens": 1.1, "WantTensors": False, "NonLinear": "NonLinear_pk",
    "not_a_camb_field": 3,
}
pars = camb.CAMBparams()
pars.set_cosmology(H0=70, ombh2=0.022, omch2=0.12, tau=0.07, mnu=0.0, num_massive_neutrinos=0)
for name, value in PARAMS.items():
    target = pars
    *path, last = name.split(".")
    for part in path:
        target = getattr(target, part)
    if isinstance(value, str):
        value = getattr(camb.model, value)
    if not hasattr(target, last):
        print("skipping", last)
        continue
    setattr(target, last, value)
setter = operator.methodcaller("set_matter_power", redshifts=[0.0], kmax=0.4)
setter(pars)
getattr(pars.Reion, "set_" + "tau")(0.0712)
res = getattr(camb, "get_results")(pars)
kh, z, pk = res.get_matter_power_spectrum(minkh=1e-3, maxkh=0.2, npoints=20)
np.savetxt("pk.csv", np.c_[kh, pk[0]])
