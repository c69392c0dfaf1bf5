import camb
import numpy as np
cosmo = dict(H0=67.5, ombh2=0.022, omch2=0.122, tau=0.06, r=0.01, neutrino_hierarchy="normal", num_massive_neutrinos=3)
results = camb.get_results(cosmo)
again = results.Params
again = again.copy()
again.InitPower.As = np.exp(3.044) / 1e10
results.calc_power_spectra(again)
# expect: models=2; H0=67.5 set; As=2.0989031673191437e-09 set; WantTensors=True set; neutrino_hierarchy='normal' set
# expect[0]: As=2e-9 default
