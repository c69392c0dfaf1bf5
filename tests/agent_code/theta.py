import camb
pars = camb.CAMBparams()
pars.set_cosmology(thetastar=0.0104, H0=None, ombh2=0.022, tau=None, zrei=8)
pars.InitPower.set_params(As=__import__("math").exp(3.044) / 1e10)
camb.get_results(pars)
# expect: H0 unresolved; tau unresolved; ombh2=0.022 set
