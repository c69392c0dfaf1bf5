from dataclasses import dataclass, field, InitVar, KW_ONLY
from typing import ClassVar
import camb
import numpy as np


@dataclass
class Cosmology:
    NEUTRINO_CONST: ClassVar[float] = 93.14
    h: float
    Om: float
    _: KW_ONLY
    Ob: float = 0.05
    mnu: float = 0.06
    sigma: InitVar[float] = 1.0
    extras: dict = field(default_factory=lambda: {"tau": 0.07})
    omch2: float = field(init=False)

    def __post_init__(self, sigma):
        self.mnu *= sigma
        self.omch2 = self.Om * self.h**2 - self.ombh2 - self.mnu / self.NEUTRINO_CONST

    @property
    def ombh2(self):
        return self.Ob * self.h**2

    def as_camb(self):
        names = ("ombh2", "omch2", "mnu")
        return {"H0": self.h * 100.0} | {n: getattr(self, n) for n in names} | self.extras


a = Cosmology(0.7, 0.3)
b = Cosmology(0.68, 0.31, Ob=0.048, sigma=2.0)
b.extras["tau"] -= 0.005
a.extras["omk"] = 0.02
b.h = 0.71            # omch2 was made in __post_init__; ombh2 follows
pars = camb.CAMBparams()
pars.set_cosmology(**b.as_camb())
pars.InitPower.set_params(As=2.1e-9, ns=0.966)
pars.set_for_lmax(200, lens_potential_accuracy=0)
res = camb.get_results(pars)
np.savetxt("x.csv", res.get_lensed_scalar_cls(200))
