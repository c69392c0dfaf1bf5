import camb
import numpy as np

pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06)
pars.InitPower.set_params(As=2e-9, ns=0.965)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)
results = camb.get_results(pars)

try:
    tt = results.get_delensed_cls(efficiency=0.8, CMB_unit='muK')[:, 0]
except AttributeError as err:
    print('no delensing method in this CAMB version, falling back:', err)
    tt = results.get_unlensed_scalar_cls(CMB_unit='muK')[:, 0]

l = np.arange(2, 3001)
np.savetxt('result.csv', np.column_stack([l, tt[l]]), delimiter=',', header='l,TT', comments='', fmt=['%d', '%.6e'])
