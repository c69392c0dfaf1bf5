import camb
efficiency = 80 / 100
pars = camb.set_params(H0=67.5, ombh2=0.022, omch2=0.122)
pars.set_for_lmax(lmax=3500, lens_potential_accuracy=1)
results = camb.get_results(pars)
cl = results.get_partially_lensed_cls(1 - efficiency, CMB_unit='muK')
# expect: Alens=0.19999999999999996 set; models=1; NonLinear='NonLinear_lens' set; lens_potential_accuracy=1 set
