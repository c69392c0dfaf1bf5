import csv

import camb
import numpy as np


def read_noise(path="noise.csv"):
    with open(path) as f:
        return {int(float(row["l"])): float(row["N_l"]) for row in csv.DictReader(f)}


def make_pars(lmax, cosmology, initial):
    pars = camb.CAMBparams()
    pars.set_cosmology(**cosmology)
    pars.InitPower.set_params(**initial)
    pars.WantTensors = False
    pars.NonLinear = camb.model.NonLinear_none
    pars.set_for_lmax(lmax, lens_potential_accuracy=0)
    return pars


def main(lmax=2000):
    pars = make_pars(lmax, dict(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06), dict(As=2e-9, ns=0.965))
    results = camb.get_results(pars)
    noise = read_noise()
    potential = results.get_lens_potential_cls(lmax=pars.max_l)[:, 0]

    residual = [0.0] * (pars.max_l + 1)
    for l in range(2, lmax + 1):
        c = potential[l]
        residual[l] = c * (1.0 - c / (c + noise[l]))

    b_delensed = results.get_lensed_cls_with_spectrum(np.array(residual), CMB_unit="muK")[:, 2]
    b_lensed = results.get_cmb_power_spectra(pars, CMB_unit="muK")["lensed_scalar"][:, 2]

    with open("result.csv", "w") as f:
        f.write("l,delensing_efficiency\n")
        for l in range(2, 101):
            f.write(f"{l},{100 * (b_lensed[l] - b_delensed[l]) / b_lensed[l]:.10g}\n")


if __name__ == "__main__":
    main()
