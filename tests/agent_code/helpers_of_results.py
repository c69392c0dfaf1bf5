import camb
pars = camb.set_params(H0=67.5, As=2e-9)
results = camb.get_transfer_functions(pars)
power = camb.InitialPowerLaw()
power.set_params(As=3e-9, ns=0.9)
results.power_spectra_from_transfer(power)
# expect: models=2; As=3e-9 set; ns=0.9 set; H0=67.5 set
