import camb
import copy
pars = camb.set_params(H0=67.5, tau=0.06)
other = pars.copy()
other.H0 = 70
third = copy.deepcopy(pars)
third.set_cosmology(H0=71)
alias = pars
alias.omk = 0.05
results = camb.get_results(pars)
pars.H0 = 10
# expect: H0=67.5 set; omk=0.05 set; models=1; tau=0.06 set
