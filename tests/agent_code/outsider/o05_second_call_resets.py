import numpy as np
import camb
from camb import model

# --- Cosmology ---------------------------------------------------------
pars = camb.CAMBparams()
pars.set_cosmology(H0=70.0, ombh2=0.0226, omch2=0.112, mnu=0.12, omk=0.01, tau=0.09, Alens=1.2)
pars.InitPower.set_params(As=2.3e-9, ns=0.97)

# correction after re-reading the task: H0 should be 68
pars.set_cosmology(H0=68.0, ombh2=0.0226, omch2=0.115)
# add tensors
pars.InitPower.set_params(r=0.05, ns=0.965)
pars.WantTensors = True
pars.set_for_lmax(350)
pars.NonLinear = model.NonLinear_none

results = camb.get_results(pars)
tot = results.get_total_cls(350, CMB_unit="muK", raw_cl=True)
np.savetxt("bb.csv", np.c_[np.arange(2, 351), tot[2:351, 2]], delimiter=",", header="l,C_l", comments="")
