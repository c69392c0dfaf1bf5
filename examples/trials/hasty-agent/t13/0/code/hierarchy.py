import camb
import numpy as np

def get_pk(hierarchy):
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.11, neutrino_hierarchy=hierarchy)
    pars.InitPower.set_params(As=2e-9, ns=0.965)
    pars.set_matter_power(redshifts=[0], kmax=2)
    pars.NonLinear = camb.model.NonLinear_none
    results = camb.get_results(pars)
    return results.get_matter_power_spectrum(minkh=1e-4, maxkh=2, npoints=200)

kh, _, p_inverted = get_pk('inverted')
kh, _, p_normal = get_pk('normal')
ratio = p_inverted[0] / p_normal[0]
np.savetxt('result.csv', np.column_stack([kh, ratio]), delimiter=',', header='k,rel_diff', comments='', fmt='%.8e')
