import camb
import numpy as np

TAU = 0.04  # low optical depth

pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=TAU)
pars.InitPower.set_params(As=2e-9, ns=0.965, r=0)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)

results = camb.get_results(pars)
powers = results.get_cmb_power_spectra(pars, CMB_unit='muK')
totCL = powers['total']

# columns are TT, EE, BB, TE
EE = totCL[:, 1]
ls = np.arange(totCL.shape[0])
mask = (ls >= 2) & (ls <= 3000)
data = np.column_stack((ls[mask], EE[mask]))
np.savetxt('result.csv', data, delimiter=',', header='l,EE', comments='', fmt=['%d', '%.8e'])
print('Saved', data.shape)
