"""Code in a text that is written out is read like any other."""

import camb

exec("H0 = 60.0\nh = H0 / 100")
settings = {"H0": 67.5}
exec("ns = 0.965\nH0 = H0 + 1", settings)


def choose():
    H0 = 70.0
    exec("H0 = 80.0")
    return H0


pars = camb.set_params(H0=choose(), ns=settings["ns"], tau=h / 10, ombh2=0.022)
exec("pars.omch2 = 0.12")
camb.get_results(pars)
# expect: H0=70.0 set; ns=0.965 set; tau=0.06 set; omch2=0.12 set
