"""What the reader finds in the scripts of ``agent_code/``, whose comments say what is there, and in hostile input."""

from __future__ import annotations

import ast
import json
import math
import random
import re
import sys
import time
import types
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reliability.camb_code import PARAMETERS, evaluate_arithmetic, output_role, read_camb_code
from reliability.camb_code.reader import analyse
from reliability.camb_code.state import BudgetExceeded, ScriptRaises
from reliability.camb_code.statements import Statements
from reliability.camb_code.values import Sequence
from reliability.reading_agreement import compare_readings
from reliability.recorder import Job, record

SCRIPTS = sorted((Path(__file__).parent / "agent_code").glob("*.py"))
EXPECT = re.compile(r"# expect(?:\[(-?\d+)\])?: (.*)$", re.MULTILINE)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.stem)
def test_script_is_read_as_its_comments_say(path):
    source = path.read_text()
    reading = read_camb_code(source)
    assert reading.syntax_error is None
    expectations = [(i, e.strip()) for i, text in EXPECT.findall(source) for e in text.split(";")]
    assert expectations
    for index, text in expectations:
        if text.startswith("finding "):
            assert text.split()[1] in {f.check for f in reading.findings}, reading.findings
        elif text.startswith("role "):
            assert output_role(source, "result.csv") == text.split()[1]
        elif text.startswith("models="):
            assert len(reading.models) == int(text.split("=")[1])
        else:
            what, state = text.rsplit(" ", 1)
            name, _, value = what.partition("=")
            found = reading.models[int(index or -1)].parameters[name]
            assert found.state == state, found
            if value:
                assert found.value == ast.literal_eval(value), found
            if state == "unresolved":
                assert found.value is None
                assert found.reason
            if state == "set":
                assert found.line


def test_every_parameter_is_always_reported():
    for path in SCRIPTS:
        for model in read_camb_code(path.read_bytes()).models:
            assert list(model.parameters) == list(PARAMETERS)
            assert all(r.reason for r in model.parameters.values() if r.state == "unresolved")


# ------------------------------------------------------------------------------------- what CAMB really received

DATA = {"N0.csv": b"1 2\n3 4\n", "params.json": b'{"H0": 71.5}'}
"""Files that some of the scripts read."""
IN_OTHER_PROCESSES = {"pool"}
STOPPED_BY_THE_WORLD = {"escaped", "handed_out", "unknown_keywords"}
"""They want modules and files that are not there."""
UNKNOWN_COUNT = {"exits_with_result"}
"""How many models it computes is not known before it runs."""
ENDING = [path for path in SCRIPTS if path.stem != "endless"]
GROUPS_OF_SCRIPTS = [ENDING[i::8] for i in range(8)]


@pytest.mark.slow
@pytest.mark.parametrize("paths", GROUPS_OF_SCRIPTS, ids=lambda paths: paths[0].stem)
def test_scripts_give_camb_what_was_read(paths):
    """Every value that was read is the one that the real CAMB received when the script ran to its end."""
    recordings = record([Job(path.read_bytes(), DATA) for path in paths], seconds=120)
    n_agree = n_unresolved = 0
    for path, recording in zip(paths, recordings, strict=True):
        assert recording.ended not in ("timeout", "killed"), path.stem
        agreement = compare_readings(read_camb_code(path.read_bytes()), recording.reading)
        assert not agreement.of("wrong"), path.stem
        if path.stem not in IN_OTHER_PROCESSES | STOPPED_BY_THE_WORLD | UNKNOWN_COUNT:
            assert agreement.n_read == agreement.n_recorded, path.stem
        n_agree += len(agreement.of("agree"))
        n_unresolved += len(agreement.of("unresolved"))
    assert n_agree > 9 * n_unresolved


# --------------------------------------------------------------------------------------------- CAMB's two lines


