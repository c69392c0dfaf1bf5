"""Linear matter power spectrum today."""

import camb


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
    redshift,
    kmax,
    NonLinear,
    x_min,
    x_max,
    n_points,
):
    """k/h in 1/Mpc and P(k) in (Mpc/h)^3."""
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=H0, ombh2=ombh2, omch2=omch2, mnu=mnu, omk=omk, tau=tau)
    pars.InitPower.set_params(As=As, ns=ns)
    pars.set_matter_power(redshifts=[redshift], kmax=kmax)
    pars.NonLinear = NonLinear

    results = camb.get_results(pars)
    kh, _, power = results.get_matter_power_spectrum(minkh=x_min, maxkh=x_max, npoints=n_points)
    return kh, power[0]
