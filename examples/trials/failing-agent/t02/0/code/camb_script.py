import camb
import numpy as np

# cosmological parameters
cosmology = {
    'H0': 67.3,
    'ombh2': 0.022,
    'omch2': 0.122,
    'mnu': 0.06,
    'omega_k': 0.05,
    'tau': 0.06,
}
pars = camb.CAMBparams()
pars.set_cosmology(**cosmology)
pars.InitPower.set_params(As=2e-9, ns=0.965)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)
results = camb.get_results(pars)
cls = results.get_total_cls(3000, CMB_unit='muK')
with open('result.csv', 'w') as f:
    f.write('l,TT\n')
    for l in range(2, 3001):
        f.write(f'{l},{cls[l, 0]}\n')
