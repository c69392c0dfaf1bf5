"""Generators run between the rounds of whoever consumes them; context managers around their body."""

from contextlib import contextmanager

import camb

SETTINGS = {"H0": 60.0, "ns": 0.9}
calls = []


@contextmanager
def changed(**values):
    before = dict(SETTINGS)
    SETTINGS.update(values)
    try:
        yield SETTINGS
    finally:
        SETTINGS.clear()
        SETTINGS.update(before)


class Runs:
    def __init__(self, values):
        self.values = values
        self.tau = 0.05

    def each(self):
        for value in self.values:
            self.tau += 0.001
            yield {"H0": value, "tau": self.tau}
            calls.append(value)

    @contextmanager
    def with_tau(self, tau):
        old, self.tau = self.tau, tau
        yield self
        self.tau = old


runs = Runs([67.0, 68.0, 69.0])
for run in runs.each():
    camb.get_results(camb.set_params(ns=0.96 + 0.001 * len(calls), **run))
    if run["H0"] > 67.5:
        break
# expect[0]: H0=67.0 set; ns=0.96 set
# expect[1]: H0=68.0 set; ns=0.961 set
with changed(ns=0.97) as now, runs.with_tau(0.08) as altered:
    camb.get_results(camb.set_params(tau=altered.tau, **now))
# expect[2]: H0=60.0 set; ns=0.97 set; tau=0.08 set
large = (h for h in [60.0, 66.5, 67.5] if calls.append(h) or h > 66)
H0 = next(large)
found = any(calls.append(h) or h > 65 for h in (64.0, 66.0, 68.0))
camb.get_results(camb.set_params(H0=H0, ns=0.9 + 0.001 * len(calls)))
# expect[3]: H0=66.5 set; ns=0.905 set
camb.get_results(camb.set_params(H0=next(large), ns=SETTINGS["ns"], tau=0.06))
# expect: models=5; H0=67.5 set; ns=0.9 set; tau=0.06 set
