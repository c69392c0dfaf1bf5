import traceback
import camb
import numpy as np

ATTEMPTS = [
    dict(H0=0.675, ombh2=0.0222, omch2=0.119),                    # h instead of H0: CAMB raises
    dict(H0=67.5, omegab=0.048, omegac=0.26),                     # unknown names: TypeError
    dict(H0=67.8, ombh2=0.0225, omch2=0.1188, omk=0.001),
    dict(H0=72.0, ombh2=0.0222, omch2=0.119),
]


def attempt(kw):
    pars = camb.CAMBparams()
    pars.set_cosmology(**kw)
    pars.InitPower.set_params(As=2.14e-9, ns=0.967)
    pars.set_for_lmax(200, lens_potential_accuracy=0)
    return camb.get_results(pars)


results = None
for kw in ATTEMPTS:
    try:
        results = attempt(kw)
    except Exception:
        traceback.print_exc()
        continue
    break

cl = results.get_lensed_scalar_cls(200, CMB_unit="muK")
np.savetxt("cl.csv", cl[2:, 1])
