import camb
pars = camb.set_params(H0=60, tau=0.06)


def variants():
    for h in (67.5, 70):
        pars.H0 = h
        yield pars


for p in variants():
    camb.get_results(p)
# expect: models=2; H0=70 set
# expect[0]: H0=67.5 set
