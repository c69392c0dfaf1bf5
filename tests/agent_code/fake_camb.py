class camb:
    class CAMBparams:
        def set_cosmology(self, **kw):
            self.kw = kw

    @staticmethod
    def get_results(p):
        return p.kw


pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5)
camb.get_results(pars)
# expect: models=0; finding no_camb
