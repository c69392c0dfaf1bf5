import camb
n = 0
while True:
    n += 1
    if n > 10 ** 9:
        break
camb.get_results(camb.set_params(H0=67.5, tau=n))
# expect: tau unresolved; H0=67.5 set
