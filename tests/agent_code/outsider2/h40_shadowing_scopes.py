"""Names that are shadowed, deleted, rebound by comprehension / global / nonlocal / class scope / walrus."""
import camb as _camb
import numpy as np
from camb import model

H0, ombh2, omch2, tau = 67.4, 0.0224, 0.120, 0.054
ns = [0.96, 0.97]
As = 2.1e-9


class camb:                       # shadows nothing imported under this name, wraps the module
    H0 = 70.0
    doubled = H0 * 1.01           # class scope: 70.0
    tilts = [ns for ns in ns]     # comprehension variable is local

    @staticmethod
    def CAMBparams(**kw):
        return _camb.CAMBparams(**kw)

    get_background = staticmethod(lambda p: _camb.get_background(p).get_derived_params()["age"])

    def default_H0(self):
        return H0                 # global, not the class attribute


def counter():
    omch2 = 0.110

    def bump():
        nonlocal omch2
        omch2 += 0.005
        return omch2

    bump()
    return bump


def rebind():
    global tau, ombh2
    tau, (ombh2, *rest) = 0.061, (0.0226, 0.0, 0.0)
    H0 = 50.0                     # local only
    return rest


def build(ombh2=ombh2, **kw):     # default frozen at definition time
    p = camb.CAMBparams()
    p.set_cosmology(H0=kw.pop("H0", H0), ombh2=ombh2, omch2=kw.pop("omch2", omch2), tau=tau, **kw)
    p.InitPower.set_params(As=As, ns=ns[0])
    return p


ages = [camb.get_background(build())]

squares = [H0 for H0 in range(60, 63)]          # does not leak
bump = counter()
rebind()
ages.append(camb.get_background(build(H0=camb().default_H0(), omch2=bump())))

for H0 in (64.0, 65.5):                         # leaks
    pass
if (As := As + 0.1e-9) and any((hit := x) > 0.96 for x in ns):
    ns.insert(0, hit)
ages.append(camb.get_background(build(ombh2)))

del H0
try:
    p = build()                                 # kw.pop evaluates the deleted global: NameError
except NameError:
    p = build(H0=camb.doubled)                  # and here as well?
except Exception:
    H0 = 10.0
finally:
    H0 = 71.0

ages.append(camb.get_background(p))
np.savetxt("result.csv", ages)
