from multiprocessing import Pool
import camb


def run(H0):
    return camb.get_results(camb.set_params(H0=H0, tau=0.06)).get_derived_params()["age"]


with Pool(2) as pool:
    out = pool.map(run, [67.5, 70])
# expect: H0 unresolved; tau=0.06 set
