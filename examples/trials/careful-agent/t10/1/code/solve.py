import camb

efficiency = 0.1

p = camb.CAMBparams()
# Alens scales the power of the lensing potential
p.set_cosmology(H0=67.5, ombh2=0.022, omch2=0.122, mnu=0.06, omk=0, tau=0.06, Alens=1.0 - efficiency)
# set_params also applies the inflation consistency relation for nt
p.InitPower.set_params(2e-9, 0.965, r=0.1)
p.WantTensors = True
p.NonLinear = camb.model.NonLinear_none
p.set_for_lmax(3500, lens_potential_accuracy=0)

cl = camb.get_results(p).get_total_cls(3000, CMB_unit="muK", raw_cl=True)[:, 2]
with open("result.csv", "w") as f:
    f.write("l,BB\n")
    f.write("\n".join(f"{l},{cl[l]:.9e}" for l in range(2, 3001)))
    f.write("\n")
print("finished, C_80 =", cl[80])
