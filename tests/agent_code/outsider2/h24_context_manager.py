"""Temporarily modified parameters with context managers (one restores, one does not on errors)."""
import contextlib

import camb
import numpy as np


@contextlib.contextmanager
def temporarily(obj, **changes):
    old = {k: getattr(obj, k) for k in changes}
    try:
        for k, v in changes.items():
            setattr(obj, k, v)
        yield obj
    finally:
        for k, v in old.items():
            setattr(obj, k, v)


class LeakyTau:
    """Restores the optical depth only if the block ended without an exception."""

    def __init__(self, pars, tau):
        self.pars, self.tau = pars, tau

    def __enter__(self):
        self.saved = self.pars.Reion.optical_depth
        self.pars.Reion.set_tau(self.tau)
        return self.pars

    def __exit__(self, exc_type, exc, tb):
        if exc_type is None:
            self.pars.Reion.set_tau(self.saved)
        return exc_type is not None and issubclass(exc_type, ZeroDivisionError)


def run(pars, out=[]):
    out.append(camb.get_background(pars).get_derived_params())
    return out


pars = camb.CAMBparams()
pars.set_cosmology(H0=68.1, ombh2=0.02244, omch2=0.1193, tau=0.0561, omk=0.001)
pars.InitPower.set_params(As=2.1e-9, ns=0.9665)

with temporarily(pars, H0=72.0, ombh2=0.0226) as p:
    run(p)

run(pars)

with contextlib.suppress(ValueError), temporarily(pars, omch2=0.11):
    with temporarily(pars.InitPower, ns=1.0, As=2.3e-9):
        run(pars)
        raise ValueError("leave both blocks")
    run(pars)       # never reached

run(pars)

with LeakyTau(pars, 0.09):
    run(pars)
    1 / 0

run(pars)

with LeakyTau(pars, 0.04):
    pass

with contextlib.ExitStack() as stack:
    for k, v in (("Alens", 1.1), ("omk", -0.02)):
        stack.enter_context(temporarily(pars, **{k: v}))
    stack.callback(run, pars)      # runs first on exit: values still changed

log = run(pars)
with open("result.csv", "w") as f:
    f.write("\n".join(f"{d['age']:.6f},{d['thetastar']:.7f}" for d in log))
