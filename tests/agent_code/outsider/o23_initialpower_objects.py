import camb
from camb.initialpower import InitialPowerLaw
from camb import dark_energy, reionization
import numpy as np

h = 0.681
pars = camb.CAMBparams(H0=100 * h, ombh2=0.0224, omch2=0.1182)
pars.omk = 0.0
pars.InitPower = InitialPowerLaw(As=2.08e-9, ns=0.9688)
pars.set_initial_power(camb.InitialPowerLaw(ns=0.9712, r=0.02))
pars.WantTensors = True
pars.DarkEnergy = dark_energy.DarkEnergyPPF(w=-0.93, wa=0.1)
pars.DarkEnergy.w = -0.94
pars.Reion = reionization.ExpReionization()
pars.Reion.set_tau(0.0633)
pars.set_for_lmax(250, lens_potential_accuracy=0)
pars.set_nonlinear_lensing(True)
results = camb.get_results(pars)
np.savetxt("bb.csv", results.get_total_cls(250, CMB_unit="muK", raw_cl=True)[2:, 2])
