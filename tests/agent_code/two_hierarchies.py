import camb
import numpy as np


def power(hierarchy):
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.11, num_massive_neutrinos=3, neutrino_hierarchy=hierarchy)
    pars.InitPower.set_params(As=2e-9, ns=0.965)
    pars.set_matter_power(redshifts=[0.0], kmax=2.0)
    pars.NonLinear = camb.model.NonLinear_none
    results = camb.get_results(pars)
    return results.get_matter_power_spectrum(minkh=1e-4, maxkh=2, npoints=200)


kh, z, normal = power("normal")
_, _, inverted = power("inverted")
# expect: models=2; neutrino_hierarchy='inverted' set; kmax=2.0 set; NonLinear='NonLinear_none' set; mnu=0.11 set
# expect[0]: neutrino_hierarchy='normal' set
np.savetxt("result.csv", np.column_stack([kh, inverted[0] / normal[0] - 1]))
