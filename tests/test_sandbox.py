"""The sandbox: what a command can touch, what ends it, what is told of it, and what a machine that refuses it says."""

import json
import os
import platform
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from reliability.errors import SandboxError
from reliability.sandbox import (
    MIB,
    Ended,
    Limits,
    Mode,
    Sandbox,
    available_backend,
    backends,
    cgroups,
    choose_backend,
    interpreter_paths,
    partial_backend,
    seccomp,
)
from reliability.sandbox.landlock import landlock_version

ROOT = Path(__file__).parents[1]
PYTHON = [sys.executable, "-I", "-S"]
SMALL = Limits(seconds=20, processes=50, memory=200 * MIB, disk=16 * MIB, file_size=8 * MIB, files=200, tmp=16 * MIB)
FIND = {"full": backends._bubblewrap, "partial": partial_backend}


def backend_or_skip(mode):
    """A backend; where this machine refuses it, the reason is shown (and test_what_is_refused_is_named holds it)."""
    if mode == "none":
        return choose_backend(Mode.NONE)
    try:
        return FIND[mode]()
    except SandboxError as error:
        pytest.skip(f"this machine refuses the {mode} sandbox: {error}")


@pytest.fixture(params=["full", "partial"])
def backend(request):
    return backend_or_skip(request.param)


