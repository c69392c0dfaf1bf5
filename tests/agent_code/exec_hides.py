import camb
pars = camb.set_params(H0=67.5)
exec("pars.H0 = 70")
camb.get_results(pars)
# expect: H0 unresolved; finding dynamic_code
