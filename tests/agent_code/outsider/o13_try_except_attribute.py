"""The first method does not exist; the fallback has different numbers."""
import camb
import numpy as np

pars = camb.CAMBparams()
H0 = 67.0
try:
    pars.set_omegas(H0=71.0, omegab=0.045, omegac=0.25)
    H0 = 71.0
    ombh2, omch2 = 0.0227, 0.126
except AttributeError:
    ombh2, omch2 = 0.0219, 0.1215
    pars.set_cosmology(H0=H0, ombh2=ombh2, omch2=omch2, mnu=0.06, tau=0.058)
else:
    pars.Alens = 0.5
finally:
    pars.InitPower.set_params(As=2.12e-9, ns=0.963)

try:
    pars.set_reionization(tau=0.07)
except Exception as exc:
    print("no such method:", exc)

try:
    pars.set_for_lmax(300, lens_potential_accuracy=0, non_linear=True)
except TypeError:
    pars.set_for_lmax(300, lens_potential_accuracy=0)
    pars.NonLinear = camb.model.NonLinear_pk

res = camb.get_results(pars)
dl = res.get_lensed_scalar_cls(lmax=300, CMB_unit="muK")
np.savetxt("dl.csv", dl[2:, 0])
