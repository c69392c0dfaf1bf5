import camb

# camb.set_params hands each keyword to the setter which knows it
pars = camb.set_params(
    H0=67.3,
    ombh2=0.022,
    omch2=0.122,
    mnu=0.06,
    omk=0.05,
    tau=0.06,
    As=2e-9,
    ns=0.965,
    WantTensors=False,
    NonLinear=camb.model.NonLinear_none,
    lmax=3500,
    lens_potential_accuracy=0,
)
print(pars)

data = camb.get_results(pars)
spectrum = data.get_total_cls(lmax=3000, CMB_unit="muK")

lines = ["l,TT"]
for l in range(2, 3001):
    lines.append("%d,%.8e" % (l, spectrum[l, 0]))
open("result.csv", "w").write("\n".join(lines) + "\n")
