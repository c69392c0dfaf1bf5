import camb
import numpy as np

tau = 0.1
As = 1.8e-9 * np.exp(2 * tau)

pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, tau=tau)
pars.InitPower.set_params(As=As, ns=0.95)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(2500, lens_potential_accuracy=0)
pars.set_classes(reionization_model="ExpReionization")
pars.Reion.reion_exp_power = 2

results = camb.get_results(pars)
ee = results.get_lensed_scalar_cls(CMB_unit='muK')[:, 1]
l = np.arange(2, 101)
np.savetxt('result.csv', np.column_stack([l, ee[l]]), delimiter=',', header='l,EE', comments='', fmt=['%d', '%.8e'])
print('done, tau =', tau)
