import camb
from camb import model
import numpy as np

redshifts = [0.0, 0.5]
pars = camb.CAMBparams()
pars.set_cosmology(H0=67.0, ombh2=0.0221, omch2=0.1205, mnu=0.3, num_massive_neutrinos=3, neutrino_hierarchy="normal")
pars.InitPower.set_params(2.13e-9, 0.9624)
pars.set_matter_power(redshifts=redshifts, kmax=1.0, nonlinear=True)
results = camb.get_results(pars)
PK_nl = results.get_matter_power_interpolator(nonlinear=True)

for shift in (1.02, 0.97):
    variant = pars.copy()
    variant.omch2 = pars.omch2 * shift
    variant.ombh2 += 0.0001
PK_lin = camb.get_matter_power_interpolator(variant, zmin=0, zmax=1, nz_step=5, kmax=1.0, nonlinear=False, hubble_units=True)
k = np.logspace(-3, -0.5, 30)
np.savetxt("p.csv", np.c_[k, PK_lin.P(0.5, k), PK_nl.P(0.5, k)], delimiter=",")
