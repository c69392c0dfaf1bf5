# EE power spectrum, low optical depth
import camb
from camb import model, initialpower
import numpy as np

cosmo = {'H0': 67.5, 'ombh2': 0.022, 'omch2': 0.122, 'omk': 0}
tau = 0.04

pars = camb.CAMBparams()
pars.set_cosmology(mnu=0.06, **cosmo)
pars.InitPower.set_params(As=2e-9, ns=0.965)
pars.WantTensors = False
pars.NonLinear = model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)
results = camb.get_results(pars)
cl = results.get_lensed_scalar_cls(lmax=3000, CMB_unit='muK')
l = np.arange(2, 3001)
np.savetxt('result.csv', np.column_stack([l, cl[l, 1]]), delimiter=',', header='l,EE', comments='', fmt=['%d', '%.6e'])
print(f'tau = {tau}: EE spectrum saved')
