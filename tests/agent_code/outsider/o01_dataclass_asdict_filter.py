#!/usr/bin/env python3
"""Lensed TT spectrum for a low-baryon universe.

Planck 2018 would be H0 = 67.36, ombh2 = 0.02237; we do NOT use those here.
"""
from dataclasses import dataclass, asdict, field, fields, replace
import camb
import numpy as np


@dataclass(frozen=True)
class Background:
    H0: float = 67.5
    ombh2: float = 0.02237
    omch2: float = 0.12
    omk: float = 0.0
    tau: float = 0.054


@dataclass(frozen=True)
class Power:
    As: float = 2.1e-9
    ns: float = 0.965


@dataclass
class Model:
    bg: Background = field(default_factory=Background)
    power: Power = field(default_factory=lambda: Power(ns=0.9649))
    mnu: float = 0.06
    lmax: int = 400


def build(model: Model) -> camb.CAMBparams:
    pars = camb.CAMBparams()
    pars.set_cosmology(mnu=model.mnu, **asdict(model.bg))
    pars.InitPower.set_params(**{f.name: getattr(model.power, f.name) for f in fields(model.power)})
    pars.set_for_lmax(model.lmax, lens_potential_accuracy=0)
    pars.WantTensors = False
    pars.NonLinear = camb.model.NonLinear_none
    return pars


def main():
    fiducial = Model()
    low_b = replace(fiducial, bg=replace(fiducial.bg, ombh2=0.0185, H0=66.2))
    pars = build(low_b)
    results = camb.get_results(pars)
    cls = results.get_lensed_scalar_cls(lmax=400, CMB_unit="muK")
    ell = np.arange(2, 401)
    np.savetxt("result.csv", np.column_stack([ell, cls[2:401, 0]]), delimiter=",", header="l,D_l", comments="")


if __name__ == "__main__":
    main()
