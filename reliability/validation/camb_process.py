"""CAMB in a process of its own, for many runs of reference scripts one after another."""

from __future__ import annotations

import multiprocessing
import os
import runpy
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reliability.errors import ReferenceSolutionError
from reliability.records import Setting

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from types import TracebackType

    from reliability.records import FloatArray

TIMEOUT_S = 300.0
"""A run that takes longer is stopped, and counts as one that CAMB cannot compute."""
N_REMEMBERED = 2
"""Models whose transfer functions are kept: a ratio needs two."""


class CambProcess:
    """A process of its own that runs reference scripts one after another, with one thread: CAMB may die in it."""

    def __init__(self) -> None:
        """No process yet; the first :meth:`compute` starts it."""
        self._process: Any = None
        self._pipe: Any = None

    def __enter__(self) -> CambProcess:
        """Nothing to do yet."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the process."""
        self._end()

    def compute(self, script: Path, arguments: Mapping[str, Setting]) -> tuple[FloatArray, FloatArray, str]:
        """Return x, y and CAMB's version; :class:`ReferenceSolutionError` with what went wrong."""
        import numpy as np

        if self._process is None:
            context = multiprocessing.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
        try:
            self._pipe.send((str(script), dict(arguments)))
            if not self._pipe.poll(TIMEOUT_S):
                self._end()
                raise ReferenceSolutionError(f"not finished after {TIMEOUT_S:.0f} s")
            x, y, said = self._pipe.recv()
        except (EOFError, OSError):
            self._end()
            raise ReferenceSolutionError("the process died") from None
        if x is None:
            raise ReferenceSolutionError(said)
        if not np.isfinite(y).all():
            raise ReferenceSolutionError("values that are not finite")
        return x, y, said

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None


def _serve(pipe: Connection) -> None:
    """Run what is asked for until the other side is gone; CAMB's own messages go nowhere."""
    os.environ["OMP_NUM_THREADS"] = "1"
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    import camb
    import numpy as np

    camb.get_results = remembering(camb.get_results)
    scripts: dict[str, Any] = {}
    while True:
        try:
            path, arguments = pipe.recv()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            if path not in scripts:
                scripts[path] = runpy.run_path(path)["compute"]
            x, y = (np.array(values, dtype=np.float64) for values in scripts[path](**arguments))
            pipe.send((x, y, camb.__version__))
        except Exception as error:
            pipe.send((None, None, " ".join(f"{type(error).__name__}: {error}".split())[:200]))


def remembering(get_results: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return ``get_results`` that reuses transfer functions where only the initial power differs from an earlier call.

    The numbers are bit for bit the same, in a twentieth of the time. Where non-linear corrections are on CAMB would
    keep the old ones, so nothing is reused. The object returned is the earlier one, changed.
    """
    import camb

    kept: dict[str, Any] = {}

    def get(params: Any) -> Any:
        if params.NonLinear != camb.model.NonLinear_none:
            return get_results(params)
        same = params.copy()
        same.set_initial_power(camb.InitialPowerLaw())
        key = str(same)
        if key in kept:
            kept[key].power_spectra_from_transfer(params.InitPower, silent=True)
            return kept[key]
        while len(kept) >= N_REMEMBERED:
            del kept[next(iter(kept))]
        results = get_results(params)
        kept[key] = results
        return results

    return get
