import helper
import camb
pars = camb.set_params(H0=67.5)
helper.configure(pars)
camb.get_results(pars)
# expect: H0 unresolved; tau unresolved
