import camb
import numpy as np
for H0 in np.linspace(60, 70, 5):
    pars = camb.set_params(H0=H0, ombh2=0.022)
    camb.get_results(pars)
# expect: models=5; H0=70.0 set; ombh2=0.022 set
# expect[1]: H0=62.5 set