def test_positional_arguments_follow_the_line():
    source = "import camb\np = camb.CAMBparams()\np.set_cosmology(67.5, 0.02)\ncamb.get_results(p)"
    old = read_camb_code(source, camb_line="1.6").models[-1].parameters
    assert (old["H0"].value, old["ombh2"].value) == (67.5, 0.02)
    new = read_camb_code(source, camb_line="2.0")
    assert "too_many_arguments" in {f.check for f in new.findings}
    assert [m.line for m in new.models] == [None]  # the script stops before it computes
    assert new.models[-1].parameters["H0"].state == "default"


@pytest.mark.parametrize(("line", "nonlinear"), [("1.6", "NonLinear_none"), ("2.0", "NonLinear_lens")])
def test_default_lens_potential_accuracy_follows_the_line(line, nonlinear):
    source = "import camb\np = camb.set_params(H0=67.5, lmax=2500)\ncamb.get_results(p)"
    found = read_camb_code(source, camb_line=line).models[-1].parameters["NonLinear"]
    assert (found.value, found.state) == (nonlinear, "default")


def test_unknown_line_of_camb():
    with pytest.raises(ValueError, match=r"known: 1\.6, 2\.0"):
        read_camb_code("import camb", camb_line="0.1")


# ------------------------------------------------------------------------------------------------ hostile input


@pytest.mark.parametrize(
    ("source", "word"),
    [
        (b"import camb\nx = 1\0", "line 2"),
        (b"x = '\xff'", "line 1"),
        ("if True:\n        x = 1\n    y = 2", "line 3"),
        ("x = (", "line 1"),
        ("x = '\0'", "line"),
        (b"# coding: no-such-codec\nx = 1", "line 1"),
        ("x = '\ud800'\ny = = 1", "line"),
        ("(" * 100_000, "line|deep"),
        ("[" * 100_000 + "]" * 100_000, "line|deep"),
        ("-" * 100_000 + "1", "line|deep"),
        ("x" + ".a" * 200_000, "deep|line"),
        ("x = 1\n" * 500_000, "limit"),
    ],
)
def test_source_that_is_no_python(source, word):
    reading = read_camb_code(source)
    if reading.syntax_error is None:  # CPython versions differ in what they parse; then it is merely not followed
        assert reading.findings
        return
    assert re.search(word, reading.syntax_error)
    assert "\n" not in reading.syntax_error
    assert reading.models == ()


def test_encodings():
    source = "# -*- coding: latin-1 -*-\nimport camb\nx = 'é'\ncamb.get_results(camb.set_params(H0=67.5))\n"
    assert read_camb_code(source.encode("latin-1")).models[-1].parameters["H0"].value == 67.5
    plain = b"\xef\xbb\xbf" + source.replace("latin-1", "utf-8").encode()
    assert read_camb_code(plain).models[-1].parameters["H0"].value == 67.5


COMPUTE = "\nimport camb\ncamb.get_results(camb.set_params(H0=67.5, tau=x))\n"


@pytest.mark.parametrize(
    "before",
    [
        "x = 9**9**9",
        "x = 2**99999999",
        "x = 1 << 10**9",
        "x = len('a' * 10**10)",
        "x = [0] * 10**10",
        "x = len(range(10**18))",
        "x = 0\nfor i in range(10**12): x += 1",
        "x = 0\nwhile True:\n    x += 1\n    if x < 0: break",
        "def f(n): return f(n + 1)\nx = f(0)",
        "x = 'a'\nfor i in range(60): x += x",
        "x = [1]\nfor i in range(60): x = x + x",
        "x = f'{1:1000000000}'",
        "x = '{:1000000000}'.format(1)",
        "import os\nx = 0\n" + "\n".join(f"if os.path.exists('{i}'): x += {i}" for i in range(300)),
        "x = {" + ",".join(f"{i}: {i}" for i in range(100_000)) + "}",
        "x = [[[[i * j * k for i in range(60)] for j in range(60)] for k in range(60)] for m in range(60)]",
        "def a(): b(); b()\ndef b(): c(); c()\ndef c(): d(); d()\ndef d(): return [a() for i in range(60)]\nx = a()",
        "x = " + "+".join(["1"] * 2000) + "\nx = str(x)",
        "x = " + "(" * 150 + "1" + ")" * 150 + "\nx = [x]",
        "import sys\nsys.setrecursionlimit(10**9)\nx = [1]\nx.append(x)\nimport copy\nx = copy.deepcopy(x)",
        "x = {}\nx['x'] = x\nx = {**x, 'y': x}\nimport foo\nfoo.bar(x)",
    ],
)
def test_hostile_computation_is_bounded_and_never_guessed(before):
    analyse.cache_clear()
    start = time.process_time()
    reading = read_camb_code(before + COMPUTE)
    assert time.process_time() - start < 20  # generous; the point is that it ends
    for model in reading.models:
        assert model.parameters["tau"].state != "set"


