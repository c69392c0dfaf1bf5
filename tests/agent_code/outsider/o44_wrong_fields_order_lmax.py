import camb
import numpy as np

pars = camb.CAMBparams()
pars.NonLinear = camb.model.NonLinear_none          # set first ...
pars.set_cosmology(H0=67.4, ombh2=0.0224, omch2=0.12, tau=0.054, zrei=None)
pars.set_for_lmax(200, lens_potential_accuracy=1)   # ... and switched on here
pars.set_matter_power(redshifts=[0.0], kmax=0.5, nonlinear=True)
pars.tau = 0.09            # no such field
pars.ns = 1.0              # nor this one
pars.As = 3e-9
pars.w = -0.5
pars.mnu = 0.5
pars.h = 0.69              # a property of CAMBparams: this one sets H0
pars.InitPower.set_params(ns=0.9631)
pars.InitPower.r = 0.0
pars.DarkEnergy.set_params(w=-0.99)
pars.Reion.set_zrei(8.1)
results = camb.get_results(pars)
np.savetxt("cl.csv", results.get_lensed_scalar_cls(200, CMB_unit="muK"))
