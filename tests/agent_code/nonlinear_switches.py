import camb
p = camb.set_params(H0=67.5)
p.set_matter_power(redshifts=[0.0, 1.0], kmax=2.0, nonlinear=True)
camb.get_results(p)
p.set_for_lmax(2000, lens_potential_accuracy=1)
camb.get_results(p)
p.set_nonlinear_lensing(False)
camb.get_results(p)
p.set_for_lmax(2000, lens_potential_accuracy=2, nonlinear=False)
p.set_matter_power(nonlinear=False)
camb.get_results(p)
# expect: models=4; NonLinear='NonLinear_none' set; kmax=1.2 default
# expect[0]: NonLinear='NonLinear_pk' set; kmax=2.0 set
# expect[1]: NonLinear='NonLinear_both' set
# expect[2]: NonLinear='NonLinear_pk' set
