import camb
import numpy as np

H0 = 67.0
ombh2 = 0.022
tau = 0.05
ns = 0.96
exec("H0 = 74.2")
omch2 = eval("0.11 + 0.009")
globals()["tau"] = 0.081
vars().update(ns=0.975)

settings = {"mnu": 0.06}
exec("settings['mnu'] = 0.2", {"settings": settings})

pars = camb.CAMBparams()
pars.set_cosmology(H0=H0, ombh2=ombh2, omch2=omch2, tau=tau, mnu=settings["mnu"])
pars.InitPower.set_params(As=2.05e-9, ns=ns)
pars.set_for_lmax(200, lens_potential_accuracy=0)
results = camb.get_results(pars)
np.savetxt("cl.csv", results.get_lensed_scalar_cls(200))
