"""BB from tensors + partially delensed BB. The first get_results raises (WantTensors missing)."""
import time

import camb
import numpy as np


class Retry:
    def __init__(self, times, fix):
        self.times, self.fix = times, fix

    def __call__(self, fn):
        def wrapped(pars, *a, **k):
            for attempt in range(self.times):
                try:
                    return fn(pars, *a, **k)
                except camb.CAMBError as err:
                    print(f"attempt {attempt}: {err}")
                    self.fix(pars, attempt)
                    time.sleep(0.0)
            raise SystemExit("giving up")
        return wrapped


def repair(pars, attempt):
    if attempt == 0:
        pars.InitPower.As = 2.2e-9          # unrelated 'fix': does not help
    elif attempt == 1:
        pars.WantTensors = True
        pars.InitPower.r *= 0.5
    else:
        pars.InitPower.r = 0.0


@Retry(4, repair)
def solve(pars):
    return camb.get_results(pars)


pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06)
pars.InitPower.set_params(As=2e-9, ns=0.965, r=0.06)
pars.set_for_lmax(600, lens_potential_accuracy=0)
pars.max_l_tensor = 300

results = solve(pars)
r_after = pars.InitPower.r

total = results.get_total_cls(600, CMB_unit="muK")
delens = {}
for A in (0.1, 0.5, 1.0):
    # post-processing of the same result: not a new model and not CAMB's Alens parameter
    delens[A] = results.get_partially_lensed_cls(A, lmax=600, CMB_unit="muK")[:, 2]

pars.InitPower.set_params(As=2.2e-9, ns=0.965, r=r_after + 0.02)
again = solve(pars)
np.savetxt("result.csv", np.column_stack([total[:, 2], *delens.values()]), delimiter=",")
np.save("again.npy", again.get_tensor_cls(300, CMB_unit="muK"))
