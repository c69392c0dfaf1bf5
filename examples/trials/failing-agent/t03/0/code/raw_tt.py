import camb
import numpy as np

lmax_out = 1000

pars = camb.CAMBparams()
pars.set_cosmology(H0=70, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06)
pars.InitPower.set_params(As=2e-9, ns=0.965)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)
results = camb.get_results(pars)
cls = results.get_lensed_scalar_cls(lmax=lmax_out, CMB_unit='muK', raw_cl=True)
ell = np.arange(2, lmax_out + 1)
np.savetxt('result.csv', np.column_stack([ell, cls[ell, 0]]), delimiter=',', header='l,TT', comments='', fmt=['%d', '%.8e'])
