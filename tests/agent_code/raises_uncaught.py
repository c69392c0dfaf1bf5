import camb
pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5)
camb.get_results(pars)
pars.set_accuracy(AccuracyBoost=1, Nonsense=3)  # expect: finding unknown_argument; finding script_stops
pars.set_cosmology(H0=70)
camb.get_results(pars)
# expect: H0=67.5 set; models=1
