import contextlib
import functools
import camb
import numpy as np


def with_defaults(**defaults):
    def deco(func):
        @functools.wraps(func)
        def inner(*args, **kwargs):
            merged = {**defaults, **kwargs}
            return func(*args, **merged)
        return inner
    return deco


@contextlib.contextmanager
def temporarily(d, **changes):
    old = dict(d)
    d.update(changes)
    try:
        yield d
    finally:
        d.clear()
        d.update(old)


def models():
    yield {"H0": 65.0, "ns": 0.95}
    base = {"H0": 66.0}
    for dn in (0.0, 0.01):
        yield base | {"ns": 0.96 + dn}


COSMO = {"ombh2": 0.0221, "omch2": 0.121}


@with_defaults(As=2.11e-9, tau=0.059, lmax=200)
def run(H0, ns, As, tau, lmax, cosmo):
    p = camb.CAMBparams()
    p.set_cosmology(H0=H0, tau=tau, **cosmo)
    p.InitPower.set_params(As=As, ns=ns)
    p.set_for_lmax(lmax, lens_potential_accuracy=0)
    return camb.get_results(p)


for m in models():
    with temporarily(COSMO, omch2=0.118) as c:
        res = run(m["H0"], m["ns"], cosmo=c)
final = run(cosmo=COSMO, tau=0.065, **m)
np.savetxt("f.csv", final.get_lensed_scalar_cls(200))
