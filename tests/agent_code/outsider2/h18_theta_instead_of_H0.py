"""Planck-style: theta_MC sampled instead of H0; then fix H0 to the solved (rounded) value."""
import sys

import numpy as np
import camb

PLANCK = {
    "omegabh2": 0.022383,
    "omegach2": 0.12011,
    "theta": 1.040909,          # 100*theta_MC
    "tau": 0.0543,
    "logA": 3.0448,
    "ns": 0.96605,
}


def cosmomc_params(p, H0=None):
    pars = camb.CAMBparams()
    kw = dict(ombh2=p["omegabh2"], omch2=p["omegach2"], tau=p["tau"], mnu=0.06)
    if H0 is None:
        kw.update(cosmomc_theta=p["theta"] / 100)
    else:
        kw.update(H0=H0)
    pars.set_cosmology(**kw)
    pars.InitPower.set_params(As=1e-10 * np.exp(p["logA"]), ns=p["ns"])
    pars.set_for_lmax(600, lens_potential_accuracy=0)
    return pars


def main(argv):
    pars = cosmomc_params(PLANCK)
    print(f"H0 = {pars.H0:.3f}", file=sys.stderr)
    res = camb.get_results(pars)
    dl = res.get_total_cls(600, CMB_unit="muK")

    # thetastar variant: both given -> error -> drop H0
    try:
        pars.set_cosmology(H0=70, thetastar=0.0104, ombh2=0.0225, omch2=0.119, tau=0.06)
    except camb.CAMBError as e:
        print("conflict:", e)
        pars.set_cosmology(H0=None, thetastar=0.0104, ombh2=0.0225, omch2=0.119)
    bg = camb.get_background(pars)

    h0 = 67.0 if bg.get_derived_params()["age"] > 1 else 50.0
    fixed = camb.get_background(cosmomc_params({**PLANCK, "theta": None}, H0=67.32))
    rounded = camb.get_background(cosmomc_params(PLANCK, H0=float(int(pars.H0))))
    np.savetxt("result.csv", dl[:, :2], header=f"{fixed.get_derived_params()['age']} {h0} {rounded.tau0}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
