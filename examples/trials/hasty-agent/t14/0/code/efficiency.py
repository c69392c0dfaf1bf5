import camb
import numpy as np

lmax = 2000
pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06)
pars.InitPower.set_params(As=2e-9, ns=0.965)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(lmax, lens_potential_accuracy=0)
results = camb.get_results(pars)

cpp = results.get_lens_potential_cls(lmax=lmax)[:, 0]
l_noise, N_l = np.loadtxt('noise.csv', delimiter=',', skiprows=1, unpack=True)
N = np.interp(np.arange(lmax + 1), l_noise, N_l)
res = np.zeros(pars.max_l + 1)
res[2:lmax + 1] = cpp[2:] * (1 - cpp[2:] / (cpp[2:] + N[2:]))

bb_lensed = results.get_lensed_scalar_cls(CMB_unit='muK')[:, 2]
bb_delensed = results.get_lensed_cls_with_spectrum(res, CMB_unit='muK')[:, 2]

# delensing efficiency
eff = 100 * (np.mean(bb_lensed[2:101]) - np.mean(bb_delensed[2:101])) / np.mean(bb_lensed[2:101])
print('Delensing efficiency: %.2f%%' % eff)

with open('result.csv', 'w') as f:
    f.write('l,delensing_efficiency\n')
    for l in range(2, 101):
        f.write(f'{l},{eff:.6f}\n')
