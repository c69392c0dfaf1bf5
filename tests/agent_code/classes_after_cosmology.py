"""set_classes replaces the reionization model, and with it tau."""
import camb
pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, tau=0.1)
pars.set_classes(reionization_model=camb.reionization.ExpReionization)  # expect: finding tau_dropped
camb.get_results(pars)
# expect: tau default; reionization_model='ExpReionization' set; reion_exp_power=1 default
