import camb


def go():
    pars = camb.set_params(H0=67.5)
    return camb.get_results(pars)
    pars.H0 = 80
    camb.get_results(pars)


go()
# expect: H0=67.5 set; models=1
