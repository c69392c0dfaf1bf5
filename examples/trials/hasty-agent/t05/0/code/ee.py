import camb
import numpy as np

pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.04)
pars.InitPower.set_params(As=2e-9, ns=0.965)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)
results = camb.get_results(pars)
total = results.get_cmb_power_spectra(pars, CMB_unit='muK')['total']
l = np.arange(2, 3001)
EE = total[2:3001, 0]
np.savetxt('result.csv', np.column_stack([l, EE]), delimiter=',', header='l,EE', comments='', fmt=['%d', '%.6e'])
print('EE spectrum saved, max = %.2f' % EE.max())
