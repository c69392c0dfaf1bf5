import os
import camb
import numpy as np

H0 = float(os.environ.get("COSMO_H0", "69.1"))
NS = float(os.getenv("COSMO_NS", 0.97))
LMAX = int(os.environ.get("LMAX") or 300)

pars = camb.set_params(
    H0=H0,
    ombh2=0.0221,
    omch2=0.121,
    mnu=0.0,
    num_massive_neutrinos=0,
    ns=NS,
    As=2.2e-9,
    tau=0.07,
    lmax=LMAX,
    lens_potential_accuracy=0,
)
results = camb.get_results(pars)
dl = results.get_lensed_scalar_cls(lmax=LMAX, CMB_unit="muK")
np.savetxt("out.csv", np.column_stack((np.arange(LMAX + 1), dl[: LMAX + 1, 0]))[2:], delimiter=",", header="l,dl", comments="")
