# Angular diameter distance from CAMB's comoving radial distance (flat universe).
from pathlib import Path

import camb
import numpy as np

SETTINGS = dict(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0.0, tau=0.06, As=2e-9, ns=0.965)
N_Z, Z_MAX = 100, 4.0


def angular_distance(z, settings):
    results = camb.get_background(camb.set_params(**settings))
    comoving = results.comoving_radial_distance(z)
    return comoving / (1 + z)  # omk = 0: the transverse comoving distance is the radial one


redshifts = np.linspace(0.0, Z_MAX, N_Z)
values = angular_distance(redshifts, SETTINGS)
text = "z,d_A\n" + "".join(f"{z!r},{d!r}\n" for z, d in zip(redshifts.tolist(), values.tolist()))
Path("result.csv").write_text(text)
