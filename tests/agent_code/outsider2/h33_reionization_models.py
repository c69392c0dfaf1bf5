"""EE reionization bump for tanh (tau), tanh (z_re), exponential model and no reionization."""
import camb
import numpy as np
from camb.reionization import ExpReionization, TanhReionization

COSMO = dict(H0=67.3, ombh2=0.0224, omch2=0.1195)


def low_l_ee(pars, lmax=300):
    pars.set_for_lmax(lmax, lens_potential_accuracy=0)
    pars.DoLensing = False
    return camb.get_results(pars).get_unlensed_scalar_cls(lmax, CMB_unit="muK")[:, 1]


def base(**kw):
    pars = camb.CAMBparams()
    pars.set_cosmology(**COSMO, **kw)
    pars.InitPower.set_params(As=2.1e-9 * np.exp(-2 * (0.06 - kw.get("tau", 0.06))), ns=0.966)
    return pars


curves = []

# 1. optical depth, width changed
p1 = base(tau=0.06)
p1.Reion.set_extra_params(deltazrei=1.5)
curves.append(low_l_ee(p1))

# 2. exponential model: the new object has its own (not set) tau; given through the model object
exp = ExpReionization()
exp.set_tau(0.065)
p2 = base(tau=0.05)
p2.Reion = exp
exp.set_tau(0.2)                 # Reion holds a copy
curves.append(low_l_ee(p2))

# 3. exponential class by name and tau in one set_params call
p3 = camb.set_params(**COSMO, reionization_model="ExpReionization", tau=0.07, reion_exp_power=1.0, As=2e-9)
curves.append(low_l_ee(p3))

# 4. class given after the cosmology with a new object: tau forgotten, then set again
p4 = base(tau=0.08)
p4.Reion = TanhReionization()
p4.set_cosmology(**COSMO, tau=0.045, Alens=0.0)
curves.append(low_l_ee(p4))

# 5. same object, reionization switched off (tau value stays but has no effect)
p4.Reion.Reionization = False
p4.InitPower.r = 0.0
curves.append(low_l_ee(p4))

# 6. both tau and zrei -> error after everything but the reionization was stored
try:
    p1.set_cosmology(**{**COSMO, "H0": 70.0}, tau=0.1, zrei=8.0)
except camb.CAMBError:
    pass
curves.append(low_l_ee(p1))

np.savetxt("result.csv", np.transpose(curves), delimiter=",")
