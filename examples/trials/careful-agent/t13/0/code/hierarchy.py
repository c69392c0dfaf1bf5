import camb
import numpy as np


def pk_for(hierarchy):
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.11, neutrino_hierarchy=hierarchy)
    pars.InitPower.set_params(As=2e-9, ns=0.965)
    pars.set_matter_power(redshifts=[0], kmax=2)
    pars.NonLinear = camb.model.NonLinear_none
    results = camb.get_results(pars)
    k, _, p = results.get_matter_power_spectrum(minkh=1e-4, maxkh=2, npoints=200)
    return k, p[0]


k, p_inv = pk_for("inverted")
_, p_nor = pk_for("normal")
rel = p_inv / p_nor - 1
np.savetxt("result.csv", np.column_stack([k, rel]), delimiter=",", header="k,rel_diff", comments="", fmt="%.10e")
print("range:", rel.min(), rel.max())
