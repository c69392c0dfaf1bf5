import camb
import numpy as np


def base(H0=67.1, **kw):
    p = camb.CAMBparams()
    p.set_cosmology(H0=H0, ombh2=0.0223, omch2=0.1191, **kw)
    p.InitPower.set_params(As=2.15e-9, ns=0.9667)
    p.set_for_lmax(200, lens_potential_accuracy=0)
    return p


fiducial = camb.get_results(base(tau=0.0666))
np.savetxt("fid.csv", fiducial.get_lensed_scalar_cls(200))
spectra = fiducial.get_lensed_scalar_spectra(200)        # AttributeError: the script ends here

alternative = camb.get_results(base(H0=74.0, tau=0.05))
np.savetxt("alt.csv", alternative.get_lensed_scalar_cls(200))
