import camb
import numpy as np

pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.04)
pars.InitPower.set_params(As=2e-9, ns=0.965)
pars.set_for_lmax(3500)
pars.NonLinear = camb.model.NonLinear_none
cl = camb.get_results(pars).get_cmb_power_spectra(pars, CMB_unit="muK")["total"]
ell = np.arange(2, 3001)
np.savetxt("result.csv", np.column_stack([ell, cl[2:3001, 1]]), delimiter=",", header="l,EE", comments="", fmt=["%d", "%.8e"])
