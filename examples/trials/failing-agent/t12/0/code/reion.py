import camb
import numpy as np

tau = 0.1
pars = camb.CAMBparams()
pars.set_classes(reionization_model="ExponentialReionization")
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, tau=tau)
pars.Reion.reion_exp_power = 2
pars.InitPower.set_params(As=1.8e-9 * np.exp(2 * tau), ns=0.95)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(2500, lens_potential_accuracy=0)
results = camb.get_results(pars)
ee = results.get_total_cls(CMB_unit='muK')[:, 1]
np.savetxt('result.csv', np.column_stack([np.arange(2, 101), ee[2:101]]), delimiter=',', header='l,EE', comments='')
