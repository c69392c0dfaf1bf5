import os
import camb
a = camb.set_params(H0=70, ns=0.965)
b = camb.set_params(H0=67.5, ns=0.965)
pars = a if os.path.exists("x") else b
pars.omk = 0.01
if os.path.exists("y"):
    res = camb.get_results(a)
else:
    res = camb.get_results(b)
# expect: H0 unresolved; ns=0.965 set; omk unresolved; models=1
