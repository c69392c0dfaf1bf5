import camb
import numpy as np

pars = camb.CAMBparams()
pars.set_cosmology(H0=70, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06)
results = camb.get_background(pars)
z = np.linspace(0, 4, 100)
da = results.angular_diameter_distance(z)
np.savetxt('result.csv', np.column_stack([z, da]), delimiter=',', header='z,d_A', comments='', fmt='%.8g')
print('Angular diameter distance saved')
