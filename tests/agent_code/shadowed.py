import camb
H0 = 70


def make(H0=67.5):
    def inner(ns):
        H0 = 50
        return camb.set_params(H0=outer, ns=ns)
    outer = H0
    return inner(0.965)


results = camb.get_results(make())
# expect: H0=67.5 set; ns=0.965 set
