"""w != -1 with the PPF model: the class is switched after the values were given."""
import logging

import camb
import numpy as np

log = logging.getLogger("demo")

STEPS = [
    ("set_dark_energy", dict(w=-0.9, wa=0.05)),
    ("set_classes", dict(dark_energy_model="ppf")),
]


def fresh(tau=0.055):
    p = camb.CAMBparams()
    p.set_cosmology(H0=68.0, ombh2=0.0224, omch2=0.12, mnu=0.06, tau=tau)
    p.InitPower.set_params(As=2.09e-9, ns=0.966)
    p.set_for_lmax(600, lens_potential_accuracy=0)
    return p


def apply_steps(p, steps):
    for name, kw in steps:
        log.info("%s(%s)", name, kw)
        getattr(p, name)(**kw)
    return p


def distances(p):
    z = np.linspace(0.1, 2, 20)
    return camb.get_background(p).comoving_radial_distance(z)


# (A) class changed last: w, wa are forgotten
pa = apply_steps(fresh(), STEPS)
da = distances(pa)

# (B) class changed first: values stay
pb = apply_steps(fresh(), reversed([STEPS[1], ("set_dark_energy", dict(w=-0.9, wa=0.05))]))
db = distances(pb)

# (C) direct attribute on the new class
pc = apply_steps(fresh(), STEPS)
pc.DarkEnergy.w = -1.1
dc = distances(pc)

# (D) switching the initial-power and reionization class forgets As, ns and tau as well
pd_ = fresh(tau=0.061)
pd_.set_classes(initial_power_model="InitialPowerLaw", reionization_model="TanhReionization")
dd = distances(pd_)

# (E) as D but tau given again, and ns only
pd_.Reion.set_tau(0.049)
pd_.InitPower.ns = 0.97
res = camb.get_results(pd_)

# (F) tabulated w(a): replaces the dark-energy object once more
a = np.linspace(0.05, 1, 50)
pc.set_dark_energy_w_a(a, -0.9 - 0.1 * (1 - a), dark_energy_model="ppf")
pc.H0 = 70
df = distances(pc)

np.savetxt("tt.csv", res.get_total_cls(600, CMB_unit="muK"))
np.savetxt("result.csv", np.c_[da, db, dc, dd, df], delimiter=",")
