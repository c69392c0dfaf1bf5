from enum import Enum, IntEnum
import camb
import numpy as np


class Hierarchy(str, Enum):
    NORMAL = "normal"
    INVERTED = "inverted"
    DEGENERATE = "degenerate"


class NL(IntEnum):
    NONE = 0
    PK = 1
    LENS = 2


class H0Prior(Enum):
    PLANCK = 67.36
    SHOES = 73.04

    @property
    def hubble(self):
        return self.value


MODE = "late"


def pick(mode: str):
    match mode:
        case "early" | "cmb":
            return H0Prior.PLANCK, 0.0
        case "late":
            return H0Prior.SHOES, 0.003
        case _:
            raise ValueError(mode)


prior, curvature = pick(MODE)
match {"kind": "neutrino", "mass": 0.11, "order": Hierarchy.INVERTED}:
    case {"kind": "neutrino", "mass": m, "order": Hierarchy.NORMAL}:
        mnu, order = m * 2, "normal"
    case {"kind": "neutrino", "mass": m, "order": o}:
        mnu, order = m, o.value

pars = camb.CAMBparams()
pars.set_cosmology(H0=prior.hubble, ombh2=0.02236, omch2=0.1202, mnu=mnu, omk=curvature,
                   neutrino_hierarchy=order, num_massive_neutrinos=3)
pars.InitPower.set_params(As=2.1e-9, ns=0.965)
pars.set_matter_power(redshifts=[0.0], kmax=0.5)
pars.NonLinear = int(NL.NONE)
res = camb.get_results(pars)
kh, z, pk = res.get_matter_power_spectrum(minkh=1e-3, maxkh=0.3, npoints=40)
np.savetxt("pk.csv", np.c_[kh, pk[0]], delimiter=",", header="k,P", comments="")
