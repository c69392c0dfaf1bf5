"""Runs scripts, each in a process forked from this one with CAMB loaded, and reports what CAMB received.

Started by :mod:`reliability.recorder` as ``python _server.py REPORT_FD JOBS.json``, in the sandbox's work folder:
standard library and CAMB only.  A line of JSON for each report goes to the descriptor; the scripts cannot see it, but
one that wants to can forge its own record, since the recorder's code shares its process.
"""

import atexit
import contextlib
import json
import os
import resource
import runpy
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = str(Path(__file__).resolve().parent)
sys.path = [entry for entry in sys.path if entry != HERE]
sys.path.insert(0, HERE)
import _ledger  # type: ignore[import-not-found]  # noqa: E402

sys.path.remove(HERE)
import camb  # noqa: E402
import numpy as np  # noqa: E402
from camb.results import CAMBdata  # noqa: E402

MAX_REPORT_BYTES = 16 * 1024 * 1024
MAX_REPORTED_FILES = 200
PLAIN = (bool, int, float, str, type(None))


class Recorder:
    """Replaces CAMB's computations in the process of one script by ones that report first."""

    def __init__(self, report: int, folder: str, *, is_first_only: bool) -> None:
        self.report, self.is_first_only = report, is_first_only
        self.main = os.getpid()
        self.ledger = _ledger.Ledger(folder)
        self.depth = self.n_models = self.n_bytes = 0
        self.files: dict[str, int] = {}
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
        sys.addaudithook(self.opened)

    def computing(self, compute: Callable[..., Any], *, is_powers: bool = False) -> Callable[..., Any]:
        def recorded(results: Any, *args: Any, **kwargs: Any) -> Any:
            given = args[0] if args else kwargs.get("params", kwargs.get("initial_power_params"))
            by_script = sys._getframe(1).f_code.co_filename.startswith(self.ledger.folder)
            if self.depth or self.ledger.is_solving() or (given is None and not by_script):
                return compute(results, *args, **kwargs)  # part of a computation that is reported, or was
            power = given if compute.__name__ == "power_spectra_from_transfer" else None
            params = results.Params if given is None or power is not None else given
            self.computes(results, params, power, compute.__name__, is_powers=is_powers)
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
            name = os.path.relpath(os.fsdecode(path))
            if self.files.get(name) != self.n_models:
                self.files[name] = self.n_models
                self.say(kind="writes", file=name, n_models=self.n_models)

    def end(self, ended: str, error: str = "", line: int | None = None) -> None:
        """Report how it ended, and end the process without a word of the script's."""
        for (structure, name), where in self.ledger.unknown.items():
            self.say(kind="unknown", structure=structure, name=name, line=where)
        self.say(kind="end", ended=ended, error=error, line=line)
        os.kill(self.main, signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)  # one of the script's own processes


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


def run_script(job: dict[str, Any], report: int) -> None:
    """In the forked process: the script as ``python script.py`` in its folder."""
    os.setsid()
    folder = os.path.realpath(job["folder"])
    os.chdir(folder)
    for stream, mode in ((0, os.O_RDONLY), (1, os.O_WRONLY), (2, os.O_WRONLY)):
        os.dup2(os.open(os.devnull, mode), stream)
    sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
    cpu = int(job["seconds"] * (os.cpu_count() or 1)) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    recorder = Recorder(report, folder + os.sep, is_first_only=job["is_first_only"])
    script = folder + os.sep + job["script"]
    sys.argv = [script]
    sys.path.insert(0, folder)
    recorder.install()
    ended, error, line = "finished", "", None
    try:
        runpy.run_path(script, run_name="__main__")
        finish()
    except SystemExit as leaving:
        ended = "exited"
        error = "" if leaving.code in (None, 0) else f"exit code {str(leaving.code)[:200]}"
        finish()
    except BaseException as problem:
        ended = "stopped"
        error = f"{type(problem).__name__}: {str(problem)[:300]}"
        line = line_of(problem, script)
    recorder.end(ended, error, line)


def finish() -> None:
    """What an interpreter does at its end: wait for threads, run what was registered."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()


def line_of(problem: BaseException, script: str) -> int | None:
    """Line of the script at which it stopped."""
    if isinstance(problem, SyntaxError) and problem.filename == script:
        return problem.lineno
    line, trace = None, problem.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == script:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def serve(job: dict[str, Any], answers: int) -> dict[str, Any]:
    """Run one job and return what it reported, as text."""
    with tempfile.TemporaryFile("ab+", buffering=0) as report:
        started = time.monotonic()
        child = os.fork()
        if child == 0:
            try:
                os.close(answers)
                run_script(job, report.fileno())
            finally:
                os.kill(os.getpid(), signal.SIGKILL)
        deadline, pause, status = started + job["seconds"], 0.001, None
        while status is None and time.monotonic() < deadline:
            done, code = os.waitpid(child, os.WNOHANG)
            if done:
                status = code
            else:
                time.sleep(pause)
                pause = min(0.02, pause * 1.3)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)
        if status is None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        report.seek(0)
        said = report.read(MAX_REPORT_BYTES + 65536).decode("utf-8", "replace")
        return {
            "job": job["job"],
            "status": None if status is None else os.waitstatus_to_exitcode(status),
            "seconds": time.monotonic() - started,
            "report": said,
        }


def main() -> None:
    answers, jobs = int(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text())
    os.set_inheritable(answers, False)
    with open(answers, "w", encoding="utf-8", buffering=1) as out:
        out.write(json.dumps({"camb": camb.__version__}) + "\n")
        for job in jobs:
            out.write(json.dumps(serve(job, answers)) + "\n")


main()
