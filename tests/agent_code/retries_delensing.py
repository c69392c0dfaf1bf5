import camb

fraction = 0.9
for attempt in range(3):
    try:
        pars = camb.CAMBparams()
        pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, tau=0.06)
        pars.InitPower.set_params(As=2e-9, ns=0.965)
        pars.set_for_lmax(500, lens_potential_accuracy=0)
        results = camb.get_results(pars)
        cls = results.get_partially_lensed_cls(fraction, lmax=500, CMB_unit="muK", raw_cl=True)
        break
    except RuntimeError as error:
        if attempt == 2:
            raise
        print("again after", error)
# expect: Alens=0.9 set; H0=67.5 set; omk=0.0 default
