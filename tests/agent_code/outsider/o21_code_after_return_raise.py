import camb
import numpy as np

DEBUG = False


def cosmology():
    return {"H0": 66.6, "ombh2": 0.0225, "omch2": 0.1175}
    return {"H0": 72.0, "ombh2": 0.0200, "omch2": 0.1300}


def amplitude(kind):
    if kind == "planck":
        raise NotImplementedError("use lnAs")
        return 9e-9
    elif kind == "ln":
        return np.exp(3.05) * 1e-10
    return 1e-9


try:
    As = amplitude("planck")
    ns = 1.1
except NotImplementedError:
    As = amplitude("ln")
    ns = 0.97

pars = camb.CAMBparams()
pars.set_cosmology(**cosmology(), tau=0.0655)
if DEBUG:
    pars.set_cosmology(H0=50, ombh2=0.05, omch2=0.2)
    ns = 1.0
while False:
    ns = 2.0
for _ in range(0):
    As = 1e-8
assert True or pars.set_dark_energy(w=-0.5)
pars.InitPower.set_params(As=As, ns=ns)
pars.set_for_lmax(200, lens_potential_accuracy=0)
pars.WantTensors = False
cl = camb.get_results(pars).get_lensed_scalar_cls(200)
np.savetxt("x.csv", cl)
