import camb
import numpy as np


def params_for(efficiency):
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06, Alens=1 - efficiency)
    pars.InitPower.set_params(As=2e-9, ns=0.965)
    pars.WantTensors = False
    pars.NonLinear = camb.model.NonLinear_none
    pars.set_for_lmax(3500, lens_potential_accuracy=0)
    return pars


EFFICIENCY = 0.8
results = camb.get_results(params_for(EFFICIENCY))
tt = results.get_lensed_scalar_cls(lmax=3000, CMB_unit="muK")[:, 0]
ell = np.arange(len(tt))
sel = slice(2, 3001)
np.savetxt("result.csv", np.c_[ell[sel], tt[sel]], header="l,TT", comments="", delimiter=",", fmt=["%d", "%.8e"])
