import random
import time
import camb
import numpy as np

rng = np.random.default_rng()
H0 = rng.normal(67.4, 0.5)
ombh2 = 0.0224 + 0.0001 * random.random()
omch2 = float(np.random.uniform(0.118, 0.122))
omk = random.choice([0.0, 0.01, -0.01])
mnu = 0.06 if time.time() > 0 else 0.3
tau = 0.054
As = 2.1e-9
ns = random.gauss(0.965, 0.004)
if random.random() < 2:
    tau = 0.061

pars = camb.CAMBparams()
pars.set_cosmology(H0=H0, ombh2=ombh2, omch2=omch2, omk=omk, mnu=mnu, tau=tau)
pars.InitPower.set_params(As=As, ns=ns)
pars.set_for_lmax(200, lens_potential_accuracy=0)
pars.NonLinear = camb.model.NonLinear_none
res = camb.get_results(pars)
np.savetxt("mc.csv", res.get_lensed_scalar_cls(200, CMB_unit="muK"))
