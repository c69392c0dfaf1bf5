"""One file to one posterior, whatever sampler wrote it: the format is known by its first bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from reliability.agent_files import read_bytes
from reliability.errors import InputError
from reliability.posterior_records import Posterior
from reliability.posteriors.building import Raw, finish
from reliability.posteriors.hdf5_files import read_hdf5
from reliability.posteriors.limits import check_file, unreadable
from reliability.posteriors.numpy_files import read_npy, read_npz
from reliability.posteriors.parquet_files import read_parquet
from reliability.posteriors.report import read_report
from reliability.posteriors.summary_file import read_summary
from reliability.posteriors.text_files import find_chain_files, read_chain_files, read_table

_BINARY: Mapping[bytes, Callable[[Path], Raw]] = {
    b"\x89HDF\r\n\x1a\n": read_hdf5,
    b"PK\x03\x04": read_npz,
    b"PK\x05\x06": read_npz,  # an archive without members
    b"\x93NUMPY": read_npy,
    b"PAR1": read_parquet,
}
_REFUSED: Mapping[bytes, str] = {
    b"\x80": "a pickle; pickles are never loaded",
    b"\x1f\x8b": "compressed (gzip); unpack it first",
    b"CDF": "netCDF 3; save it as netCDF 4",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
}
_ONLY_BINARY = (".npz", ".npy", ".h5", ".hdf5", ".nc", ".nc4", ".parquet", ".pkl", ".pickle")
_WORDS = (".md", ".rst")


def read_posterior(path: str | Path, *, names: Sequence[str] | None = None, discard: float = 0.0) -> Posterior:
    """Return the posterior in a file.

    Parameters
    ----------
    path
        emcee's HDF5, GetDist or Cobaya text (a chain or the root of several), ArviZ' netCDF 4, ``.npz`` and ``.npy``,
        CSV, ECSV and other tables, Parquet, ``summary.json``, or, marked as such, the words of a report.
    names
        Names of the parameters where the file has none, or other ones.
    discard
        Share of each chain's first steps to leave out (0 to below 1): burn-in.

    Raises
    ------
    InputError
        One line: why the file holds no posterior. Nothing in a file is ever unpickled or run.
    """
    path = Path(path)
    if not path.exists() and path.suffix != ".txt" and (files := find_chain_files(path)):
        return _discard(finish(read_chain_files(files, path), path, names), discard, path)
    check_file(path)
    found = _read(path, names)
    posterior = found if isinstance(found, Posterior) else finish(found, path, names)
    return _discard(posterior, discard, path)


def _read(path: Path, names: Sequence[str] | None) -> Raw | Posterior:
    head = read_bytes(path, 15)
    suffix = path.suffix.lower()
    for signature, read in _BINARY.items():
        if head.startswith(signature):
            return read(path)
    for signature, what in _REFUSED.items():
        if head.startswith(signature):
            raise unreadable(path, what)
    if suffix in _ONLY_BINARY:
        raise unreadable(path, f"not a readable {suffix} file: its first bytes are {head[:8]!a}")
    if names is not None and (suffix == ".json" or suffix in _WORDS):
        raise unreadable(path, "names can be given for a chain only")
    if suffix == ".json" or head.lstrip().startswith(b"{"):
        return read_summary(path)
    if suffix in _WORDS:
        return read_report(path)
    if files := find_chain_files(path):
        return read_chain_files(files, path)
    table = read_table(path)
    if not isinstance(table, str):
        return table
    try:
        return read_report(path)
    except InputError:
        raise unreadable(path, f"no posterior: {table}; and no sentence states a value with an error") from None


def _discard(posterior: Posterior, share: float, path: Path) -> Posterior:
    """Leave out the first steps of each chain."""
    if not 0.0 <= share < 1.0:
        raise unreadable(path, f"the share to discard must be at least 0 and below 1, not {share:.6g}")
    if share == 0.0:
        return posterior
    if posterior.samples is None or posterior.structure == "weighted":
        raise unreadable(path, "nothing to discard: these are no chains")
    starts = np.cumsum((0, *posterior.lengths))[:-1]
    cuts = [int(share * n) for n in posterior.lengths]
    kept = [np.arange(s + c, s + n) for s, c, n in zip(starts, cuts, posterior.lengths, strict=True)]
    samples = np.ascontiguousarray(posterior.samples[:, np.concatenate(kept)])
    raw = Raw(samples, posterior.names, [k.size for k in kept], posterior.structure, posterior.format)
    raw.acceptance, raw.bounds = posterior.acceptance, posterior.bounds
    raw.notes = [*posterior.notes, f"the first {share:.3g} of each chain left out"]
    return finish(raw, path)
