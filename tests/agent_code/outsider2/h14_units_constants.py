"""Parameters given in awkward units: ages of H0, GeV/m^3 densities, degrees of angle, eV fractions."""
import math
from fractions import Fraction

import camb
import numpy as np
from astropy import units as u
from astropy.cosmology import Planck18
from scipy import constants as sc

MPC = 1e6 * sc.parsec
KM = sc.kilo

hubble_time_gyr = 14.4
H0_SI = 1.0 / (hubble_time_gyr * 1e9 * sc.Julian_year)       # 1/s
H0 = round(H0_SI * MPC / KM, 2)                                # km/s/Mpc

RHO_100 = 3 * (100 * KM / MPC) ** 2 / (8 * math.pi * sc.G)   # critical density of h=1, kg/m^3
n_b = 0.2515                                                  # baryons per m^3
ombh2 = n_b * sc.m_p / RHO_100
omega_m = Fraction(3, 10)
h = H0 / 1e2
mnu_eV = np.float32(0.0625)
omnu = float(mnu_eV) / 94.0708
omch2 = float(omega_m) * h**2 - ombh2 - omnu

tau_percent, r_permille = "5.6 %", 12
tau = float(tau_percent.rstrip(" %")) / sc.hecto
amp_dB = -86.8                                               # 10 log10(As)
As = 10 ** (amp_dB / 10)
pivot_shift = np.log(0.05 / 0.002)
ns = np.asarray([0.96, 0.968])[-1].item()
As_at_005 = As * np.exp((ns - 1) * pivot_shift)              # given at k=0.002

pars = camb.CAMBparams()
pars.set_cosmology(H0=H0, ombh2=ombh2, omch2=omch2, mnu=mnu_eV, tau=tau)
pars.InitPower.set_params(As=As_at_005, ns=ns, r=r_permille / sc.kilo)
pars.WantTensors = bool(r_permille)
pars.set_for_lmax(lmax=int(math.ceil(sc.degree ** -1)) * 10, lens_potential_accuracy=0)
pars.max_l_tensor = 400

results = camb.get_results(pars)
cls = results.get_cmb_power_spectra(CMB_unit="muK", lmax=570)
bb = cls["tensor"][:, 2]
# cross-check: astropy's Planck 2018 densities with another Hubble constant
H0_q = 0.0698 * u.km / u.s / u.kpc
h_q = H0_q.to_value(u.km / u.s / u.Mpc) / 100
m_nu = Planck18.m_nu.to_value(u.eV).sum()
check = camb.set_params(
    H0=H0_q.to(u.km / u.s / u.Mpc).value,
    ombh2=Planck18.Ob0 * h_q**2,
    omch2=Planck18.Odm0 * h_q**2,
    mnu=(60 * u.meV).to(u.eV).value,
    tau=Planck18.meta["tau"],
    ns=Planck18.meta["n"],
    w=(-np.cos(np.deg2rad(18.0))).round(3),
)
theta = camb.get_background(check).get_derived_params()["thetastar"]
print(m_nu, theta)

with open("result.csv", "w") as f:
    print("ell", "TT", "BB_tensor", sep=",", file=f)
    for ell in range(2, 400):
        print(ell, cls["total"][ell, 0], bb[ell], sep=",", file=f)
