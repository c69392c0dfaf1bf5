"""Match sigma8=0.811 by rescaling A_s, S8-based omch2 step and an H0 root finding; mixed with known values."""
import camb
import numpy as np
from scipy.optimize import brentq

TARGET_S8, TARGET_AGE = 0.811, 13.8


def make(H0=67.4, omch2=0.12, As=2e-9, redshifts=(0.0,)):
    pars = camb.CAMBparams()
    pars.WantCls = False
    pars.set_cosmology(H0=H0, ombh2=0.0224, omch2=omch2, mnu=0.06, omk=0)
    pars.InitPower.set_params(As=As, ns=0.965)
    pars.set_matter_power(redshifts=list(redshifts), kmax=1.0)
    return pars


def sigma8(pars):
    return camb.get_results(pars).get_sigma8_0()


s8 = sigma8(make())
As_fit = 2e-9 * (TARGET_S8 / s8) ** 2
matched = make(As=As_fit)
s8_matched = sigma8(matched)

# same normalisation reused with another density: only As is not known in advance
other = matched.copy()
other.omch2 = 0.118
s8_other = sigma8(other)

# the result of a computation only decides which literal is used
h_choice = 70.0 if s8 > 0.5 else 65.0
s8_h = sigma8(make(H0=h_choice, As=2.2e-9))

# the computed value is overwritten before it is used
As_fit = 2.1e-9


def analytic_age(H0, As):
    """Gyr, flat LCDM scaled from one CAMB background."""
    der = camb.get_background(make(H0, As=As)).get_derived_params()
    return lambda x: der["age"] * H0 / x - TARGET_AGE


H0_age = brentq(analytic_age(66.5, As_fit), 60, 75, xtol=1e-3)
s8_age = sigma8(make(H0=H0_age, As=As_fit))
s8_min = sigma8(make(H0=max(68.0, min(H0_age, 68.0)), As=As_fit))

np.savetxt("result.csv", [s8, s8_matched, s8_other, s8_h, s8_age, s8_min])
