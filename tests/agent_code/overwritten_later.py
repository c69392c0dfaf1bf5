import camb
pars = camb.CAMBparams()
pars.set_cosmology(H0=70, ombh2=0.02, omch2=0.122, tau=0.06)
pars.set_cosmology(H0=67.5, omch2=0.122)
pars.InitPower.As = 3e-9
pars.InitPower.set_params(ns=0.965)
camb.get_results(pars)
# expect: H0=67.5 set; ombh2=0.022 default; tau=0.06 set; As=2e-9 default
