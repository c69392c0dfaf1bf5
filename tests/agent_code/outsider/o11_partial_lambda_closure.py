from functools import partial, reduce
import camb
import numpy as np


def make_builder(h, *, obh2, och2):
    H0 = round(100 * h, 3)
    calls = 0

    def builder(tau, mnu=0.06, **primordial):
        nonlocal calls, H0
        calls += 1
        if calls > 1:
            H0 += 0.5
        p = camb.CAMBparams()
        p.set_cosmology(H0=H0, ombh2=obh2, omch2=och2, tau=tau, mnu=mnu)
        p.InitPower.set_params(**primordial)
        return p

    return builder


planck = partial(make_builder, 0.673, obh2=0.0222)
build = planck(och2=0.1197)
with_power = partial(build, As=2.196e-9, ns=0.9655)
lensed = lambda p, lm=300: (p.set_for_lmax(lm, lens_potential_accuracy=0), p)[1]

first = lensed(with_power(0.078))
second = lensed(with_power(0.055, mnu=0.1, ns=0.97))
compose = lambda *fs: reduce(lambda f, g: lambda x: g(f(x)), fs)
run = compose(camb.get_results, lambda r: r.get_lensed_scalar_cls(CMB_unit="muK"))
np.savetxt("a.csv", run(first))
np.savetxt("b.csv", run(second))
