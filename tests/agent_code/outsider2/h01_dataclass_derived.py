#!/usr/bin/env python3
"""Compute the lensed TT spectrum for a flat model given (h, Omega_m, Omega_b, logA) and a variant."""
from __future__ import annotations

import csv
import math
from dataclasses import dataclass, field, replace

import camb

NEUTRINO_FAC = 94.07


@dataclass(frozen=True)
class Neutrinos:
    sum_mnu: float = 0.06
    n_massive: int = 1

    @property
    def omega_h2(self) -> float:
        return self.sum_mnu / NEUTRINO_FAC


@dataclass(frozen=True)
class Cosmology:
    h: float = 0.6736
    Omega_m: float = 0.315
    Omega_b: float = 0.0493
    ln10As: float = 3.044
    n_s: float = 0.9649
    tau: float = 0.0544
    nu: Neutrinos = field(default_factory=Neutrinos)
    As: float = field(init=False)
    ombh2: float = field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "As", math.exp(self.ln10As) * 1e-10)
        object.__setattr__(self, "ombh2", self.Omega_b * self.h**2)

    @property
    def omch2(self) -> float:
        return self.Omega_m * self.h**2 - self.ombh2 - self.nu.omega_h2

    def to_camb(self, lmax: int = 1200) -> camb.CAMBparams:
        p = camb.CAMBparams()
        p.set_cosmology(
            H0=100 * self.h,
            ombh2=self.ombh2,
            omch2=self.omch2,
            mnu=self.nu.sum_mnu,
            num_massive_neutrinos=self.nu.n_massive,
            tau=self.tau,
        )
        p.InitPower.set_params(As=self.As, ns=self.n_s)
        p.set_for_lmax(lmax, lens_potential_accuracy=1)
        return p


def spectrum(cosmo: Cosmology):
    res = camb.get_results(cosmo.to_camb())
    return res.get_cmb_power_spectra(CMB_unit="muK", lmax=1200)["total"][:, 0]


def main():
    base = Cosmology()
    # replace() re-runs __post_init__, so As and ombh2 follow the new inputs
    variant = replace(base, h=0.70, ln10As=3.10, nu=replace(base.nu, sum_mnu=0.12, n_massive=3))
    tt0, tt1 = spectrum(base), spectrum(variant)
    with open("result.csv", "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(["ell", "base", "variant"])
        for ell in range(2, 1201):
            w.writerow([ell, tt0[ell], tt1[ell]])


if __name__ == "__main__":
    main()
