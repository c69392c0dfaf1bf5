import os
import camb
best = 0.9
for i, ns in enumerate([0.95, 0.96, 0.965]):
    if os.path.exists(f"{i}.txt"):
        continue
    best = ns
tau = 0.06
for path in os.listdir("."):
    tau = 0.06
    last = path
    if path == "a":
        break
camb.get_results(camb.set_params(H0=67.5, tau=tau, ns=best))
# expect: H0=67.5 set; tau=0.06 set; ns unresolved
