import re
import ast
import camb
import numpy as np

TABLE = """
H0      67.81     km/s/Mpc
ombh2   0.02226
omch2   0.1193
# omk   0.1
tau     0.063
n_s     0.9681
ln10As  3.062
"""
values = {}
for line in TABLE.strip().splitlines():
    line = line.strip()
    if not line or line.startswith("#"):
        continue
    key, val, *unit = line.split()
    values[key] = float(val)

As = float(f"{np.exp(values.pop('ln10As')):.4f}e-10")
ns = values.pop("n_s")
mnu = sum(float(m) for m in "0.01, 0.02, 0.05".split(","))
omk = float("0." + "00" + str(5))
w = float(re.search(r"w0\s*=\s*(-?[\d.]+)", "dark energy: w0 = -0.91, wa = 0").group(1))
opts = ast.literal_eval("{'lmax': 200, 'lens_potential_accuracy': 0}")

pars = camb.CAMBparams()
pars.set_cosmology(mnu=mnu, omk=omk, **values)
pars.set_dark_energy(w)
pars.InitPower.set_params(As, ns)
pars.set_for_lmax(**opts)
res = camb.get_results(pars)
np.savetxt("tt.csv", res.get_lensed_scalar_cls(200, "muK"))
