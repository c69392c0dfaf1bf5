"""A sys.exit that is caught ends nothing; one that is not caught by ``except Exception`` goes on to the next try."""

import sys

import camb

H0 = 60.0


def check(value):
    global H0
    if value > 100:
        H0 = 70.0
        sys.exit("too large")
    H0 = 65.0


try:
    try:
        check(300)
    except Exception:
        H0 = 61.0
    finally:
        ns = 0.96
    ns = 0.9
except SystemExit as stop:
    pass
camb.get_results(camb.set_params(H0=H0, ns=ns))
# expect: H0=70.0 set; ns=0.96 set