def test_nothing_is_imported_or_run(tmp_path):
    mark = tmp_path / "mark"
    source = (
        f"open({str(mark)!r}, 'w').write('x')\nimport antigravity, this\n__import__('os').system('touch {mark}')\n"
        f"exec(\"open({str(mark)!r}, 'w')\")\nx = [open({str(mark)!r}, 'w') for _ in '1']\n"
        f"class A:\n    open({str(mark)!r}, 'w')\n"
        "import camb\ncamb.get_results(camb.set_params(H0=67.5))\n"
    )
    before = set(sys.modules)
    read_camb_code(source)
    evaluate = pytest.raises(ValueError, match="not allowed")
    with evaluate:
        evaluate_arithmetic(f"open({str(mark)!r}, 'w')", {})
    assert not mark.exists()
    assert not {"antigravity", "this", "camb"} & (set(sys.modules) - before)


# -------------------------------------------------------------------------------------------------- arithmetic

NAMES = {"tau": 0.1, "h": 0.675}
NUMBERS = st.one_of(st.integers(-50, 50).map(str), st.floats(-50, 50).map(repr), st.sampled_from(["tau", "h", "pi"]))
FORMULAS = st.recursive(
    NUMBERS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//", "%", "**"]), inner).map(
            lambda t: f"({''.join(t)})"
        ),
        inner.map(lambda e: f"(-{e})"),
        st.tuples(st.sampled_from(["exp", "log", "log10", "sqrt", "sin", "cos", "tan", "abs"]), inner).map(
            lambda t: f"{t[0]}({t[1]})"
        ),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
    ),
    max_leaves=6,
)


@settings(max_examples=400, deadline=None)
@given(FORMULAS)
def test_arithmetic_equals_pythons(formula):
    try:
        mine = evaluate_arithmetic(formula, NAMES)
    except ValueError:
        mine = None
    if mine is None and re.search(r"\*\*", formula):
        return  # refused for size before Python would have to compute it
    try:
        expected = float(eval(formula, {**vars(math), "abs": abs, "min": min, "max": max, **NAMES}))
    except (ArithmeticError, ValueError, TypeError):
        expected = None
    if expected is not None and not math.isfinite(expected):
        expected = None
    assert mine == expected


def test_arithmetic_known_answers():
    assert evaluate_arithmetic("1.8e-9*exp(2*tau)", {"tau": 0.1}) == 1.8e-9 * math.exp(0.2)
    assert evaluate_arithmetic("1 - delensing_efficiency", {"delensing_efficiency": 0.8}) == 1 - 0.8


@pytest.mark.parametrize(
    ("formula", "word"),
    [
        ("9**9**9", "too large"),
        ("__import__('os')", "not allowed"),
        ("tau.real", "not allowed"),
        ("[1][0]", "not allowed"),
        ("'a'*10", "not allowed"),
        ("True + 1", "not allowed"),
        ("lambda: 1", "not allowed"),
        ("1 if 1 else 2", "not allowed"),
        ("exp(x=1)", "not allowed"),
        ("unknown + 1", "unknown name 'unknown'; known: tau"),
        ("1/0", "ZeroDivisionError"),
        ("log(-1)", "log"),
        ("(-1)**0.5", "not a real number"),
        ("1e308*10", "not finite"),
        ("", "not a formula"),
        ("1 +", "not a formula"),
        ("(" * 600, "not a formula"),
        ("1" * 2000, "1000 characters"),
        ("*[1]", "not a"),
    ],
)
def test_arithmetic_refuses(formula, word):
    with pytest.raises(ValueError, match=re.escape(word)):
        evaluate_arithmetic(formula, {"tau": 0.1})


