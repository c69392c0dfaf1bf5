"""Notes in the process of a script what it makes CAMB compute, which files it opens, which programs it starts.

Runs inside the recorded process, in any interpreter that has CAMB: standard library, numpy and CAMB only.
"""

import contextlib
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from typing import Any

import _ledger  # type: ignore[import-not-found]
import _places  # type: ignore[import-not-found]
import camb
import numpy as np
from camb.results import CAMBdata

MAX_REPORT_BYTES = 16 * 1024 * 1024
MAX_REPORTED_FILES = 200
MAX_KEPT = 64 * 1024 * 1024
"""Bytes of a file written outside the folder that is brought home."""
STARTS = {"subprocess.Popen": 0, "os.system": 0, "os.exec": 0, "os.posix_spawn": 0}
"""Audit events of starting a program, and which argument names it."""
ALTERED = {"omch2": 1.07, "H0": 1.03, "As": 1.1}
"""Factors on what CAMB receives when its answers shall be other ones: nothing that CAMB computes stays the same."""


class Recorder:
    """Replaces CAMB's computations in the process of one script by ones that report first."""

    def __init__(self, report: int, folder: str, *, is_first_only: bool = False, is_altered: bool = False) -> None:
        self.report, self.is_first_only, self.is_altered = report, is_first_only, is_altered
        self.main = os.getpid()
        self.ledger = _ledger.Ledger(folder)
        self.depth = self.n_models = self.n_bytes = 0
        self.files: dict[str, int] = {}
        self.programs: set[str] = set()
        self.latest: dict[str, Any] = {}

    def say(self, **entry: Any) -> None:
        """Append a line to the report; a single write, since the script's own processes write there too."""
        line = json.dumps(entry).encode() + b"\n"
        self.n_bytes += len(line)
        if self.n_bytes < MAX_REPORT_BYTES:
            os.write(self.report, line)

    def install(self) -> None:
        _ledger.follow(self.ledger)
        for name in ("calc_background", "calc_background_no_thermo", "calc_transfers"):
            setattr(CAMBdata, name, self.computing(getattr(CAMBdata, name)))
        for name in ("calc_power_spectra", "power_spectra_from_transfer"):
            setattr(CAMBdata, name, self.computing(getattr(CAMBdata, name), is_powers=True))
        CAMBdata.get_partially_lensed_cls = self.lensing(CAMBdata.get_partially_lensed_cls)

    def watch(self) -> None:
        """Note opened files and started programs."""
        sys.addaudithook(self.opened)
        sys.addaudithook(self.started)

    def computing(self, compute: Callable[..., Any], *, is_powers: bool = False) -> Callable[..., Any]:
        def recorded(results: Any, *args: Any, **kwargs: Any) -> Any:
            given = args[0] if args else kwargs.get("params", kwargs.get("initial_power_params"))
            by_script = sys._getframe(1).f_code.co_filename.startswith(self.ledger.folder)
            if self.depth or self.ledger.is_solving() or (given is None and not by_script):
                return compute(results, *args, **kwargs)  # part of a computation that is reported, or was
            power = given if compute.__name__ == "power_spectra_from_transfer" else None
            params = results.Params if given is None or power is not None else given
            self.computes(results, params, power, compute.__name__, is_powers=is_powers)
            if self.is_altered:
                args, kwargs = altered(results, given, args, kwargs)
            self.depth += 1
            try:
                return compute(results, *args, **kwargs)
            finally:
                self.depth -= 1
                if isinstance(params, camb.CAMBparams):
                    self.ledger.copied(params, results.Params)

        recorded.__name__ = compute.__name__
        recorded.__doc__ = compute.__doc__
        return recorded

    def computes(self, results: Any, params: Any, power: Any, call: str, *, is_powers: bool) -> None:
        """CAMB is about to compute: report the model, unless CAMB refuses it."""
        if power is not None:
            params = params.copy()
            params.set_initial_power(power)
        results._check_params(params)
        if is_powers:
            results._check_powers(params)
        self.model(self.ledger.parameters(params), call)
        results._reported = self.latest

    def lensing(self, lens: Callable[..., Any]) -> Callable[..., Any]:
        """An amount of lensing given when results are read belongs to the model; a second one makes another model."""

        def recorded(results: Any, Alens: Any, *args: Any, **kwargs: Any) -> Any:
            entry = getattr(results, "_reported", None)
            if entry is not None:
                amount = plain(Alens) if np.isscalar(Alens) else None
                told = (amount, "set" if amount is not None else "unresolved", self.ledger.line())
                if entry is self.latest and not entry.get("lensed"):
                    entry["lensed"] = True
                    self.say(kind="lensed", parameters={"Alens": told})
                else:
                    self.model({**entry["parameters"], "Alens": told}, "get_partially_lensed_cls")
                    self.latest["lensed"] = True
            return lens(results, Alens, *args, **kwargs)

        return recorded

    def model(self, parameters: dict[str, Any], call: str) -> None:
        parameters = {name: (plain(value), state, line) for name, (value, state, line) in parameters.items()}
        self.n_models += 1
        self.latest = {"parameters": parameters}
        self.say(kind="model", call=call, line=self.ledger.line(), parameters=parameters)
        if self.is_first_only:
            self.end("first computation")

    def opened(self, event: str, arguments: Any) -> None:
        """An audit hook: which files are opened for writing, and after how many computed models."""
        if event != "open" or len(self.files) >= MAX_REPORTED_FILES:
            return
        path, mode, flags = arguments
        writes = set("wax+") & set(mode) if mode else (flags or 0) & (os.O_WRONLY | os.O_RDWR)
        if not writes or isinstance(path, int):
            return
        with contextlib.suppress(OSError, ValueError, TypeError):
            name = os.path.relpath(os.fsdecode(path), self.ledger.folder)
            if self.files.get(name) != self.n_models:
                self.files[name] = self.n_models
                self.say(kind="writes", file=name, n_models=self.n_models)

    def started(self, event: str, arguments: Any) -> None:
        """An audit hook: which programs are started; those that are this Python are recorded themselves."""
        if event not in STARTS or len(self.programs) >= MAX_REPORTED_FILES:
            return
        with contextlib.suppress(OSError, ValueError, TypeError, IndexError):
            words = arguments[1] if event == "subprocess.Popen" and arguments[1] else [arguments[STARTS[event]]]
            words = [words] if isinstance(words, (str, bytes, os.PathLike)) else list(words)
            text = " ".join(os.fsdecode(word) for word in words)[:200]
            if text not in self.programs:
                self.programs.add(text)
                self.say(kind="starts", name=text)

    def missed(self, file: str) -> None:
        """A file was looked for in vain."""
        self.say(kind="missed", name=file[:500])

    def bring_home(self, outside: str) -> None:
        """Copy what the script wrote outside its folder, e.g. in /tmp, to a folder in it."""
        for name in list(self.files):
            source = os.path.abspath(os.path.join(self.ledger.folder, name))
            if name.startswith("..") and not {part[:1] for part in source.split(os.sep)[1:]} & {"."}:
                with contextlib.suppress(OSError):
                    if os.path.isfile(source) and os.path.getsize(source) <= MAX_KEPT:
                        target = outside + source
                        _places.make_folders(os.path.dirname(target))
                        shutil.copyfile(source, target)

    def end(self, ended: str, error: str = "", line: int | None = None) -> None:
        """Report how it ended, and end the process without a word of the script's."""
        for (structure, name), where in self.ledger.unknown.items():
            self.say(kind="unknown", structure=structure, name=name, line=where)
        self.say(kind="end", ended=ended, error=error, line=line)
        os.kill(self.main, signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)  # one of the script's own processes


def altered(results: Any, given: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """The arguments of a computation with other parameters in them; the script's own objects stay as they are."""
    if not isinstance(given, camb.CAMBparams):
        alter(results.Params)
        return args, kwargs
    other = given.copy()
    alter(other)
    if args:
        return (other, *args[1:]), kwargs
    return args, {**kwargs, "params": other}


def alter(params: Any) -> None:
    """Change parameters in place."""
    for name, factor in ALTERED.items():
        owner = params.InitPower if name == "As" else params
        if isinstance(getattr(owner, name, None), float):
            setattr(owner, name, getattr(owner, name) * factor)


def plain(value: Any) -> Any:
    """A value as JSON has it: numpy's numbers as Python's, anything else as its text."""
    if hasattr(value, "item") and getattr(value, "size", 1) == 1:
        value = value.item()
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**62 else float(value)
    if isinstance(value, (float, str)):
        return value if isinstance(value, str) else float(value)
    return repr(value)[:200]