@pytest.fixture
def work(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def run(work, backend, *command, limits=SMALL, readable=(), **options):
    sandbox = Sandbox(work, limits, (*interpreter_paths(sys.executable), *readable), backend=backend)
    return sandbox.run([str(word) for word in command], **options)


def run_python(work, backend, code, *arguments, **options):
    return run(work, backend, *PYTHON, "-c", code, *arguments, **options)


def wait_until_gone(token, seconds=5.0):
    """Whether no process has this word in its command line any more."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not processes_with(token):
            return True
        time.sleep(0.02)
    return False


def processes_with(token):
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and token.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


# ------------------------------------------------------------------------------------------------ what comes back


@pytest.mark.parametrize("mode", ["full", "partial", "none"])
def test_what_a_command_did_is_told(work, mode):
    backend = backend_or_skip(mode)
    (work / "in.txt").write_text("seen")
    result = run(work, backend, "sh", "-c", "cat in.txt; echo warn >&2; mkdir d; printf 12345 > d/out; exit 3")
    assert (result.ended, result.exit_code, result.signal, result.reason) == (Ended.FINISHED, 3, None, "")
    assert (result.stdout.text, result.stderr.text) == ("seen", "warn\n")
    assert result.files == {"d/out": 5, "in.txt": 4}
    assert result.backend is backend
    assert (work / "d" / "out").read_text() == "12345"


@pytest.mark.parametrize("mode", ["full", "partial", "none"])
def test_a_signal_is_no_exit_code_and_a_missing_program_is_127(work, mode):
    backend = backend_or_skip(mode)
    result = run(work, backend, "sh", "-c", "kill -SEGV $$")
    assert (result.exit_code, result.signal) == (None, signal.SIGSEGV)
    missing = run(work, backend, "no-such-program")
    assert (missing.ended, missing.exit_code) == (Ended.FINISHED, 127)
    assert "no-such-program: No such file or directory" in missing.stderr.text
    assert run(work, backend, "/dev/null").exit_code in (126, 127)


def test_use_is_measured(work, backend):
    code = "import time; x = bytearray(60 * 2**20)\nwhile time.process_time() < 0.3: x[:] = b'x' * len(x)"
    result = run_python(work, backend, code)
    assert result.exit_code == 0
    assert 0.2 < result.cpu_seconds < 1
    assert 60 * MIB < result.peak_memory < 200 * MIB
    assert result.peak_processes == 1
    assert result.seconds >= 0.3


def test_both_ends_of_long_output_are_kept(work, backend):
    limits = Limits(output=1000)
    code = "import sys; sys.stdout.write('A' * 400 + 'b' * 200_000 + 'C' * 400); sys.stderr.write('short')"
    output = run_python(work, backend, code, limits=limits).stdout
    assert output.head == b"A" * 400 + b"b" * 100
    assert output.tail == b"b" * 100 + b"C" * 400
    assert output.n_dropped == 200_800 - 1000
    assert "[199800 bytes left out]" in output.text


@pytest.mark.parametrize("n", [0, 1, 999, 1000, 1001, 1499, 1500, 1501, 70_000])
def test_no_byte_of_output_is_lost_or_counted_twice(work, n):
    backend = backend_or_skip("none")
    code = f"import os; os.write(1, bytes(i % 251 for i in range({n})))"
    output = run_python(work, backend, code, limits=Limits(output=1000)).stdout
    whole = bytes(i % 251 for i in range(n))
    assert len(output.head) + output.n_dropped + len(output.tail) == n
    assert output.n_dropped == max(0, n - 1000)
    assert output.head == whole[: len(output.head)] and output.tail == whole[n - len(output.tail) :]


def test_a_server_inside_talks_over_a_descriptor(work, backend):
    ours, theirs = socket.socketpair()
    code = "import socket, sys; s = socket.socket(fileno=int(sys.argv[1]))\nwhile m := s.recv(9): s.send(m.upper())"
    with ours:
        results = []
        arguments = (work, backend, code, theirs.fileno())
        server = threading.Thread(
            target=lambda: results.append(run_python(*arguments, pass_fds=[theirs.fileno()])), daemon=True
        )
        server.start()
        answers = []
        for word in (b"one", b"two"):
            ours.send(word)
            answers.append(ours.recv(9))
        theirs.close()
        ours.shutdown(socket.SHUT_WR)
        server.join(10)
    assert answers == [b"ONE", b"TWO"]
    assert results[0].exit_code == 0


def test_runs_at_the_same_time_do_not_meet(work, backend, tmp_path):
    folders = [tmp_path / str(n) for n in range(8)]
    results = {}

    def one(folder):
        folder.mkdir()
        results[folder] = run(folder, backend, "sh", "-c", f"sleep 0.2; echo {folder.name} | tee own")

    threads = [threading.Thread(target=one, args=(folder,)) for folder in folders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert all(results[f].stdout.text == f"{f.name}\n" and results[f].files == {"own": 2} for f in folders)


# --------------------------------------------------------------------------------------------- what can be touched


def test_environment_is_bare(work, backend, monkeypatch):
    monkeypatch.setenv("API_KEY", "secret-of-the-user")
    result = run(work, backend, "env", env={"OMP_NUM_THREADS": "1", "ODD": "a=b \n'\"$"})
    assert "secret-of-the-user" not in result.stdout.text
    assert "OMP_NUM_THREADS=1\n" in result.stdout.text
    assert "ODD=a=b \n'\"$\n" in result.stdout.text
    names = {line.partition("=")[0] for line in result.stdout.text.splitlines()}
    assert names <= {
        "PATH", "HOME", "TMPDIR", "USER", "LOGNAME", "LANG", "OMP_NUM_THREADS", "ODD", "PWD", "'\"$", "SHLVL", "_",
    }  # fmt: skip


def test_home_and_temporary_folder_are_private_and_new(work, backend):
    code = (
        "import os, pathlib, tempfile; home = pathlib.Path.home(); assert not list(home.iterdir());"
        "(home / 'x').write_text('1'); tempfile.NamedTemporaryFile(delete=False); print(home)"
    )
    first, second = (run_python(work, backend, code) for _ in range(2))
    assert first.exit_code == second.exit_code == 0, first.stderr.text
    assert first.stdout.text.strip() != str(Path.home())
    assert first.files == {}


def test_only_the_work_folder_is_writable(work, backend, tmp_path):
    shown, hidden = tmp_path / "shown", tmp_path / "hidden"
    for file in (shown, hidden):
        file.write_text("as it was")
    code = (
        "import sys\nfor how, path in zip(sys.argv[1::2], sys.argv[2::2]):\n"
        " try: open(path, how).write('x' if how == 'a' else ''); print('yes', end=' ')\n"
        " except OSError as error: print('readable' if 'not writable' in str(error) else 'no', end=' ')"
    )
    asked = ["r", shown, "a", shown, "r", hidden, "a", "own", "a", "/usr/own", "a", tmp_path / "beside"]
    answers = run_python(work, backend, code, *asked, readable=[shown]).stdout.text.split()
    assert answers[:5] == ["readable", "no", "no", "yes", "no"]
    assert answers[5] == ("yes" if backend.mode is Mode.FULL else "no")  # into the private /tmp
    assert sorted(tmp_path.iterdir()) == [hidden, shown, work]
    assert shown.read_text() == hidden.read_text() == "as it was"


def test_no_other_place_takes_memory_or_disk(work, backend):
    """The folders that a sandbox itself makes are in memory: those without a bound must not be writable."""
    code = (
        "import os\nwritable = []\nfor folder, folders, _ in os.walk('/'):\n"
        " folders[:] = [f for f in folders if os.path.join(folder, f) not in ('/proc', '/sys', '/usr')]\n"
        " try: os.mkdir(folder + '/x'); os.rmdir(folder + '/x'); writable.append(folder)\n except OSError: pass\n"
        "print([w for w in writable if not w.startswith((os.getcwd(), os.environ['TMPDIR']))])"
    )
    result = run_python(work, backend, code)
    assert result.stdout.text == ("['/dev/shm']\n" if backend.mode is Mode.FULL else "[]\n")


def test_copying_files_works(work, backend):
    """It changes modes and times, which the fallback cannot allow: there it does nothing."""
    (work / "a").write_text("text")
    code = "import shutil; shutil.copy2('a', 'b'); shutil.copytree('.', 'd', ignore=lambda *_: ['d'])"
    result = run_python(work, backend, code)
    assert result.exit_code == 0, result.stderr.text
    assert set(result.files) == {"a", "b", "d/a", "d/b"}


def test_work_folder_inside_a_readable_one(tmp_path, backend):
    work = tmp_path / "work"
    work.mkdir()
    (tmp_path / "data").write_text("1")
    result = run(work, backend, "sh", "-c", "cat ../data && echo 2 > out; echo 3 > ../data", readable=[tmp_path])
    assert result.stdout.text == "1"
    assert ((work / "out").read_text(), (tmp_path / "data").read_text()) == ("2\n", "1")


def test_no_descriptor_of_ours_is_open_inside(work, backend):
    code = (
        "import os\nfor n in range(1000):\n try: os.fstat(n); print(n, end=' ')\n except OSError: pass\n"
        "print(os.read(0, 1))"
    )
    assert run_python(work, backend, code).stdout.text == "0 1 2 b''\n"


def test_its_supervisor_cannot_be_ended(work, backend):
    if backend.mode is Mode.PARTIAL and landlock_version() < 6:
        assert any("signalled" in gap for gap in backend.gaps)
        return
    code = (
        "import os\ntry: os.kill(os.getppid(), 9)\nexcept PermissionError: print('refused')\n"
        "import time; time.sleep(0.2); print('alive')"
    )
    result = run_python(work, backend, code)
    assert (result.ended, result.exit_code) == (Ended.FINISHED, 0)
    assert result.stdout.text.endswith("alive\n")


@pytest.mark.parametrize(
    ("what", "call"),
    [
        ("memory that no limit counts", "libc.memfd_create(b'x', 0)"),
        ("memory that outlives its process", "libc.shmget(0, 4096, 0o1600)"),
        ("a new user namespace", "libc.unshare(0x10000000)"),
        ("the keys of the user", "libc.syscall(250 if os.uname().machine == 'x86_64' else 219, 0, -4, 0, 0)"),
        ("calls that no filter sees", "libc.syscall(425, 1, bytes(200))"),
        ("tracing a process", "libc.ptrace(0, 0, 0, 0)"),
        ("a socket to the machine's host", "libc.socket(40, 1, 0)"),
        ("a raw socket", "libc.socket(17, 3, 0)"),
        ("a mount", "libc.mount(b'none', b'.', b'tmpfs', 0, None)"),
    ],
)
def test_system_calls_that_are_closed(work, backend, what, call):
    code = f"import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\nprint({call}, ctypes.get_errno())"
    result, error = map(int, run_python(work, backend, code).stdout.text.split())
    assert (result, error != 0) == (-1, True), what


def test_network_only_where_it_is_asked_for(work, backend):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = f"import socket; socket.create_connection(('127.0.0.1', {port}), 2); print('connected')"
        options = {"limits": SMALL, "readable": interpreter_paths(sys.executable), "backend": backend}
        command = [*PYTHON, "-c", code]
        assert "connected" not in Sandbox(work, **options).run(command).stdout.text
        assert Sandbox(work, network=True, **options).run(command).stdout.text == "connected\n"


# ------------------------------------------------------------------------------------------------------ limits


@pytest.mark.parametrize("mode", ["full", "partial", "none"])
def test_time_limit_ends_the_whole_tree(work, mode):
    backend = backend_or_skip(mode)
    token = f"tree-{os.getpid()}-{mode}"
    code = "import os, time\nfor _ in range(3):\n if os.fork() == 0: os.setsid()\ntime.sleep(60)"
    result = run_python(work, backend, code, token, limits=Limits(seconds=1.2))
    assert (result.ended, result.signal, result.exit_code) == (Ended.TIMEOUT, signal.SIGKILL, None)
    assert result.reason == "1.2 s of time"
    assert 1.2 <= result.seconds < 4
    assert result.peak_processes == 8
    assert not processes_with(token)


@pytest.mark.parametrize("mode", ["full", "partial", "none"])
def test_nothing_is_left_when_the_command_ends(work, mode):
    backend = backend_or_skip(mode)
    token = f"daemon-{os.getpid()}-{mode}"
    code = "import os, time\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0: time.sleep(60)"
    result = run_python(work, backend, code, token)
    assert (result.ended, result.exit_code) == (Ended.FINISHED, 0)
    assert result.seconds < 5
    assert not processes_with(token)


LIMITS = {
    "processor time": (
        "import os; os.fork(); os.fork()\nwhile True: pass",
        Limits(cpu_seconds=1, seconds=20), Ended.CPU, "1 s of processor time",
    ),
    "memory together": (
        "import os, time\nfor _ in range(3): os.fork()\nx = bytearray(b'x') * (60 << 20); time.sleep(20)",
        SMALL, Ended.MEMORY, "200 MiB of memory",
    ),
    "shared memory": (
        "import mmap, time\nm = mmap.mmap(-1, 300 << 20)\n"
        "for i in range(300): m[i << 20:(i + 1) << 20] = bytes(1 << 20)\ntime.sleep(20)",
        SMALL, Ended.MEMORY, "200 MiB of memory",
    ),
    "disk": (
        "import itertools, time\nfor n in itertools.count():\n"
        " open(f'f{n}', 'wb').write(bytes(1 << 20)); time.sleep(.005)",
        SMALL, Ended.DISK, "16 MiB of disk",
    ),
    "files without a name": (
        "import os, time\nheld = []\nfor n in range(40):\n held.append(open('f', 'wb', 0)); os.unlink('f')\n"
        " held[-1].write(bytes(1 << 20)); time.sleep(.005)\ntime.sleep(20)",
        SMALL, Ended.DISK, "16 MiB of disk",
    ),
    "number of files": (
        "import time\nfor n in range(300): open(f'f{n}', 'w')\ntime.sleep(20)",
        SMALL, Ended.DISK, "more than 200 files in the work folder",
    ),
    "number of files of a command that has ended": (
        "for n in range(300): open(f'f{n}', 'w')",
        SMALL, Ended.DISK, "more than 200 files in the work folder",
    ),
    "depth of folders": (
        "import os, time\nfor n in range(100): os.mkdir('d'); os.chdir('d')\ntime.sleep(20)",
        SMALL, Ended.DISK, "folders nested more than 64 deep in the work folder",
    ),
    "output": (
        "import sys\nwhile True: sys.stdout.write('x' * 9999)",
        Limits(printed=2 * MIB), Ended.OUTPUT, "2 MiB printed",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_limit_ends_the_run_and_is_named(work, backend, name):
    code, limits, ended, reason = LIMITS[name]
    token = f"limit-{os.getpid()}"
    result = run_python(work, backend, code, token, limits=limits)
    assert (result.ended, result.reason) == (ended, reason)
    assert result.seconds < 10
    assert not processes_with(token)
    shutil.rmtree(work)  # nothing of it resists


FAILS = {
    "memory of one process": ("bytearray(300 << 20)", "MemoryError"),
    "size of one file": (
        "f = open('f', 'wb', 0); assert f.write(bytes(9 << 20)) == 8 << 20; f.write(b'x')", "File too large",
    ),
    "processes": ("import os, time\nfor n in range(60): os.fork() or time.sleep(9) or os._exit(0)", "BlockingIOError"),
    "room in /dev/shm": (
        "import os\nfor n in range(40): open(f'/dev/shm/f{n}', 'wb').write(bytes(1 << 20))", "OSError|PermissionError",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAILS)
def test_what_goes_over_a_limit_fails(work, backend, name):
    code, error = FAILS[name]
    result = run_python(work, backend, "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n" + code)
    assert result.exit_code == 1
    assert any(word in result.stderr.text for word in error.split("|")), result.stderr.text
    assert result.ended is Ended.FINISHED


def test_temporary_folder_is_bounded(work, backend):
    code = (
        "import os, time\nfor n in range(40):\n open(f\"{os.environ['TMPDIR']}/f{n}\", 'wb').write(bytes(1 << 20))\n"
        " time.sleep(.005)\ntime.sleep(20)"
    )
    result = run_python(work, backend, code)
    if backend.mode is Mode.FULL:
        assert "No space left on device" in result.stderr.text
    else:
        assert result.reason == "16 MiB of disk"


def test_root_without_control_groups_is_watched(work, backend, monkeypatch):
    """The kernel's limit does not bind root: then too many processes are ended when they are seen."""
    if os.geteuid() != 0:
        pytest.skip("for other users the kernel's limit holds")
    monkeypatch.setattr(cgroups, "_make", lambda n: None)
    assert backends._gaps_of_root() == (backends.UNLIMITED_ROOT,)
    code = "import os, time\nfor n in range(90): os.fork() or time.sleep(20) or os._exit(0)\ntime.sleep(20)"
    result = run_python(work, backend, code)
    assert (result.ended, result.reason) == (Ended.PROCESSES, "50 processes")


def test_shared_pages_are_not_counted_twice(work, backend):
    """Twenty processes that share 30 MiB hold 30 MiB, not 600."""
    code = (
        "import os, time\nx = bytearray(b'x') * (30 << 20)\n"
        "for _ in range(20):\n if os.fork() == 0: time.sleep(.4); os._exit(0)\ntime.sleep(.5)"
    )
    result = run_python(work, backend, code)
    assert result.ended is Ended.FINISHED


@pytest.mark.parametrize("mode", ["full", "partial", "none"])
def test_all_ends_with_the_program_that_started_it(work, mode, tmp_path):
    backend_or_skip(mode)
    token = f"orphan-{os.getpid()}-{mode}"
    script, temporary = tmp_path / "caller.py", tmp_path / "tmp"
    temporary.mkdir()
    script.write_text(
        "import sys; from pathlib import Path; from reliability.sandbox import *\n"
        "find = {'full': available_backend, 'partial': partial_backend, 'none': lambda: choose_backend(Mode.NONE)}\n"
        f"backend, readable = find[{mode!r}](), interpreter_paths(sys.executable)\n"
        f"sandbox = Sandbox(Path({str(work)!r}), readable=readable, backend=backend)\n"
        "code = 'import os, time; os.fork() or os.setsid(); os.mkdir(str(os.getpid())); time.sleep(60)'\n"
        f"sandbox.run([sys.executable, '-I', '-S', '-c', code, {token!r}])"
    )
    caller = subprocess.Popen([sys.executable, script], env={**os.environ, "TMPDIR": str(temporary)})
    deadline = time.monotonic() + 20
    while len(list(work.iterdir())) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert processes_with(token)
    caller.kill()
    caller.wait()
    assert wait_until_gone(token)
    deadline = time.monotonic() + 5
    while list(temporary.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not list(temporary.iterdir())


def test_no_control_group_is_left(work, backend):
    run(work, backend, "true")
    for parent in cgroups._parents():
        assert not list(parent.glob(f"reliability-{os.getpid()}-*"))


def test_start_takes_less_than_30_ms(work):
    backend = backend_or_skip("full")
    run(work, backend, "true")

    def added():
        start = time.perf_counter()
        subprocess.run(["true"], capture_output=True, check=True)
        plain = time.perf_counter() - start
        return run(work, backend, "true").seconds - plain

    medians = [statistics.median(added() for _ in range(7)) for _ in range(5)]
    assert min(medians) < 0.03  # the machine may be busy with other tests in some of them


# ------------------------------------------------------------------------------------- what is usable, what refused


@pytest.mark.parametrize("place", ["/", "/tmp", "/usr", "home", "readable", "missing", "file"])
def test_work_folders_that_would_open_something_are_refused(tmp_path, place):
    (tmp_path / "file").write_text("")
    places = {"home": Path.home(), "readable": tmp_path, "missing": tmp_path / "no", "file": tmp_path / "file"}
    folder = places.get(place, Path(place))
    with pytest.raises(SandboxError, match="work folder"):
        Sandbox(folder, readable=[tmp_path / "data"], backend=choose_backend(Mode.NONE)).run(["true"])


@pytest.mark.parametrize(
    ("command", "env"),
    [([], {}), (["a\0b"], {}), (["true"], {"A": "\0"}), (["true"], {"A=B": "c"}), (["true"], {"": ""})],
)
def test_words_that_the_kernel_cannot_take_are_refused(work, command, env):
    with pytest.raises(SandboxError):
        Sandbox(work, backend=choose_backend(Mode.NONE)).run(command, env=env)


def test_interpreter_paths_follow_links_but_never_show_a_home(tmp_path, monkeypatch):
    home = tmp_path / "home"
    installation, environment = tmp_path / "python-3.99", home / "venv"
    (installation / "bin").mkdir(parents=True)
    (installation / "lib" / "python3.99").mkdir(parents=True)
    (installation / "lib" / "python3.99" / "os.py").write_text("")
    (installation / "bin" / "python").write_text("")
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "python").symlink_to(installation / "bin" / "python")
    (environment / "bin").mkdir(parents=True)
    (environment / "pyvenv.cfg").write_text("")
    (environment / "bin" / "python").symlink_to("../../bin/python")
    monkeypatch.setattr(Path, "home", lambda: home)
    assert set(interpreter_paths(environment / "bin" / "python")) == {
        environment,
        home / "bin" / "python",
        installation,
    }
    (home / "lib" / "python3.99").mkdir(parents=True)
    (home / "lib" / "python3.99" / "os.py").write_text("")
    assert home not in interpreter_paths(home / "bin" / "python")
    assert interpreter_paths("/usr/bin/python3") == ()


def test_interpreter_runs_through_a_chain_of_links(work, backend, tmp_path):
    """A virtual environment whose python is a link to a link: found, and its prefix is right inside."""
    environment = tmp_path / "venv"
    (tmp_path / "alias").symlink_to(Path(sys.executable).resolve().parent.parent)
    subprocess.run([tmp_path / "alias" / "bin" / "python3", "-m", "venv", "--without-pip", environment], check=True)
    python = environment / "bin" / "python"
    command = [python, "-c", "import sys; print(sys.prefix)"]
    result = Sandbox(work, readable=interpreter_paths(python), backend=backend).run(command)
    assert result.stdout.text.strip() == str(environment), result.stderr.text


def test_best_backend_is_taken_and_less_must_be_accepted(monkeypatch):
    def refuse(reason):
        def find():
            raise SandboxError(reason)

        return find

    full = backends.Backend("bubblewrap", Mode.FULL)
    part = backends.Backend("landlock", Mode.PARTIAL, ("a gap",))
    for mode in (Mode.FULL, Mode.PARTIAL):
        monkeypatch.setattr(backends, "available_backend", lambda: full)
        assert choose_backend(mode) is full
    monkeypatch.undo()
    bubblewrap, landlock = refuse("no namespaces"), refuse("no Landlock")
    bubblewrap.__name__, landlock.__name__ = "_bubblewrap", "_landlock"
    monkeypatch.setattr(backends, "_bubblewrap", bubblewrap)
    backends.available_backend.cache_clear()
    try:
        monkeypatch.setattr(backends, "_landlock", lambda: part)
        assert choose_backend(Mode.PARTIAL).name == "landlock"
        with pytest.raises(SandboxError, match=r"no namespaces.*a gap.*--accept-partial-sandbox"):
            choose_backend()
        monkeypatch.setattr(backends, "_landlock", landlock)
        backends.available_backend.cache_clear()
        assert available_backend().mode is Mode.NONE
        for mode in (Mode.FULL, Mode.PARTIAL):
            with pytest.raises(SandboxError, match=r"no namespaces.*no Landlock.*--no-sandbox"):
                choose_backend(mode)
        assert choose_backend(Mode.NONE).mode is Mode.NONE
    finally:
        backends.available_backend.cache_clear()


REFUSED = """
import json
from reliability.errors import SandboxError
from reliability.sandbox import available_backend, choose_backend
backend = available_backend()
try: choose_backend()
except SandboxError as error: print(json.dumps([backend.name, backend.refused, str(error)]))
"""


def test_a_kernel_that_refuses_namespaces_is_found_out():
    """In a user namespace that allows no further one, as on many clusters and in containers."""
    setup = "echo 0 > /proc/sys/user/max_user_namespaces"
    command = ["unshare", "-Ur", "sh", "-c", f'{setup} && exec "$@"', "sh", sys.executable, "-c", REFUSED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.stderr.startswith("unshare"):  # this machine itself refuses them
        with pytest.raises(SandboxError, match="bwrap"):
            FIND["full"]()
        return
    name, refused, message = json.loads(done.stdout)
    assert name == ("landlock" if landlock_version() else "none")
    assert "namespace" in refused["bubblewrap"]
    assert refused["bubblewrap"] in message


def test_what_is_refused_is_named():
    """Each backend works here, or says why not and what stays open."""
    backend = available_backend()
    better = {"bubblewrap": [], "landlock": ["bubblewrap"], "none": ["bubblewrap", "landlock"]}[backend.name]
    assert list(backend.refused) == better
    assert all(backend.refused.values())
    assert backend.mode is Mode.FULL or backend.gaps
    assert (landlock_version() > 0) == (backend.name == "landlock" or _works(partial_backend))


def _works(find):
    try:
        return bool(find())
    except SandboxError:
        return False


@pytest.mark.parametrize(
    ("script", "reason"), [("exit 1", "did not answer"), ("echo bwrap: no >&2; exit 1", "bwrap: no")]
)
def test_a_bubblewrap_that_fails_is_quoted_and_the_next_is_tried(tmp_path, monkeypatch, script, reason):
    broken = tmp_path / "bwrap"
    broken.write_text(f"#!/bin/sh\n{script}\n")
    broken.chmod(0o755)
    backends._working_bubblewrap.cache_clear()
    real = backends.bwrap.programs()
    try:
        monkeypatch.setattr(backends.bwrap, "programs", lambda: [broken])
        with pytest.raises(SandboxError, match=reason):
            FIND["full"]()
        monkeypatch.setattr(backends.bwrap, "programs", lambda: [])
        with pytest.raises(SandboxError, match="not installed"):
            FIND["full"]()
        monkeypatch.setattr(backends.bwrap, "programs", lambda: [broken, *real])
        if available_backend().mode is Mode.FULL:
            assert backends._working_bubblewrap() in real
    finally:
        backends._working_bubblewrap.cache_clear()


def test_a_filter_that_the_kernel_refuses_is_named(work, monkeypatch):
    backend = backend_or_skip("partial")
    monkeypatch.setattr("reliability.sandbox.landlock.filter_program", lambda **_: b"\0" * 7)
    with pytest.raises(SandboxError, match="seccomp: Invalid argument"):
        run(work, backend, "true")


# ------------------------------------------------------------------------------------------ the system-call filter


def verdict_of(program, machine, number, argument=0):
    """What the kernel's machine for filters makes of a system call."""
    seen = struct.pack("=iIQQ", number, machine, 0, argument)
    steps = list(struct.iter_unpack("=HBBI", program))
    accumulator, place = 0, 0
    while True:
        code, if_true, if_false, k = steps[place]
        place += 1
        if code == 0x06:
            return k
        if code == 0x20:
            accumulator = struct.unpack_from("=I", seen, k)[0]
        else:
            holds = {0x15: accumulator == k, 0x35: accumulator >= k, 0x45: bool(accumulator & k)}[code]
            place += if_true if holds else if_false


@pytest.mark.parametrize("name", ["x86_64", "aarch64"])
@pytest.mark.parametrize("alone", [False, True])
def test_filter_closes_what_it_should_on_both_processors(monkeypatch, name, alone):
    monkeypatch.setattr(platform, "machine", lambda: name)
    program = seccomp.filter_program(alone=alone, network=False)
    column, machine = seccomp._MACHINES[name]
    allow, errno = 0x7FFF0000, 0x00050000
    number = {call: numbers[column] for call, numbers in seccomp._CALLS.items() if numbers[column] is not None}
    assert len(set(number.values())) == len(number)

    def verdict(call, argument=0):
        return verdict_of(program, machine, number[call], argument)

    assert verdict_of(program, machine ^ 1, 1) == 0x80000000  # calls of another processor end the process
    for call in ("memfd_create", "io_uring_setup", "clone3", "shmget"):
        assert verdict(call) == errno | 38
    for call in ("keyctl", "bpf", "ptrace", "mount", "setns"):
        assert verdict(call) == errno | 1
    assert verdict("clone", 0x10000000) == verdict("unshare", 0x10020000) == errno | 1
    assert verdict("clone", 0x11) == verdict("unshare", 0x20000) == allow
    assert verdict("fchmodat") == (errno if alone else allow)
    assert verdict("prlimit64", 0) == allow
    assert verdict("prlimit64", 77) == (errno | 1 if alone else allow)
    families = [
        verdict_of(seccomp.filter_program(alone=True, network=True), machine, number["socket"], f) for f in (2, 40)
    ]
    assert families == [allow, errno | 97]
    assert verdict("socket", 2) == (errno | 13 if alone else allow)
    assert verdict("socket", 40) != allow
    others = set(range(500)) - set(number.values())
    assert {verdict_of(program, machine, n) for n in others} == {allow}
    if name == "x86_64":
        assert verdict_of(program, machine, 0x40000000 + 319) == errno | 38  # the same calls by their other numbers


def test_numbers_of_calls_are_this_kernels():
    """Against the C library's own table, where the machine has it."""
    headers = [Path(f"/usr/include/{place}/asm/unistd_64.h") for place in ("x86_64-linux-gnu", ".")]
    header = next((h for h in headers if h.exists()), None)
    if header is None or platform.machine() != "x86_64":
        pytest.skip("no kernel headers for x86_64 on this machine")
    listed = dict(line.split()[1:3] for line in header.read_text().splitlines() if line.startswith("#define __NR_"))
    known = {name: numbers[0] for name, numbers in seccomp._CALLS.items() if f"__NR_{name}" in listed}
    assert len(known) > 40
    assert known == {name: int(listed[f"__NR_{name}"]) for name in known}


def test_unknown_processor_has_no_sandbox(monkeypatch):
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    with pytest.raises(SandboxError, match="x86_64 and aarch64"):
        seccomp.filter_program(alone=True, network=False)
    for find in FIND.values():
        backends._working_bubblewrap.cache_clear()
        with pytest.raises(SandboxError, match="processor"):
            find()
    backends._working_bubblewrap.cache_clear()


# ------------------------------------------------------------------------------------------------------- for real


CAMB = (
    "import camb, numpy as np; p = camb.set_params(H0=67.4, ombh2=0.0224, omch2=0.12, lmax=400);"
    "c = camb.get_results(p).get_cmb_power_spectra(p)['total'][:, 0]; np.savetxt('c.txt', c); print(float(c.sum()))"
)


@pytest.fixture(scope="module")
def camb_outside(tmp_path_factory):
    command = [sys.executable, "-c", CAMB]
    return float(subprocess.run(command, cwd=tmp_path_factory.mktemp("camb"), capture_output=True, check=True).stdout)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["full", "partial"])
def test_camb_computes_the_same_inside(work, mode, camb_outside):
    command = [sys.executable, "-c", CAMB]
    inside = run(work, backend_or_skip(mode), *command, limits=Limits(), env={"OMP_NUM_THREADS": "2"})
    assert inside.exit_code == 0, inside.stderr.text
    assert float(inside.stdout.text) == pytest.approx(camb_outside, rel=1e-9)  # threads add in another order
    assert set(inside.files) == {"c.txt"}


@pytest.mark.slow
def test_multiprocessing_works_in_the_full_sandbox(work):
    backend = backend_or_skip("full")
    (work / "pool.py").write_text(
        "import multiprocessing\ndef square(x): return x * x\n"
        "if __name__ == '__main__':\n"
        " for how in ('fork', 'spawn', 'forkserver'):\n"
        "  with multiprocessing.get_context(how).Pool(2) as pool: print(pool.map(square, range(4)))\n"
    )
    result = run(work, backend, sys.executable, "pool.py")
    assert result.stdout.text == "[0, 1, 4, 9]\n" * 3, result.stderr.text
