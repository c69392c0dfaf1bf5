"""Makes noise.csv: the noise of a lensing map reconstructed from CMB polarisation (EB quadratic estimator).

The experiment is a deep ground-based survey: white polarisation noise of 3 uK arcmin, a Gaussian beam of 1.4 arcmin
(FWHM), multipoles 30 to 3000. Hu & Okamoto 2002 (ApJ 574, 566), their EB filter with the unlensed C^BB left out
(it is zero for scalar perturbations) and the lensed C^EE in the filter::

    1/N_0(L) = integral d^2l1/(2 pi)^2  [L.l1 C^EE(l1) sin 2(phi1 - phi2)]^2 / [C^EE_obs(l1) C^BB_obs(l2)]

with l2 = L - l1 and C_obs = lensed C + noise; flat sky. The column N_l = N_0 (l(l+1))^2 / (2 pi) is
in the convention in which CAMB returns the lensing potential. Run: ``python make_noise.py`` (about a minute).
"""

from pathlib import Path

import camb
import numpy as np

NOISE_UK_ARCMIN = 3.0  # white noise of Q and U
BEAM_FWHM_ARCMIN = 1.4
L1_MIN, L1_MAX = 30, 3000  # CMB multipoles used by the estimator
L_MIN, L_MAX = 2, 3000  # multipoles of the lensing map
N_ANGLES = 256
ARCMIN = np.pi / 180 / 60

pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06)
pars.InitPower.set_params(As=2e-9, ns=0.965)
pars.set_for_lmax(4000, lens_potential_accuracy=1)
spectra = camb.get_results(pars).get_lensed_scalar_cls(lmax=L1_MAX, CMB_unit="muK", raw_cl=True)

ell = np.arange(L1_MAX + 1)
sigma_beam = BEAM_FWHM_ARCMIN * ARCMIN / np.sqrt(8 * np.log(2))
noise = (NOISE_UK_ARCMIN * ARCMIN) ** 2 * np.exp(ell * (ell + 1) * sigma_beam**2)
ee = spectra[:, 1]
ee_observed = ee + noise
bb_observed = spectra[:, 2] + noise

l1 = ell[L1_MIN:, None].astype(float)
angle = (np.arange(N_ANGLES) + 0.5) * np.pi / N_ANGLES  # the other half plane gives the same
cosine, sine = np.cos(angle), np.sin(angle)
filter_ee = (ee[L1_MIN:] ** 2 / ee_observed[L1_MIN:])[:, None]
inverse_bb = np.where(ell >= L1_MIN, 1 / bb_observed, 0)

rows = []
for big_l in range(L_MIN, L_MAX + 1):
    l2 = np.sqrt(big_l**2 + l1**2 - 2 * big_l * l1 * cosine)
    usable = (l2 >= L1_MIN) & (l2 <= L1_MAX)
    weight_bb = np.where(usable, np.interp(l2, ell, inverse_bb), 0)
    # angle between l1 and l2 = L - l1: cos = (L.l1 - l1^2)/(l1 l2), sin = L sin(phi)/l2 up to sign
    cos_12 = (big_l * cosine - l1) / np.maximum(l2, 1)
    sin_12 = big_l * sine / np.maximum(l2, 1)
    response = (big_l * l1 * cosine) ** 2 * (2 * sin_12 * cos_12) ** 2
    integral = 2 * np.sum(l1 * response * filter_ee * weight_bb) * (np.pi / N_ANGLES)
    rows.append((big_l, (2 * np.pi) ** 2 / integral * (big_l * (big_l + 1)) ** 2 / (2 * np.pi)))

# Five digits: the integral's own accuracy, and the same file on every machine.
np.savetxt(Path(__file__).with_name("noise.csv"), rows, fmt=("%d", "%.5e"), delimiter=",", header="l,N_l", comments="")
