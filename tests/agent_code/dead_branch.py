import camb
DEBUG = False
H0 = 67.5
if DEBUG:
    H0 = 99.0
if 0 and undefined_name:
    H0 = 98
H0 = H0 if not DEBUG else 50
while False:
    H0 = 1
camb.get_results(camb.set_params(H0=H0))
# expect: H0=67.5 set
