# Compute the raw lensed TT spectrum with CAMB for H0 = 74 km/s/Mpc
import logging

import camb

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("tt")


def build_parameters(cosmo, power):
    pars = camb.CAMBparams()
    pars.set_cosmology(**cosmo)
    pars.InitPower.set_params(**power)
    pars.WantTensors = False
    pars.NonLinear = camb.model.NonLinear_none
    pars.set_for_lmax(3500, lens_potential_accuracy=0)
    return pars


def main():
    base = dict(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0.0, tau=0.06)
    cosmo = {**base, "H0": 74.0}
    pars = build_parameters(cosmo, {"As": 2.0e-9, "ns": 0.965})
    log.info("H0 = %s", pars.H0)
    results = camb.get_results(pars)
    powers = results.get_cmb_power_spectra(pars, lmax=3000, CMB_unit="muK", raw_cl=True)
    tt = powers["lensed_scalar"][2:3001, 0]
    with open("result.csv", "w") as fh:
        fh.write("l,TT\n")
        fh.writelines(f"{ell},{value:.8e}\n" for ell, value in enumerate(tt, start=2))
    log.info("wrote %d rows", len(tt))


if __name__ == "__main__":
    main()
