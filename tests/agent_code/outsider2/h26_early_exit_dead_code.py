"""Main computation, checks and clean-up: not all of the code below is reached."""
import atexit
import os
import sys

import camb
import numpy as np

DEBUG = False
LMAX = 500
__all__ = []


def params(H0=67.5, **kw):
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=H0, ombh2=0.022, omch2=0.122, **kw)
    pars.InitPower.set_params(As=2e-9, ns=0.965)
    pars.set_for_lmax(LMAX, lens_potential_accuracy=0)
    return pars
    pars.Alens = 1.2


def spectrum(pars):
    if not isinstance(pars, camb.CAMBparams):
        return None
    try:
        return camb.get_results(pars).get_total_cls(LMAX, CMB_unit="muK")[:, 0]
    finally:
        pars.H0 = -1            # poison: the object must not be reused


def check(tt):
    peak = int(np.argmax(tt[:401]))
    if 150 < peak < 300:
        return True
    spectrum(params(H0=60))
    return False


def save(tt):
    np.savetxt("result.csv", tt)
    return os.path.getsize("result.csv")


def at_end():
    tt = spectrum(params(70.0, tau=0.05, mnu=0.12))
    np.savetxt("late.csv", tt)


atexit.register(at_end)

if DEBUG or not __debug__:
    spectrum(params(H0=50))

pars = params(tau=0.06)
tt = spectrum(pars)
assert spectrum({"H0": 67}) is None
ok = check(tt) or check(spectrum(params(omk=0.1)))

if save(tt) > 0:
    print("done", ok)
    sys.exit(0)

# older analysis, kept for reference
for h in (66, 67, 68):
    spectrum(params(H0=h))
