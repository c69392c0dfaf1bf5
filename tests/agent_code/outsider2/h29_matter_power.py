"""P(k,z): camb.get_matter_power_interpolator works on its own copy; then results method; then background."""
import numpy as np
import camb
from camb import get_matter_power_interpolator as gmpi, model


def cosmology(h=0.677, Om=0.311, fb=0.157, s=(2.105e-9, 0.9665)):
    pars = camb.CAMBparams(WantCls=False)
    wm = Om * h**2
    nu = 0.06 / 93.04
    pars.set_cosmology(H0=h * 100, ombh2=fb * (wm - nu), omch2=(1 - fb) * (wm - nu), mnu=0.06)
    As, pars.InitPower.ns = s
    pars.InitPower.As = As
    return pars


pars = cosmology()
pk = gmpi(pars, zmax=2, nz_step=8, kmax=2.0, nonlinear=False, hubble_units=False, k_hunit=False)
p_ref = pk.P(0.0, 0.1)

# the copy made by CAMB was used, pars has not been changed by it
assert pars.WantTransfer is False or pars.Transfer.PK_num_redshifts == 1

pars.omch2, old = 0.13, pars.omch2
pars.set_matter_power(redshifts=[0.0, 0.5, 1.0], kmax=2.0, nonlinear=True)
results = camb.get_results(pars)
kh, z, pknl = results.get_matter_power_spectrum(minkh=1e-3, maxkh=1.0, npoints=100)
s8 = results.get_sigma8_0()

# same result object: no recomputation
interp = results.get_matter_power_interpolator(nonlinear=False)
pars.H0 = 55                       # after the computation
k = np.logspace(-3, 0, 50)
lin = interp.P(0.5, k)

# recompute from results with a new params object: get_linear_matter_power_spectrum(params=...)
pars2 = cosmology(h=0.7, s=(2e-9, 0.95)).set_matter_power(redshifts=(0.0,), kmax=1.0)
pars2.NonLinear = model.NonLinear_none
kh2, z2, pk2 = results.get_linear_matter_power_spectrum(params=pars2)

pars.omch2 = old
pars.h = 0.68
bao = results.get_BAO([0.5], pars)

np.savetxt("result.csv", np.c_[k, lin], header=f"{p_ref} {s8} {bao[0, 0]} {pk2[0, 0]}")
