"""Generic 'path = value' engine: getattr/setattr/methodcaller along dotted names."""
import operator
import types
from functools import reduce

import camb
import numpy as np

RECIPE = [
    ("call", "set_cosmology", {"H0": 68.3, "ombh2": 0.02241, "omch2": 0.1192, "tau": 0.057}),
    ("set", "InitPower.As", 2.12e-9),
    ("scale", "omch2", 1.01),
    ("set", "InitPower.ns", 0.9661),
    ("call", "InitPower.set_params", {"As": 2.08e-9, "ns": "@InitPower.ns"}),
    ("call", "set_for_lmax", {"lmax": 500, "lens_potential_accuracy": 0}),
    ("copy", "omk", "Reion.optical_depth", 0.1),
    ("set", "DarkEnergy.w", -0.99),
]

# a small "module" of helpers
tools = types.SimpleNamespace()


def _register(f):
    setattr(tools, f.__name__.strip("_"), f)
    return f


@_register
def _resolve(root, path):
    return reduce(getattr, path.split("."), root) if path else root


@_register
def _assign(root, path, value):
    head, _, tail = path.rpartition(".")
    setattr(tools.resolve(root, head), tail, value)


class Engine:
    def __init__(self, root):
        self.root = root

    def __getattr__(self, name):              # do_set -> _op_set, ...
        if name.startswith("do_"):
            return object.__getattribute__(self, "_op_" + name[3:])
        raise AttributeError(name)

    def _op_set(self, path, value):
        tools.assign(self.root, path, value)

    def _op_scale(self, path, factor):
        self.do_set(path, operator.attrgetter(path)(self.root) * factor)

    def _op_copy(self, dst, src, factor=1.0):
        self.do_set(dst, tools.resolve(self.root, src) * factor)

    def _op_call(self, path, kw):
        kw = {
            k: tools.resolve(self.root, v[1:]) if isinstance(v, str) and v[:1] == "@" else v
            for k, v in kw.items()
        }
        owner, _, meth = path.rpartition(".")
        operator.methodcaller(meth, **kw)(tools.resolve(self.root, owner))

    def play(self, recipe):
        for verb, *args in recipe:
            getattr(self, f"do_{verb}")(*args)
        return self.root


compute = getattr(camb, "_".join(["get", "results"]))
pars = Engine(getattr(camb, "CAMBparams")()).play(RECIPE)
a = compute(pars).get_total_cls(500, CMB_unit="muK")

pars = Engine(pars).play(RECIPE[2:4] + [("set", "h", 0.7), ("scale", "InitPower.As", 0.5)])
b = compute(pars).get_total_cls(500, CMB_unit="muK")

np.savetxt("result.csv", np.c_[a[:, 0], b[:, 0]], delimiter=",")
