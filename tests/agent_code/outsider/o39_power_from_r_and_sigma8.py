"""Rescale As to a wanted sigma8, then compute with it."""
import camb
import numpy as np

SIGMA8 = 0.8
As0 = 2.0e-9
pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.0224, omch2=0.12, tau=0.055)
pars.InitPower.set_params(As=As0, ns=0.965)
pars.set_matter_power(redshifts=[0.0], kmax=2.0)
pars.NonLinear = camb.model.NonLinear_none
s8 = camb.get_results(pars).get_sigma8_0()
As = As0 * (SIGMA8 / s8) ** 2
pars.InitPower.set_params(As=As, ns=0.965)
results = camb.get_results(pars)
kh, z, pk = results.get_matter_power_spectrum(minkh=1e-3, maxkh=0.5, npoints=30)
np.savetxt("pk.csv", np.c_[kh, pk[0]], delimiter=",", header="k,P")
