import camb
import numpy as np

params = dict(cosmomc_theta=0.0104092, H0=None, ombh2=0.02237, omch2=0.12, mnu=0.06, tau=0.0544)
pars = camb.CAMBparams()
pars.set_cosmology(**params)
h = pars.H0 / 100
print("derived H0", pars.H0)
pars.InitPower.set_params(As=2.1e-9, ns=0.9649)
alt = camb.CAMBparams()
alt.set_cosmology(H0=pars.H0, ombh2=pars.ombh2, omch2=pars.omch2 + 0.001, tau=pars.Reion.optical_depth)
alt.InitPower.set_params(As=pars.InitPower.As, ns=pars.InitPower.ns + 0.01)
for p in (pars, alt):
    p.set_for_lmax(200, lens_potential_accuracy=0)
    p.WantTensors = False
r1, r2 = map(camb.get_results, [pars, alt])
np.savetxt("t.csv", r1.get_lensed_scalar_cls(200) - r2.get_lensed_scalar_cls(200))
