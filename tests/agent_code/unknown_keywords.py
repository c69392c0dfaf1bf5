import yaml
import camb
pars = camb.CAMBparams()
pars.set_cosmology(tau=0.06, **yaml.safe_load(open("x.yaml")))
pars.InitPower.set_params(ns=0.965)
camb.get_results(pars)
# expect: tau=0.06 set; H0 unresolved; ombh2 unresolved; mnu unresolved; ns=0.965 set; As=2e-9 default
