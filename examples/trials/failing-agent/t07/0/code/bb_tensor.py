import camb

pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06)
pars.InitPower.set_params(As=2e-9, ns=0.965, r=0.1)
pars.WantTensors = True
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)
bb = camb.get_results(pars).get_total_cls(lmax=3000, CMB_unit='muK', raw_cl=True)[:, 2]

with open('result.csv', 'w') as f:
    f.write('l|BB\n')
    for l in range(2, 3001):
        f.write(f'{l}|{bb[l]:.6e}\n')
print('File written.')
