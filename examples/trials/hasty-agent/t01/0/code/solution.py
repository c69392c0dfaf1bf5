import camb
import numpy as np

# Set up CAMB
pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.02, omch2=0.122, mnu=0.06, omk=0, tau=0.06)
pars.InitPower.set_params(As=2e-9, ns=0.965)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)

# Calculate results
results = camb.get_results(pars)
powers = results.get_cmb_power_spectra(pars, CMB_unit='muK')
cl_tt = powers['total'][:, 0]

# Convert to D_l = l(l+1)C_l/2pi
l = np.arange(2, 3001)
dl_tt = l * (l + 1) * cl_tt[l] / (2 * np.pi)

np.savetxt('result.csv', np.column_stack((l, dl_tt)), delimiter=',', header='l,TT', comments='', fmt=['%d', '%.6e'])
print('✅ result.csv written')
