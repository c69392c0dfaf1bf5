"""Lensing-anomaly check: D_l^TT for A_lens = 1.0 and 1.18 (Planck 2018 best fit)."""
import json
from pathlib import Path

import camb
import numpy as np

PLANCK18 = dict(
    H0=67.36,
    ombh2=0.02237,
    omch2=0.1200,
    tau=0.0544,
    As=2.1e-9,
    ns=0.9649,
    mnu=0.06,
)


def get_pars(alens, lmax=2000):
    """CAMB parameters for one value of the lensing amplitude."""
    settings = {**PLANCK18, "lmax": lmax, "ALens": alens}
    return camb.set_params(**settings)


def get_tt(alens):
    try:
        pars = get_pars(alens)
    except camb.CAMBError:
        # very old versions do not know the argument
        pars = camb.set_params(**PLANCK18, lmax=2000)
        pars.Alens = alens
    results = camb.get_results(pars)
    return results.get_lensed_scalar_cls(lmax=2000, CMB_unit="muK")[:, 0]


def main():
    out = Path("result.csv")
    curves = {a: get_tt(a) for a in (1.0, 1.18)}
    ell = np.arange(2001)
    np.savetxt(out, np.column_stack([ell, *curves.values()]), delimiter=",")
    Path("meta.json").write_text(json.dumps(PLANCK18))


if __name__ == "__main__":
    main()
