import csv
import sys

import camb


def main(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0.0, tau=0.06, As=2e-9, ns=0.965, r=0.0,
         lmax=3500, accuracy=1, output="result.csv"):
    pars = camb.set_params(H0=H0, ombh2=ombh2, omch2=omch2, mnu=mnu, omk=omk, tau=tau, As=As, ns=ns, r=r)
    pars.WantTensors = False
    pars.set_for_lmax(lmax, lens_potential_accuracy=accuracy)
    pars.NonLinear = camb.model.NonLinear_lens
    results = camb.get_results(pars)
    cls = results.get_cmb_power_spectra(CMB_unit="muK")["total"]
    with open(output, "w", newline="") as fh:
        w = csv.writer(fh, lineterminator="\n")
        w.writerow(["l", "BB"])
        w.writerows([ell, "%.8e" % cls[ell, 2]] for ell in range(2, 3001))
    return 0


if __name__ == "__main__":
    sys.exit(main())
