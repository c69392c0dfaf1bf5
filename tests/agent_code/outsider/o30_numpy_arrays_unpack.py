import math
import numpy as np
import camb

theta = np.array([67.66, 0.02242, 0.11933, 0.0561, 3.047, 0.9665])
delta = np.zeros_like(theta)
delta[0] = -1.5
delta[-1] += 0.004
x = theta + delta
H0, ob, oc, tau, logA, ns = x
grid = np.linspace(0.0, 0.02, 5)
omk = grid[2]
masses = np.array([0.0, 0.009, 0.051])
mnu = masses.sum().item()
table = np.array([[1, 2], [3, 4]]) * 1e-9
As = math.exp(logA) / 10 ** 10
r = np.float64("0.01") * table[1, 0] / table[0][0]

pars = camb.CAMBparams()
pars.set_cosmology(H0=float(H0), ombh2=ob, omch2=oc, tau=tau, mnu=mnu, omk=omk)
pars.InitPower.set_params(As=As, ns=ns.round(4), r=r)
pars.WantTensors = bool(r > 0)
pars.set_for_lmax(int(np.max([150, 200])), lens_potential_accuracy=0)
pars.NonLinear = camb.model.NonLinear_none
res = camb.get_results(pars)
np.savetxt("b.csv", res.get_total_cls(200, CMB_unit="muK"))
