"""Scan over H0 with callbacks created in a loop (classic closure pitfall) and a fixed version."""
import camb
import numpy as np

H0_GRID = [64.0, 67.0, 70.0]
TILTS = (0.95, 0.96, 0.97)


def base():
    return dict(ombh2=0.02237, omch2=0.1200, tau=0.0544)


def make_runners():
    runners = []
    for h0 in H0_GRID:
        def runner(scale=1.0):
            pars = camb.CAMBparams()
            pars.set_cosmology(H0=h0 * scale, **base())     # h0 looked up at call time
            pars.InitPower.set_params(As=2.1e-9, ns=TILTS[0])
            pars.set_for_lmax(500, lens_potential_accuracy=0)
            return camb.get_background(pars).get_derived_params()["thetastar"]
        runners.append(runner)
    h0 = 72.5
    return runners


def make_fixed():
    return [
        lambda scale=1.0, h0=h0, ns=ns: theta(h0 * scale, ns)
        for h0, ns in zip(H0_GRID, reversed(TILTS))
    ]


def theta(h0, ns):
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=h0, **{**base(), "omch2": omch2})
    pars.InitPower.set_params(ns=ns)
    return camb.get_background(pars).get_derived_params()["thetastar"]


omch2 = 0.11
late = [r() for r in make_runners()]
omch2 = 0.118
fixed = [f() for f in make_fixed()]
omch2 = 0.2
scaled = make_fixed()[1](0.99) if False else make_runners()[0](1.01)

with open("result.csv", "w") as f:
    f.write("kind,i,thetastar\n")
    for kind, vals in (("late", late), ("fixed", fixed), ("scaled", [scaled])):
        for i, v in enumerate(vals):
            f.write(f"{kind},{i},{v:.8f}\n")
