"""Partially delensed TT. The delensing efficiency is the fraction of lensing power removed."""
import csv

import camb

H0, OMBH2, OMCH2, MNU, OMK, TAU = 67.5, 0.022, 0.122, 0.06, 0, 0.06
AS, NS = 2e-9, 0.965
DELENSING_EFFICIENCY = 0.8


def main() -> None:
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=H0, ombh2=OMBH2, omch2=OMCH2, mnu=MNU, omk=OMK, tau=TAU)
    pars.InitPower.set_params(As=AS, ns=NS)
    pars.WantTensors = False
    pars.NonLinear = camb.model.NonLinear_none
    pars.set_for_lmax(3500, lens_potential_accuracy=0)
    results = camb.get_results(pars)
    partially = results.get_partially_lensed_cls(1 - DELENSING_EFFICIENCY, CMB_unit="muK")
    with open("result.csv", "w", newline="") as f:
        out = csv.writer(f)
        out.writerow(("l", "TT"))
        for l in range(2, 3001):
            out.writerow((l, "%.8e" % partially[l][0]))


main()
