try:
    import camb
    from camb import model, initialpower
except ImportError:
    raise SystemExit("no camb")


def compute():
    import numpy as np
    try:
        pars = camb.CAMBparams()
        pars.set_cosmology(H0=67.5, tau=0.06)
        noise = np.loadtxt("N0.csv")
        results = camb.get_results(pars)
        return results
    except Exception as error:
        print(error)
        return None


res = compute()
if res is None:
    raise SystemExit(1)
cl = res.get_partially_lensed_cls(0.2)
# expect: H0=67.5 set; tau=0.06 set; Alens=0.2 set; models=1
