"""Several loops fill the parameter set; only the last survivors matter. for/else, while, break, continue."""
import camb
import numpy as np

HISTORY = """
# date        parameter value
2013-03-21    H0        67.3
2013-03-21    tau       0.089
2015-02-05    H0        67.74
2015-02-05    As        2.141e-9
2016-05-10    tau       0.058
2018-07-17    H0        67.66
2018-07-17    omch2     0.11933
2018-07-17    ombh2     0.02242   # final
2024-01-01    H0        70        # not published
"""

params = {}
for line in HISTORY.splitlines():
    line = line.partition("#")[0].strip()
    if not line:
        continue
    date, name, value = line.split()
    if date > "2020":
        break
    params[name] = float(value)
else:
    params["H0"] = 99.0

# iterative "refinement" of the tilt
ns, step, n = 0.9, 0.05, 0
while True:
    n += 1
    if n > 6:
        break
    ns += step
    if ns > 0.98:
        ns -= 2 * step
        step /= 2
        continue

pars = camb.CAMBparams()
for alens in np.arange(0.8, 1.25, 0.1):
    for mnu in (0.0, 0.06, 0.15)[::-1]:
        if mnu == 0:
            break
        pars.set_cosmology(
            H0=params["H0"],
            ombh2=params["ombh2"],
            omch2=params["omch2"],
            tau=params["tau"],
            mnu=mnu,
            Alens=round(float(alens), 1),
        )
        pars.InitPower.set_params(As=params["As"], ns=round(ns, 6))
else:
    pars.omk = -0.001

for candidate in (-0.8, -0.9, -1.0, -1.1):
    pars.DarkEnergy.w = candidate
    if candidate == -0.9:
        break
else:
    pars.DarkEnergy.w = -1

pars.set_for_lmax(500, lens_potential_accuracy=0)
results = camb.get_results(pars)
np.savetxt("result.csv", results.get_total_cls(500, CMB_unit="muK")[:, 0])
