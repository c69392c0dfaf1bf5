"""Run a fixture script with CAMB's calculations replaced by notes of what CAMB received: the truth for the reader.

Only for the scripts in ``agent_code/``.  Usage: ``python camb_recorder.py SCRIPT...``; writes ``<name>.json`` for each.
"""

import json
import os
import runpy
import signal
import sys
from pathlib import Path
from unittest.mock import MagicMock

from camb.results import CAMBdata

RECORDED = []


def fields(p):
    tau = p.Reion.optical_depth if p.Reion.use_optical_depth else None
    found = {
        "H0": p.H0,
        "ombh2": p.ombh2,
        "omch2": p.omch2,
        "omk": p.omk,
        "As": p.InitPower.As,
        "ns": p.InitPower.ns,
        "r": p.InitPower.r,
        "nt": p.InitPower.nt,
        "Alens": p.Alens,
        "w": p.DarkEnergy.w,
        "wa": p.DarkEnergy.wa,
        "YHe": p.YHe,
        "TCMB": p.TCMB,
        "kmax": p.Transfer.kmax,
        "WantTensors": p.WantTensors,
        "NonLinear": p.NonLinear,
        "reionization_model": type(p.Reion).__name__,
    }
    if tau is not None:
        found["tau"] = tau
    if hasattr(p.Reion, "reion_exp_power"):
        found["reion_exp_power"] = p.Reion.reion_exp_power
    return found


def calculate(self, params=None, *args, **kwargs):
    if params is not None:
        self.Params = params
    self._check_params(self.Params)
    RECORDED.append(fields(self.Params))
    self._latest = len(RECORDED) - 1
    self._lensed = False


def calculate_powers(self, params=None, *args, **kwargs):
    if params is not None:
        self._check_params(params)
        self._check_powers(params)
    calculate(self, params)


def from_transfer(self, initial_power_params=None, silent=False):
    if initial_power_params:
        self.Params.set_initial_power(initial_power_params)
    calculate(self)


def partially_lensed(self, Alens, *args, **kwargs):
    if self._lensed or self._latest != len(RECORDED) - 1:
        RECORDED.append(dict(RECORDED[self._latest]))
        self._latest = len(RECORDED) - 1
    RECORDED[self._latest]["Alens"] = float(Alens)
    self._lensed = True
    return MagicMock()


CAMBdata.calc_power_spectra = calculate_powers
CAMBdata.calc_transfers = calculate
CAMBdata.calc_background = calculate
CAMBdata.power_spectra_from_transfer = from_transfer
CAMBdata.get_partially_lensed_cls = partially_lensed
CAMBdata.get_matter_power_interpolator = lambda *a, **k: MagicMock()
CAMBdata.get_matter_power_spectrum = lambda *a, **k: (MagicMock(), MagicMock(), MagicMock())
CAMBdata.get_cmb_power_spectra = lambda *a, **k: MagicMock()


def run(script):
    """In a forked child: notes of one script, and what stopped it."""
    sys.argv = [script]
    stopped = ""
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit:
        pass
    except BaseException as error:
        stopped = type(error).__name__
    Path(Path(script).stem + ".json").write_text(json.dumps({"stopped": stopped, "models": RECORDED}))
    os._exit(0)


for path in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        run(path)
    os.waitpid(child, 0)
