import camb
import numpy as np

# Amplitude and tilt cancel in the ratio
pk = {}
for h in ['normal', 'inverted']:
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.11, neutrino_hierarchy=h)
    pars.set_matter_power(redshifts=[0], kmax=2)
    pars.NonLinear = camb.model.NonLinear_none
    results = camb.get_results(pars)
    kh, z, p = results.get_matter_power_spectrum(minkh=1e-4, maxkh=2, npoints=200)
    pk[h] = p[0]

np.savetxt('result.csv', np.column_stack([kh, pk['inverted'] / pk['normal'] - 1]), delimiter=',', header='k,rel_diff', comments='', fmt='%.8e')
