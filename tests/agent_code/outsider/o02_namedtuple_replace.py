"""Angular diameter distance."""
from typing import NamedTuple

import camb
import numpy as np


class Cosmo(NamedTuple):
    h: float
    Omega_m: float
    Omega_b: float = 0.049
    Omega_k: float = 0.0
    mnu: float = 0.06
    w0: float = -1.0


base = Cosmo(0.7, 0.3)
target = base._replace(h=0.715, w0=-0.92, Omega_k=0.012)

h2 = target.h ** 2
omnuh2 = target.mnu / 93.14
ombh2 = target.Omega_b * h2
omch2 = (target.Omega_m - target.Omega_b) * h2 - omnuh2

pars = camb.CAMBparams()
pars.set_cosmology(H0=100 * target.h, ombh2=ombh2, omch2=omch2, omk=target.Omega_k, mnu=target.mnu)
pars.set_dark_energy(w=target.w0, dark_energy_model="ppf")

results = camb.get_background(pars)
z = np.linspace(0.1, 3.0, 30)
DA = results.angular_diameter_distance(z)
np.savetxt("da.csv", np.c_[z, DA], delimiter=",", header="z,D_A", comments="")
_, _, *rest = target
print(rest, h2)
