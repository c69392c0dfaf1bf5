import camb
from camb import model, initialpower
from camb.model import neutrino_hierarchy_inverted

for hierarchy in (1, 2, 3, model.neutrino_hierarchy_normal, neutrino_hierarchy_inverted):
    pars = camb.CAMBparams()
    pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.12, mnu=0.11, num_massive_neutrinos=3, neutrino_hierarchy=hierarchy)
    pars.InitPower.set_params(r=0.1, nt=0.0, parameterization=initialpower.tensor_param_indeptilt)
    pars.WantTensors = True
    camb.get_background(pars)
# expect: models=5
# expect[0]: neutrino_hierarchy='normal' set
# expect[1]: neutrino_hierarchy='inverted' set
# expect[2]: neutrino_hierarchy='degenerate' set
# expect[3]: neutrino_hierarchy='normal' set
# expect[4]: neutrino_hierarchy='inverted' set; nt=0.0 set; r=0.1 set
