import camb
pars = camb.CAMBparams()
H0 = 70
try:
    x = {}["y"]
    H0 = 60
except KeyError:
    H0 = 67.5
else:
    H0 = 50
finally:
    tau = 0.06
pars.set_cosmology(H0=H0, tau=tau)
camb.get_results(pars)
# expect: H0=67.5 set; tau=0.06 set
