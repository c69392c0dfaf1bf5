import camb
import numpy as np

cfg = dict(
    H0=68.3, ombh2=0.02245, omch2=0.1185, omk=-0.004, mnu=0.08, tau=0.0575,
    As=2.097e-9, ns=0.9672, r=0.03, w=-0.97, dark_energy_model="ppf",
    reionization_model="ExpReionization", lmax=250, Alens=0.9,
)
pars = camb.set_params(**cfg)
cfg["H0"] = 99.0
pars = camb.set_params(cp=pars, ombh2=0.0231, H0=67.1)   # everything else of set_cosmology goes back to default
res = camb.get_results(pars)
total = res.get_total_cls(250, CMB_unit="muK")
np.savetxt("total.csv", total, delimiter=",", header="TT,EE,BB,TE")
