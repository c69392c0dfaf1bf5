"""Transfer functions once, then cheap scans of the primordial power spectrum."""
import camb
import numpy as np
from camb import initialpower, model

NS = (0.955, 0.965)
AMPS = {"low": 1.9e-9, "high": 2.3e-9}


def setup():
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=67.5, ombh2=0.0222, omch2=0.1197, mnu=0.06, tau=0.065)
    pars.InitPower.set_params(As=2.0e-9, ns=0.96)
    pars.set_for_lmax(500, lens_potential_accuracy=0)
    pars.NonLinear = model.NonLinear_none
    return pars


pars = setup()
data = camb.get_transfer_functions(pars)

spectra = {}
for ns in NS:
    ip = initialpower.InitialPowerLaw()
    ip.set_params(ns=ns)                              # As back to the default
    data.power_spectra_from_transfer(ip)
    spectra[f"ns={ns}"] = data.get_total_cls(500, CMB_unit="muK")[:, 0]

for name, As in AMPS.items():
    data.Params.InitPower.As = As                     # changes data's own parameters
    data.power_spectra_from_transfer()
    spectra[name] = data.get_total_cls(500, CMB_unit="muK")[:, 0]

# changing the original object has no influence on data...
pars.InitPower.set_params(As=9e-9, ns=0.5)
pars.H0 = 73.0
data.calc_power_spectra()
spectra["same"] = data.get_total_cls(500, CMB_unit="muK")[:, 0]

# ... until it is passed again
pars.InitPower.set_params(As=2.05e-9, ns=0.97)
fresh = camb.CAMBdata()
fresh.calc_transfers(pars, only_transfers=True)
fresh.power_spectra_from_transfer(camb.InitialPowerLaw(As=2.15e-9, ns=0.968))
spectra["fresh"] = fresh.get_total_cls(500, CMB_unit="muK")[:, 0]

with open("result.csv", "w") as f:
    f.write(",".join(spectra) + "\n")
    np.savetxt(f, np.transpose(list(spectra.values())), delimiter=",")
