"""Uses H0 = 70 and tau = 0.06.

    pars.set_cosmology(H0=70, tau=0.06)
"""
import camb  # H0 = 70
TEXT = "pars.set_cosmology(H0=71)"
pars = camb.CAMBparams()
# pars.set_cosmology(H0=72)
pars.ombh2 = 0.022
camb.get_results(pars)
# expect: H0=67 default; tau default; ombh2=0.022 set; omch2=0 default
