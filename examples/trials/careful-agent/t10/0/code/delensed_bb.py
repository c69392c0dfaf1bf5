"""Raw BB spectrum with 10 per cent of the lensing power removed, r = 0.1."""
import camb
import numpy as np

delensing_efficiency = 0.1
Alens = 1 - delensing_efficiency   # remaining lensing power

pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06)
pars.InitPower.set_params(As=2e-9, ns=0.965, r=0.1)
pars.WantTensors = True
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)

results = camb.get_results(pars)
lensed = results.get_partially_lensed_cls(Alens, lmax=3000, CMB_unit="muK", raw_cl=True)
tensor = results.get_tensor_cls(lmax=3000, CMB_unit="muK", raw_cl=True)
BB = lensed[:, 2] + tensor[:, 2]

ell = np.arange(2, 3001)
np.savetxt("result.csv", np.column_stack([ell, BB[2:3001]]), fmt=["%d", "%.8e"], delimiter=",", header="l,BB", comments="")
