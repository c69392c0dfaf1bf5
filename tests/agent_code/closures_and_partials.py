import camb
from functools import partial
make = lambda h, **kw: camb.set_params(H0=100 * h, **kw)
flat = partial(make, omk=0.0)
counter = 0


def bump():
    global counter
    counter += 1
    return counter


bump(), bump()
pars = flat(0.675, mnu=0.03 * counter)
if (tau := 0.06) > 0.05:
    pars.Reion.set_tau(tau)
first, *rest = [0.965, 1, 2]
pars.InitPower.set_params(2.1e-9, first)
camb.get_results(pars)
# expect: H0=67.5 set; omk=0.0 set; mnu=0.06 set; tau=0.06 set; As=2.1e-9 set; ns=0.965 set
