"""Angular diameter distance as a function of redshift."""

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
    x_min,
    x_max,
    n_points,
):
    """Redshifts and angular diameter distances in Mpc."""
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=H0, ombh2=ombh2, omch2=omch2, mnu=mnu, omk=omk, tau=tau)
    pars.InitPower.set_params(As=As, ns=ns)

    results = camb.get_background(pars)
    redshifts = np.linspace(x_min, x_max, n_points)
    return redshifts, results.angular_diameter_distance(redshifts)
