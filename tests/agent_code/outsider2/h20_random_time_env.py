"""Monte-Carlo error bars on the age: draws H0 and omch2; environment and clock enter as well."""
import datetime as dt
import os
import random
import time

import camb
import numpy as np

rng = np.random.default_rng()
random.seed(time.time_ns())

OMBH2 = float(os.environ.get("OMBH2", 0.0224))
FIXED = dict(mnu=0.06, tau=0.055)
DRAWS = 2


def draw():
    return {
        "H0": rng.normal(67.4, 0.5),
        "omch2": random.uniform(0.118, 0.122),
    }


def age_of(**cosmo):
    pars = camb.CAMBparams()
    pars.set_cosmology(ombh2=OMBH2, **FIXED, **cosmo)
    pars.InitPower.set_params(As=2.1e-9, ns=0.96 + 0.0 * rng.random())
    return camb.get_background(pars).get_derived_params()["age"]


ages = [age_of(**draw()) for _ in range(DRAWS)]

# deterministic central value, curvature scaled by the day of the week
weekday = dt.date.today().weekday()
ages.append(age_of(H0=67.4, omch2=0.12, omk=1e-3 * weekday))

# choice among equals: the value is always the same
pick = random.choice([0.1195, 0.1195])
ages.append(age_of(H0=68.0 if rng.random() >= 0 else 70.0, omch2=pick))

with open("result.csv", "w") as f:
    f.write("sample,age\n")
    for i, a in enumerate(ages):
        f.write(f"{i},{a}\n")
