import camb
from camb.dark_energy import DarkEnergyPPF
p = camb.set_params(H0=67.5, w=-0.8, wa=0.1, dark_energy_model="ppf")
camb.get_results(p)
p.set_dark_energy(w=-0.9)
camb.get_results(p)
p.DarkEnergy = DarkEnergyPPF(w=-1.1)
camb.get_results(p)
p.DarkEnergy.set_params(wa=0.2)
camb.get_results(p)
# expect: models=4; w=-1.0 default; wa=0.2 set
# expect[0]: w=-0.8 set; wa=0.1 set
# expect[1]: w=-0.9 set; wa=0 default
# expect[2]: w=-1.1 set
