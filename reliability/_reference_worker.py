"""Runs one reference script in a process of its own: ``python -P _reference_worker.py REQUEST.json``.

Needs nothing but numpy and CAMB, so that any interpreter with another version of CAMB can run it. The request names the
script, the arguments of ``compute`` and optional changes that are made to CAMB from outside, because the script
must not know of them: ``accuracy_boost`` (CAMB's AccuracyBoost) and ``unlensed`` (unlensed spectra where lensed ones
are asked for).
Writes x and y to ``curve`` (``.npy``) and a report to ``report`` (JSON).
"""

from __future__ import annotations

import importlib.util
import json
import platform
import sys
import time
from pathlib import Path
from typing import Any

import camb
import numpy as np


def boost_accuracy(boost: float) -> None:
    """Make CAMB compute with this AccuracyBoost, whatever the script asks."""
    for name in ("get_results", "get_background"):
        original = getattr(camb, name)

        def changed(params: Any, *args: Any, _original: Any = original, **kwargs: Any) -> Any:
            params.Accuracy.AccuracyBoost = boost
            return _original(params, *args, **kwargs)

        setattr(camb, name, changed)


def forget_lensing() -> None:
    """Give unlensed spectra where lensed ones are asked for: a common mistake."""
    results = camb.CAMBdata
    results.get_total_cls = results.get_unlensed_total_cls
    results.get_lensed_scalar_cls = results.get_unlensed_scalar_cls


def main(request_path: str) -> None:
    """Run one request."""
    request = json.loads(Path(request_path).read_text(encoding="utf-8"))
    if request.get("accuracy_boost"):
        boost_accuracy(request["accuracy_boost"])
    if request.get("unlensed"):
        forget_lensing()
    spec = importlib.util.spec_from_file_location("reference_script", request["script"])
    if spec is None or spec.loader is None:
        raise SystemExit(f"{request['script']}: not a Python script")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    start = time.perf_counter()
    x, y = module.compute(**request["arguments"])
    seconds = time.perf_counter() - start
    np.save(request["curve"], np.array([x, y], dtype=np.float64), allow_pickle=False)
    versions = {"camb": camb.__version__, "numpy": np.__version__, "python": platform.python_version()}
    Path(request["report"]).write_text(json.dumps({"seconds": seconds, "versions": versions}), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