# ------------------------------------------------------------------------------------------------- output role


@pytest.mark.parametrize(
    ("source", "role"),
    [
        ("import numpy as np\nnp.savetxt('a/result.csv', [1])", "writes"),
        ("open('result.csv')", "reads"),
        ("open('result.csv', 'rb').read()", "reads"),
        ("open('other.csv', 'w')", "neither"),
        ("import sys\nopen(sys.argv[1], 'w')", "neither"),
        ("open(input(), 'w')", "writes"),
        ("open(input(), 'w'); open('result.csv')", "reads"),
        ("import foo, os\nopen(os.path.join(foo.d, 'result' + '.csv'), 'a')", "writes"),
        ("import foo\ndf = foo.frame()\ndf.to_csv(f'{foo.d}/result.csv', index=False)", "writes"),
        ("from pathlib import Path\nPath('x', 'result.csv').write_text('l,TT')", "writes"),
        ("from pathlib import Path\n(Path.cwd() / 'data' / 'result.csv').write_text('l')", "writes"),
        ("def save(x, name='result.csv'):\n    open(name, 'w')\nsave(1)", "writes"),
        ("def save(x, name='result.csv'):\n    open(name, 'w')\n", "neither"),
        ("x = (", "neither"),
    ],
)
def test_output_role(source, role):
    assert output_role(source, "result.csv") == role


# --------------------------------------------------------------------------------------------------- speed


def test_reading_costs_a_few_times_the_parse():
    source = (Path(__file__).parent / "agent_code" / "two_hierarchies.py").read_text()

    def best(run):
        times = []
        for _ in range(30):
            start = time.perf_counter()
            run()
            times.append(time.perf_counter() - start)
        return min(times)

    def read():
        analyse.cache_clear()
        read_camb_code(source)

    assert best(read) < 15 * best(lambda: ast.parse(source))


# ------------------------------------------------------------------- the interpreter against Python, on any branch


class Programs:
    """Random programs over a few variables whose undecided conditions are calls of ``maybe()``."""

    def __init__(self, rng):
        self.rng = rng

    def value(self):
        r = self.rng
        return r.choice(
            ["1", "2", "a", "b", "c", "a + 1", "b * 2", "len(xs)", "d['k']", "f(a)", "xs[0]", "g(b)", "o.v"]
        )

    def block(self, depth, in_loop, indent, in_function=False):
        lines = []
        for _ in range(self.rng.randint(1, 3)):
            lines += self.statement(depth, in_loop, indent, in_function)
        return lines

    def statement(self, depth, in_loop, indent, in_function):
        r, pad = self.rng, "    " * indent
        simple = [
            f"{r.choice('abc')} = {self.value()}",
            f"{r.choice('abc')} += {self.value()}",
            f"xs.append({self.value()})",
            f"d['k'] = {self.value()}",
            f"o.v = {self.value()}",
            f"d.update(k={self.value()})",
            "xs = [1, 2]",
            "ys = xs",
            "ys = [5]",
            "o = p",
            "a, b = b, a",
            f"c = {self.value()} if maybe() else {self.value()}",
            "c = sum([v * 2 for v in xs])",
            "raise_maybe()",
        ]
        if in_loop:
            simple += ["break", "continue"]
        if in_function:
            simple += [f"return {self.value()}"]
        if depth == 0 or r.random() < 0.5:
            return [pad + r.choice(simple)]
        sub = [in_loop, indent + 1, in_function]
        kind = r.choice(["if", "if", "if", "for", "while", "try", "known"])
        if kind == "if":
            return [f"{pad}if maybe():", *self.block(depth - 1, *sub), f"{pad}else:", *self.block(depth - 1, *sub)]
        if kind == "known":
            return [f"{pad}if {self.value()} > 2:", *self.block(depth - 1, *sub)]
        sub[0] = True
        if kind == "for":
            items = r.choice(["(1, 2)", "range(3)", "many()", "range(100)"])
            lines = [f"{pad}for a in {items}:", *self.block(depth - 1, *sub)]
            return [*lines, f"{pad}else:", f"{pad}    b = 7"] if r.random() < 0.3 else lines
        if kind == "while":
            return [f"{pad}while maybe():", *self.block(depth - 1, *sub)]
        sub[0] = in_loop
        lines = [f"{pad}try:", *self.block(depth - 1, *sub), f"{pad}except Exception:", *self.block(depth - 1, *sub)]
        if r.random() < 0.3:
            lines += [f"{pad}finally:", f"{pad}    c = 3"]
        return lines

    def program(self):
        body = self.block(2, False, 1, True)
        head = [
            "class O:\n    v = 1",
            "a, b, c, xs, d, o, p = 1, 2, 3, [1], {'k': 1}, O(), O()",
            "ys = xs",
            "def raise_maybe():\n    if maybe(): raise ValueError('x')",
            "def f(a):",
            *body,
            "    return a",
            "def g(b):\n    global c\n    xs.append(b)",
            *["    " + line for line in self.block(1, False, 0, True)],
            "    return 4",
        ]
        return "\n".join(head + self.block(3, False, 0))


