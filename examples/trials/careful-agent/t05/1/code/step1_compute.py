"""E-mode spectrum with tau = 0.04."""
from dataclasses import asdict, dataclass

import camb


@dataclass
class Cosmology:
    H0: float = 67.5
    ombh2: float = 0.022
    omch2: float = 0.122
    mnu: float = 0.06
    omk: float = 0.0
    tau: float = 0.06


cosmo = Cosmology(tau=0.04)
pars = camb.CAMBparams()
pars.set_cosmology(**asdict(cosmo))
pars.InitPower.set_params(As=2e-9, ns=0.965)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(3500, lens_potential_accuracy=0)

spec = camb.get_results(pars).get_lensed_scalar_cls(3000, CMB_unit="muK")
rows = [(l, spec[l, 1]) for l in range(2, 3001)]

with open("result.csv", "w") as f:
    f.write("l,EE\n")
    for l, ee in rows:
        f.write("{},{:.10g}\n".format(l, ee))
print("EE at l=2:", rows[0][1])
