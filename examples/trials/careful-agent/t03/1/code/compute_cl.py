import argparse

import camb
import numpy as np


def get_args():
    parser = argparse.ArgumentParser(description="Raw CMB TT spectrum")
    parser.add_argument("--H0", type=float, default=70.0)
    parser.add_argument("--ombh2", type=float, default=0.022)
    parser.add_argument("--omch2", type=float, default=0.122)
    parser.add_argument("--mnu", type=float, default=0.06)
    parser.add_argument("--omk", type=float, default=0.0)
    parser.add_argument("--tau", type=float, default=0.06)
    parser.add_argument("--As", type=float, default=2e-9)
    parser.add_argument("--ns", type=float, default=0.965)
    parser.add_argument("--output", default="result.csv")
    return parser.parse_args()


def main():
    args = get_args()
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=args.H0, ombh2=args.ombh2, omch2=args.omch2, mnu=args.mnu, omk=args.omk, tau=args.tau)
    pars.InitPower.set_params(As=args.As, ns=args.ns)
    pars.WantTensors = False
    pars.NonLinear = camb.model.NonLinear_none
    pars.set_for_lmax(3500, lens_potential_accuracy=0)
    results = camb.get_results(pars)

    dl = results.get_cmb_power_spectra(pars, CMB_unit="muK")["total"][:, 0]
    ell = np.arange(2, 3001)
    # convert D_l to C_l by hand: C_l = 2 pi D_l / (l (l+1))
    cl = 2 * np.pi * dl[ell] / (ell * (ell + 1.0))

    np.savetxt(args.output, np.transpose([ell, cl]), delimiter=",", header="l,TT", comments="", fmt=["%d", "%.8e"])
    print("C_2 =", cl[0], "muK^2")


if __name__ == "__main__":
    main()
