"""CMB temperature power spectrum for a flat model with a low baryon density."""
import csv

import camb

# ---- cosmology -------------------------------------------------------
H0 = 67.5          # km/s/Mpc
OMBH2 = 0.02
OMCH2 = 0.122
MNU = 0.06         # eV
OMK = 0.0
TAU = 0.06
AS = 2e-9
NS = 0.965

# ---- numerical settings ---------------------------------------------
LMAX_CALC = 3500
LMIN_OUT, LMAX_OUT = 2, 3000

pars = camb.CAMBparams()
pars.set_cosmology(H0=H0, ombh2=OMBH2, omch2=OMCH2, mnu=MNU, omk=OMK, tau=TAU)
pars.InitPower.set_params(As=AS, ns=NS)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(LMAX_CALC, lens_potential_accuracy=0)

results = camb.get_results(pars)
powers = results.get_cmb_power_spectra(pars, CMB_unit="muK")
total = powers["total"]          # D_l = l(l+1)C_l/2pi, columns TT, EE, BB, TE

with open("result.csv", "w", newline="") as handle:
    writer = csv.writer(handle)
    writer.writerow(["l", "TT"])
    for ell in range(LMIN_OUT, LMAX_OUT + 1):
        writer.writerow([ell, f"{total[ell, 0]:.8e}"])

print(f"Saved {LMAX_OUT - LMIN_OUT + 1} multipoles, D_220 = {total[220, 0]:.1f} muK^2")
