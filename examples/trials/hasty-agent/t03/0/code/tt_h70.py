import camb
import numpy as np

pars = camb.CAMBparams()
pars.set_cosmology(H0=70, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06)
pars.InitPower.set_params(As=2e-9, ns=0.965)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)
results = camb.get_results(pars)

# Raw power spectrum
powers = results.get_cmb_power_spectra(pars, CMB_unit='muK')
raw_tt = powers['total'][:, 0]

ells = np.arange(2, 3001)
np.savetxt('result.csv', np.column_stack([ells, raw_tt[2:3001]]), delimiter=',', header='l,TT', comments='', fmt=['%d', '%.6e'])
print("Raw C_l saved.")
