"""EE with exponential reionization: tau is set before the class is replaced."""
import camb
import numpy as np

TAU = 0.066
A_S = 1.8e-9 * np.exp(2 * TAU)

pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.0222, omch2=0.119, tau=TAU)
pars.set_classes(reionization_model="ExpReionization")
pars.Reion.reion_exp_power = 2.0
pars.InitPower.set_params(As=A_S, ns=0.96)
pars.set_for_lmax(300, lens_potential_accuracy=0)
pars.NonLinear = camb.model.NonLinear_none
pars.WantTensors = False
results = camb.get_results(pars)
ee = results.get_lensed_scalar_cls(lmax=300, CMB_unit="muK")[:, 1]
with open("ee.csv", "w") as f:
    f.write("l,EE\n")
    for l in range(2, 301):
        f.write(f"{l},{ee[l]:.8e}\n")
