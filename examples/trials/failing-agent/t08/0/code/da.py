import camb
import numpy as np

pars = camb.CAMBparams()
pars.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06)
z = np.linspace(0, 4, 100)
results = camb.get_background(pars)
d_A = results.get_angular_diameter_distances(z)
np.savetxt('result.csv', np.column_stack([z, d_A]), delimiter=',', header='z,d_A', comments='')
print('Done')
