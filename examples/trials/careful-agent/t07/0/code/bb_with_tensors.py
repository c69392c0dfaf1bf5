"""Raw total BB spectrum for r = 0.1."""
import camb
import numpy as np

R = 0.1

pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06)
pars.InitPower.set_params(As=2e-9, ns=0.965, r=R)
pars.WantTensors = True
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)

results = camb.get_results(pars)
# 'total' = lensed scalar + tensor
total = results.get_cmb_power_spectra(pars, CMB_unit="muK", raw_cl=True)["total"]
l = np.arange(2, 3001)
np.savetxt("result.csv", np.vstack([l, total[l, 2]]).T, fmt=["%d", "%.8e"], delimiter=",",
           header="l,BB", comments="")
