import camb
pars = camb.set_params(H0=67.5, tau=0.06, reionization_model='ExpReionization', reion_exp_power=2)
mine = camb.ExpReionization(reion_exp_power=3)
pars.Reion = mine
mine.reion_exp_power = 4
camb.get_results(pars)
# expect: reion_exp_power=3 set; tau default; H0=67.5 set
