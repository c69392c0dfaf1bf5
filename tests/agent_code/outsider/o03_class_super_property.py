import camb
import numpy as np


class BaseRunner:
    H0 = 67.4
    ombh2 = 0.0224
    omch2 = 0.1201
    tau = 0.0544
    ns = 0.9649
    lmax = 500

    def __init__(self, As=2.1e-9, **overrides):
        self.As = As
        for name, value in overrides.items():
            setattr(self, name, value)

    @property
    def h(self):
        return self.H0 / 100.0

    def cosmology(self):
        return dict(H0=self.H0, ombh2=self.ombh2, omch2=self.omch2, tau=self.tau)

    def params(self):
        p = camb.CAMBparams()
        p.set_cosmology(**self.cosmology())
        p.InitPower.set_params(As=self.As, ns=self.ns)
        p.set_for_lmax(self.lmax, lens_potential_accuracy=1)
        return p

    def run(self):
        self.results = camb.get_results(self.params())
        return self.results.get_lensed_scalar_cls(CMB_unit="muK")


class CurvedRunner(BaseRunner):
    omk = 0.05
    tau = 0.06

    def cosmology(self):
        c = super().cosmology()
        c["omk"] = self.omk
        c["mnu"] = 0.09
        return c

    @property
    def As(self):
        return np.exp(self.logA) * 1e-10

    @As.setter
    def As(self, value):
        self.logA = np.log(1e10 * value)


class Final(CurvedRunner):
    def __init__(self):
        super().__init__(As=2.15e-9, H0=64.0)
        self.omk = 0.04

    def params(self):
        p = super().params()
        p.WantTensors = False
        p.NonLinear = camb.model.NonLinear_none
        return p


cl = Final().run()
np.savetxt("tt.csv", np.column_stack([np.arange(2, 501), cl[2:501, 0]]), delimiter=",", header="l,Dl", comments="")
