import camb
pars = camb.CAMBparams()
try:
    pars.set_cosmology(H0=70, ombh2=0.022, omegam=0.3)  # expect: finding unknown_argument
except TypeError:
    pars.set_cosmology(H0=67.5)
camb.get_results(pars)
# expect: H0=67.5 set; ombh2=0.022 default
