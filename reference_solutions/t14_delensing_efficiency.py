"""Share of the lensing B modes that a lensing map of given noise can remove."""

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
    l_min,
    l_max,
    noise_file,
):
    """Multipoles and delensing efficiency in percent."""
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=H0, ombh2=ombh2, omch2=omch2, mnu=mnu, omk=omk, tau=tau)
    pars.InitPower.set_params(As=As, ns=ns)
    pars.WantTensors = WantTensors
    pars.NonLinear = NonLinear
    pars.set_for_lmax(lmax, lens_potential_accuracy=lens_potential_accuracy)

    results = camb.get_results(pars)
    potential = results.get_lens_potential_cls(lmax)[:, 0]  # [l(l+1)]^2 C_l / (2 pi), as the noise

    noise_l, noise = np.loadtxt(noise_file, delimiter=",", skiprows=1, unpack=True)
    kept = np.arange(2, lmax + 1)
    noise = np.interp(kept, noise_l, noise)
    residual = np.zeros(pars.max_l + 1)  # nothing is left of the lensing where the map says nothing
    residual[2 : lmax + 1] = potential[2:] * (1 - potential[2:] / (potential[2:] + noise))

    lensed = results.get_lensed_scalar_cls(l_max)[:, 2]
    delensed = results.get_lensed_cls_with_spectrum(residual, l_max)[:, 2]
    multipoles = np.arange(l_min, l_max + 1)
    efficiency = 100 * (lensed[l_min:] - delensed[l_min:]) / lensed[l_min:]
    return multipoles, efficiency
