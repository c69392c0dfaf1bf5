import camb
pars = camb.set_params(H0=67.5)
exec(compile("pars.H0 = 70", "settings", "exec"))
camb.get_results(pars)
# expect: H0 unresolved; finding dynamic_code
