"""Neutrino hierarchies at fixed total matter: normal, inverted, massless, sterile, omnuh2 given directly."""
import camb
import numpy as np
from camb import constants

OMH2, OBH2 = 0.1430, 0.02237
DM21, DM31 = 7.42e-5, 2.517e-3


def masses(lightest, hierarchy):
    m = np.array([lightest] * 3, dtype=float)
    if hierarchy == "normal":
        m[1] = np.hypot(lightest, DM21**0.5)
        m[2] = np.sqrt(lightest**2 + DM31)
    elif hierarchy == "inverted":
        m[0] = np.sqrt(lightest**2 + DM31)
        m[1] = (m[0] ** 2 + DM21) ** 0.5
    return m


def params(hierarchy, lightest=0.0, **kw):
    total = masses(lightest, hierarchy).sum()
    pars = camb.CAMBparams()
    kw.setdefault("num_massive_neutrinos", 3)
    pars.set_cosmology(
        H0=67.36,
        ombh2=OBH2,
        omch2=OMH2 - OBH2 - total / constants.neutrino_mass_fac,
        mnu=total,
        neutrino_hierarchy=hierarchy,
        tau=kw.pop("tau", 0.0544),
        **kw,
    )
    pars.InitPower.set_params(ns=0.9649)
    return pars


def theta(pars):
    return camb.get_background(pars).get_derived_params()["thetastar"]


out = {
    "normal": theta(params("normal")),
    "inverted": theta(params("inverted", 0.01)),
    "degenerate": theta(params("degenerate", 0.05, tau=None)),
}

massless = params("degenerate", num_massive_neutrinos=0, nnu=3.046)
out["massless"] = theta(massless)

direct = massless.copy()
try:
    direct.set_cosmology(H0=68, omnuh2_active=0.00064)            # mnu not None: raises
except camb.CAMBError:
    direct.set_cosmology(H0=68, omnuh2_active=0.00064, mnu=None, omch2=0.1195)
out["direct"] = theta(direct)

sterile = camb.CAMBparams()
sterile.set_cosmology(H0=66.0, ombh2=OBH2, omch2=0.119, mnu=0.06, meffsterile=0.2, nnu=3.3)
out["sterile"] = theta(sterile)

with open("result.csv", "w") as f:
    for k, v in out.items():
        f.write(f"{k},{v:.8f}\n")
