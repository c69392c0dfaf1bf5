import camb
import numpy as np

H0 = 60.0
step = 2.5
omch2 = 0.1
steps = 0


def bump():
    global H0, steps
    H0 += step
    steps += 1


def retune():
    omch2 = 0.3        # a local: the module's omch2 stays
    return omch2


while H0 < 68:
    bump()
retune()
if (n := steps) > 3:
    omch2 += n / 200
total = 0.0
k = 1
while True:
    total += 0.5 ** k
    k += 1
    if k > 4:
        break
else:
    total = 0.0
ombh2 = (x := 0.02) + x * total / 10

pars = camb.CAMBparams()
pars.set_cosmology(H0=H0, ombh2=ombh2, omch2=omch2)
bg = camb.get_background(pars)
z = np.arange(0.1, 2.05, 0.1)
np.savetxt("d.csv", np.c_[z, bg.angular_diameter_distance(z)], delimiter=",", header="z,DA")
