"""Runs scripts, each in a process forked from this one with CAMB loaded, and reports what CAMB received.

Started by :mod:`reliability.recorder` as ``python _server.py REPORT_FD JOBS.json``, in the sandbox's work folder:
standard library and CAMB only.  A line of JSON for each report goes to the descriptor; the scripts cannot see it, but
one that wants to can forge its own record, since the recorder's code shares its process.
"""

import atexit
import contextlib
import fcntl
import json
import os
import resource
import runpy
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

HERE = str(Path(__file__).resolve().parent)
sys.path = [entry for entry in sys.path if entry != HERE]
sys.path.insert(0, HERE)
import _recorder  # type: ignore[import-not-found]  # noqa: E402
from _places import Places  # type: ignore[import-not-found]  # noqa: E402

sys.path.remove(HERE)
import camb  # noqa: E402

CHILDREN = os.path.join(HERE, "children")


def run_script(job: dict[str, Any], report: int, report_path: str) -> None:
    """In the forked process: the script as ``python FOLDER/script.py`` in the folder it is given."""
    os.setsid()
    folder = os.path.realpath(job["folder"])
    printed = os.path.realpath(job["printed"]) if job["printed"] else os.devnull
    os.chdir(folder)
    for stream, path, mode in (
        (0, os.devnull, os.O_RDONLY),
        (1, printed, os.O_WRONLY | os.O_CREAT),
        (2, os.devnull, os.O_WRONLY),
    ):
        os.dup2(os.open(path, mode, 0o600), stream)
    sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
    cpu = int(job["seconds"] * (os.cpu_count() or 1)) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    options = {"is_first_only": job["is_first_only"], "is_altered": job["is_altered"]}
    recorder = _recorder.Recorder(report, folder + os.sep, **options)
    script = os.path.join(folder, job["script"])
    sys.argv = [script]
    sys.path.insert(0, os.path.dirname(script))
    follow_children(folder, report_path, is_altered=job["is_altered"])
    recorder.install()
    places = Places(folder, os.path.dirname(script), recorder.missed)
    if job["is_moved"]:
        places.follow()
    recorder.watch()
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
    if job["is_moved"]:
        recorder.bring_home(places.outside)
        with contextlib.suppress(OSError, ValueError, AttributeError):
            sys.stdout.flush()
    recorder.end(ended, error, line)


def follow_children(folder: str, report_path: str, *, is_altered: bool) -> None:
    """Pythons that the script starts record too."""
    told = {"here": HERE, "folder": folder + os.sep, "report": report_path, "is_altered": is_altered}
    os.environ["RELIABILITY_RECORD"] = json.dumps(told)
    os.environ["PYTHONPATH"] = CHILDREN
    os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")


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
    handle, path = tempfile.mkstemp(prefix="report-", dir=os.getcwd())  # with a name: for processes the script starts
    fcntl.fcntl(handle, fcntl.F_SETFL, os.O_APPEND)
    with open(handle, "ab+", buffering=0) as report:
        started = time.monotonic()
        child = os.fork()
        if child == 0:
            try:
                os.close(answers)
                run_script(job, report.fileno(), path)
            finally:
                os.kill(os.getpid(), signal.SIGKILL)
        status = wait_for(child, started + job["seconds"])
        seconds = time.monotonic() - started
        with contextlib.suppress(OSError):
            os.unlink(path)
        report.seek(0)
        said = report.read(_recorder.MAX_REPORT_BYTES + 65536).decode("utf-8", "replace")
    code = None if status is None else os.waitstatus_to_exitcode(status)
    return {"job": job["job"], "status": code, "seconds": seconds, "report": said}


def wait_for(child: int, deadline: float) -> int | None:
    """Wait for a script and end what it left running; returns its status, ``None`` if its time was over."""
    pause, status = 0.001, None
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
    return status


def main() -> None:
    answers, jobs = int(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text())
    os.set_inheritable(answers, False)
    with open(answers, "w", encoding="utf-8", buffering=1) as out:
        out.write(json.dumps({"camb": camb.__version__}) + "\n")
        for job in jobs:
            out.write(json.dumps(serve(job, answers)) + "\n")


main()
