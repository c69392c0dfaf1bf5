import os
import camb


def hubble(kind):
    if kind == "planck":
        return 67.5
    elif kind == "sh0es":
        return 73.0
    raise ValueError(kind)


def maybe():
    if os.path.exists("x"):
        return 0.06
    value = 0.06
    for i in range(3):
        if os.path.exists(str(i)):
            return value
    return 0.06


def differs():
    if os.path.exists("x"):
        return 2e-9
    return 2.1e-9


camb.get_results(camb.set_params(H0=hubble("planck"), tau=maybe(), As=differs()))
# expect: H0=67.5 set; tau=0.06 set; As unresolved
