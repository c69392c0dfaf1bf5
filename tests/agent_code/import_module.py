import importlib

backend = importlib.import_module("camb")
power = importlib.import_module("camb.initialpower")
pars = backend.set_params(H0=67.5, tau=0.06)
pars.InitPower = power.InitialPowerLaw(ns=0.97)
results = backend.get_background(pars)
# expect: models=1; H0=67.5 set; tau=0.06 set; ns=0.97 set
