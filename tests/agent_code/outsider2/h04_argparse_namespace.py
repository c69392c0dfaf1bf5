"""CLI-style script run from a notebook (parse_args gets an explicit list)."""
import argparse
import shlex

import camb
import numpy as np

CMD = "--h 0.68 --ob 0.0486 --oc 0.2589 -w -0.95 --logA 3.05 --no-lensing --tau=.058"


class StoreAsPercent(argparse.Action):
    """--h 0.68 is stored as H0 = 68"""

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values * 100.0)


def make_parser():
    ap = argparse.ArgumentParser()
    ap.add_argument("--h", dest="H0", type=float, action=StoreAsPercent, default=70.0)
    ap.add_argument("--ob", type=float, default=0.05)
    ap.add_argument("--oc", type=float, default=0.25)
    ap.add_argument("-w", "--eos", type=float, default=-1.0)
    ap.add_argument("--logA", type=float, default=3.044)
    ap.add_argument("--ns", type=float, default="0.9667")   # string defaults go through type=
    ap.add_argument("--tau", type=float)
    ap.add_argument("--mnu", type=float, nargs="?", const=0.1, default=0.0)
    ap.add_argument("--no-lensing", dest="lensing", action="store_false")
    ap.add_argument("--lmax", type=int, default=700)
    return ap


def to_params(ns: argparse.Namespace) -> camb.CAMBparams:
    opts = vars(ns)
    h2 = (opts["H0"] / 100) ** 2
    pars = camb.CAMBparams()
    pars.set_dark_energy(w=ns.eos, dark_energy_model="ppf")
    pars.set_cosmology(
        H0=ns.H0,
        ombh2=ns.ob * h2,
        omch2=ns.oc * h2,
        tau=ns.tau,
        mnu=ns.mnu,
        num_massive_neutrinos=1 if ns.mnu else 0,
    )
    pars.InitPower.set_params(As=np.exp(opts["logA"]) / 1e10, ns=ns.ns)
    pars.DoLensing = ns.lensing
    pars.set_for_lmax(ns.lmax, lens_potential_accuracy=0)
    return pars


if __name__ == "__main__":
    args = make_parser().parse_args(shlex.split(CMD))
    results = camb.get_results(to_params(args))
    cl = results.get_unlensed_scalar_cls(lmax=args.lmax, CMB_unit="muK")
    with open("result.csv", "w") as fh:
        fh.write("ell,TT\n")
        fh.writelines(f"{l},{v:.6e}\n" for l, v in enumerate(cl[:, 0]) if l > 1)
