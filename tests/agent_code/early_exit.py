import sys
import camb
pars = camb.set_params(H0=67.5)
camb.get_results(pars)
if len(sys.argv) < 2:
    sys.exit(0)
pars.set_cosmology(H0=80)
camb.get_results(pars)
# expect: H0=67.5 set; models=1
