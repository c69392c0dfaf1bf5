from __future__ import annotations
import camb
import numpy as np


class CambBuilder:
    """Fluent builder; __call__ runs CAMB."""

    _registry: dict[str, "CambBuilder"] = {}

    def __init__(self, name: str):
        self.name = name
        self._cosmo = {"H0": 67.0}
        self._power: dict[str, float] = {}
        self._flags = {}
        type(self)._registry[name] = self

    def with_cosmology(self, **kw) -> CambBuilder:
        self._cosmo |= kw
        return self

    def with_power(self, *, lnAs=None, **kw):
        if lnAs is not None:
            kw["As"] = np.exp(lnAs) * 1e-10
        self._power.update(kw)
        return self

    def flag(self, **kw):
        self._flags.update(kw)
        return self

    @classmethod
    def planck(cls, name="planck"):
        return cls(name).with_cosmology(H0=67.4, ombh2=0.0224, omch2=0.120).with_power(lnAs=3.044, ns=0.965)

    @staticmethod
    def lmax(pars, lmax=200):
        pars.set_for_lmax(lmax, lens_potential_accuracy=0)

    def __getitem__(self, key):
        return self._cosmo[key]

    def __call__(self):
        pars = camb.CAMBparams(**self._flags)
        pars.set_cosmology(**self._cosmo)
        pars.InitPower.set_params(**self._power)
        self.lmax(pars)
        return camb.get_results(pars)


tens = CambBuilder.planck("tens").with_power(r=0.06).flag(WantTensors=True)
CambBuilder.planck().with_cosmology(omk=0.01)
low = CambBuilder._registry["planck"].with_cosmology(ombh2=tens["ombh2"] * 0.9)
out = {b.name: b().get_total_cls(200) for b in reversed([low, tens])}
np.savez("out.npz", **out)
