import camb
H0 = 70


def make():
    try:
        pars = camb.set_params(H0=H0)
        H0 = 60
    except UnboundLocalError:
        pars = camb.set_params(H0=67.5)
    return pars


camb.get_results(make())
# expect: H0=67.5 set
