import camb
from camb import model
pars = camb.CAMBparams()
pars.H0 = 67.5
pars.ombh2, pars.omch2 = 0.022, 0.122
pars.omk = 0.05
pars.InitPower.As = 2e-9
pars.InitPower.ns = 0.965
pars.InitPower.r = 0.1
pars.WantTensors = True
pars.Alens = 0.9
pars.NonLinear = model.NonLinear_both
pars.DarkEnergy.w = -0.95
results = camb.CAMBdata()
results.calc_power_spectra(pars)
# expect: H0=67.5 set; ombh2=0.022 set; omk=0.05 set; As=2e-9 set; r=0.1 set; WantTensors=True set; Alens=0.9 set
# expect: NonLinear='NonLinear_both' set; w=-0.95 set; tau default; mnu=0 default
