import camb
base = {"H0": 67.5, "ombh2": 0.022, "omch2": 0.122}
extra = dict(mnu=0.06, tau=0.06)
cosmo = {**base, **extra, "omk": 0.0}
cosmo.update({"tau": 0.04})
cosmo["H0"] += 2.5
later = cosmo
later["ombh2"] = 0.02
pars = camb.CAMBparams()
pars.set_cosmology(**cosmo)
cosmo["H0"] = 99
pars.InitPower.set_params(**(base | {"As": 2e-9, "ns": 0.965}) if False else {"As": 2.1e-9, "ns": base.get("ns", 0.965)})
res = camb.get_background(pars)
# expect: H0=70.0 set; tau=0.04 set; ombh2=0.02 set; As=2.1e-9 set; ns=0.965 set
