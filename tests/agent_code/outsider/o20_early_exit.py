import sys
import camb
import numpy as np


def check(version):
    major = int(version.split(".")[0])
    if major < 99:
        print("CAMB too old; please upgrade")
        sys.exit(2)


def main():
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=67.5, ombh2=0.0222, omch2=0.119)
    bg = camb.get_background(pars)
    print(bg.get_derived_params()["age"])
    sys.exit(0)
    pars.set_cosmology(H0=75.0, ombh2=0.03, omch2=0.1)
    pars.InitPower.set_params(As=3e-9, ns=1.0)
    results = camb.get_results(pars)
    return results


if __name__ == "__main__":
    main()
    check(camb.__version__)
