import camb as c

p = c.set_params(H0=70, ombh2=0.022, omch2=0.122, As=2e-9, ns=0.965, r=0.1, lmax=2500, w=-0.9)
# expect: H0=70 set; r=0.1 set; WantTensors=True set; w=-0.9 set; mnu=0.06 default; tau default; kmax default
r = c.get_results(p)
