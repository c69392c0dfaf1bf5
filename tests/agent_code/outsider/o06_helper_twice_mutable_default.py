import camb
import numpy as np


def compute(hierarchy, cfg={"H0": 67.3, "ombh2": 0.0223, "omch2": 0.1195, "mnu": 0.15}, **extra):
    cfg.update(extra)
    cfg["neutrino_hierarchy"] = hierarchy
    p = camb.CAMBparams()
    p.set_cosmology(num_massive_neutrinos=3, **cfg)
    p.InitPower.set_params(As=2.05e-9, ns=0.968)
    p.set_matter_power(redshifts=[0.5], kmax=0.6)
    p.NonLinear = camb.model.NonLinear_none
    res = camb.get_results(p)
    kh, z, pk = res.get_matter_power_spectrum(minkh=1e-3, maxkh=0.4, npoints=50)
    return kh, pk[0]


k, p_inv = compute("inverted", mnu=0.18)
k, p_nor = compute("normal", omk=0.002)   # keeps mnu=0.18: the default dict was mutated
np.savetxt("ratio.csv", np.column_stack([k, p_inv / p_nor - 1]), delimiter=",", header="k,ratio", comments="")
