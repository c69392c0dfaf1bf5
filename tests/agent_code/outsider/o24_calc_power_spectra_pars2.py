import camb
import numpy as np

pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.0222, omch2=0.119, tau=0.06)
pars.InitPower.set_params(As=2e-9, ns=0.965)
pars.set_for_lmax(200, lens_potential_accuracy=0)

pars2 = pars.copy()
pars2.set_cosmology(H0=70.5, ombh2=0.0215, omch2=0.119)      # tau survives in pars2.Reion
pars2.InitPower.ns = 0.955

results = camb.CAMBdata()
results.calc_power_spectra(pars)
a = results.get_lensed_scalar_cls(200, CMB_unit="muK")
results.calc_power_spectra(pars2)
b = results.get_lensed_scalar_cls(200, CMB_unit="muK")
pars.H0 = 75
np.savetxt("diff.csv", (b - a)[2:, 0])