def run_python(program, rng):
    """The variables after really running the program, or ``None`` if it raises or does not end."""
    steps = [0]

    def maybe():
        steps[0] += 1
        if steps[0] > 300:
            raise KeyboardInterrupt
        return rng.random() < 0.5

    names = {"maybe": maybe, "many": lambda: range(rng.randint(0, 3))}
    try:
        exec(program, names)
    except (Exception, KeyboardInterrupt):
        return None
    return names


def check_against_python(seed, runs=12):
    rng = random.Random(seed)
    program = Programs(rng).program()
    interpreter = Statements("2.0")
    stub = "from foreign import maybe, many\n"
    try:
        interpreter.execute(ast.parse(stub + program).body, interpreter.module)
    except BudgetExceeded:
        return 0
    except ScriptRaises:
        assert all(run_python(program, rng) is None for _ in range(runs)), program
        return 0
    known = {n: interpreter.module.vars[n] for n in "abc" if type(interpreter.module.vars[n]) in (int, float)}
    for name in ("xs", "ys"):
        value = interpreter.module.vars[name]
        items = value.cells["v"] if type(value) is Sequence else None
        if type(items) is list and all(type(i) is int for i in items):
            known[name] = items
    for _ in range(runs):
        names = run_python(program, rng)
        if names is not None:
            for name, value in known.items():
                assert names[name] == value, f"{name} is {names[name]}, read as {value}, seed {seed}\n{program}"
    return len(known)


def test_what_is_known_holds_on_every_branch():
    assert sum(check_against_python(seed) for seed in range(300)) > 100


KINDS = json.loads((Path(__file__).parent / "agent_code" / "kinds.json").read_text())
COMPUTE = "\nimport camb\np = camb.CAMBparams()\np.set_cosmology(H0=X)\ncamb.get_results(p)\n"


@pytest.mark.parametrize("name", KINDS)
def test_kind_of_value_is_read_as_python_makes_it_or_not_at_all(name):
    """Each snippet makes a number ``X``, which is H0: right, or (``null``) unresolved, and no stop is claimed."""
    code, expected = "\n".join(KINDS[name]["code"]), KINDS[name]["H0"]
    if KINDS[name].get("runs"):
        module = types.ModuleType("snippet")
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(sys.modules, "snippet", module)
            patch.setattr(sys, "argv", ["snippet.py"])
            exec(
                compile(code, name, "exec", dont_inherit=True), module.__dict__
            )  # our own snippet: Python says what is true
        assert math.isclose(module.X, expected)
    reading = read_camb_code(code + COMPUTE)
    found = reading.models[-1].parameters["H0"]
    assert (found.state == "unresolved") is (expected is None), found
    assert expected is None or math.isclose(found.value, expected)
    assert not {f.check for f in reading.findings} & {"script_stops", "wrong_type", "undefined_name"}


