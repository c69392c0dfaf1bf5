import camb
H0 = 60.0
for step in range(3):
    H0 += 2.5
    if step == 2:
        break
total = 0
for l in range(2, 3001):
    total += l
names = ["a", "b"]
ns = {n: 0.9 + 0.065 * i for i, n in enumerate(names)}
camb.get_results(camb.set_params(H0=H0, ns=ns["b"], tau=total))
# expect: H0=67.5 set; ns=0.9650000000000001 set; tau=4501499 set
