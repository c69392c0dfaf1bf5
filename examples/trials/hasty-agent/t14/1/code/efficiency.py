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
noise = np.genfromtxt('noise.csv', delimiter=',', names=True)
N = np.zeros(lmax + 1)
for l, n in zip(noise['l'], noise['N_l']):
    if l <= lmax:
        N[int(l)] = n
res = np.zeros(pars.max_l + 1)
s = slice(2, lmax + 1)
res[s] = cpp[s] * N[s] / (cpp[s] + N[s])

bb = results.get_lensed_scalar_cls(CMB_unit='muK')[:, 2]
bb_res = results.get_lensed_cls_with_spectrum(res, CMB_unit='muK')[:, 2]
l = np.arange(2, 101)
eff = 100 * (bb[l] - bb_res[l]) / bb[l]
np.savetxt('result.csv', np.column_stack([l, eff]), delimiter=',', header='l,delensing_efficiency', comments='', fmt=['%d', '%.6f'])
