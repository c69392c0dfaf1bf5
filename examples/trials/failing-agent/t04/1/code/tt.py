import csv

import camb

pars = camb.CAMBparams()
pars.set_cosmology(H0=74, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06)
pars.InitPower.set_params(As=2e-9, ns=0.965)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)
results = camb.get_results(pars)
cls = results.get_lensed_scalar_cls(lmax=3000, CMB_unit='muK', raw_cl=True)

with open('result.csv', 'w', newline='') as f:
    writer = csv.writer(f)
    writer.writerow(['l', 'TT'])
    for l in range(2, 3001):
        # skip unphysical values
        if cls[l, 0] > 0 and l > 3000:
            writer.writerow([l, cls[l, 0]])
