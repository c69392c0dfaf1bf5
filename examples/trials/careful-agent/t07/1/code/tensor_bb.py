import camb
import numpy as np

# Parameters
cosmo_params = {
    'H0': 67.5, 'ombh2': 0.022, 'omch2': 0.122,
    'mnu': 0.06, 'omk': 0, 'tau': 0.06,
}
power_params = {'As': 2e-9, 'ns': 0.965, 'r': 0.1}


def run():
    pars = camb.CAMBparams()
    pars.set_cosmology(**cosmo_params)
    pars.InitPower.set_params(**power_params)
    pars.WantTensors = True
    pars.set_for_lmax(3500, lens_potential_accuracy=0)
    pars.NonLinear = camb.model.NonLinear_none
    res = camb.get_results(pars)
    scal = res.get_lensed_scalar_cls(lmax=3000, CMB_unit='muK', raw_cl=True)[:, 2]
    tens = res.get_tensor_cls(lmax=3000, CMB_unit='muK', raw_cl=True)[:, 2]
    return scal + tens


if __name__ == '__main__':
    bb = run()
    with open('result.csv', 'w') as f:
        f.write('l,BB\n')
        for ell in range(2, 3001):
            f.write('%d,%.10g\n' % (ell, bb[ell]))
    print('max C_l^BB:', np.max(bb[2:]))
