import camb
import numpy as np


def setup(H0, *densities, tau=0.06, **kw):
    ombh2, omch2, *others = densities
    pars = camb.CAMBparams()
    cosmology = {k: v for k, v in kw.items() if k in {"omk", "mnu", "Alens"}}
    power = {k: kw[k] for k in kw.keys() - cosmology.keys()}
    pars.set_cosmology(H0=H0, ombh2=ombh2, omch2=omch2, tau=tau, **cosmology)
    pars.InitPower.set_params(**power)
    pars.set_matter_power(redshifts=list(range(len(others))) or [0.0], kmax=0.4)
    pars.set_dark_energy(*others[:1])
    return pars


args = (69.3, 0.0229, 0.117)
pars = setup(*args, -0.88, 0.0, **dict(omk=0.006, As=2.3e-9), ns=0.971, tau=0.0)
pars.NonLinear = camb.model.NonLinear_none
results = camb.get_results(pars)
kh, z, pk = results.get_matter_power_spectrum(minkh=1e-3, maxkh=0.2, npoints=20)
np.savetxt("pk.csv", np.c_[kh, pk[0]], delimiter=",", header="k,P")