FEATURES = re.findall(
    r"^### (\w+)( unresolved)?\n(.*?)(?=^###|\Z)",
    "".join(path.read_text() + "\n" for path in sorted((Path(__file__).parent / "agent_code").glob("python_*.txt"))),
    re.MULTILINE | re.DOTALL,
)


@pytest.mark.parametrize(("name", "unresolved", "code"), FEATURES, ids=[name for name, _, _ in FEATURES])
def test_feature_of_python_is_read_as_python_runs_it(name, unresolved, code, monkeypatch):
    """Each snippet makes a number ``X``, which is H0: Python says which; or the reader says that it cannot know."""
    module = types.ModuleType("snippet")
    monkeypatch.setitem(sys.modules, "snippet", module)
    monkeypatch.setattr(sys, "argv", ["snippet.py"])
    exec(compile(code, name, "exec", dont_inherit=True), module.__dict__)  # our own snippets
    reading = read_camb_code(code + COMPUTE)
    found = reading.models[-1].parameters["H0"]
    assert (found.state == "unresolved") is bool(unresolved), found
    assert unresolved or math.isclose(found.value, module.X), found
    assert not {f.check for f in reading.findings} & {"script_stops", "wrong_type", "undefined_name"}


@pytest.mark.parametrize(
    "change",
    [
        "globals()['H0'] = 55",
        "vars()['H0'] = 55",
        "locals().update(H0=55)",
        "exec('H0 = 55')",
        "camb.CAMBparams.set_cosmology = lambda *a, **k: None",
        "p.set_cosmology(H0=H0, ombh2=0.022); p.__setattr__('H0', 55)",
        "p.set_cosmology(H0=H0, ombh2=0.022); p.replace(camb.set_params(H0=55, ombh2=0.02))",
        "p.set_cosmology(H0=H0, ombh2=0.022); exec('p.H0 = 55')",
    ],
)
def test_roundabout_changes_are_not_overlooked(change):
    source = f"import camb\nH0 = 67.5\np = camb.CAMBparams()\n{change}\n"
    if "set_cosmology(" not in change:
        source += "p.set_cosmology(H0=H0, ombh2=0.022)\n"
    h0 = read_camb_code(source + "camb.get_results(p)\n").models[-1].parameters["H0"]
    assert (h0.value, h0.state) in {(55, "set"), (None, "unresolved")}


@pytest.mark.parametrize(
    ("raised", "caught"),
    [
        ("FileNotFoundError", "OSError"),
        ("UnicodeDecodeError('utf-8', b'', 0, 1, '')", "ValueError"),
        ("NotImplementedError", "RuntimeError"),
        ("Mine", "ValueError"),
        ("Mine", "(TypeError, ValueError)"),
    ],
)
def test_errors_are_caught_by_their_families(raised, caught):
    source = f"""
import camb
class Mine(ValueError): pass
h = 70
try:
    raise {raised}
except {caught}:
    h = 67.5
camb.get_background(camb.set_params(H0=h))
"""
    (model,) = read_camb_code(source).models
    assert (model.parameters["H0"].value, model.parameters["H0"].state) in {(67.5, "set"), (None, "unresolved")}


@pytest.mark.parametrize(
    "manager",
    [
        "class Step:\n    def __enter__(self): return self\n    def __exit__(self, *error): return True\nstep = Step",
        "import contextlib\n@contextlib.contextmanager\ndef step():\n    try: yield\n    except Exception: pass",
    ],
)
def test_an_error_may_be_swallowed_by_a_context_manager(manager):
    source = f"import camb\n{manager}\np = camb.CAMBparams()\np.set_cosmology(H0=70, ombh2=0.02)\nwith step():\n"
    source += "    p.set_no_such_thing(True)\np.set_cosmology(H0=67.5, ombh2=0.02)\ncamb.get_results(p)\n"
    reading = read_camb_code(source).models[-1].parameters["H0"]
    assert (reading.value, reading.state) in {(67.5, "set"), (None, "unresolved")}
