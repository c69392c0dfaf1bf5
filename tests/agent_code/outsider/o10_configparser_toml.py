import configparser
import tomllib
import camb
import numpy as np

INI = """
[DEFAULT]
h = 0.6774
[background]
omegab_h2 = 0.0223
omegac_h2 = 0.1188
neutrino_mass = 0.06
[primordial]
lnAs = 3.064
n_s = 0.9667
"""
TOML = '''
[settings]
lmax = 300
tensors = false
nonlinear = "NonLinear_lens"
[reion]
tau = 0.066
'''
cp = configparser.ConfigParser()
cp.read_string(INI)
settings = tomllib.loads(TOML)

pars = camb.CAMBparams()
pars.set_cosmology(
    H0=100 * cp.getfloat("background", "h"),
    ombh2=float(cp["background"]["omegab_h2"]),
    omch2=cp["background"].getfloat("omegac_h2"),
    mnu=cp.getfloat("background", "neutrino_mass"),
    tau=settings["reion"]["tau"],
)
pars.InitPower.set_params(As=1e-10 * np.exp(cp.getfloat("primordial", "lnAs")), ns=float(cp.get("primordial", "n_s")))
pars.set_for_lmax(settings["settings"]["lmax"], lens_potential_accuracy=0)
pars.NonLinear = getattr(camb.model, settings["settings"]["nonlinear"])
pars.WantTensors = settings["settings"]["tensors"]
res = camb.get_results(pars)
np.save("cl.npy", res.get_lensed_scalar_cls(CMB_unit="muK"))
