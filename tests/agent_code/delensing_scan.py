import camb
results = camb.get_results(camb.set_params(H0=67.5))
for residual in (1.0, 0.5, 0.2):
    cl = results.get_partially_lensed_cls(residual)
# expect: Alens=0.2 set; models=3; H0=67.5 set
# expect[0]: Alens=1.0 set
