import camb
import numpy as np

H0 = 67.5
ombh2 = 0.02
omch2 = 0.122
mnu = 0.06
omk = 0
tau = 0.06
As = 2e-9
ns = 0.965

pars = camb.CAMBparams()
pars.set_cosmology(H0=H0, ombh2=ombh2, omch2=omch2, mnu=mnu, omk=omk, tau=tau)
pars.InitPower.set_params(As=As, ns=ns)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)

results = camb.get_results(pars)
# scalar spectrum
cls = results.get_unlensed_scalar_cls(lmax=3000, CMB_unit='muK')

with open('result.csv', 'w') as f:
    f.write('l,TT\n')
    for l in range(2, 3001):
        f.write(f'{l},{cls[l, 0]:.6e}\n')
