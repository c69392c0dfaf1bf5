"""Linear matter power in the inverted relative to the normal neutrino hierarchy, at the same sum of masses."""

import camb


def compute(
    *,
    H0,
    ombh2,
    omch2,
    mnu,
    As,
    ns,
    neutrino_hierarchy_numerator,
    neutrino_hierarchy_denominator,
    redshift,
    kmax,
    NonLinear,
    x_min,
    x_max,
    n_points,
):
    """k in h/Mpc and P_inverted / P_normal - 1."""
    inverted = camb.CAMBparams()
    inverted.set_cosmology(H0=H0, ombh2=ombh2, omch2=omch2, mnu=mnu, neutrino_hierarchy=neutrino_hierarchy_numerator)
    inverted.InitPower.set_params(As=As, ns=ns)
    inverted.set_matter_power(redshifts=[redshift], kmax=kmax)
    inverted.NonLinear = NonLinear
    results = camb.get_results(inverted)
    _, _, power_inverted = results.get_matter_power_spectrum(minkh=x_min, maxkh=x_max, npoints=n_points)

    normal = camb.CAMBparams()
    normal.set_cosmology(H0=H0, ombh2=ombh2, omch2=omch2, mnu=mnu, neutrino_hierarchy=neutrino_hierarchy_denominator)
    normal.InitPower.set_params(As=As, ns=ns)
    normal.set_matter_power(redshifts=[redshift], kmax=kmax)
    normal.NonLinear = NonLinear
    results = camb.get_results(normal)
    kh, _, power_normal = results.get_matter_power_spectrum(minkh=x_min, maxkh=x_max, npoints=n_points)

    return kh, power_inverted[0] / power_normal[0] - 1
