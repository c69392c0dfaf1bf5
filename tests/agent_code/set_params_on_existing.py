import camb
p = camb.CAMBparams()
p.set_cosmology(H0=70, ombh2=0.02, omch2=0.13, tau=0.06)
p = camb.set_params(p, ns=0.965, **{"InitPower.As": 2.2e-9, "Alens": 0.9} if False else {"Transfer.kmax": 3.0, "WantTensors": True})
camb.get_results(p)
camb.set_params(cp=p, H0=67.5)
camb.get_results(p)
# expect: models=2; H0=67.5 set; ombh2=0.022 default; omch2=0.12 default; tau=0.06 set; kmax=3.0 set; WantTensors=True set; As=2e-9 default
# expect[0]: H0=70 set; ombh2=0.02 set; ns=0.965 set
