from multiprocessing import Pool
import camb


def run(H0):
    return camb.get_results(camb.set_params(H0=H0, tau=0.06))


with Pool(2) as pool:
    out = pool.map(run, [67.5, 70])
# expect: H0 unresolved; tau=0.06 set
