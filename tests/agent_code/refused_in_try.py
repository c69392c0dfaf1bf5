import camb
from camb.baseconfig import CAMBError, CAMBValueError

pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.12)
try:
    pars.set_dark_energy(w=-1.1, wa=0.3)  # the fluid model refuses
    H0 = 70
except CAMBError:
    pars.set_dark_energy(w=-1.1, wa=0.3, dark_energy_model="ppf")
    H0 = 68
try:
    pars.set_cosmology(H0=0.675, ombh2=0.022, omch2=0.12)  # meant as h
except CAMBError:
    H0 = 1
except CAMBValueError:
    pars.set_cosmology(H0=H0, ombh2=0.0224, omch2=0.12)
try:
    pars.NonLinearModel.set_params(halofit_version="mead2021")
    tau = 0.05
except (ValueError, KeyError):
    tau = 0.06
try:
    pars.set_matter_power(redshifts=[], kmax=5)
except CAMBError:
    pars.set_matter_power(redshifts=[0.0], kmax=2)
pars.Reion.set_tau(tau)
pars.InitPower.set_params(As=2.1e-9, r=0.05)
try:
    results = camb.get_results(pars)  # r > 0 without tensors
except CAMBError:
    pars.InitPower.set_params(As=3.044)
try:
    results = camb.get_results(pars)
except CAMBError:
    pars.InitPower.set_params(As=2.2e-9)
results = camb.get_results(pars)
# expect: models=1; w=-1.1 set; wa=0.3 set; H0=68 set; tau=0.06 set; kmax=2 set; As=2.2e-9 set; r=0.0 default
# expect: ombh2=0.0224 set; finding refused_by_camb
