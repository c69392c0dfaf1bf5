"""``.npz`` and ``.npy``: arrays called chain, names and weights. Object arrays (pickles) are never loaded."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from reliability.errors import InputError
from reliability.posteriors.building import Raw
from reliability.posteriors.columns import LOG_WEIGHT_NAMES, WEIGHT_NAMES, raw_from_columns, to_weights
from reliability.posteriors.limits import MAX_BYTES, check_count, unreadable

if TYPE_CHECKING:
    from reliability.records import FloatArray

CHAIN_NAMES = ("chain", "chains", "samples", "flat_samples", "flatchain", "posterior_samples", "posterior", "points")
"""In this order; the first is the documented one, of shape (chains, steps, parameters)."""
NAME_NAMES = ("names", "param_names", "parameter_names", "parameters", "labels")
_MANY = 10
"""So many times more chains than steps are taken for steps of walkers."""
Arrays = Mapping[str, Callable[[], Any]]
"""Name -> function that reads the array."""


def read_npz(path: Path) -> Raw:
    """Return what an archive of arrays holds."""
    try:
        with zipfile.ZipFile(path) as archive:
            items = {item.filename.removesuffix(".npy"): item for item in archive.infolist()}

            def reader(name: str) -> Callable[[], Any]:
                def read() -> Any:
                    if items[name].file_size > MAX_BYTES:
                        raise unreadable(path, f"array {name!r} unpacks to more than {MAX_BYTES} bytes")
                    with archive.open(items[name]) as stream:
                        return _read_array(stream, path, name)

                return read

            return raw_from_arrays({name: reader(name) for name in items}, path, "npz")
    except InputError:
        raise
    except Exception as error:  # a damaged archive makes zipfile raise nearly anything
        raise unreadable(path, f"not a readable .npz file: {error or type(error).__name__}") from None


def read_npy(path: Path) -> Raw:
    """Return what a file with one array holds."""
    try:
        with path.open("rb") as stream:
            array = _read_array(stream, path, "the array")
    except InputError:
        raise
    except Exception as error:  # a damaged header makes NumPy raise nearly anything
        raise unreadable(path, f"not a readable .npy file: {error or type(error).__name__}") from None
    if array.dtype.names:
        return raw_from_columns({name: array[name] for name in array.dtype.names}, path, "npy")
    return raw_from_array(array, path, "npy")


def _read_array(stream: IO[bytes], path: Path, name: str) -> Any:
    """Return the array in a stream in NumPy's format, its size checked first; raises :class:`ValueError` if damaged."""
    version = np.lib.format.read_magic(stream)
    if version not in ((1, 0), (2, 0), (3, 0)):
        raise ValueError(f"format version {version}")
    read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, is_fortran, dtype = read_header(stream)
    if dtype.hasobject:
        raise unreadable(path, f"{name}: pickled objects are never loaded; save numbers or texts")
    check_count(path, name, *shape)
    data = stream.read(math.prod(shape) * dtype.itemsize)
    array = np.frombuffer(data, dtype)
    return array.reshape(shape, order="F" if is_fortran else "C")


def raw_from_arrays(arrays: Arrays, path: Path, format_name: str) -> Raw:
    """Return the posterior in named arrays: chain, names, weights, else one array a parameter."""
    key = next((name for name in CHAIN_NAMES if name in arrays), None)
    if key is None:
        return _from_single_columns(arrays, path, format_name)
    used = {key}
    raw = raw_from_array(arrays[key](), path, format_name, is_documented=key == "chain")
    names_key = next((name for name in NAME_NAMES if name in arrays), None)
    if names_key is not None:
        raw.names = _texts(arrays[names_key](), path, names_key)
        used.add(names_key)
    weight_keys = WEIGHT_NAMES if key == "chain" else (*WEIGHT_NAMES, *LOG_WEIGHT_NAMES)
    weight_key = next((name for name in weight_keys if name in arrays), None)
    if weight_key is not None:
        raw.weights = to_weights(weight_key, _numbers(arrays[weight_key](), path, weight_key).ravel())
        used.add(weight_key)
    if ignored := [name for name in arrays if name not in used]:
        raw.notes.append(f"arrays ignored: {', '.join(ascii(name)[1:-1] for name in ignored[:20])}")
    return raw


def raw_from_array(array: Any, path: Path, format_name: str, *, is_documented: bool = False) -> Raw:
    """Return the posterior in one array of one, two or three axes, the last one the parameters.

    Three axes are (chains, steps, parameters) where that is documented; else the longer of the first two is the steps,
    and (steps, walkers, parameters) is emcee's order.
    """
    numbers = _numbers(array, path, "chain")
    if numbers.size == 0:
        raise unreadable(path, f"the chain is empty (shape {numbers.shape})")
    if numbers.ndim in (1, 2):
        columns = numbers.reshape(len(numbers), -1).T
        return Raw(np.ascontiguousarray(columns), None, [columns.shape[1]], "single", format_name)
    if numbers.ndim != 3:
        raise unreadable(path, f"chain has shape {numbers.shape}; (chains, steps, parameters) is read")
    first, second, n_parameters = numbers.shape
    is_steps_first = first >= _MANY * second if is_documented else first > second
    walkers = numbers.transpose(2, 1, 0) if is_steps_first else numbers.transpose(2, 0, 1)
    n_chains, n_steps = walkers.shape[1:]
    samples = np.ascontiguousarray(walkers).reshape(n_parameters, n_chains * n_steps)
    structure = "single" if n_chains == 1 else "ensemble" if is_steps_first else "chains"
    raw = Raw(samples, None, [n_steps] * n_chains, structure, format_name)  # type: ignore[arg-type]
    if is_steps_first:
        raw.notes.append(f"shape {numbers.shape} taken as (steps, walkers, parameters)")
    return raw


def _from_single_columns(arrays: Arrays, path: Path, format_name: str) -> Raw:
    loaded = {name: read() for name, read in arrays.items()}
    columns = {name: a for name, a in loaded.items() if a.ndim == 1 and a.dtype.kind in "iuf"}
    n = max((len(a) for a in columns.values()), default=0)
    columns = {name: a for name, a in columns.items() if len(a) == n}
    if n == 0:
        raise unreadable(
            path, f"no array called 'chain' (it has {', '.join(ascii(k)[1:-1] for k in loaded) or 'none'})"
        )
    raw = raw_from_columns(columns, path, format_name)
    if ignored := [name for name in loaded if name not in columns]:
        raw.notes.append(f"arrays ignored: {', '.join(ascii(name)[1:-1] for name in ignored[:20])}")
    return raw


def _numbers(array: Any, path: Path, name: str) -> FloatArray:
    if array.dtype.kind not in "iuf":
        raise unreadable(path, f"{name} holds {array.dtype}, not numbers")
    return array.astype(np.float64)  # type: ignore[no-any-return]


def _texts(array: Any, path: Path, name: str) -> list[str]:
    if array.dtype.kind not in "US":
        raise unreadable(path, f"{name} holds {array.dtype}, not texts")
    return [text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text) for text in array.ravel()]
