import camb
pars = camb.set_params(H0=67.5)
results = camb.get_results(pars)
try:
    p = results.get_matter_power(1)
except AttributeError as e:
    pars.H0 = 70
    results = camb.get_results(pars)
# expect: H0=70 set; models=2; finding unknown_attribute
