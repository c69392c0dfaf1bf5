"""Step 1: baseline LCDM.  Step 2: 'update only H0 and curvature'.  Step 3: lensing amplitude."""
import numpy as np
import camb
from camb import model


def baseline():
    pars = camb.CAMBparams()
    pars.set_cosmology(
        H0=67.4, ombh2=0.02242, omch2=0.11933, mnu=0.09, tau=0.0561, Alens=1.07, omk=0.002
    )
    pars.InitPower.set_params(As=2.105e-9, ns=0.9665)
    pars.set_for_lmax(700, lens_potential_accuracy=0)
    pars.NonLinear = model.NonLinear_none
    return pars


def update_hubble(pars, H0, **extra):
    """Change the Hubble rate, keeping the rest (or so one would think)."""
    pars.set_cosmology(H0=H0, **extra)
    return pars


def tt(pars):
    return camb.get_results(pars).get_lensed_scalar_cls(CMB_unit="muK", lmax=700)[:, 0]


def main():
    pars = baseline()
    rows = [tt(pars)]

    update_hubble(pars, 70.0)
    rows.append(tt(pars))

    update_hubble(pars, 73.04, ombh2=0.0222, tau=None)
    rows.append(tt(pars))

    pars.Alens = 1.2
    pars.omch2 = 0.1205
    rows.append(tt(pars))

    ell = np.arange(701)
    np.savetxt("result.csv", np.column_stack([ell] + rows), delimiter=",")


if __name__ == "__main__":
    main()
