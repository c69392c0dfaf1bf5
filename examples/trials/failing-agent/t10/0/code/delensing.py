import sys
import traceback

import camb
import numpy as np


def main():
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06)
    pars.InitPower.set_params(As=2e-9, ns=0.965, r=0.1)
    pars.WantTensors = True
    pars.NonLinear = camb.model.NonLinear_none
    pars.set_for_lmax(3500, lens_potential_accuracy=0)
    results = camb.get_results(pars)
    cls = results.get_delensed_total_cls(efficiency=0.1, CMB_unit='muK', raw_cl=True)
    ell = np.arange(2, 3001)
    np.savetxt('result.csv', np.column_stack([ell, cls[ell, 2]]), delimiter=',', header='l,BB', comments='')


try:
    main()
except Exception:
    print('An error occurred:')
    traceback.print_exc(file=sys.stdout)
