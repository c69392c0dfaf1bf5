"""Work from physical quantities instead of the usual ones."""
import camb
import numpy as np
from scipy import constants as const

MPC_KM = const.parsec * 1e6 / 1e3
hubble_time_gyr = 14.46
H0 = MPC_KM / (hubble_time_gyr * 1e9 * const.Julian_year)
rho_crit_h2 = 3 * (100 / MPC_KM) ** 2 / (8 * np.pi * const.G)
rho_b = 0.0223 * rho_crit_h2
ombh2 = rho_b / rho_crit_h2
c_kms = const.c / 1000
zre_tau = 0.06 * c_kms / 299792.458

pars = camb.CAMBparams()
pars.set_cosmology(H0=H0, ombh2=ombh2, omch2=0.1195, tau=zre_tau)
pars.InitPower.set_params(As=21 * const.nano / 10, ns=0.965)
results = camb.get_background(pars)
z = np.linspace(0, 2, 21)
np.savetxt("DA.csv", np.c_[z, results.angular_diameter_distance(z)], delimiter=",")
