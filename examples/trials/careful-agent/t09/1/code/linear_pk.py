import camb
import numpy as np


def linear_power(redshift=0, kmax=2, n=200, k_min=1e-4, k_max=1.0, **cosmo):
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=cosmo["H0"], ombh2=cosmo["ombh2"], omch2=cosmo["omch2"], mnu=cosmo["mnu"],
                       omk=cosmo["omk"], tau=cosmo["tau"])
    pars.InitPower.set_params(As=cosmo["As"], ns=cosmo["ns"])
    pars.set_matter_power(redshifts=[redshift], kmax=kmax)
    pars.NonLinear = camb.model.NonLinear_none
    results = camb.get_results(pars)
    kh, _, pk = results.get_matter_power_spectrum(minkh=k_min, maxkh=k_max, npoints=n)
    return kh, pk[0]


if __name__ == "__main__":
    kh, pk = linear_power(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06, As=2e-9, ns=0.965)
    assert len(kh) == 200 and np.allclose(kh, np.geomspace(1e-4, 1, 200), rtol=1e-4)
    with open("result.csv", "w") as f:
        f.write("kh,P_k\n")
        for row in zip(kh, pk):
            f.write("%.8e,%.8e\n" % row)
