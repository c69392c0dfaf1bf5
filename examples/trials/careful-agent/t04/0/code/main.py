import camb
import numpy as np

h = 0.74
params = {"H0": 100 * h, "ombh2": 0.022, "omch2": 0.122, "mnu": 0.06, "omk": 0, "tau": 0.06}
init = {"As": 2 * 10 ** -9, "ns": 0.965}

p = camb.CAMBparams()
p.set_cosmology(**params)
p.InitPower.set_params(**init)
p.WantTensors = False
p.NonLinear = camb.model.NonLinear_none
p.set_for_lmax(3500, lens_potential_accuracy=0)

r = camb.get_results(p)
c = r.get_total_cls(3000, CMB_unit="muK", raw_cl=True)

with open("result.csv", "w") as out:
    print("l,TT", file=out)
    for l in range(2, 3001):
        print(l, repr(float(c[l, 0])), sep=",", file=out)
