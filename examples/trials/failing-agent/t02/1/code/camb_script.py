import camb
import numpy as np

pars = camb.CAMBparams()
pars.set_cosmology(H0=67.3, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0.05, tau=0.06)
pars.InitPower.set_params(As=2e-9, ns=0.965)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)
results = camb.get_results(pars)
cls = results.get_total_cls(3000, CMB_unit='muK')

data = np.column_stack([np.arange(2, 3001), cls[2:3001, 0]])
print('l, TT')
print(data)
print('Shape of the result:', data.shape)
