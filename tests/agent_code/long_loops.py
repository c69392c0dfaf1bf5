"""Loops of many rounds, run one by one while they are within the reader's budget."""

import camb


def hubble_of(target):
    low, high = 40.0, 100.0
    for _ in range(200):
        middle = (low + high) / 2
        if middle < target:
            low = middle
        else:
            high = middle
    return round(high, 6)


total = 0
ell = 2
while ell < 1002:
    total += 1
    ell += 1
scale = [0.001 * i for i in range(1500)]
queue = [1.0]
for step in queue:  # the list grows while it is read
    if len(queue) < 96:
        queue.append(step)
camb.get_results(camb.set_params(H0=hubble_of(67.5), ns=len(queue) / 100, tau=total * 6e-5, omch2=scale[120]))
# expect: H0=67.5 set; ns=0.96 set; tau=0.060000000000000005 set; omch2=0.12 set
