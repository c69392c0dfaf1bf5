import camb
pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5)
# expect: finding no_computation; H0=67.5 set; models=1
