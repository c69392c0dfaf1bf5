import camb
p = camb.CAMBparams()
try:
    p.set_cosmology(H0=0.675, ombh2=0.02)
except ValueError:
    p.H0 = 67.5
camb.get_results(p)
# expect: H0=67.5 set; ombh2 unresolved; omk unresolved; finding refused_by_camb
