"""Delensing efficiency of the B modes for a given lensing noise curve."""
import camb
import numpy as np

LMAX = 2000

# --- CAMB -----------------------------------------------------------
pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06)
pars.InitPower.set_params(As=2e-9, ns=0.965)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(LMAX, lens_potential_accuracy=0)
results = camb.get_results(pars)

# --- lensing potential and noise ---------------------------------------
cpp = results.get_lens_potential_cls(lmax=LMAX)[:, 0]      # (l(l+1))^2 C_l / 2 pi
noise = np.loadtxt("noise.csv", delimiter=",", skiprows=1)
nl = np.interp(np.arange(LMAX + 1), noise[:, 0], noise[:, 1])

residual = np.zeros(pars.max_l + 1)
ell = np.arange(2, LMAX + 1)
residual[ell] = cpp[ell] * (1 - cpp[ell] / (cpp[ell] + nl[ell]))

# --- B modes --------------------------------------------------------------
lensed = results.get_lensed_scalar_cls(lmax=LMAX, CMB_unit="muK")[:, 2]
delensed = results.get_lensed_cls_with_spectrum(residual, lmax=LMAX, CMB_unit="muK")[:, 2]

l_out = np.arange(2, 101)
efficiency = 100 * (lensed[l_out] - delensed[l_out]) / lensed[l_out]
np.savetxt("result.csv", np.column_stack([l_out, efficiency]), fmt=["%d", "%.8f"], delimiter=",",
           header="l,delensing_efficiency", comments="")
print("mean efficiency: %.2f per cent" % efficiency.mean())
