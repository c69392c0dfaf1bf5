"""w0waCDM background and spectra; the fluid model refuses some values, then fall back on PPF."""
import warnings

import numpy as np
import camb
from camb.baseconfig import CAMBError

W0, WA = -0.95, -0.4


def try_dark_energy(pars, w, wa):
    status = "?"
    try:
        pars.set_dark_energy(w=w, wa=wa, dark_energy_model="fluid")
        status = "fluid"
        w_used = w
    except CAMBError as e:
        warnings.warn(f"fluid failed: {e}")
        w_used = round(w - 0.01, 3)
        pars.set_dark_energy(w=w_used, wa=wa, dark_energy_model="ppf")
        status = "ppf"
    else:
        pars.Alens = 1.3
    finally:
        pars.omk = 0.0005 if status == "ppf" else 0.0
    return status


def parse_tau(text):
    try:
        return float(text)
    except ValueError:
        return float(text.split("+/-")[0])


def parse_mnu(text):
    try:
        val = float(text)
        assert val < 0.2, "above the Planck limit"
    except (AssertionError, ValueError) as e:
        val = 0.1 if isinstance(e, AssertionError) else 0.06
    return val


def h_from(table):
    try:
        return table["h"]
    except KeyError:
        try:
            return table["H0"][0] / 100
        except TypeError:
            return table["H0"] / 100


pars = camb.CAMBparams()
pars.set_cosmology(
    H0=100 * h_from({"H0": 68.8}),
    ombh2=0.02245,
    omch2=0.1191,
    tau=parse_tau("0.0561 +/- 0.0071"),
    mnu=parse_mnu("0.24"),
)
kind = try_dark_energy(pars, W0, WA)
pars.InitPower.set_params(As=2.1e-9, ns=1 - 1 / 28.0)
pars.set_for_lmax(500, lens_potential_accuracy=0)
first = camb.get_results(pars)

kind2 = try_dark_energy(pars, W0, 0.2)
second = camb.get_results(pars)

np.savetxt(
    "result.csv",
    np.c_[first.get_total_cls(500)[:, 0], second.get_total_cls(500)[:, 0]],
    header=f"{kind},{kind2}",
)
