"""Sensitivity of D_l to n_s, A_s and r: the parameters are set one at a time."""
import numpy as np
import camb
from camb.initialpower import InitialPowerLaw


class PrimordialScan:
    def __init__(self, pars):
        self.pars = pars
        self.curves = {}

    def set_tilt(self, ns):
        self.pars.InitPower.set_params(ns=ns)
        return self

    def set_amplitude(self, As):
        self.pars.InitPower.set_params(As=As)
        return self

    def poke(self, **fields):
        for name, val in fields.items():
            setattr(self.pars.InitPower, name, val)
        return self

    def run(self, label):
        res = camb.get_results(self.pars)
        self.curves[label] = res.get_total_cls(lmax=600, CMB_unit="muK")[:, 0]
        return self


pars = camb.set_params(H0=69, ombh2=0.0223, omch2=0.119, tau=0.07, lmax=600, lens_potential_accuracy=0)
scan = PrimordialScan(pars)

(scan.set_tilt(0.975).set_amplitude(2.25e-9).run("a")            # ns back to the default here
     .poke(ns=0.975).run("b")
     .set_tilt(0.94).run("c"))

ip = InitialPowerLaw(ns=0.99, r=0.01)
ip.As = 1.95e-9
pars.set_initial_power(ip)
ip.ns = 0.5            # too late: set_initial_power made a deep copy
pars.WantTensors = True
scan.run("d")

held = pars.InitPower          # view on the object inside pars
held.ns = 0.955
scan.run("e")

# finally a feature in P(k): there is no A_s or n_s in this primordial model
pars.set_initial_power_function(
    lambda k, A, n: A * (k / 0.05) ** (n - 1) * (1 + 0.05 * np.exp(-np.log(k / 0.1) ** 2)), args=(2.1e-9, 0.965)
)
pars.WantTensors = False
scan.run("f")

np.savez("result.npz", **scan.curves)
