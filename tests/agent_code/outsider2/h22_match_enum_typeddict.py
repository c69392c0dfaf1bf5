"""Model zoo selected by structural pattern matching; Enum members carry the values."""
from enum import Enum, Flag, auto
from typing import NamedTuple, NotRequired, TypedDict

import camb
import numpy as np


class Survey(Enum):
    PLANCK = (67.36, 0.02237, 0.1200)
    WMAP = (69.7, 0.02264, 0.1138)
    SH0ES = (73.04, *PLANCK[1:])

    def __init__(self, H0, ombh2, omch2):
        self.H0, self.ombh2, self.omch2 = H0, ombh2, omch2


class Ext(Flag):
    NONE = 0
    CURV = auto()
    DE = auto()
    NU = auto()


class Spec(TypedDict):
    survey: str
    ext: Ext
    amp: tuple | dict | float
    tau: NotRequired[float]


class Tilt(NamedTuple):
    ns: float = 0.965
    nrun: float = 0.0


def amplitude(a):
    match a:
        case {"logA": x, **rest} if not rest:
            return np.exp(x) / 1e10
        case {"As": x} | {"A_s": x}:
            return x
        case (mantissa, int(exponent)):
            return mantissa * 10.0**exponent
        case float(x) if x > 1e-6:
            return x * 1e-9
        case float():
            return a
        case _:
            raise ValueError(a)


def build(spec: Spec, tilt=Tilt()):
    s = Survey[spec["survey"].upper()]
    pars = camb.CAMBparams()
    kw = dict(H0=s.H0, ombh2=s.ombh2, omch2=s.omch2)
    if "tau" in spec:
        kw["tau"] = spec["tau"]
    if Ext.CURV in spec["ext"]:
        kw["omk"] = 0.01
    if spec["ext"] & Ext.NU:
        kw["mnu"] = 0.2
    if spec["ext"] & Ext.DE:
        pars.set_dark_energy(w=-0.97)
    pars.set_cosmology(**kw)
    pars.InitPower.set_params(As=amplitude(spec["amp"]), **tilt._asdict())
    return pars


ZOO: list[Spec] = [
    {"survey": "planck", "ext": Ext.NONE, "amp": {"logA": 3.045}, "tau": 0.054},
    {"survey": "wmap", "ext": Ext.CURV | Ext.NU, "amp": (2.4, -9)},
    {"survey": "sh0es", "ext": ~Ext.CURV, "amp": {"A_s": 2.05e-9}, "tau": 0.06},
    {"survey": "wmap", "ext": Ext(2), "amp": 2.2},
    {"survey": "Planck", "ext": Ext.NONE, "amp": 2},
]

ages = []
for i, spec in enumerate(ZOO):
    try:
        p = build(spec, Tilt()._replace(ns=0.96 + 0.002 * i))
    except ValueError as e:
        print("skipped:", e)
        continue
    ages.append(camb.get_background(p).get_derived_params()["age"])
np.savetxt("result.csv", ages)
