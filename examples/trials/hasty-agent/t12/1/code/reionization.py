import camb
import numpy as np

tau = 0.1
pars = camb.CAMBparams()
pars.set_classes(reionization_model="ExpReionization")
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, tau=tau)
pars.Reion.ReionizationExponent = 2  # power of the exponential
pars.InitPower.set_params(As=1.8e-9 * np.exp(2 * tau), ns=0.95)
pars.WantTensors = False
pars.NonLinear = camb.model.NonLinear_none
pars.set_for_lmax(2500, lens_potential_accuracy=0)
results = camb.get_results(pars)
powers = results.get_cmb_power_spectra(pars, CMB_unit='muK')
ee = powers['total'][2:101, 1]
with open('result.csv', 'w') as f:
    f.write('l,EE\n')
    for i, value in enumerate(ee):
        f.write(f'{i + 2},{value:.8e}\n')
