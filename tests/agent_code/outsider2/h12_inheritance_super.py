"""Class hierarchy for cosmological models; each subclass extends cosmology_kwargs() by super()."""
import abc

import camb
import numpy as np


class Model(abc.ABC):
    H0 = 67.4
    ombh2 = 0.0224
    omch2 = 0.120
    tau = 0.054
    _As = 2.1e-9
    registry = []

    def __init_subclass__(cls, register=True, **kw):
        super().__init_subclass__(**kw)
        if register:
            Model.registry.append(cls)

    def cosmology_kwargs(self):
        return {k: getattr(self, k) for k in ("H0", "ombh2", "omch2", "tau")}

    def primordial_kwargs(self):
        return {"As": self.As, "ns": 0.965}

    @property
    def As(self):
        return self._As

    @As.setter
    def As(self, value):
        # accept either A_s or ln(10^10 A_s)
        self._As = value if value < 1e-3 else np.exp(value) * 1e-10

    def prepare(self, pars):
        pars.set_cosmology(**self.cosmology_kwargs())
        pars.InitPower.set_params(**self.primordial_kwargs())
        pars.set_for_lmax(500, lens_potential_accuracy=0)

    def __call__(self):
        pars = camb.CAMBparams()
        self.prepare(pars)
        return camb.get_results(pars).get_total_cls(500, CMB_unit="muK")[:, 0]


class LCDM(Model):
    pass


class Massive(LCDM):
    def __init__(self, mnu):
        self.mnu = mnu

    def cosmology_kwargs(self):
        kw = super().cosmology_kwargs()
        kw["mnu"] = self.mnu
        kw["omch2"] -= self.mnu / 93.14
        return kw


class Curved(LCDM, register=False):
    H0 = 60.0

    def cosmology_kwargs(self):
        return dict(super().cosmology_kwargs(), omk=-0.02)


class WMixin:
    w = -0.9

    def prepare(self, pars):
        pars.set_dark_energy(w=self.w)
        super().prepare(pars)


class WMassive(WMixin, Massive):
    w = -0.85

    def __init__(self):
        super().__init__(mnu=0.3)
        self.As = 3.05


class CurvedW(WMixin, Curved):
    tau = property(lambda self: 0.05 + 0.01)


def main():
    ctor_args = {"Massive": (0.12,)}
    cols = {}
    for cls in Model.registry:
        cols[cls.__name__] = cls(*ctor_args.get(cls.__name__, ()))()
    np.savez("result.npz", **cols)


if __name__ == "__main__":
    main()
