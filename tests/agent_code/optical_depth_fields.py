import camb
p = camb.CAMBparams()
p.set_cosmology(H0=67.5)
p.Reion.optical_depth = 0.08
camb.get_results(p)
p.Reion.use_optical_depth = True
camb.get_results(p)
# expect: tau=0.08 set; models=2
# expect[0]: tau default
