import camb
import numpy as np

def get_spectrum(H0, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06, As=2e-9, ns=0.965):
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=H0, ombh2=ombh2, omch2=omch2, mnu=mnu, omk=omk, tau=tau)
    pars.InitPower.set_params(As=As, ns=ns)
    pars.WantTensors = False
    pars.NonLinear = camb.model.NonLinear_none
    pars.set_for_lmax(3500, lens_potential_accuracy=0)
    results = camb.get_results(pars)
    return results.get_cmb_power_spectra(pars, raw_cl=True)['total']

cls = get_spectrum(H0=74)
l = np.arange(2, 3001)
np.savetxt('result.csv', np.column_stack([l, cls[l, 0]]), delimiter=',', header='l,TT', comments='', fmt=['%d', '%.8e'])
