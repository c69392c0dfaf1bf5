"""Lensed temperature spectrum in an open universe."""

import camb
import numpy as np


def compute(
    *,
    H0,
    ombh2,
    omch2,
    mnu,
    omk,
    tau,
    As,
    ns,
    lmax,
    lens_potential_accuracy,
    NonLinear,
    WantTensors,
    CMB_unit,
    raw_cl,
    l_min,
    l_max,
):
    """Multipoles and D_l^TT in uK^2."""
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=H0, ombh2=ombh2, omch2=omch2, mnu=mnu, omk=omk, tau=tau)
    pars.InitPower.set_params(As=As, ns=ns)
    pars.WantTensors = WantTensors
    pars.NonLinear = NonLinear
    pars.set_for_lmax(lmax, lens_potential_accuracy=lens_potential_accuracy)

    results = camb.get_results(pars)
    spectra = results.get_total_cls(l_max, CMB_unit=CMB_unit, raw_cl=raw_cl)
    multipoles = np.arange(l_min, l_max + 1)
    return multipoles, spectra[l_min : l_max + 1, 0]
