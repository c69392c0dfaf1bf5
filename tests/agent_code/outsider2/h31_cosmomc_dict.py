"""Best fit in CosmoMC names (text of a .minimum file embedded) -> camb.set_params_cosmomc."""
import io

import camb
import numpy as np

MINIMUM = """\
 -log(Like) =   1391.49
  chi-sq    =   2782.98

    1    2.238280E-02   omegabh2                  \\Omega_b h^2
    2    1.201075E-01   omegach2                  \\Omega_c h^2
    3    1.040909E+00   theta                     100\\theta_{MC}
    4    5.430842E-02   tau                       \\tau
    5   -1.000000E-02   omegak                    \\Omega_K
    6    3.044784E+00   logA                      {\\rm{ln}}(10^{10} A_s)
    7    9.660499E-01   ns                        n_s
   -1    6.732117E+01   H0                        H_0
    8    1.050000E+00   Alens                     A_{L}
"""


def read_minimum(stream):
    par = {}
    for line in stream:
        cols = line.split(maxsplit=3)
        if len(cols) >= 3 and cols[0].lstrip("-").isdigit():
            par[cols[2]] = float(cols[1])
    return par


def spectra(pars):
    return camb.get_results(pars).get_total_cls(500, CMB_unit="muK")


p = read_minimum(io.StringIO(MINIMUM))
p["A"] = np.exp(p["logA"]) / 10
pars = camb.set_params_cosmomc(p, lmax=500, lens_potential_accuracy=0, dark_energy_model="fluid")
tt = [spectra(pars)[:, 0]]

# wCDM + tensors variant, object reused through inpars (hierarchy changes the neutrino masses)
p.update(w=-1.05, r=0.02, mnu=0.12)
del p["omegak"], p["Alens"]
pars = camb.set_params_cosmomc(
    p, num_massive_neutrinos=3, lmax=500, lens_potential_accuracy=0, inpars=pars, dark_energy_model="ppf"
)
tt.append(spectra(pars)[:, 0])

# unsupported lensing scaling raises ValueError before anything is set
try:
    camb.set_params_cosmomc({**p, "Aphiphi": 1.1, "H0": 80.0}, inpars=pars)
except ValueError as e:
    print(e)
    pars.Alens = 1.1
pars.InitPower.set_params(As=p["A"] * 1e-9, ns=p["ns"])
tt.append(spectra(pars)[:, 0])

np.savetxt("result.csv", np.transpose(tt), delimiter=",")
