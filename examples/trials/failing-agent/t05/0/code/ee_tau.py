import camb

f = open('result.csv', 'w')

pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0)
pars.Reion.set_optical_depth(0.04)
pars.InitPower.set_params(As=2e-9, ns=0.965)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)
results = camb.get_results(pars)
ee = results.get_total_cls(3000, CMB_unit='muK')[:, 1]
f.write('l,EE\n')
for l in range(2, 3001):
    f.write('%d,%.6e\n' % (l, ee[l]))
f.close()
