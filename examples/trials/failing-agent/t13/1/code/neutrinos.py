import camb
import numpy as np


def linear_pk(hierarchy):
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.11, neutrino_hierarchy=hierarchy)
    pars.InitPower.set_params(As=2e-9, ns=0.965)
    pars.set_matter_power(redshifts=[0], kmax=2)
    pars.NonLinear = camb.model.NonLinear_none
    return camb.get_results(pars).get_matter_power_spectrum(minkh=1e-4, maxkh=2, npoints=200)


def main():
    k, _, inv = linear_pk('inverted')
    k, _, nor = linear_pk('normal')
    with open('result.csv', 'w') as f:
        f.write('k,rel_diff\n')
        for a, b, c in zip(k, inv[0], nor[0]):
            f.write(f'{a:.6e},{b / c - 1:.8e}\n')
