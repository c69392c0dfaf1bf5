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
noise = np.loadtxt('noise.csv', delimiter=',', skiprows=1)
N = np.interp(np.arange(lmax + 1), noise[:, 0], noise[:, 1])
res = np.zeros(pars.max_l + 1)
res[2:lmax + 1] = cpp[2:] * (1 - cpp[2:] / (cpp[2:] + N[2:]))
b0 = results.get_lensed_scalar_cls()[:, 2]
b1 = results.get_lensed_cls_with_spectrum(res)[:, 2]
ell = np.arange(2, 101)
eff = 100 * (b0[ell] - b1[ell]) / b0[ell]
np.savetxt('result.csv', np.column_stack([ell, eff]), delimiter=',', header='l,delensing_efficiency', comments='', fmt=['%d', '%.6f'])

# summary figure
import matplotlib_inline_plots as mip
mip.plot(ell, eff, 'efficiency.png')
