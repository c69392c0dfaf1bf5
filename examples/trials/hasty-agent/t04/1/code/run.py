import camb
import numpy as np

pars = camb.set_params(H0=74, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06, As=2e-9, ns=0.965)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)
data = camb.get_results(pars)
spectrum = data.get_lensed_scalar_cls(lmax=3000, CMB_unit='K', raw_cl=True)
with open('result.csv', 'w') as fh:
    fh.write('l,TT\n')
    for ell in range(2, 3001):
        fh.write(f'{ell},{spectrum[ell, 0]:.7e}\n')
print('done')
