"""What is shared and what is not: aliases, pars.copy(), copy.deepcopy-free clones, results.Params."""
import copy
import pickle

import camb
import numpy as np


def background(p, no_thermo=True):
    return camb.get_background(p, no_thermo=no_thermo)


def clone(p, **changes):
    q = p.copy()
    for k, v in changes.items():
        setattr(q, k, v)
    return q


ref = camb.CAMBparams(H0=66.0)
ref.set_cosmology(H0=67.0, ombh2=0.0223, omch2=0.1185, tau=0.06, mnu=0.06)
ref.InitPower.set_params(As=2e-9, ns=0.97, r=0)

alias = ref
shallow = copy.copy(ref)           # CAMBparams.__copy__ is a real copy
unused = clone(ref, H0=80.0, omk=0.05)

alias.H0 = 69.0
shallow.omk = 0.003
d = [background(ref).hubble_parameter(0.5)]
d.append(background(shallow).hubble_parameter(0.5))

res = background(clone(ref, ombh2=0.025))
back = res.Params                  # parameters owned by the result object
back.H0 = 50.0                     # does not touch ref
d.append(res.hubble_parameter(0.5))
d.append(background(alias).hubble_parameter(0.5))

thawed = pickle.loads(pickle.dumps(shallow))
thawed.InitPower.ns = 0.94
d.append(background(thawed, no_thermo=False).hubble_parameter(0.5))

models = [ref.copy()] * 2 + [ref.copy()]
models[0].omch2 = 0.13             # also models[1], not models[2]
for m in models[1:]:
    d.append(background(m).hubble_parameter(0.5))

del alias
ref = clone(unused, Alens=0.9)
d.append(background(ref).hubble_parameter(0.5))

np.savetxt("result.csv", np.array(d))
