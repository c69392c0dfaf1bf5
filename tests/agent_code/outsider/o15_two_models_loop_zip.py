import camb
import numpy as np

names = ["lcdm", "wcdm", "open"]
hubbles = np.array([67.4, 69.5, 64.2])
ws = [-1.0, -0.95, -1.0]
omks = [0.0, 0.0, 0.02]
spectra = {}
for i, (name, H0, w, omk) in enumerate(zip(names, hubbles, ws, omks), start=1):
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=H0, ombh2=0.022 + 1e-4 * i, omch2=0.12, omk=omk, tau=0.05 + i / 1000)
    pars.set_dark_energy(w=w, wa=0, dark_energy_model="fluid")
    pars.InitPower.set_params(As=2.1e-9, ns=0.96 + 0.002 * i)
    if name == "open":
        pars.set_for_lmax(lmax=200, lens_potential_accuracy=0)
    else:
        pars.set_for_lmax(lmax=200)
    results = camb.get_results(pars)
    spectra[name] = results.get_lensed_scalar_cls(200, CMB_unit="muK")[:, 0]
ratio = spectra["wcdm"] / np.where(spectra["lcdm"] == 0, 1, spectra["lcdm"])
np.savetxt("ratio.csv", np.c_[np.arange(201), ratio][2:], delimiter=",")
