#!/usr/bin/env python
import argparse
import camb
import numpy as np


def parse(argv=None):
    ap = argparse.ArgumentParser(description="H0 is 74 in the SH0ES case")
    ap.add_argument("--H0", type=float, default=74.03, help="default: 67")
    ap.add_argument("--ombh2", default="0.02233", type=float)
    ap.add_argument("--omch2", type=float, default=0.1198)
    ap.add_argument("-t", "--optical-depth", dest="tau", type=float, default=0.0561)
    ap.add_argument("--log10As10", type=float, default=3.044, help="ln(10^10 As)")
    ap.add_argument("--ns", type=float, default=0.9665)
    ap.add_argument("--tensors", action="store_true")
    ap.add_argument("--r", type=float, default=None)
    ap.add_argument("--no-lensing-nl", dest="nl", action="store_false")
    return ap.parse_args(argv)


def main(args):
    pars = camb.CAMBparams(WantTensors=args.tensors)
    pars.set_cosmology(H0=args.H0, ombh2=args.ombh2, omch2=args.omch2, tau=args.tau)
    kw = {} if args.r is None else {"r": args.r}
    pars.InitPower.set_params(As=np.exp(args.log10As10) / 1e10, ns=args.ns, **kw)
    pars.set_for_lmax(300, lens_potential_accuracy=1 if args.nl else 0)
    res = camb.get_results(pars)
    return res.get_lensed_scalar_cls(CMB_unit="muK", raw_cl=True)


if __name__ == "__main__":
    arguments = parse()
    cl = main(arguments)
    np.savetxt("cl.csv", cl[2:301, :1], delimiter=",")
