"""What certainly raises, by its value: the handler runs, and the rest of the try does not."""

import math

import camb

pars = camb.CAMBparams()
pars.set_cosmology(H0=60.0, ombh2=0.02, omch2=0.11)
for text in ("about 67", "67.5"):
    try:
        pars.set_cosmology(H0=float(text), ombh2=0.022, omch2=0.12)
        break
    except ValueError:
        pars.set_cosmology(H0=61.0, ombh2=0.02)
cases = [
    lambda: {"tau": 0.05}["Tau"],
    lambda: [1, 2][2],
    lambda: 1 / 0,
    lambda: math.sqrt(-1),
    lambda: "0.96" + 1,
    lambda: [1, 2].remove(3),
    lambda: (67.5).value,
]
n = 0
for case in cases:
    try:
        case()
        n = 100
    except (KeyError, IndexError, ZeroDivisionError, ValueError, TypeError, AttributeError):
        n += 1
        continue
    pars.InitPower.set_params(ns=0.9)
pars.InitPower.set_params(ns=0.965, As=n / 7 * 2.1e-9)
camb.get_results(pars)
# expect: models=1; H0=67.5 set; ombh2=0.022 set; ns=0.965 set; As=2.1e-9 set
