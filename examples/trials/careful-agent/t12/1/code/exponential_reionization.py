from math import exp

import camb


class Model:
    tau = 0.1
    ns = 0.95

    def __init__(self):
        self.H0 = 67.5
        self.ombh2 = 0.022
        self.omch2 = 0.122
        self.As = 1.8e-9 * exp(2 * self.tau)
        self.pars = camb.CAMBparams()

    def setup(self):
        p = self.pars
        p.set_classes(reionization_model=camb.reionization.ExpReionization)
        p.Reion.set_extra_params(reion_exp_power=2)
        p.set_cosmology(H0=self.H0, ombh2=self.ombh2, omch2=self.omch2, tau=self.tau)
        p.InitPower.set_params(As=self.As, ns=self.ns)
        p.WantTensors = False
        p.NonLinear = camb.model.NonLinear_none
        p.set_for_lmax(2500, lens_potential_accuracy=0)
        return p

    def ee(self):
        spectra = camb.get_results(self.setup()).get_cmb_power_spectra(CMB_unit="muK")
        return spectra["total"][:, 1]


if __name__ == "__main__":
    ee = Model().ee()
    with open("result.csv", "w") as handle:
        handle.write("l,EE\n")
        for l in range(2, 101):
            handle.write(f"{l},{float(ee[l])!r}\n")
