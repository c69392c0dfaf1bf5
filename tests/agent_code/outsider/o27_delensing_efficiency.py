import camb
import numpy as np

PARAMS = {"H0": 67.32, "ombh2": 0.02238, "omch2": 0.1201, "mnu": 0.06, "omk": 0.0, "tau": 0.0543}
PRIMORDIAL = (2.1e-9, 0.966)
R = 0.04
DELENSING = 0.85


def power_spectra(efficiency):
    pars = camb.CAMBparams()
    pars.set_cosmology(Alens=1.0, **PARAMS)
    pars.InitPower.set_params(*PRIMORDIAL, r=R)
    pars.WantTensors = True
    pars.set_for_lmax(300, lens_potential_accuracy=0)
    pars.NonLinear = camb.model.NonLinear_none
    results = camb.get_results(pars)
    A_lens = 1.0 - efficiency
    scalar = results.get_partially_lensed_cls(A_lens, lmax=300, CMB_unit="muK", raw_cl=True)
    tensor = results.get_tensor_cls(lmax=300, CMB_unit="muK", raw_cl=True)
    return scalar[:, 2] + tensor[:, 2]


bb = power_spectra(DELENSING)
ells = np.arange(2, 301)
np.savetxt("bb.csv", np.column_stack((ells, bb[ells])), delimiter=",", header="l,C_l_BB", comments="", fmt=["%d", "%.8e"])
