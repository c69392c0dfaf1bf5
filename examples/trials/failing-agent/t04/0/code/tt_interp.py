import camb
import numpy as np

pars = camb.CAMBparams()
pars.set_cosmology(H0=74, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06)
pars.InitPower.set_params(As=2e-9, ns=0.965)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)
results = camb.get_results(pars)
cl = results.get_lensed_scalar_cls(lmax=500, CMB_unit='muK', raw_cl=True)[:, 0]

# put the spectrum on the requested grid
ell_out = np.arange(2, 3001)
tt = np.interp(ell_out, np.arange(len(cl)), cl, right=np.nan)
np.savetxt('result.csv', np.column_stack([ell_out, tt]), delimiter=',', header='l,TT', comments='', fmt=['%d', '%.6e'])
print('rows:', len(tt))
