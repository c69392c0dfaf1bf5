#!/usr/bin/env python
"""Task: D_l^TT for an open universe (omk = 0.05)."""
import camb
import numpy as np

cosmology = {
    "H0": 67.3,
    "ombh2": 0.022,
    "omch2": 0.122,
    "mnu": 0.06,
    "omk": 0.05,
    "tau": 0.06,
}
primordial = dict(As=2e-9, ns=0.965)

pars = camb.CAMBparams()
pars.set_cosmology(**cosmology)
pars.InitPower.set_params(**primordial)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)

assert abs(pars.omk - 0.05) < 1e-12, "curvature was not set"

results = camb.get_results(pars)
cls = results.get_cmb_power_spectra(pars, CMB_unit='muK', spectra=['lensed_scalar'])['lensed_scalar']
ells = np.arange(2, 3001)
np.savetxt('result.csv', np.c_[ells, cls[ells, 0]], delimiter=',', header='l,TT', comments='', fmt=('%d', '%.10g'))
print('l(peak) =', ells[np.argmax(cls[ells, 0])])
