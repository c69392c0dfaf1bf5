import camb

common = {"H0": 67.5, "ombh2": 0.022, "omch2": 0.122, "mnu": 0.11}
spectra = {}
for name in ("normal", "inverted"):
    pars = camb.CAMBparams()
    pars.set_cosmology(neutrino_hierarchy=name, **common)
    pars.InitPower.set_params(As=2e-9, ns=0.965)
    pars.NonLinear = camb.model.NonLinear_none
    pars.set_matter_power(redshifts=[0.0], kmax=2.0)
    results = camb.get_results(pars)
    kh, _, pk = results.get_matter_power_spectrum(minkh=1e-4, maxkh=2.0, npoints=200)
    spectra[name] = pk[0, :]
    print(name, "sigma8 =", results.get_sigma8_0())

with open("result.csv", "w") as f:
    f.write("k,rel_diff\n")
    for k, inverted, normal in zip(kh, spectra["inverted"], spectra["normal"]):
        f.write("%.8e,%.10e\n" % (k, inverted / normal - 1.0))
