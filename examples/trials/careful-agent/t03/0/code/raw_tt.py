"""Raw C_l^TT, H0 = 70."""
from __future__ import annotations

import camb
from camb.model import NonLinear_none


class SpectrumCalculator:
    """Small wrapper around CAMB for the raw temperature spectrum."""

    def __init__(self, H0: float, lmax: int = 3500):
        self.H0 = H0
        self.ombh2 = 0.022
        self.omch2 = 0.122
        self.mnu = 0.06
        self.omk = 0
        self.tau = 0.06
        self.As = 2e-9
        self.ns = 0.965
        self.lmax = lmax

    def parameters(self) -> camb.CAMBparams:
        pars = camb.CAMBparams()
        pars.set_cosmology(H0=self.H0, ombh2=self.ombh2, omch2=self.omch2, mnu=self.mnu,
                           omk=self.omk, tau=self.tau)
        pars.InitPower.set_params(As=self.As, ns=self.ns)
        pars.WantTensors = False
        pars.NonLinear = NonLinear_none
        pars.set_for_lmax(self.lmax, lens_potential_accuracy=0)
        return pars

    def raw_tt(self):
        results = camb.get_results(self.parameters())
        return results.get_lensed_scalar_cls(CMB_unit="muK", raw_cl=True)[:, 0]

    def save(self, path: str, lmin: int = 2, lmax: int = 3000) -> None:
        values = self.raw_tt()
        with open(path, "w") as f:
            f.write("l,TT\n")
            for ell in range(lmin, lmax + 1):
                f.write(f"{ell},{values[ell]:.9e}\n")


if __name__ == "__main__":
    calc = SpectrumCalculator(H0=70)
    calc.save("result.csv")
    print("written")
