"""Direct-attribute style (as with other Boltzmann codes). Many of these names are not CAMB fields."""
import numpy as np
import camb

pars = camb.CAMBparams()

# --- cosmology -------------------------------------------------------------
pars.H0 = 67.66
pars.ombh2 = 0.02242
pars.omch2 = 0.11933
pars.omega_k = 0.01            # silently accepted, not a CAMB field
pars.mnu = 0.11                # idem
pars.tau = 0.0561              # idem
pars.A_lens = 1.1              # idem
pars.w = -0.9                  # idem

# --- primordial ------------------------------------------------------------
pars.As = 2.105e-9             # idem, the real one lives in InitPower
pars.InitPower.ns = 0.9665
pars.InitPower.n_s = 0.99      # idem
pars.InitPower.r = 0.0

pars.set_for_lmax(600, lens_potential_accuracy=0)

flag_names = ["WantTensors", "DoLensing"]
for name, value in zip(flag_names, (False, True)):
    assert hasattr(pars, name)
    setattr(pars, name, value)

r1 = camb.get_results(pars)

# second attempt: the same quantities through real fields, and properties with setters
pars.h = 0.71                  # property -> H0
pars.Reion.optical_depth = 0.07     # written, but use_optical_depth is still False
try:
    pars.omegam = 0.3          # read-only property
    pars.omch2 = 0.10
except AttributeError as e:
    print("omegam:", e)
pars.DarkEnergy.w = pars.w - 0.02
r2 = camb.get_results(pars)

pars.Reion.use_optical_depth = True
pars.omk = pars.omega_k / 2
pars.InitPower.As = pars.As
r3 = camb.get_results(pars)

with open("result.csv", "w") as f:
    for row in zip(*(r.get_total_cls(600, CMB_unit="muK")[:, 0] for r in (r1, r2, r3))):
        f.write(",".join(f"{x:.5e}" for x in row) + "\n")
