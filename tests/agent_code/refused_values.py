import camb
p = camb.CAMBparams()
for bad in (dict(H0=0.675), dict(ombh2=0.02), dict(H0=70, tau=0.06, zrei=8), dict(H0=70, neutrino_hierarchy="flat"), dict(H0="70")):
    try:
        p.set_cosmology(**bad)
    except Exception as error:
        print(error)
p.set_cosmology(H0=67.5, TCMB=2.7, YHe=0.25)
try:
    p.set_for_lmax(2500.0)
    p.omk = 0.1
except TypeError:
    p.omk = 0.05
camb.get_results(p)
# expect: H0=67.5 set; TCMB=2.7 set; YHe=0.25 set; omk=0.05 set; finding refused_by_camb
