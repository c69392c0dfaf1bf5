import os
import camb
H0 = 67.5
tau = 0.06
if os.path.exists("planck.txt"):
    H0 = 67.3
    tau = 0.06
os.makedirs("out", exist_ok=True)
if not os.path.isdir("out"):
    raise SystemExit("no folder")
camb.get_results(camb.set_params(H0=H0, tau=tau, ombh2=0.022))
# expect: H0 unresolved; tau=0.06 set; ombh2=0.022 set
