from camb import model, CAMBparams, get_results

H0, OMBH2 = 67.5, 0.022
OMCH2: float = 0.122


def build(mnu, tau=0.06, *, omk=0.0, **rest):
    p = CAMBparams()
    p.set_cosmology(H0=H0, ombh2=OMBH2, omch2=OMCH2, mnu=mnu, tau=tau, omk=omk, **rest)
    return p


def main():
    p = build(0.11, omk=0.05, nnu=3.046)
    p.InitPower.set_params(ns=0.965)
    return get_results(p)


if __name__ == "__main__":
    main()
# expect: H0=67.5 set; ombh2=0.022 set; omch2=0.122 set; mnu=0.11 set; omk=0.05 set; tau=0.06 set; nnu=3.046 set
# expect: As=2e-9 default; ns=0.965 set
