import os
import camb

OUT = os.path.join(os.getcwd(), 'result.csv')

pars = camb.set_params(H0=70.0, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0.0, tau=0.06, As=2e-9, ns=0.965)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)
cls = camb.get_results(pars).get_lensed_scalar_cls(lmax=3000, CMB_unit='muK', raw_cl=True)
with open(OUT, 'w') as fh:
    fh.write('l,TT\n')
    for ell in range(2, 3001):
        fh.write('%d,%.8e\n' % (ell, cls[ell, 0]))
