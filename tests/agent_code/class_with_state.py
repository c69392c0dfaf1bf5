import camb
from dataclasses import dataclass, field


@dataclass
class Cosmology:
    H0: float = 67.5
    ombh2: float = 0.022
    omch2: float = 0.12
    extra: dict = field(default_factory=dict)

    @property
    def h(self):
        return self.H0 / 100


class Runner:
    ns = 0.965

    def __init__(self, cosmo, As=2e-9):
        self.cosmo = cosmo
        self.As = As
        self.pars = camb.CAMBparams()

    def setup(self):
        c = self.cosmo
        self.pars.set_cosmology(H0=100 * c.h, ombh2=c.ombh2, omch2=c.omch2, **c.extra)
        self.pars.InitPower.set_params(As=self.As, ns=self.ns)
        return self

    def run(self):
        return camb.get_results(self.pars)


Runner(Cosmology(omch2=0.122, extra={"tau": 0.06}), As=2.1e-9).setup().run()
# expect: H0=67.5 set; omch2=0.122 set; tau=0.06 set; As=2.1e-9 set; ns=0.965 set; mnu=0.06 default
