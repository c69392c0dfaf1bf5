import camb
import numpy as np

H0 = 67.0
params = {"ombh2": 0.022, "omch2": 0.12}
ns = 0.96
model = camb.model


class Settings:
    H0 = 69.0
    ns = 0.97
    local_ns = ns + 0.001

    def get(self):
        return H0, ns                      # the module's, not the class's


def outer():
    ns = 0.98

    def inner(ns=ns):
        def deepest():
            return ns + 0.005
        return deepest()

    ns = 0.5
    return inner()


def touch(params):
    params = dict(params)
    params["ombh2"] = 0.5
    return params


def touch_in_place(p):
    p["omch2"] -= 0.003


squares = [ns for ns in (1, 2, 3)]          # comprehension scope
touch(params)
touch_in_place(params)
for H0 in (65.5, 66.5):                     # leaks
    pass
a, b = Settings().get()
list = lambda *x: tuple(x)
mnu, omk = list(0.07, -0.002)
pars = camb.CAMBparams()
pars.set_cosmology(H0=a, mnu=mnu, omk=omk, **params)
pars.InitPower.set_params(ns=outer(), As=2e-9 * (1 + b - Settings.local_ns) + 1e-10)
pars.set_for_lmax(200, lens_potential_accuracy=0)
pars.NonLinear = model.NonLinear_both
res = camb.get_results(pars)
np.savetxt("s.csv", res.get_lensed_scalar_cls(200))
