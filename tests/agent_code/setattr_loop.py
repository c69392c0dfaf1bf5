import camb
pars = camb.CAMBparams()
for name, value in {"H0": 67.5, "omk": 0.05, "ombh2": 0.022}.items():
    setattr(pars, name, value)
for i, (key, value) in enumerate(zip(("As", "ns"), [2e-9, 0.965])):
    setattr(pars.InitPower, key, value)
camb.get_results(pars)
# expect: H0=67.5 set; omk=0.05 set; As=2e-9 set; ns=0.965 set
