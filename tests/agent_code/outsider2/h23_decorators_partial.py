"""Decorators that inject, rename and scale keyword arguments; functools.partial and singledispatch."""
import functools

import camb
import numpy as np


def rename(**names):
    def deco(f):
        @functools.wraps(f)
        def g(**kw):
            return f(**{names.get(k, k): v for k, v in kw.items()})
        return g
    return deco


def scaled(**factors):
    def deco(f):
        @functools.wraps(f)
        def g(**kw):
            for k, s in factors.items():
                if k in kw:
                    kw[k] = kw[k] * s
            return f(**kw)
        return g
    return deco


def defaults(**dflt):
    def deco(f):
        return functools.wraps(f)(lambda **kw: f(**{**dflt, **kw}))
    return deco


@rename(h="H0", omega_b="ombh2", omega_cdm="omch2", Omega_k="omk", m_ncdm="mnu", tau_reio="tau")
@scaled(H0=100)
@defaults(mnu=0.06, tau=0.0543)
def background(**cosmo):
    pars = camb.CAMBparams()
    pars.set_cosmology(**cosmo)
    return pars


@functools.singledispatch
def primordial(spec, pars):
    raise NotImplementedError(type(spec))


@primordial.register
def _(spec: dict, pars):
    pars.InitPower.set_params(**spec)
    return pars


@primordial.register(tuple)
def _(spec, pars):
    log_amp, tilt = spec
    return primordial({"As": np.exp(log_amp) * 1e-10, "ns": tilt}, pars)


class_like = functools.partial(background, h=0.6781, omega_b=0.02238280, omega_cdm=0.1201075)
open_universe = functools.partial(class_like, Omega_k=0.02)
heavy = functools.partial(open_universe, m_ncdm=0.18, h=0.65)


def compose(*fs):
    return functools.reduce(lambda f, g: lambda x: g(f(x)), fs)


compute = compose(
    lambda pars: pars.set_for_lmax(500, lens_potential_accuracy=0),
    camb.get_results,
    lambda res: res.get_total_cls(500, CMB_unit="muK")[:, 0],
)

curves = [
    compute(primordial({"As": 2.100549e-9, "ns": 0.9660499}, class_like())),
    compute(primordial((3.0, 0.97), open_universe(tau_reio=0.07))),
    compute(primordial({"ns": 0.95}, heavy(Omega_k=-0.01))),
]
np.savetxt("result.csv", np.transpose(curves), delimiter=",")
