import os

import camb

pars = camb.set_params(H0=67.5, ombh2=0.022, omch2=0.122, lmax=500, lens_potential_accuracy=0)
results = camb.get_results(pars)
if os.path.exists("other.txt"):
    cls = results.get_partially_lensed_cls(0.3, lmax=500)
else:
    second = camb.get_results(pars)
    cls = second.get_partially_lensed_cls(0.3, lmax=500)
# expect: Alens=0.3 set; H0=67.5 set
