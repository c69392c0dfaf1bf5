import camb
pars = camb.set_params(H0=67.5, ombh2=0.022, mnu=0.0)
PK = camb.get_matter_power_interpolator(pars, nonlinear=False, kmax=2)
# expect: H0=67.5 set; kmax=2 set; NonLinear='NonLinear_none' default; mnu=0.0 set
