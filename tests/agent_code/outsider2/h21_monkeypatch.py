"""Patch CAMB so that every model in this project uses the house conventions (h, logA, tau default)."""
import functools
import math

import camb
from camb import CAMBparams

_original = CAMBparams.set_cosmology


def set_cosmology(self, *, h=None, H0=None, tau=0.0561, **kw):
    if h is not None:
        H0 = 100.0 * h
    kw.setdefault("mnu", 0.06)
    kw.setdefault("Alens", 1.0)
    return _original(self, H0=H0, tau=tau, **kw)


def with_log_amplitude(func):
    @functools.wraps(func)
    def inner(self, *args, logA=None, **kw):
        if logA is not None:
            kw["As"] = math.exp(logA) * 1e-10
        return func(self, *args, **kw)
    return inner


def lensed(p):
    return camb.get_results(p).get_total_cls(500, CMB_unit="muK")[:, 0]


def make(**kw):
    p = CAMBparams()
    p.set_cosmology(**kw)
    p.set_for_lmax(500, lens_potential_accuracy=0)
    return p


# model 1 : before the patch
p = make(H0=67.4, ombh2=0.0224, omch2=0.12)
p.InitPower.set_params(As=2.1e-9, ns=0.965)
first = lensed(p)

# model 2 : after the patch
CAMBparams.set_cosmology = set_cosmology
camb.initialpower.InitialPowerLaw.set_params = with_log_amplitude(
    camb.initialpower.InitialPowerLaw.set_params
)
p = make(h=0.69, ombh2=0.0223, omch2=0.119)
p.InitPower.set_params(logA=3.05)
second = lensed(p)


# model 3 : helper redefined, the global name is looked up at call time
def lensed(p):                                        # noqa: F811
    q = p.copy()
    q.omch2 += 0.001
    q.InitPower.ns = 0.97
    return camb.get_results(q).get_unlensed_scalar_cls(500, CMB_unit="muK")[:, 0]


third = lensed(p)

# model 4 : patch removed again
CAMBparams.set_cosmology = _original
try:
    p = make(h=0.72, ombh2=0.0223, omch2=0.119)
except TypeError:
    p = make(H0=72, ombh2=0.0223, omch2=0.1201)
fourth = lensed(p)

with open("result.csv", "w") as f:
    for row in zip(first, second, third, fourth):
        f.write(",".join(map(repr, map(float, row))) + "\n")
