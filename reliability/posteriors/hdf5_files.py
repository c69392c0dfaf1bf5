"""HDF5: emcee's backend, arrays called chain and names, and netCDF 4 as ArviZ writes it.

Only datasets inside the file are read: a link or storage that points to another file is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from reliability.errors import InputError
from reliability.posteriors.building import Raw
from reliability.posteriors.limits import MAX_PARAMETERS, check_count, unreadable
from reliability.posteriors.numpy_files import raw_from_arrays

MAX_MEMBERS = 10_000
"""Of a group that are looked at."""
_ENSEMBLES = ("emcee", "zeus")
"""Libraries whose chains are walkers of one ensemble."""


def read_hdf5(path: Path) -> Raw:
    """Return what an HDF5 file holds, the first of: a backend of emcee, a group ``posterior`` of ArviZ, arrays."""
    import h5py

    try:
        with h5py.File(path, "r") as file:
            groups = {name: item for name, item in _items(file) if isinstance(item, h5py.Group)}
            backends = [name for name, group in groups.items() if {"iteration", "nwalkers", "ndim"} <= set(group.attrs)]
            if backends:
                raw = _emcee(groups[backends[0]], path)
                if len(backends) > 1:
                    raw.notes.append(f"runs {', '.join(backends[1:])} of the same file not read")
                return raw
            if "posterior" in groups:
                return _arviz(groups["posterior"], path)
            datasets = {name: item for name, item in _items(file) if isinstance(item, h5py.Dataset)}
            if {"chain", "draw"} <= set(datasets) and datasets["chain"].ndim == 1:
                return _arviz(file, path)
            return raw_from_arrays({n: _reader(d, path) for n, d in datasets.items()}, path, "HDF5")
    except InputError:
        raise
    except Exception as error:  # a damaged file makes h5py raise nearly anything
        raise unreadable(path, f"not a readable HDF5 file: {error or type(error).__name__}") from None


def _items(group: Any) -> Iterator[tuple[str, Any]]:
    """The members of a group that lie in this file."""
    import h5py

    for name in islice(group, MAX_MEMBERS):
        if isinstance(group.get(name, getlink=True), h5py.HardLink):
            yield name, group[name]


def _reader(dataset: Any, path: Path) -> Callable[[], Any]:
    return lambda: _read(dataset, path)


def _read(dataset: Any, path: Path, rows: int | None = None) -> Any:
    """Return a dataset as an array, or its first `rows`, its size checked before."""
    name = dataset.name.rpartition("/")[2]
    if dataset.is_virtual or dataset.external:
        raise unreadable(path, f"{name} lies in another file; not read")
    check_count(path, name, *dataset.shape)
    if dataset.dtype.kind == "O":
        if dataset.size > MAX_PARAMETERS:
            raise unreadable(path, f"{name} holds {dataset.size} objects, not numbers")
        texts = dataset.asstr("utf-8", errors="replace")  # fails unless the objects are texts
        return np.array([str(text) for text in np.ravel(texts[()])])
    return dataset[()] if rows is None else dataset[:rows]


def _emcee(group: Any, path: Path) -> Raw:
    """A backend: (steps, walkers, parameters), of which the first ``iteration`` steps are filled."""
    n_steps = int(group.attrs["iteration"])
    chain = dict(_items(group)).get("chain")
    if chain is None or chain.ndim != 3 or chain.dtype.kind not in "iuf":
        raise unreadable(path, f"group {group.name} has no chain of numbers with (steps, walkers, parameters)")
    if not 0 < n_steps <= chain.shape[0]:
        reason = "the chain is empty" if n_steps == 0 else f"only {chain.shape[0]} are stored: the file is damaged"
        raise unreadable(path, f"the sampler made {n_steps} steps; {reason}")
    steps = _read(chain, path, n_steps).astype(np.float64)
    _, n_walkers, n_parameters = steps.shape
    samples = np.ascontiguousarray(steps.transpose(2, 1, 0)).reshape(n_parameters, n_walkers * n_steps)
    accepted = dict(_items(group)).get("accepted")
    acceptance: tuple[float, ...] = ()
    if accepted is not None and accepted.shape == (n_walkers,) and accepted.dtype.kind in "iuf":
        acceptance = tuple(float(a) / n_steps for a in _read(accepted, path))
    raw = Raw(samples, None, [n_steps] * n_walkers, "ensemble", "emcee HDF5", acceptance=acceptance)
    if n_steps < chain.shape[0]:
        raw.notes.append(f"{n_steps} of {chain.shape[0]} reserved steps are filled; the others were not read")
    return raw


def _arviz(group: Any, path: Path) -> Raw:
    """The variables over (chain, draw, ...); one with more axes becomes a parameter each, ``name[i]``."""
    import h5py

    names: list[str] = []
    rows: list[Any] = []
    notes: list[str] = []
    shape: tuple[int, ...] = ()
    for name, item in _items(group):
        if not isinstance(item, h5py.Dataset) or name in ("chain", "draw") or not _is_over_draws(item, name):
            continue
        if item.dtype.kind not in "iuf":
            notes.append(f"variable {name} left out: {item.dtype} is no number")
            continue
        shape = shape or item.shape[:2]
        n_parts = math.prod(item.shape[2:])
        if item.shape[:2] != shape:
            raise unreadable(path, f"{name} has shape {item.shape}, others {shape} chains and draws")
        if len(names) + n_parts > MAX_PARAMETERS:
            notes.append(f"variable {name} left out: {n_parts} more parameters are too many")
            continue
        values = _read(item, path).astype(np.float64)
        check_count(path, "the posterior", len(names) + n_parts, *shape)
        names += [name] if item.ndim == 2 else [f"{name}[{','.join(map(str, i))}]" for i in np.ndindex(item.shape[2:])]
        rows.append(values.reshape(shape[0] * shape[1], n_parts).T)
    if not rows:
        raise unreadable(path, "the posterior has no variable over chain and draw")
    library = group.attrs.get("inference_library", b"")
    text = library.decode("ascii", "replace") if isinstance(library, bytes) else str(library)
    structure = "single" if shape[0] == 1 else "ensemble" if text in _ENSEMBLES else "chains"
    samples = np.ascontiguousarray(np.concatenate(rows))
    return Raw(samples, names, [shape[1]] * shape[0], structure, "ArviZ netCDF", notes=notes)  # type: ignore[arg-type]


def _is_over_draws(item: Any, name: str) -> bool:
    """Whether a variable's first two axes are chain and draw; their scales say so."""
    if item.ndim < 2 or name.startswith("_"):
        return False
    scales = [[scale.rpartition("/")[2] for scale in item.dims[i]] for i in range(2)]
    return "chain" in scales[0] and "draw" in scales[1]
