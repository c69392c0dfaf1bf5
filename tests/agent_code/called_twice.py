import camb


def run(h0, store=[]):
    store.append(h0)
    return camb.get_results(camb.set_params(H0=store[-1], ombh2=0.02 + 0.001 * len(store)))


run(70.0)
run(67.5)
# expect: models=2; H0=67.5 set; ombh2=0.022 set
# expect[0]: H0=70.0 set
