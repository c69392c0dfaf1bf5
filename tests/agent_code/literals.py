"""Plain keywords, as most scripts write them."""
import camb
import numpy as np

pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06)  # expect: H0=67.5 set; tau=0.06 set; omk=0 set
pars.InitPower.set_params(As=2e-9, ns=0.965, r=0)  # expect: As=2e-9 set; ns=0.965 set; r=0 set; nrun=0 default
pars.set_for_lmax(3500, lens_potential_accuracy=0)  # expect: lmax=3500 set; NonLinear='NonLinear_none' default
results = camb.get_results(pars)  # expect: models=1
powers = results.get_cmb_power_spectra(CMB_unit='muK')
np.savetxt('result.csv', powers['total'], delimiter=',')  # expect: role writes
