from camb import *
pars = CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.022)
results = get_results(pars)
# expect: H0=67.5 set; ombh2=0.022 set; models=1
