import itertools
import camb
import numpy as np


def nearest(values, x):
    return min(values, key=lambda v: abs(v - x))


def chain(*its):
    for it in its:
        yield from it


H0s = [60 + 2 * i for i in range(6)]
taus = np.arange(0.04, 0.1, 0.02)
best = None
hits = 0
for H0, tau in itertools.product(H0s, taus):
    chi = (H0 - 67) ** 2 / 4 + ((tau - 0.06) / 0.01) ** 2
    if best is None or chi < best[0]:
        best = (chi, H0, float(tau))
        hits += 1
    elif chi > 40:
        continue
(_, H0, tau), count = best, hits
ombh2 = nearest([0.0215, 0.0222, 0.0229], 0.0224)
omch2 = next(x for x in itertools.count(0.115, 0.0015) if x > 0.12)
mnu = max(itertools.accumulate([0.01, 0.02, 0.03]))
ns, r = sorted(chain([0.97], (0.02,)), reverse=True)
opts = dict(zip(("ombh2", "omch2", "mnu"), (ombh2, omch2, mnu)))
pars = camb.CAMBparams()
pars.set_cosmology(H0=H0, tau=round(tau, 6), **opts)
pars.InitPower.set_params(As=2.1e-9 + count * 1e-12, ns=ns, r=r)
pars.WantTensors = any(v > 0 for v in (r, 0))
pars.set_for_lmax(200, lens_potential_accuracy=0)
res = camb.get_results(pars)
np.savetxt("x.csv", res.get_total_cls(200))
