"""Computes one task's alternatives in a process of its own: ``python -P _alternatives_worker.py REQUEST.json``.

Needs nothing but numpy and CAMB. The reference script runs unchanged; mistakes are made by changing CAMB from outside
(`PATCHES`). Equal parameters are computed once: alternatives that only read a result differently cost nothing.
"""

import importlib.util
import json
import platform
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

import camb
import numpy as np

DATA, PARAMS = camb.CAMBdata, camb.CAMBparams
READERS = ("get_total_cls", "get_lensed_scalar_cls", "get_unlensed_total_cls", "get_unlensed_scalar_cls",
           "get_tensor_cls", "get_partially_lensed_cls", "get_lens_potential_cls")  # fmt: skip
ORIGINAL = {name: getattr(DATA, name) for name in READERS}
READ = ("get_total_cls", "get_partially_lensed_cls")  # what the reference scripts call
_results: dict[str, object] = {}


def remembered(original):
    def get(params, *args, **kwargs):
        key = str(params)
        if key not in _results:
            _results[key] = original(params, *args, **kwargs)
        return _results[key]

    return get


def spectrum(column):
    """Another column of the same array."""

    def changed(name):
        return lambda self, *a, **k: np.repeat(ORIGINAL[name](self, *a, **k)[:, [column]], 4, axis=1)

    return {(DATA, name): changed(name) for name in (*READ, "get_tensor_cls")}


def without_alens(reader):
    """A reader that takes no residual lensing, in the place of one that does."""
    return {
        (DATA, "get_total_cls"): reader,
        (DATA, "get_partially_lensed_cls"): lambda self, _alens, *a, **k: reader(self, *a, **k),
    }


def instead(name):
    return without_alens(ORIGINAL[name])


def potential(column):
    """The lensing potential, or its correlation with T or E."""

    def read(self, lmax, **kwargs):
        return np.repeat(ORIGINAL["get_lens_potential_cls"](self, lmax, **kwargs)[:, [column]], 4, axis=1)

    return without_alens(read)


def zero(name):
    return {(DATA, name): lambda self, *a, **k: 0 * ORIGINAL[name](self, *a, **k)}


def scaled(power=1):
    """Lensed spectrum times the share of lensing that is left."""

    def read(self, alens, *args, **kwargs):
        return alens**power * ORIGINAL["get_lensed_scalar_cls"](self, *args, **kwargs)

    return {(DATA, "get_partially_lensed_cls"): read}


def scaled_total():
    def read(self, alens, *args, **kwargs):
        lensed = ORIGINAL["get_lensed_scalar_cls"](self, *args, **kwargs)
        tensor = ORIGINAL["get_tensor_cls"](self, *args, **kwargs)
        return alens * lensed - (1 - alens) * tensor  # the script adds the tensors once more

    return {(DATA, "get_partially_lensed_cls"): read}


def mixed():
    """Lensed and unlensed spectra mixed by the share of lensing that is left."""

    def read(self, alens, *args, **kwargs):
        lensed, unlensed = (ORIGINAL[f"get_{n}_scalar_cls"](self, *args, **kwargs) for n in ("lensed", "unlensed"))
        return alens * lensed + (1 - alens) * unlensed

    return {(DATA, "get_partially_lensed_cls"): read}


def forget(*names):
    """Parameters that never reach CAMB, so that its defaults apply."""
    owners = {(PARAMS, "set_cosmology"): PARAMS.set_cosmology}
    owners[camb.InitialPowerLaw, "set_params"] = camb.InitialPowerLaw.set_params

    def changed(original):
        return lambda self, **k: original(self, **{n: v for n, v in k.items() if n not in names})

    return {key: changed(original) for key, original in owners.items()}


def lens_setup(call):
    """Another call in the place of set_for_lmax."""
    original = PARAMS.set_for_lmax
    calls = {
        "lmax_only": lambda self, lmax, **_: original(self, lmax),
        "never": lambda self, *_args, **_: self,
        "to_the_edge": lambda self, lmax, lens_potential_accuracy: original(
            self, lmax - 500, lens_potential_accuracy=lens_potential_accuracy
        ),
    }
    return {(PARAMS, "set_for_lmax"): calls[call]}


def power(change):
    """Another reading of the matter power spectrum."""
    original = DATA.get_matter_power_spectrum

    def read(self, **kwargs):
        if change == "baryons_and_cdm":
            kwargs |= {"var1": "delta_nonu", "var2": "delta_nonu"}
        return original(self, **kwargs)

    return {(DATA, "get_matter_power_spectrum"): read}


def noise(change):
    """Another use of the lensing noise, or another efficiency, in task 14."""
    loadtxt, with_spectrum = np.loadtxt, DATA.get_lensed_cls_with_spectrum

    def load(*args, **kwargs):
        ell, values = loadtxt(*args, **kwargs)
        factor = (ell * (ell + 1)) ** 2 / (2 * np.pi)
        factors = {"unscaled": 1 / factor, "scaled_again": factor, "without_2pi": 2 * np.pi}
        return ell, values * factors[change]

    def potential_of(self, n):
        return ORIGINAL["get_lens_potential_cls"](self, n - 1)[:, :1]

    def unpadded(self, residual, lmax):
        full = potential_of(self, len(residual))[:, 0]
        return with_spectrum(
            self, np.where(np.arange(len(residual)) <= residual.nonzero()[0].max(), residual, full), lmax
        )

    if change == "unpadded":
        return {(DATA, "get_lensed_cls_with_spectrum"): unpadded}
    if change == "of_potential":
        return {
            (DATA, "get_lensed_scalar_cls"): lambda self, n: np.repeat(potential_of(self, n + 1), 4, axis=1),
            (DATA, "get_lensed_cls_with_spectrum"): lambda _, residual, n: np.repeat(
                residual[: n + 1, None], 4, axis=1
            ),
        }
    if change.startswith("of_"):
        j = ("TT", "EE").index(change.removeprefix("of_"))

        def column(values):
            return np.repeat(values[:, [j]], 4, axis=1)

        return {
            (DATA, "get_lensed_scalar_cls"): lambda self, n: column(ORIGINAL["get_lensed_scalar_cls"](self, n)),
            (DATA, "get_lensed_cls_with_spectrum"): lambda self, residual, n: column(with_spectrum(self, residual, n)),
        }
    return {(np, "loadtxt"): load}


PATCHES = {f.__name__: f for f in (
    spectrum, instead, potential, zero, scaled, scaled_total, mixed, forget, lens_setup, power, noise)}  # fmt: skip


@contextmanager
def changed_camb(patches):
    with ExitStack() as stack:
        for name, *arguments in patches:
            for (owner, attribute), value in PATCHES[name](*arguments).items():
                stack.enter_context(patch.object(owner, attribute, value))
        yield


def main(request_path):
    request = json.loads(Path(request_path).read_text(encoding="utf-8"))
    camb.get_results = remembered(camb.get_results)
    spec = importlib.util.spec_from_file_location("reference_script", request["script"])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    curves, failures = {}, {}
    for name, change in request["changes"].items():
        try:
            with changed_camb(change.get("patches", ())):
                x, y = module.compute(**{**request["arguments"], **change.get("arguments", {})})
            curves[name] = np.array([x, y], dtype=np.float64)
        except Exception as error:  # an alternative that this CAMB cannot compute is told, not hidden
            failures[name] = f"{type(error).__name__}: {error}"
    np.savez(request["curves"], **curves)
    versions = {"camb": camb.__version__, "numpy": np.__version__, "python": platform.python_version()}
    Path(request["report"]).write_text(json.dumps({"failures": failures, "versions": versions}), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
