import functools

import camb


class Runner:
    background = staticmethod(camb.get_background)
    spectra = staticmethod(lambda p: camb.get_results(p))
    again = classmethod(lambda cls, p: cls.background(p))
    h = property(lambda self: 0.67)
    H0 = functools.cached_property(lambda self: self.h * 100)


@functools.lru_cache
def age(H0):
    pars = camb.set_params(H0=H0, ombh2=0.022, omch2=0.12, lmax=300, lens_potential_accuracy=0)
    return camb.get_background(pars).get_derived_params()["age"]


runner = Runner()
pars = camb.set_params(H0=runner.H0, ombh2=0.022, omch2=0.12, lmax=300, lens_potential_accuracy=0)
try:
    pars.omegam = 0.3
    pars.omch2 = 0.1
except AttributeError:
    pars.omch2 = 0.118
ages = list(map(age, [70.0, 71.0, 70.0]))
Runner.background(pars)
runner.again(pars)
runner.spectra(pars)
# expect: models=5; H0=67.0 set; omch2=0.118 set
# expect[0]: H0=70.0 set
