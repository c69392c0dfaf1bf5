import camb
import numpy as np
from camb.reionization import ExpReionization
tau = 0.1
pars = camb.CAMBparams()
pars.Reion = ExpReionization()
pars.Reion.reion_exp_power = 2
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, tau=tau)
pars.InitPower.set_params(As=1.8e-9 * np.exp(2 * tau), ns=0.95)
pars.set_for_lmax(2500)
camb.get_results(pars)
# expect: reionization_model='ExpReionization' set; reion_exp_power=2 set; tau=0.1 set; As=2.1985249646883056e-09 set
