import camb
import numpy as np
import os

pars = camb.CAMBparams()
pars.set_cosmology(H0=67.3, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0.05, tau=0.06)
pars.InitPower.set_params(As=2e-9, ns=0.965)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)
results = camb.get_results(pars)
powers = results.get_cmb_power_spectra(pars, CMB_unit="muK")

TT = 1  # column index
spectrum = powers["total"][2:3001, TT]
ell = np.arange(2, 3001)
np.savetxt("result.csv", np.c_[ell, spectrum], delimiter=",", header="l,TT", comments="", fmt=["%d", "%.7e"])
print("Saved to", os.path.basename("result.csv"))
