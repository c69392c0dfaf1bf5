import copy
import camb
import numpy as np

pars = camb.CAMBparams()
pars.set_cosmology(H0=67.9, ombh2=0.0224, omch2=0.119, tau=0.06)
pars.InitPower.set_params(As=2.1e-9, ns=0.966)
pars.set_for_lmax(300, lens_potential_accuracy=0)

alt = pars.copy()
alt.H0 = 73.0
alt.InitPower.ns = 1.0
alt.set_dark_energy(w=-0.8)

same = pars            # an alias, not a copy
same.ombh2 = 0.0217
same.InitPower.As *= 1.1
pars2 = copy.copy(pars)
pars2.omch2 = 0.2
same.ALens = 0.4       # not a field of CAMB

results = camb.get_results(pars)
pars.H0 = 80.0         # too late
cl = results.get_lensed_scalar_cls(CMB_unit="muK")
np.savetxt("tt.csv", cl[2:301, 0])
